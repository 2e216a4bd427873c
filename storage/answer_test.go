package storage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
	"outreach/storage/sending"
)

// answerMail makes Message-IDs and plain text as the engine does, in short.
type answerMail struct{}

func (answerMail) NewMessageID(from string) (string, error) {
	_, domain, _ := strings.Cut(from, "@")
	return "<" + uuid.NewString() + "@" + domain + ">", nil
}

func (answerMail) PlainText(html string) string {
	return strings.NewReplacer("<p>", "", "</p>", "", "<b>", "", "</b>", "").Replace(html)
}

// composeAnswer shows in the bytes what an answer was composed of.
func composeAnswer(a outreach.AnswerBytes) ([]byte, error) {
	return fmt.Appendf(nil, "%s|%s|%s|%s", a.To, strings.Join(a.Cc, ","), a.Subject, strings.Join(a.Thread, " ")), nil
}

// talk is a scene whose prospect has replied.
type talk struct {
	*scene
	reply outreach.Reply
	user  uuid.UUID
}

func (s *stage) talk() *talk {
	s.t.Helper()
	scene := s.scene()
	in := s.received(scene.box, outreach.ReceivedReply, "ann@x.test", scene.out)
	in.Subject = new("Re: Step 1")
	in.Header = outreach.ReplyHeader{ID: "<r1@x.test>", Thread: []string{scene.out.MessageID}}
	s.ingest(scene.box, in)
	user := got(s.AddUser(s.ctx, s.ws, uuid.NewString()+"@acme.test", "hash", outreach.RoleMember, false))(s.t)
	return &talk{scene, s.lastReply(), user}
}

func (s *talk) text(text string) outreach.Answer {
	return outreach.Answer{WorkspaceID: s.ws, ReplyID: s.reply.ID, Author: &s.user, AnswerText: outreach.AnswerText{BodyText: &text}}
}

func (s *talk) answer(a outreach.Answer) outreach.Message {
	s.t.Helper()
	return got(s.CreateAnswer(s.ctx, a, answerMail{}))(s.t)
}

// due claims the answers whose time has come.
func (s *stage) due() []outreach.OutgoingAnswer {
	s.t.Helper()
	return got(s.ClaimAnswers(s.ctx, "me", 16, composeAnswer))(s.t)
}

// foundInSent reports a copy of a message in the Sent folder of its mailbox.
func (s *stage) foundInSent(message uuid.UUID) {
	s.t.Helper()
	must(s.t, s.NoteCopies(s.ctx, s.ws, []outreach.SentCopy{{Message: s.ref(message)}}))
}

// ref names a message of the workspace.
func (s *stage) ref(message uuid.UUID) outreach.Ref {
	return outreach.Ref{WorkspaceID: s.ws, ID: message}
}

// sendAnswer carries an answer through the ledger up to the given result.
func (s *talk) sendAnswer(result outreach.SendResult, refused string) outreach.Message {
	s.t.Helper()
	m := s.answer(s.text("Hello"))
	s.clock.Advance(outreach.UndoDelay)
	same(s.t, "claimed", len(s.due()), 1)
	must(s.t, s.CommitAnswer(s.ctx, s.ref(m.ID), "me"))
	must(s.t, s.SettleAnswer(s.ctx, s.ref(m.ID), "me", result, refused))
	return got(s.Message(s.ctx, s.ws, m.ID))(s.t)
}

var accepted = outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}

