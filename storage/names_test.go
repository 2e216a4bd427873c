package storage_test

import (
	"testing"

	"github.com/google/uuid"

	"outreach"
)

const givenID = "<AM0PR01@prod.provider.test>"

// takenAs is the answer of a server that names another Message-ID.
var takenAs = outreach.SendResult{Kind: outreach.SendSent, Response: "250 2.0.0 OK " + givenID, NamedID: givenID}

// replacement is how the Message-ID of a message becomes known that its provider replaced.
var replacement = map[string]func(s *stage, box outreach.Mailbox) *outreach.Outgoing{
	"named in the server's answer": func(s *stage, box outreach.Mailbox) *outreach.Outgoing { return s.sendWith(box, takenAs) },
	"found in the Sent folder": func(s *stage, box outreach.Mailbox) *outreach.Outgoing {
		out := s.send(box)
		s.copies(outreach.SentCopy{Message: out.Ref(), MessageID: givenID})
		return out
	},
}

func (s *stage) copies(copies ...outreach.SentCopy) {
	s.t.Helper()
	must(s.t, s.NoteCopies(s.ctx, s.ws, copies))
}

// What names the Message-ID that a provider gave our message is about that message: replies,
// automatic answers, bounces and complaints. So is what names the one that we gave it.
func TestReplacedMessageIDCounts(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for how, send := range replacement {
		for _, id := range []string{givenID, ""} {
			t.Run(how+" "+id, func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				box := s.mailbox("me@acme.test")
				campaign := s.campaign("C", box, steps(0, 60)...)
				about := func(out *outreach.Outgoing) *outreach.Outgoing {
					if id == "" {
						return out
					}
					return &outreach.Outgoing{MessageID: id}
				}
				for who, c := range map[string]struct {
					kind   outreach.ReceivedKind
					status outreach.ProspectStatus
				}{
					"ann@x.test":  {outreach.ReceivedReply, outreach.ProspectReplied},
					"bob@x.test":  {outreach.ReceivedAutomatic, outreach.ProspectInSequence},
					"carl@x.test": {outreach.ReceivedBounce, outreach.ProspectBounced},
					"dora@x.test": {outreach.ReceivedComplaint, outreach.ProspectUnsubscribed},
				} {
					s.exec(`UPDATE messages SET named_id = NULL, filed_id = NULL WHERE workspace_id = $1`, s.ws) // of one message
					p := s.prospect(who)
					s.enroll(campaign, p)
					out := send(s, box)
					in := s.received(box, c.kind, "other@y.test", about(out)) // by address it is not found
					if c.kind == outreach.ReceivedBounce {
						in.Bounces = []outreach.Bounce{{Address: "alias@y.test", Fault: outreach.FaultRecipient, Error: "550 5.1.1"}}
					}
					s.ingest(box, in)
					same(t, string(c.kind), s.status(p), c.status)
					if c.kind.Answer() {
						same(t, "message", *s.lastReply().MessageID, out.ID)
					}
				}
			})
		}
	}
}

// A follow-up answers the mail as its recipient got it. Our own Message-ID comes before it, for
// mail programs that know only that one.
func TestFollowUpNamesTheReplacedID(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for how, send := range replacement {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			inThread := steps(0, 0, 0)
			inThread[1].Subject, inThread[2].Subject = nil, nil
			s.enroll(s.campaign("C", box, inThread...), s.prospect("a@x.test"))
			first, second := send(s, box), s.send(box)
			var draft outreach.Draft
			got(s.ClaimSend(s.ctx, box, "me", func(d outreach.Draft) (outreach.Composed, error) { draft = d; return plainCompose(d) }))(t)
			same(t, "thread", draft.Thread, []string{first.MessageID, givenID, second.MessageID})
		})
	}
}

// A mail of a person that answers the replaced id belongs to the conversation, and a copy under
// that id is not theirs.
func TestExternalAnswerToAReplacedID(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for how, send := range replacement {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			box := s.mailbox("me@acme.test")
			s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
			send(s, box)
			heads := []outreach.SentHead{{MessageID: "<e1@acme.test>", Answered: []string{givenID}},
				{MessageID: givenID, Answered: []string{givenID}}}
			same(t, "wanted", got(s.AnswersElsewhere(s.ctx, box.Ref(), heads))(t), []bool{true, false})
			must(t, s.TakeSent(s.ctx, box.Ref(), []outreach.ExternalAnswer{writtenElsewhere("<e1@acme.test>", givenID, s.clock.Now())}, sentAt(1)))
			same(t, "stored", ask[int](s, `SELECT count(*)::int FROM messages WHERE workspace_id = $1 AND external`, s.ws), 1)
		})
	}
}

