package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/mail/engine"
)

// outbox takes a few test mails instead of a server.
type outbox struct {
	left  int
	taken []string
}

func (o *outbox) Allow(context.Context, uuid.UUID) bool {
	o.left--
	return o.left >= 0
}

func (o *outbox) Send(_ context.Context, d outreach.Draft, to string) (outreach.TestSent, error) {
	o.taken = append(o.taken,
		fmt.Sprintf("step %d for %s by %s (%s) to %s after %q", d.Number, d.Prospect.Email, d.Mailbox.Email,
			d.Mailbox.SMTP.Password, to, d.ThreadSubject))
	return outreach.TestSent{Recipient: to, Outcome: "accepted", SMTPResponse: "250 ok"}, nil
}

// A test e-mail goes to the user, to members and to mailboxes of the workspace. Every
// other recipient is refused, and so are rows of another workspace.
func TestTestMails(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("Ann@x.test", outreach.RoleMember)
	s.user("bob@x.test", outreach.RoleMember)
	mailbox, prospect := s.correspondents(s.ws, "mine")
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	theirBox, theirProspect := s.correspondents(other, "theirs")
	out := &outbox{left: 7} // a test that cannot be rendered counts
	config := s.config()
	config.Tests, config.Templates = out, &engine.Composer{Keyring: s.ring}
	s.schema = graph.NewSchema(config)
	h := s.handler(graph.HandlerConfig{})
	ann := s.in(h, "ann@x.test", "correct horse")
	ask := func(prospect, mailbox uuid.UUID, rest string) answer {
		return s.post(h, fmt.Sprintf(`mutation { sendTestStep(input: {prospectId: %q, mailboxId: %q, %s}) { recipient `+
			`outcome smtpResponse } }`, prospect, mailbox, rest),
			ann)
	}

	const fine = `subject: "Hi {{ first_name }}", bodyText: "text"`
	for rest, to := range map[string]string{fine: "Ann@x.test", fine + `, to: "ANN@x.test"`: "Ann@x.test",
		fine + `, to: "Bob@x.test"`: "bob@x.test", fine + `, to: "Mine@box.test"`: "mine@box.test"} {
		s.count.take()
		a := ask(prospect, mailbox, rest)
		same(t, rest, a.Data["sendTestStep"], any(map[string]any{"recipient": to, "outcome": "accepted", "smtpResponse": "250 ok"}))
		if n := s.count.take(); n > 6 {
			t.Errorf("%d statements with the session's", n)
		}
	}
	ask(prospect, mailbox, `number: 2, bodyText: "text", threadSubject: "Hi {{ first_name }}"`)
	same(t, "a follow-up", out.taken[4], `step 2 for p@mine.test by mine@box.test (p) to Ann@x.test after "Hi Ada"`)

	for name, c := range map[string]struct {
		a    answer
		code string
		said string
	}{
		"another person's address": {ask(prospect, mailbox, fine+`, to: "p@mine.test"`), "validation_failed",
			"to must be the address of a member or mailbox of this workspace."},
		"another workspace's address": {ask(prospect, mailbox, fine+`, to: "theirs@box.test"`), "validation_failed",
			"to must be the address of a member or mailbox of this workspace."},
		"an address with a NUL": {ask(prospect, mailbox, fine+`, to: "a\u0000b"`), "validation_failed",
			"A text contains a character that cannot be stored."},
		"another workspace's prospect": {ask(theirProspect, mailbox, fine), "not_found", outreach.ErrNotFound.Message},
		"another workspace's mailbox":  {ask(prospect, theirBox, fine), "not_found", outreach.ErrNotFound.Message},
		"missing values": {ask(prospect, mailbox, `subject: "{{ phone }}", bodyText: "{{ job_title }}"`),
			"validation_failed", "The prospect has no value for: phone, job_title."},
		"a broken template": {ask(prospect, mailbox, `subject: "Hi", bodyText: "{{ phone"`), "validation_failed", "The template is not valid: "},
		"too many":          {ask(prospect, mailbox, fine), "rate_limited", "Too many test e-mails. Try again in a minute."},
	} {
		if len(c.a.Errors) != 1 || c.a.Errors[0].Extensions["code"] != c.code || len(c.a.Errors[0].Message) < len(c.said) ||
			c.a.Errors[0].Message[:len(c.said)] != c.said {
			t.Errorf("%s: %v", name, c.a.Errors)
		}
	}
	if _, err := s.run(fmt.Sprintf(`mutation { sendTestStep(input: {prospectId: %q, mailboxId: %q, %s}) { outcome } }`,
		prospect, mailbox, fine), nil); outreach.CodeOf(err) != outreach.CodeForbidden {
		t.Errorf("a token: %v", err)
	}
	same(t, "sent", len(out.taken), 5)
	var left []int
	must(t, s.sql.QueryRow(s.ctx, `
SELECT array[(SELECT count(*) FROM messages), (SELECT count(*) FROM events), (SELECT count(*) FROM deliveries)]::int[]`).Scan(&left))
	if diff := cmp.Diff([]int{0, 0, 0}, left); diff != "" {
		t.Errorf("recorded: %s", diff)
	}
}

// correspondents are a mailbox and a prospect called Ada.
func (s *stage) correspondents(ws uuid.UUID, name string) (mailbox, prospect uuid.UUID) {
	s.t.Helper()
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email = ws, name+"@box.test"
	box.SMTP = outreach.MailServer{Host: "smtp.test", Port: 465, Username: "u", Password: "p", Security: outreach.SecurityTLS}
	box.IMAP = box.SMTP
	made, err := s.db.CreateMailbox(s.ctx, box)
	must(s.t, err)
	p, err := s.db.CreateProspect(s.ctx,
		outreach.Prospect{WorkspaceID: ws, Email: "p@" + name + ".test", FirstName: new("Ada"), CustomFields: map[string]any{}})
	must(s.t, err)
	return made.ID, p.ID
}