func TestAnswerLeaves(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	before := s.events(s.p.ID)
	a := s.text("Gladly.")
	a.Cc = []string{"boss@y.test"}
	m := s.answer(a)
	want := outreach.Message{ID: m.ID, WorkspaceID: s.ws, Kind: outreach.MessageAnswer, CampaignID: &s.c.ID,
		ProspectID: s.p.ID, MailboxID: s.box.ID,
		ReplyID: &s.reply.ID, To: "ann@x.test", Cc: []string{"boss@y.test"}, Subject: "Re: Step 1", MessageID: m.MessageID,
		Status: outreach.MessageScheduled,
		SendAt: new(s.clock.Now().Add(outreach.UndoDelay)), Text: "Gladly."}
	same(t, "scheduled", m, want)
	same(t, "waiting", got(s.WaitingAnswers(s.ctx, s.ws, s.p.ID))(t), []outreach.Message{want})
	same(t, "the reply is done", got(s.Reply(s.ctx, s.ws, s.reply.ID))(t).Done, true)
	same(t, "not before its time", len(s.due()), 0)
	s.clock.Advance(outreach.UndoDelay)
	due := s.due()
	same(t, "claimed once", []int{len(due), len(s.due())}, []int{1, 0})
	same(t, "bytes", string(due[0].Raw), "ann@x.test|boss@y.test|Re: Step 1|"+s.out.MessageID+" <r1@x.test>")
	answers := outreach.MessageFilter{Kind: new(outreach.MessageAnswer)}
	same(t, "not listed", len(got(s.ListMessages(s.ctx, s.ws, answers, outreach.Page{Limit: 5}))(t).Rows), 0)
	must(t, s.CommitAnswer(s.ctx, s.ref(m.ID), "me"))
	must(t, s.SettleAnswer(s.ctx, s.ref(m.ID), "me", accepted, ""))

	at := s.clock.Now()
	want.Status, want.SMTPResponse, want.SentAt = outreach.MessageSent, new("250 ok"), &at
	same(t, "sent", got(s.ListMessages(s.ctx, s.ws, answers, outreach.Page{Limit: 5}))(t).Rows, []outreach.Message{want})
	step := outreach.MessageFilter{Step: new(1)}
	same(t, "no step", len(got(s.ListMessages(s.ctx, s.ws, step, outreach.Page{Limit: 5}))(t).Rows), 1)
	same(t, "no event", s.events(s.p.ID), before)
	same(t, "contacted", got(s.Prospect(s.ctx, s.ws, s.p.ID))(t).LastContactedAt, &at)
	same(t, "counts", got(s.Mailbox(s.ctx, s.ws, s.box.ID))(t).SentToday, 2)
	same(t, "statistics count steps", got(s.CampaignReport(s.ctx, s.ws, s.c.ID, 7))(t).Steps[0].Sent, 1)

	s.clock.Advance(time.Minute)
	again := s.replyTo(s.box, "ann@x.test", &outreach.Outgoing{MessageID: m.MessageID}, nil)
	same(t, "a reply to it is of the campaign", []*uuid.UUID{again.CampaignID, again.MessageID}, []*uuid.UUID{&s.c.ID, &m.ID})
	same(t, "and raises replied", s.eventTypes(s.p.ID), []string{"sent", "replied", "replied"})
}

// An answer that is taken back leaves nothing behind but the draft.
func TestAnswerWithdrawn(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	m := s.answer(s.text("Oops"))
	m = got(s.UpdateAnswer(s.ctx, s.ws, m.ID, func(a *outreach.Answer) {
		a.BodyHTML, a.Subject = new("<p>Better</p>"), new("About that")
	}, answerMail{}))(t)
	same(t, "changed", []string{m.Subject, m.Text, *m.BodyHTML}, []string{"About that", "Better", "<p>Better</p>"})
	must(t, s.WithdrawAnswer(s.ctx, s.ws, m.ID))
	same(t, "status", got(s.Message(s.ctx, s.ws, m.ID))(t).Status, outreach.MessageNotSent)
	same(t, "the reply is open", got(s.Reply(s.ctx, s.ws, s.reply.ID))(t).Done, false)
	draft := got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t)
	same(t, "draft", draft.AnswerText,
		outreach.AnswerText{Subject: new("About that"), BodyHTML: new("<p>Better</p>"), BodyText: new("Better"), Cc: []string{}})
	refused(t, s.WithdrawAnswer(s.ctx, s.ws, m.ID), outreach.CodeInvalidState)
	s.clock.Advance(time.Hour)
	same(t, "it does not leave", len(s.due()), 0)

	late := s.answer(s.text("Hello"))
	same(t, "sending it takes the draft", got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t), nil)
	s.clock.Advance(outreach.UndoDelay)
	s.due()
	refused(t, s.WithdrawAnswer(s.ctx, s.ws, late.ID), outreach.CodeInvalidState)
	_, err := s.UpdateAnswer(s.ctx, s.ws, late.ID, func(*outreach.Answer) {}, answerMail{})
	refused(t, err, outreach.CodeInvalidState)
	refused(t, s.WithdrawAnswer(s.ctx, s.ws, s.out.ID), outreach.CodeInvalidState)
}

func TestAnswerIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	fields := func(change func(*outreach.Answer)) []string {
		a := s.text("Hello")
		change(&a)
		_, err := s.CreateAnswer(s.ctx, a, answerMail{})
		return faults(t, err)
	}
	same(t, "no body", fields(func(a *outreach.Answer) { a.BodyText = nil }), []string{"/body_text required"})
	same(t, "no words", fields(func(a *outreach.Answer) { a.BodyText, a.BodyHTML = nil, new("<p></p>") }), []string{"/body_html required"})
	same(t, "cc", fields(func(a *outreach.Answer) { a.Cc = []string{"a@x.test", "nobody", "A@x.test"} }),
		[]string{"/cc/1 invalid", "/cc/2 invalid"})
	same(t, "too late", fields(func(a *outreach.Answer) { a.SendAt = new(s.clock.Now().AddDate(2, 0, 0)) }), []string{"/send_at invalid"})
	_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("y.test")})
	must(t, err)
	same(t, "cc of a suppressed domain", fields(func(a *outreach.Answer) { a.Cc = []string{"boss@mail.y.test"} }), []string{"/cc/0 invalid"})
	_, err = s.CreateAnswer(s.ctx,
		outreach.Answer{WorkspaceID: s.ws, ReplyID: uuid.New(), AnswerText: outreach.AnswerText{BodyText: new("x")}}, answerMail{})
	refused(t, err, outreach.CodeNotFound)
	same(t, "nothing was stored", ask[int](s.stage, `SELECT count(*)::int FROM messages WHERE kind = 'answer'`), 0)
	s.exec(`UPDATE mailboxes SET status = 'error', last_error = 'SMTP: no'`)
	_, err = s.CreateAnswer(s.ctx, s.text("Hello"), answerMail{})
	refused(t, err, outreach.CodeMailboxUnreachable)
	s.exec(`UPDATE mailboxes SET status = 'paused'`)
	s.answer(s.text("Hello"))
}

// A person who unsubscribed gets no answer, unless they wrote since.
func TestAnswerObstacles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	suppress := func(reason outreach.SuppressionReason) func(*talk) {
		return func(s *talk) {
			s.exec(`
INSERT INTO suppressions (id, workspace_id, email, email_key, reason, created_at) VALUES ($1, $2, 'ann@x.test', 'ann@x.test', $3, $4)`,
				uuid.New(), s.ws, reason, s.clock.Now())
		}
	}
	unsubscribe := func(s *talk) {
		s.exec(`UPDATE prospects SET unsubscribed_at = $2 WHERE workspace_id = $1`, s.ws, s.clock.Now())
	}
	for name, c := range map[string]struct {
		before, after func(*talk)
		want          outreach.Code
	}{
		"unsubscribed since":          {nil, unsubscribe, outreach.CodeProspectUnsubscribed},
		"wrote after it":              {unsubscribe, nil, ""},
		"suppressed as unsubscribed":  {nil, suppress(outreach.SuppressedUnsubscribed), outreach.CodeProspectUnsubscribed},
		"wrote after it, suppressed":  {suppress(outreach.SuppressedUnsubscribed), nil, ""},
		"complained":                  {suppress(outreach.SuppressedComplaint), nil, outreach.CodeProspectUnsubscribed},
		"suppressed by hand":          {suppress(outreach.SuppressedManually), nil, outreach.CodeProspectSuppressed},
		"bounced before they replied": {suppress(outreach.SuppressedBounced), nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := s.room(t).talk()
			claimed := s.answer(s.text("On its way"))
			s.clock.Advance(outreach.UndoDelay)
			s.due()
			if c.before != nil {
				c.before(s)
				s.clock.Advance(time.Minute)
				s.exec(`UPDATE replies SET received_at = $2 WHERE workspace_id = $1`, s.ws, s.clock.Now())
			}
			if c.after != nil {
				c.after(s)
			}
			_, err := s.CreateAnswer(s.ctx, s.text("Hello"), answerMail{})
			commit := s.CommitAnswer(s.ctx, s.ref(claimed.ID), "me")
			if c.want == "" {
				must(t, err)
				must(t, commit)
				return
			}
			refused(t, err, c.want)
			same(t, "asked again at commit 2", commit, sending.ErrWithdrawn, cmpopts.EquateErrors())
			m := got(s.Message(s.ctx, s.ws, claimed.ID))(t)
			same(t, "given up", []any{m.Status, m.SMTPResponse != nil, m.SentAt}, []any{outreach.MessageNotSent, true, (*time.Time)(nil)})
			same(t, "the reply is open", got(s.Reply(s.ctx, s.ws, s.reply.ID))(t).Done, false)
		})
	}
}