// An id that a server names for several messages identifies none but the first. One that is the
// Message-ID of another message is not taken, and our own is not stored twice.
func TestNamedIDOfOneMessage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	send := func(email string, name func(out *outreach.Outgoing) string) *outreach.Outgoing {
		s.enroll(c, s.prospect(email))
		out := s.claim(box)
		must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
		must(t, s.SettleMessage(s.ctx, out.Ref(), "me",
			outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok", NamedID: name(out)}))
		return out
	}
	first := send("a@x.test", func(*outreach.Outgoing) string { return givenID })
	second := send("b@x.test", func(*outreach.Outgoing) string { return givenID })
	third := send("c@x.test", func(*outreach.Outgoing) string { return first.MessageID })
	fourth := send("d@x.test", func(out *outreach.Outgoing) string { return out.MessageID })
	same(t, "named", rows[uuid.UUID](s, `SELECT id FROM messages WHERE named_id IS NOT NULL`), []uuid.UUID{first.ID})
	s.copies(outreach.SentCopy{Message: first.Ref(), MessageID: givenID}, outreach.SentCopy{Message: first.Ref(), MessageID: first.MessageID},
		outreach.SentCopy{Message: first.Ref()}, outreach.SentCopy{Message: outreach.Ref{WorkspaceID: s.ws, ID: uuid.New()}, MessageID: givenID})
	same(t, "filed", ask[int](s, `SELECT count(filed_id)::int FROM messages`), 0)
	s.exec(`UPDATE messages SET named_id = NULL`)
	for _, out := range []*outreach.Outgoing{second, third} {
		s.copies(outreach.SentCopy{Message: out.Ref(), MessageID: givenID},
			outreach.SentCopy{Message: fourth.Ref(), MessageID: first.MessageID})
	}
	s.copies(outreach.SentCopy{Message: third.Ref(), MessageID: "<same@x.test>"},
		outreach.SentCopy{Message: fourth.Ref(), MessageID: "<same@x.test>"})
	filed := rows[uuid.UUID](s, `SELECT id FROM messages WHERE filed_id IS NOT NULL ORDER BY created_at`)
	same(t, "filed by one message each", filed, []uuid.UUID{second.ID, third.ID})
}

// A copy in the Sent folder proves an unknown message. One of a message in progress, whose process
// may be dead, proves it later. A copy of another workspace's message proves nothing there.
func TestCopiesProve(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	s.enroll(s.campaign("C", box, steps(0)...), s.prospect("a@x.test"))
	out := s.claim(box)
	must(t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	found := outreach.SentCopy{Message: out.Ref(), MessageID: givenID}
	other := s.room(t)
	must(t, other.NoteCopies(s.ctx, other.ws, []outreach.SentCopy{found}))
	same(t, "of another workspace", ask[int](s, `SELECT count(filed_id)::int FROM messages`), 0)
	s.copies(found)
	same(t, "in progress", ask[string](s, `SELECT status FROM messages`), "claimed")
	s.exec(`UPDATE messages SET lease_until = now() - interval '1 second'`)
	same(t, "swept", got(s.SweepSteps(s.ctx))(t), 1)
	unknown := got(s.Unknowns(s.ctx, box.Ref()))(t)
	same(t, "evidence", unknown[0].CopyID, givenID)
	s.copies(outreach.SentCopy{Message: out.Ref(), MessageID: unknown[0].CopyID})
	s.copies(found) // twice is once
	same(t, "status", s.messageStatus(out), outreach.MessageSent)
	same(t, "events", rows[string](s, `SELECT type FROM events`), []string{"sent"})
}

// An answer of the inbox keeps the id that its server named.
func TestAnswerWithAReplacedID(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	m := s.sendAnswer(takenAs, "")
	in := s.received(s.box, outreach.ReceivedReply, "other@y.test", &outreach.Outgoing{MessageID: givenID})
	s.ingest(s.box, in)
	same(t, "message", *s.lastReply().MessageID, m.ID)
}
