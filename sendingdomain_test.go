package outreach_test

import (
	"testing"
	"time"

	"outreach"
)

// SPF and DMARC decide; a fault of the DNS is never a failure.
func TestDomainState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spf, dmarc outreach.RecordResult
		want       outreach.DomainState
	}{
		{"pass", "pass", "passing"},
		{"unknown", "pass", "unknown"},
		{"pass", "unknown", "unknown"},
		{"unknown", "unknown", "unknown"},
		{"fail", "pass", "failing"},
		{"none", "pass", "failing"},
		{"pass", "fail", "failing"},
		{"pass", "none", "failing"},
		{"unknown", "none", "failing"},
		{"fail", "unknown", "failing"},
	} {
		check := outreach.DomainCheck{
			SPF: outreach.RecordCheck{Result: c.spf}, DMARC: outreach.RecordCheck{Result: c.dmarc},
			MX: outreach.RecordCheck{Result: outreach.RecordFail},
		}
		if got := check.State(); got != c.want {
			t.Errorf("SPF %s, DMARC %s: %s, want %s", c.spf, c.dmarc, got, c.want)
		}
	}
}

func TestFailingSince(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	failing := outreach.DomainCheck{SPF: outreach.RecordCheck{Result: outreach.RecordFail}}
	fault := outreach.DomainCheck{SPF: outreach.RecordCheck{Result: outreach.RecordUnknown},
		DMARC: outreach.RecordCheck{Result: outreach.RecordPass}, Fault: true}
	valid := outreach.DomainCheck{SPF: outreach.RecordCheck{Result: outreach.RecordUnknown},
		DMARC: outreach.RecordCheck{Result: outreach.RecordPass}}
	d := outreach.NewSendingDomain(outreach.SendingDomain{}.WorkspaceID, "acme.test")
	for day, step := range []struct {
		check outreach.DomainCheck
		since int // day; -1 for none
	}{
		{valid, -1}, {failing, 1}, {failing, 1}, {fault, 1}, {failing, 1}, {valid, -1}, {fault, -1}, {failing, 7},
	} {
		d.Note(step.check, start.AddDate(0, 0, day))
		got := -1
		if d.FailingSince != nil {
			got = int(d.FailingSince.Sub(start).Hours()) / 24
		}
		if got != step.since {
			t.Errorf("day %d: failing since day %d, want %d", day, got, step.since)
		}
	}
}

// The table of providers is complete and finds its own entries.
func TestKnownProviders(t *testing.T) {
	t.Parallel()
	for domain, name := range map[string]string{"gmail.com": "Google", "hotmail.com": "Microsoft", "icloud.com": "iCloud", "acme.test": ""} {
		if p := outreach.ProviderOfDomain(domain); (p == nil) != (name == "") || p != nil && p.Name != name {
			t.Errorf("%s is of %v, want %q", domain, p, name)
		}
	}
	for host, name := range map[string]string{
		"aspmx.l.google.com": "Google", "Acme-com.mail.protection.outlook.com.": "Microsoft", "in1-smtp.messagingengine.com": "Fastmail",
		"mta7.am0.yahoodns.net": "Yahoo", "mx-aol.mail.gm0.yahoodns.net": "AOL", "mail.acme.test": "",
	} {
		if p := outreach.ProviderOfMX(host); (p == nil) != (name == "") || p != nil && p.Name != name {
			t.Errorf("%s is of %v, want %q", host, p, name)
		}
	}
	for _, name := range []string{"Google", "Microsoft", "Fastmail", "Zoho (EU)", "Yandex"} {
		found := false
		for _, p := range outreach.KnownProviders() {
			if p.Name != name {
				continue
			}
			found = true
			if q := outreach.ProviderOfMailbox(p.Provider(), p.SMTP.Host); q == nil || q.Name != name {
				t.Errorf("%s sends as %v", name, q)
			}
		}
		if !found {
			t.Errorf("no %s", name)
		}
	}
	for _, p := range outreach.KnownProviders() {
		for _, s := range []outreach.MailServer{p.SMTP, p.IMAP} {
			if s.Host == "" || s.Port == 0 || s.Security != outreach.SecurityTLS && s.Security != outreach.SecurityStartTLS {
				t.Errorf("%s: %+v", p.Name, s)
			}
		}
		if p.Password != outreach.PasswordOfAccount && p.Password != outreach.PasswordOfApp && p.Password != outreach.PasswordNone {
			t.Errorf("%s: password %q", p.Name, p.Password)
		}
	}
}
