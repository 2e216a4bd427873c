package engine

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

// trialLimit bounds the sending of a test mail up to its final dot: somebody
// waits for it at a form.
const trialLimit = 30 * time.Second

// Trial sends test mails: a step as its prospect would get it, to somebody of the
// workspace.
type Trial struct {
	Composer *Composer
	Network  mail.Network
}

// Send composes a draft and hands it over for to through the draft's mailbox,
// within a minute. The subject is marked, and nothing in the message acts on the
// prospect or is tracked. Whatever the server says is the result and no error;
// a draft that cannot be composed is an *outreach.Error.
//
// Nothing is written down: a process that dies before the final dot has sent
// nothing, one that dies after it may have.
func (t Trial) Send(ctx context.Context, d outreach.Draft, to string) (outreach.TestSent, error) {
	out, err := t.Composer.composeTrial(ctx, d, to)
	if hold, ok := errors.AsType[*outreach.HoldError](err); ok {
		return outreach.TestSent{}, outreach.Errorf(outreach.CodeValidation, "It cannot be sent: %s.", hold.Reason)
	}
	if err != nil {
		return outreach.TestSent{}, err
	}
	network := t.Network
	network.Timeouts = mail.Timeouts{Connect: trialLimit, Command: trialLimit, Data: trialLimit, Answer: trialLimit}
	ctx, cancel := context.WithTimeout(ctx, trialLimit)
	defer cancel()
	began := time.Now()
	outcome, _ := mail.Send(ctx, mail.SMTPConfig{Server: d.Mailbox.SMTP, Network: network},
		mail.Envelope{From: d.Mailbox.Email, To: to}, out.Raw, func(context.Context) error { return nil })
	return outreach.TestSent{
		Recipient: to, Subject: out.Subject, Outcome: outreach.TestOutcome(outcome.Status), Command: outcome.Command,
		SMTPResponse: outcome.Text, DurationMs: int(time.Since(began).Milliseconds()),
	}, nil
}

// composeTrial is Compose for a reader who is not the prospect. Links to
// unsubscribe belong to no message.
func (c *Composer) composeTrial(ctx context.Context, d outreach.Draft, to string) (outreach.Composed, error) {
	d.ID, d.TrackingHost, d.Thread = uuid.Nil, nil, nil
	return c.compose(ctx, d, func(m *mail.Draft) {
		m.Subject = "[Test] " + m.Subject
		m.To, m.ToName, m.UnsubscribeURL = to, "", ""
	})
}
