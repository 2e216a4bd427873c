package outreach

import "time"

// RecipientDeferral is what a mailbox keeps while its SMTP server answers every message with 4xx
// after a recipient was named (docs/reference.md#servers-that-defer). The recipient's own server may
// have said so (greylisting), so one domain shows nothing about the mailbox.
type RecipientDeferral struct {
	Domain string    // of the recipient that was deferred first
	Since  time.Time // when a recipient at another domain was deferred too; zero before
	Answer string    // what the owner was told; empty before
	Told   time.Time // when
}

// Add returns the state after one more recipient was deferred with an answer, and whether the owner
// is told it now. After the first time the second domain is enough.
func (d RecipientDeferral) Add(domain, answer string, now time.Time) (next RecipientDeferral, tell bool) {
	switch {
	case d.Domain == "":
		d.Domain = domain
	case d.Since.IsZero() && domain != d.Domain:
		d.Since = now
	}
	if !d.Since.IsZero() && (d.Answer != "" || now.Sub(d.Since) >= DeferralAllowed) {
		return RecipientDeferral{Answer: answer, Told: now}, true
	}
	return d, false
}

// Holds reports whether the owner was told less than DeferralAllowed ago. Until then the mailbox
// stays in error and nothing is sent, because only a message shows whether the server has recovered.
func (d *RecipientDeferral) Holds(now time.Time) bool {
	return d != nil && d.Answer != "" && now.Sub(d.Told) < DeferralAllowed
}