// Only the prospect's own address is suppressed for a refusal, and nothing bounces.
func TestAnswerRefusedByTheServer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	gone := outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient, Response: "550 no such user"}
	for name, c := range map[string]struct {
		result     outreach.SendResult
		refused    string
		status     outreach.MessageStatus
		suppressed int
	}{
		"cc":         {gone, "boss@y.test", outreach.MessageNotSent, 0},
		"own":        {gone, "Ann@x.test", outreach.MessageNotSent, 1},
		"sender":     {outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultSender}, "", outreach.MessageNotSent, 0},
		"for now":    {outreach.SendResult{Kind: outreach.SendDeferred, Response: "451 later"}, "ann@x.test", outreach.MessageScheduled, 0},
		"not tried":  {outreach.SendResult{Kind: outreach.SendFailed, Response: "no route"}, "", outreach.MessageScheduled, 0},
		"not begun":  {outreach.SendResult{Kind: outreach.SendUncommitted}, "", outreach.MessageScheduled, 0},
		"no verdict": {outreach.SendResult{Kind: outreach.SendUnknown, Response: "cut"}, "", outreach.MessageUnknown, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := s.room(t).talk()
			before := s.eventTypes(s.p.ID)
			m := s.sendAnswer(c.result, c.refused)
			same(t, "status", m.Status, c.status)
			same(t, "suppressed", ask[int](s.stage, `SELECT count(*)::int FROM suppressions WHERE workspace_id = $1`, s.ws), c.suppressed)
			same(t, "events", s.eventTypes(s.p.ID), before)
			same(t, "open again", got(s.Reply(s.ctx, s.ws, s.reply.ID))(t).Done, c.status != outreach.MessageNotSent)
			if c.status != outreach.MessageScheduled {
				return
			}
			same(t, "not at once", len(s.due()), 0)
			s.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE workspace_id = $1 AND status = 'scheduled'`, s.ws)
			again := s.due()
			tries := 2
			if c.result.Kind == outreach.SendUncommitted {
				tries = 1
			}
			same(t, "tried again", again[0].Tries, tries)
		})
	}
}

// An answer that waits is there, also for a person who resolves it: it is not unknown.
func TestResolveOfAnAnswerThatWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t).room(t).talk()
	_, err := s.ResolveMessage(s.ctx, s.ws, s.answer(s.text("Hello")).ID, outreach.ResolvedSent)
	refused(t, err, outreach.CodeInvalidState)
}

// A process that dies before commit 2 leaves an answer to the next one, with the
// same bytes; one that dies after it leaves an unknown, which is settled by hand, by
// proof, or by the sender that was only slow.
func TestAnswerOfADeadProcess(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	expire := func(s *talk) {
		s.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE workspace_id = $1 AND status = 'scheduled'`, s.ws)
	}
	lost := func(t *testing.T) (*talk, outreach.Message) {
		s := s.room(t).talk()
		m := s.answer(s.text("Hello"))
		s.clock.Advance(outreach.UndoDelay)
		first := s.due()
		expire(s)
		second := got(s.ClaimAnswers(s.ctx, "you", 16,
			func(outreach.AnswerBytes) ([]byte, error) { return nil, fmt.Errorf("composed again") }))(t)
		same(t, "the same bytes", string(second[0].Raw), string(first[0].Raw))
		same(t, "the first is told", s.CommitAnswer(s.ctx, s.ref(m.ID), "me"), sending.ErrWithdrawn, cmpopts.EquateErrors())
		must(t, s.CommitAnswer(s.ctx, s.ref(m.ID), "you"))
		same(t, "not twice", s.CommitAnswer(s.ctx, s.ref(m.ID), "you"), sending.ErrWithdrawn, cmpopts.EquateErrors())
		expire(s)
		same(t, "nobody sends it", len(s.due()), 0)
		same(t, "swept", got(s.SweepAnswers(s.ctx))(t), 1)
		m = got(s.Message(s.ctx, s.ws, m.ID))(t)
		same(t, "unknown", m.Status, outreach.MessageUnknown)
		return s, m
	}
	status := func(s *talk, m outreach.Message) outreach.MessageStatus {
		return got(s.Message(s.ctx, s.ws, m.ID))(s.t).Status
	}
	t.Run("resolved as sent", func(t *testing.T) {
		s, m := lost(t)
		same(t, "status", got(s.ResolveMessage(s.ctx, s.ws, m.ID, outreach.ResolvedSent))(t).Status, outreach.MessageSent)
	})
	t.Run("resolved as not sent", func(t *testing.T) {
		s, m := lost(t)
		same(t, "status", got(s.ResolveMessage(s.ctx, s.ws, m.ID, outreach.ResolvedNotSent))(t).Status, outreach.MessageNotSent)
		same(t, "draft", *got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t).BodyText, "Hello")
	})
	t.Run("found in Sent", func(t *testing.T) {
		s, m := lost(t)
		same(t, "doubt", len(got(s.Unknowns(s.ctx, s.box.Ref()))(t)), 1)
		s.foundInSent(m.ID)
		same(t, "status", status(s, m), outreach.MessageSent)
	})
	t.Run("answered", func(t *testing.T) {
		s, m := lost(t)
		s.replyTo(s.box, "ann@x.test", &outreach.Outgoing{MessageID: m.MessageID}, nil)
		same(t, "status", status(s, m), outreach.MessageSent)
	})
	t.Run("settled late", func(t *testing.T) {
		s, m := lost(t)
		must(t, s.SettleAnswer(s.ctx, s.ref(m.ID), "you", accepted, ""))
		same(t, "status", status(s, m), outreach.MessageSent)
	})
}

