package main

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach"
)

// Four workers are killed again and again at random instants. The limit of a mailbox, its ramp-up,
// the limit per company, the auto-pause and the skip dates hold, no person gets two mails, and each
// is named in not_sending_reason.
func TestLimitsWithFourWorkersKilled(t *testing.T) {
	t.Parallel()
	limitsKilled(t, 8)
}

// limited is a campaign with a mailbox of its own that something keeps from sending.
type limited struct {
	name    string
	mailbox object
	setting object
	people  string // the persona of the sandbox
	n       int
	most    int    // mails that may arrive
	reason  string // what not_sending_reason holds in the end
	id      string
}

func limitsKilled(t *testing.T, kills int) {
	s := newStage(t)
	s.spawn("api")
	s.untilReady()
	today := time.Now().UTC()
	all := []*limited{
		{name: "daily", mailbox: object{"daily_limit": 4}, people: "silent", n: 9, most: 4, reason: "has reached its limit of 4 in 24 hours"},
		// The limit is 3, or 4 if midnight passes.
		{name: "ramp", mailbox: object{"daily_limit": 90, "ramp_up": object{"start": 3, "increase": 1}}, people: "silent", n: 12,
			most: 4, reason: "ramps up and has reached its limit of"},
		{name: "company", setting: object{"company_daily_limit": 2, "timezone": noonZone(today)}, people: "silent", n: 8, most: 2,
			reason: "The limit of new prospects of one company for today is reached"},
		{name: "skip", setting: object{"skip_dates": []string{today.Format(time.DateOnly), today.AddDate(0, 0, 1).Format(time.DateOnly)},
			"timezone": "UTC"}, people: "silent", n: 3, most: 0, reason: "is a date to skip"},
		{name: "bounces", people: "bounce", n: 20, most: 0, reason: "came back from their recipients"},
	}
	for _, l := range all {
		s.startLimited(l)
	}
	workers := make([]*process, 4)
	for i := range workers {
		workers[i] = s.spawn("worker")
	}
	for range kills {
		<-time.After(rand.N(1500 * time.Millisecond))
		i := rand.IntN(len(workers))
		workers[i].kill()
		workers[i] = s.spawn("worker")
	}
	for _, l := range all {
		var reason string
		s.eventually(4*time.Minute, l.name+": the limit is the reason", func() bool {
			reason, _ = s.call(http.StatusOK, http.MethodGet, "/campaigns/"+l.id, nil)["not_sending_reason"].(string)
			return strings.Contains(reason, l.reason)
		})
		t.Logf("%s: %s", l.name, reason)
	}
	s.checkLimited(all)
}

// startLimited makes the mailbox and the campaign, enrolls its people and activates it.
func (s *stage) startLimited(l *limited) {
	s.t.Helper()
	account, err := s.mail.AddMailbox(l.name+"@sender.test", "a secret")
	if err != nil {
		s.t.Fatal(err)
	}
	server := func(m outreach.MailServer) object {
		return object{"host": m.Host, "port": m.Port, "username": m.Username, "password": m.Password, "security": m.Security}
	}
	box := object{"email": account.Email, "smtp": server(account.SMTP), "imap": server(account.IMAP), "daily_limit": 1000,
		"min_gap_seconds": 0}
	for name, value := range l.mailbox {
		box[name] = value
	}
	id := s.call(http.StatusCreated, http.MethodPost, "/mailboxes", box)["id"]
	campaign := object{"name": l.name, "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59",
		"mailbox_ids": []any{id}, "steps": []object{{"subject": "Hello", "body_text": "Would a call suit you?"}}}
	for name, value := range l.setting {
		campaign[name] = value
	}
	l.id = s.call(http.StatusCreated, http.MethodPost, "/campaigns", campaign)["id"].(string)
	for i := range l.n {
		s.enrollUntilThere(l.id, l.people+itoa(i)+"@"+l.name+".example")
	}
	s.call(http.StatusOK, http.MethodPost, "/campaigns/"+l.id+"/activate", nil)
}

// checkLimited counts the mails that arrived.
func (s *stage) checkLimited(all []*limited) {
	s.t.Helper()
	mails, of := map[string]int{}, map[string]int{}
	for _, message := range s.mail.Received() {
		mails[message.To]++
		_, domain, _ := strings.Cut(message.To, "@")
		of[strings.TrimSuffix(domain, ".example")]++
	}
	for to, n := range mails {
		if n > 1 {
			s.t.Errorf("%s got %d mails", to, n)
		}
	}
	for _, l := range all {
		if of[l.name] > l.most {
			s.t.Errorf("%s: %d mails arrived, want at most %d", l.name, of[l.name], l.most)
		}
		bounced := len(s.list("/messages?status=bounced&limit=100&campaign_id=" + l.id))
		if l.people == "bounce" && bounced != 8 {
			s.t.Errorf("%d messages bounced, want 8, at which the mailbox is paused", bounced)
		}
		unknown := len(s.list("/messages?status=unknown&limit=100&campaign_id=" + l.id))
		s.t.Logf("%s: %d mails of at most %d, %d bounced, %d unknown", l.name, of[l.name], l.most, bounced, unknown)
	}
}

// noonZone is a time zone in which it is about noon, so that no day ends during a test.
func noonZone(now time.Time) string {
	switch hours := now.UTC().Hour() - 12; {
	case hours > 0:
		return "Etc/GMT+" + itoa(hours)
	case hours < 0:
		return "Etc/GMT" + itoa(hours)
	}
	return "UTC"
}
