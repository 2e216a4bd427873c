package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// TestMails sends test e-mails of single steps.
type TestMails interface {
	// Allow counts a test e-mail and reports whether a workspace may send it now.
	Allow(ctx context.Context, workspace uuid.UUID) bool
	// Send composes the draft as for its prospect, without tracking, and sends it to to. A refusal
	// by the server is not an error; a draft that cannot be composed is a client error.
	Send(ctx context.Context, d outreach.Draft, to string) (outreach.TestSent, error)
}

// SendTestStep stores nothing. If the process dies before the message is handed over, nothing was
// sent. If it dies after, the message was sent without an answer to the user, who sends the test
// again.
func (m mutations) SendTestStep(ctx context.Context, in exec.TestStepInput) (outreach.TestSent, error) {
	to, err := m.testRecipient(ctx, in.To.Value())
	if err != nil {
		return outreach.TestSent{}, err
	}
	d := outreach.Draft{ID: uuid.New(), Number: in.Number, Date: time.Now(), Step: outreach.Step{
		Subject: filled(in.Subject.Value()), BodyHTML: filled(in.BodyHTML.Value()), BodyText: filled(in.BodyText.Value()),
	}}
	if d.Prospect, err = inWorkspace(ctx, in.ProspectID, m.Stores.ProspectReader.Prospect); err != nil {
		return outreach.TestSent{}, err
	}
	if d.Mailbox, err = m.openMailbox(ctx, in.MailboxID); err != nil {
		return outreach.TestSent{}, unavailable(err)
	}
	if !m.Tests.Allow(ctx, d.Mailbox.WorkspaceID) {
		return outreach.TestSent{}, outreach.Errorf(outreach.CodeRateLimited, "Too many test e-mails. Try again in a minute.")
	}
	if d.ThreadSubject, err = m.renderable(ctx, d, filled(in.ThreadSubject.Value())); err != nil {
		return outreach.TestSent{}, err
	}
	return m.Tests.Send(ctx, d, to)
}

// testRecipient returns the recipient of a test e-mail, who must be a member or a mailbox of the
// workspace.
func (m mutations) testRecipient(ctx context.Context, to *string) (string, error) {
	v, err := user(ctx)
	if err != nil {
		return "", err
	}
	if to == nil || outreach.SameEmail(*to, v.Email) {
		return v.Email, nil
	}
	address, err := m.Stores.AddressBook.OwnAddress(ctx, v.WorkspaceID, *to)
	if err != nil || address != "" {
		return address, err
	}
	var faults outreach.Faults
	faults.Add(outreach.At("to"), outreach.FieldInvalid, "to must be the address of a member or mailbox of this workspace.")
	return "", faults.Err()
}

// renderable returns the subject of the thread that a follow-up continues. It returns a client
// error, with the texts of the preview, for a draft that cannot be composed.
func (m mutations) renderable(ctx context.Context, d outreach.Draft, threadSubject *string) (string, error) {
	step, thread := d.Step, ""
	var follows outreach.Preview
	var err error
	if step.Subject == nil && threadSubject != nil {
		if follows, err = m.Templates.Preview(ctx, outreach.Step{Subject: threadSubject}, d.Prospect, nil); err != nil {
			return "", err
		}
		if follows.Subject != nil {
			thread = *follows.Subject
		}
	}
	view, err := m.Templates.Preview(ctx, step, d.Prospect, &d.Mailbox)
	if err != nil {
		return "", err
	}
	var faults outreach.Faults
	for _, problem := range []*string{follows.Error, view.Error} {
		if problem != nil {
			faults.Add(outreach.At("body_text"), outreach.FieldInvalid, "The template is not valid: %s", *problem)
		}
	}
	if missing := append(follows.Missing, view.Missing...); len(missing) > 0 {
		faults.Add(outreach.At("prospect_id"), outreach.FieldRequired, "The prospect has no value for: %s.", strings.Join(missing, ", "))
	}
	return thread, faults.Err()
}