func TestReportOnAnAnswer(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	m := s.sendAnswer(accepted, "")
	about := &outreach.Outgoing{MessageID: m.MessageID}
	s.ingest(s.box, s.bounced(outreach.FaultRecipient, about, "boss@y.test"))
	same(t, "a report on cc", got(s.Message(s.ctx, s.ws, m.ID))(t).Status, outreach.MessageSent)
	s.ingest(s.box, s.bounced(outreach.FaultRecipient, about, "ann@x.test"))
	same(t, "a report on the prospect", got(s.Message(s.ctx, s.ws, m.ID))(t).Status, outreach.MessageBounced)
	same(t, "no event", s.eventTypes(s.p.ID), []string{"sent", "replied"})
	same(t, "suppressed", rows[string](s.stage, `SELECT email FROM suppressions`), []string{"ann@x.test"})
}

// Answers that no worker sends do not delay other workspaces.
func TestAnswersOfOneWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	busy, other := s.room(t).talk(), s.room(t).talk()
	for range 10 {
		busy.answer(busy.text("Hello"))
	}
	other.answer(other.text("Hello"))
	s.clock.Advance(time.Minute)
	count := func() map[uuid.UUID]int {
		of := map[uuid.UUID]int{}
		for _, out := range s.due() {
			of[out.WorkspaceID]++
		}
		return of
	}
	same(t, "a share each", count(), map[uuid.UUID]int{busy.ws: 4, other.ws: 1})
	same(t, "no more while they are on their way", count(), map[uuid.UUID]int{})
}

