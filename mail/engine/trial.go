package engine

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

// trialLimit bounds the sending of a test mail up to its final dot. The caller waits for the
// result.
const trialLimit = 30 * time.Second

// Trial sends test mails: a step as its prospect would receive it, to a member of the workspace.
type Trial struct {
	Composer *Composer
	Network  mail.Network
}

// Send composes a draft and sends it to the address to through the draft's mailbox, within a
// minute. The subject is marked, links are not tracked, and nothing in the message acts on the
// prospect. The server's answer is the result, not an error; a draft that cannot be composed is an
// *outreach.Error.
//
// Nothing is stored. If the process dies before the final dot, nothing was sent; if it dies after
// it, the mail may have been sent.
func (t Trial) Send(ctx context.Context, d outreach.Draft, to string) (outreach.TestSent, error) {
	out, err := t.Composer.composeTrial(ctx, d, to)
	if hold, ok := errors.AsType[*outreach.HoldError](err); ok {
		return outreach.TestSent{}, outreach.Errorf(outreach.CodeValidation, "Cannot send the test mail: %s.", hold.Reason)
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

// composeTrial is Compose for a reader who is not the prospect. Unsubscribe links do nothing.
func (c *Composer) composeTrial(ctx context.Context, d outreach.Draft, to string) (outreach.Composed, error) {
	d.ID, d.TrackingHost, d.Thread = uuid.Nil, nil, nil
	return c.compose(ctx, d, func(m *mail.Draft) {
		m.Subject = "[Test] " + m.Subject
		m.To, m.ToName, m.UnsubscribeURL = to, "", ""
	})
}
