package storage_test

import (
	"testing"
	"time"

	"outreach"
)

func sentAt(uid uint32) outreach.FolderPosition {
	return outreach.FolderPosition{Folder: "sent", UIDValidity: 1, UID: uid}
}

func writtenElsewhere(id, answered string, at time.Time) outreach.ExternalAnswer {
	return outreach.ExternalAnswer{SentHead: outreach.SentHead{MessageID: id, Answered: []string{answered}},
		To: "ann@x.test", Subject: "Re: Step 1", Text: "How about Tuesday?", At: at}
}

// A mail of the Sent folder belongs to a conversation of the same workspace and mailbox, or to none.
func TestExternalAnswersAreApart(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	other := s.room(t).talk()
	also := s.mailbox("also@acme.test")
	heads := []outreach.SentHead{
		{MessageID: "<e1@acme.test>", Answered: []string{"<unknown@x.test>", s.reply.Header.ID}},
		{MessageID: "<e2@acme.test>", Answered: []string{s.out.MessageID}},
		{MessageID: s.out.MessageID, Answered: []string{s.reply.Header.ID}},
		{MessageID: "<e3@acme.test>"},
	}
	same(t, "its own", got(s.AnswersElsewhere(s.ctx, s.box.Ref(), heads))(t), []bool{true, true, false, false})
	none := []bool{false, false, false, false}
	same(t, "another mailbox", got(s.AnswersElsewhere(s.ctx, also.Ref(), heads))(t), none)
	ids := heads[1:2] // the replies of both workspaces have one Message-ID
	same(t, "another workspace", got(other.AnswersElsewhere(s.ctx, other.box.Ref(), ids))(t), []bool{false})

	mails := []outreach.ExternalAnswer{writtenElsewhere("<e2@acme.test>", s.out.MessageID, s.clock.Now())}
	must(t, other.TakeSent(s.ctx, other.box.Ref(), mails, sentAt(1)))
	must(t, s.TakeSent(s.ctx, also.Ref(), mails, sentAt(1)))
	same(t, "stored", rows[int](s.stage, `SELECT count(*)::int FROM messages WHERE external`)[0], 0)
}

// A time in the future counts as now. The mail of a deleted prospect is not stored. What a report
// says of an external answer changes nothing, and it cannot be resolved, changed or withdrawn.
func TestExternalAnswerStays(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	later := writtenElsewhere("<e1@acme.test>", s.out.MessageID, s.clock.Now().Add(time.Hour))
	must(t, s.TakeSent(s.ctx, s.box.Ref(), []outreach.ExternalAnswer{later, later}, sentAt(2)))
	page := got(s.ListMessages(s.ctx, s.ws, outreach.MessageFilter{Kind: new(outreach.MessageAnswer)}, outreach.Page{Limit: 5}))(t)
	same(t, "answers", len(page.Rows), 1)
	m := page.Rows[0]
	same(t, "sent", m.SentAt.Equal(s.clock.Now()), true)
	same(t, "reply", m.ReplyID == nil && m.External, true)
	same(t, "last contacted", got(s.Prospect(s.ctx, s.ws, s.p.ID))(t).LastContactedAt.Equal(s.clock.Now()), true)

	in := s.received(s.box, outreach.ReceivedBounce, "mailer-daemon@x.test", &outreach.Outgoing{MessageID: m.MessageID})
	in.Bounces = []outreach.Bounce{{Address: "ann@x.test", Fault: outreach.FaultRecipient, Error: "550 no such user"}}
	s.ingest(s.box, in)
	same(t, "status", got(s.Message(s.ctx, s.ws, m.ID))(t).Status, outreach.MessageSent)
	same(t, "suppressed", rows[int](s.stage, `SELECT count(*)::int FROM suppressions`)[0], 0)
	same(t, "resolve", second(s.ResolveMessage(s.ctx, s.ws, m.ID, outreach.ResolvedNotSent)) != nil, true)
	same(t, "withdraw", s.WithdrawAnswer(s.ctx, s.ws, m.ID) != nil, true)

	must(t, s.EraseProspect(s.ctx, s.ws, s.p.ID))
	same(t, "text", got(s.Message(s.ctx, s.ws, m.ID))(t).Text, "")
	after := writtenElsewhere("<e9@acme.test>", s.out.MessageID, s.clock.Now())
	must(t, s.TakeSent(s.ctx, s.box.Ref(), []outreach.ExternalAnswer{after}, sentAt(3)))
	same(t, "stored", rows[int](s.stage, `SELECT count(*)::int FROM messages WHERE external`)[0], 1)
}