func TestAnswerIsFiled(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	m := s.sendAnswer(accepted, "")
	unfiled := got(s.Unfiled(s.ctx, s.box.Ref()))(t)
	same(t, "unfiled", []any{len(unfiled), unfiled[0].ID, len(unfiled[0].Raw) > 0}, []any{1, m.ID, true})
	must(t, s.Filed(s.ctx, s.ws, ids(m.ID)))
	same(t, "filed", len(got(s.Unfiled(s.ctx, s.box.Ref()))(t)), 0)
	same(t, "bytes are dropped", ask[bool](s.stage, `SELECT raw IS NULL FROM messages WHERE id = $1`, m.ID), true)
}

func TestDrafts(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	colleague := got(s.AddUser(s.ctx, s.ws, "bob@acme.test", "hash", outreach.RoleMember, false))(t)
	same(t, "none", got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t), nil)
	draft := outreach.AnswerDraft{ReplyID: s.reply.ID, AnswerText: outreach.AnswerText{BodyText: new("Dear A"), Cc: []string{"bo"}}}
	got(s.SaveAnswerDraft(s.ctx, s.ws, s.user, draft))(t)
	draft.BodyText = new("Dear Ann")
	saved := got(s.SaveAnswerDraft(s.ctx, s.ws, s.user, draft))(t)
	same(t, "the last", got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t), &saved)
	same(t, "not a colleague's", got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, colleague))(t), nil)
	same(t, "the writer", len(got(s.Writers(s.ctx, s.ws, s.reply.ID, colleague))(t)), 1)
	same(t, "not oneself", len(got(s.Writers(s.ctx, s.ws, s.reply.ID, s.user))(t)), 0)
	second := s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "the writer, seen at another reply", len(got(s.Writers(s.ctx, s.ws, second.ID, colleague))(t)), 1)
	got(s.SaveAnswerDraft(s.ctx, s.ws, s.user, outreach.AnswerDraft{ReplyID: second.ID}))(t)
	same(t, "a writer of two, once", len(got(s.Writers(s.ctx, s.ws, s.reply.ID, colleague))(t)), 1)
	s.clock.Advance(outreach.PresenceLength)
	same(t, "gone after a while", len(got(s.Writers(s.ctx, s.ws, s.reply.ID, colleague))(t)), 0)
	must(t, s.DeleteAnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))
	same(t, "deleted", got(s.AnswerDraft(s.ctx, s.ws, s.reply.ID, s.user))(t), nil)
	_, err := s.SaveAnswerDraft(s.ctx, s.ws, s.user, outreach.AnswerDraft{ReplyID: uuid.New()})
	refused(t, err, outreach.CodeNotFound)
	long := draft
	long.BodyText = new(strings.Repeat("x", outreach.MaxBody+1))
	_, err = s.SaveAnswerDraft(s.ctx, s.ws, s.user, long)
	same(t, "too long", faults(t, err), []string{"/body_text too_long"})
}

// A mail may name another address for answers; what becomes of that address is no
// matter of the prospect.
func TestAnswerGoesToReplyTo(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	s.exec(`UPDATE replies SET reply_to = 'office@x.test'`)
	same(t, "shown", got(s.Reply(s.ctx, s.ws, s.reply.ID))(t).AnswerTo(), "office@x.test")
	m := s.sendAnswer(
		outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient, Response: "550 no such user"}, "office@x.test")
	same(t, "to", m.To, "office@x.test")
	same(t, "not suppressed", ask[int](s.stage, `SELECT count(*)::int FROM suppressions`), 0)
	got(s.CreateAnswer(s.ctx, s.text("Hello"), answerMail{}))(t)
	_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("office@x.test")})
	must(t, err)
	_, err = s.CreateAnswer(s.ctx, s.text("Hello"), answerMail{})
	refused(t, err, outreach.CodeProspectSuppressed)
}
