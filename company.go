package outreach

import (
	"time"

	"github.com/google/uuid"
)

// Temperature says how much a company has shown of late, by the events of the
// last TemperatureWindow. It is computed at each look and never stored.
type Temperature string

// The temperatures, from the most promising down.
const (
	TemperatureHot  Temperature = "hot"
	TemperatureWarm Temperature = "warm"
	TemperatureCold Temperature = "cold"
)

// TemperatureWindow is how far back a company's temperature looks.
const TemperatureWindow = 7 * 24 * time.Hour

// Company is the employer that prospects share, found or made by the domain of
// their addresses, else by its name.
type Company struct {
	ID                uuid.UUID
	WorkspaceID       uuid.UUID
	Name              string
	Domain            *string
	Temperature       Temperature
	TemperatureReason string
	ProspectCount     int
	CreatedAt         time.Time
}

// Signals are the latest engagements of a company inside the window, nil where
// there was none.
type Signals struct {
	Positive    *time.Time // a reply read as positive
	Neutral     *time.Time // a reply read as neutral
	Reply       *time.Time // any reply that is neither automatic nor negative
	Click       *time.Time
	OfferRead   *time.Time
	OfferReread *time.Time
	Cooled      *time.Time // a negative reply or an unsubscribe
}

// Temperature applies the contract's rule (section 4, companies) and says why.
// A signal counts unless something cooling is newer.
func (s Signals) Temperature() (Temperature, string) {
	switch {
	case s.counts(s.Positive):
		return TemperatureHot, "positive reply"
	case s.counts(s.OfferReread):
		return TemperatureHot, "offer read again"
	case s.counts(s.Neutral) && s.counts(s.Click):
		return TemperatureHot, "neutral reply and a click"
	case s.counts(s.Neutral) && s.counts(s.OfferRead):
		return TemperatureHot, "neutral reply and an offer read"
	case s.counts(s.Reply):
		return TemperatureWarm, "reply"
	case s.counts(s.OfferRead):
		return TemperatureWarm, "offer read"
	case s.counts(s.Click):
		return TemperatureWarm, "click"
	case s.Cooled != nil:
		return TemperatureCold, "negative reply or unsubscribe"
	}
	return TemperatureCold, "no engagement in the last seven days"
}

func (s Signals) counts(at *time.Time) bool {
	return at != nil && (s.Cooled == nil || !s.Cooled.After(*at))
}

// IsFreeMail reports whether a domain gives addresses to anybody, so that
// sharing it says nothing of an employer.
func IsFreeMail(domain string) bool {
	_, free := freeMail[domain]
	return free
}

var freeMail = setOf(
	"gmail.com", "googlemail.com", "yahoo.com", "yahoo.co.uk", "yahoo.fr", "yahoo.de", "yahoo.it", "yahoo.es", "yahoo.co.in", "yahoo.co.jp",
	"ymail.com", "rocketmail.com", "outlook.com", "outlook.de", "outlook.fr", "hotmail.com", "hotmail.co.uk", "hotmail.fr", "hotmail.de",
	"hotmail.it", "live.com", "live.nl", "live.fr", "msn.com", "icloud.com", "me.com", "mac.com", "aol.com", "aim.com", "gmx.de", "gmx.net",
	"gmx.at", "gmx.ch", "gmx.com", "web.de", "t-online.de", "freenet.de", "mail.com", "email.com", "proton.me", "protonmail.com", "pm.me",
	"tutanota.com", "tuta.io", "fastmail.com", "fastmail.fm", "hey.com", "zoho.com", "zohomail.com", "yandex.ru", "yandex.com", "ya.ru",
	"mail.ru", "bk.ru", "inbox.ru", "list.ru", "rambler.ru", "qq.com", "163.com", "126.com", "sina.com", "foxmail.com", "naver.com",
	"daum.net", "hanmail.net", "orange.fr", "wanadoo.fr", "free.fr", "laposte.net", "sfr.fr", "libero.it", "virgilio.it", "tiscali.it",
	"alice.it", "tin.it", "seznam.cz", "centrum.cz", "wp.pl", "o2.pl", "onet.pl", "interia.pl", "abv.bg", "bol.com.br", "uol.com.br",
	"terra.com.br", "ziggo.nl", "kpnmail.nl", "planet.nl", "telenet.be", "skynet.be", "bluewin.ch", "btinternet.com", "sky.com",
	"virginmedia.com", "talktalk.net", "comcast.net", "verizon.net", "att.net", "sbcglobal.net", "bellsouth.net", "cox.net", "charter.net",
	"shaw.ca", "rogers.com", "sympatico.ca", "bigpond.com", "optusnet.com.au", "rediffmail.com",
)

func setOf(names ...string) map[string]struct{} {
	set := make(map[string]struct{}, len(names))
	for _, name := range names {
		set[name] = struct{}{}
	}
	return set
}
