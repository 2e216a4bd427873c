package outreach

import "time"

// Temperature is how engaged a company was in the last seven days. It is computed from
// events on each read and never stored.
type Temperature string

// The temperatures, hottest first.
const (
	TemperatureHot  Temperature = "hot"
	TemperatureWarm Temperature = "warm"
	TemperatureCold Temperature = "cold"
)

// Signals holds the times of the latest engagements of a company inside the window; nil if there
// was none.
type Signals struct {
	Positive    *time.Time // a positive reply
	Neutral     *time.Time // a neutral reply
	Reply       *time.Time // any reply that is neither automatic nor negative
	Click       *time.Time
	OfferRead   *time.Time
	OfferReread *time.Time
	Cooled      *time.Time // a negative reply or an unsubscribe
}

// Temperature returns the temperature and its reason (docs/reference.md#temperature). A signal
// counts unless Cooled is later.
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
