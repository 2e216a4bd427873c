package storage_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"outreach"
)

func (s *stage) unmatched() []outreach.Reply {
	s.t.Helper()
	return got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{Unmatched: true}, outreach.Page{Limit: 50}))(s.t).Rows
}

// unchanged fails unless a scene stands as it stood when its message had gone.
func (s *scene) unchanged() {
	s.t.Helper()
	same(s.t, "message", got(s.Message(s.ctx, s.ws, s.out.ID))(s.t).Status, outreach.MessageSent)
	same(s.t, "events", s.eventTypes(s.p.ID), []string{"sent"})
	same(s.t, "prospect", s.status(s.p), outreach.ProspectInSequence)
	same(s.t, "enrollment", s.enrollment(s.e).Status, outreach.EnrollmentActive)
	same(s.t, "mailbox", got(s.Mailbox(s.ctx, s.ws, s.box.ID))(s.t).LastError, nil)
	same(s.t, "suppressions", ask[int](s.stage, `SELECT count(*)::int FROM suppressions WHERE workspace_id = $1`, s.ws), 0)
}

// What a stranger writes about a prospect's address changes nothing, and is shown
// as unmatched.
func TestForgedReportsChangeNothing(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	named := func(fault outreach.Fault, vouched bool) func(in *outreach.Received) {
		return func(in *outreach.Received) {
			in.Bounces = []outreach.Bounce{{Address: "ANN@x.test", Fault: fault, Error: "550 5.1.1 forged", Vouched: vouched}}
		}
	}
	for name, c := range map[string]struct {
		kind   outreach.ReceivedKind
		change func(in *outreach.Received)
	}{
		"dead address":   {outreach.ReceivedBounce, named(outreach.FaultRecipient, false)},
		"sender's fault": {outreach.ReceivedBounce, named(outreach.FaultSender, false)},
		"dead address, with the subject": {outreach.ReceivedBounce, func(in *outreach.Received) {
			named(outreach.FaultRecipient, false)(in)
			in.Shown = "Subject: Step 1"
		}},
		"vouched for, but shows nothing of the message": {outreach.ReceivedBounce, func(in *outreach.Received) {
			named(outreach.FaultRecipient, true)(in)
			in.Shown = "your message could not be delivered"
		}},
		"with an id of nobody": {outreach.ReceivedBounce, func(in *outreach.Received) {
			named(outreach.FaultRecipient, false)(in)
			in.References, in.Links = []string{"<forged@evil.test>"}, ids(uuid.New())
		}},
		"complaint by address": {outreach.ReceivedComplaint, named("", true)},
		"complaint of nobody":  {outreach.ReceivedComplaint, func(*outreach.Received) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			in := s.received(s.box, c.kind, "evil@evil.test", nil)
			c.change(&in)
			same(t, "concerning", ours(got(s.Concerning(s.ctx, s.box, []outreach.Received{in}))(t)), []bool{true})
			s.ingest(s.box, in)
			s.unchanged()
			pile := s.unmatched()
			same(t, "unmatched", len(pile), 1)
			same(t, "without a prospect", pile[0].ProspectID, nil)
			same(t, "counts as no reply", got(s.WaitingReplies(s.ctx, s.ws))(t), 0)
			same(t, "not in the list", len(got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 5}))(t).Rows), 0)
			got(s.AssignReply(s.ctx, s.ws, pile[0].ID, s.p.ID))(t)
			s.unchanged()
		})
	}
}

// A report without any of our ids counts for one recipient, if it is vouched for
// and shows the message.
func TestVouchedReportCountsForOneRecipient(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, shown := range map[string]string{"the subject": "Subject:  STEP 1\n",
		"a line of the text": "> Hello\n> you there, this is it\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			s.exec(`UPDATE messages SET body_text = E'Hi,\nyou there, this is it' WHERE id = $1`, s.out.ID)
			s.enroll(s.c, s.prospect("bob@x.test"))
			second := s.send(s.box)
			in := s.received(s.box, outreach.ReceivedBounce, "mailer-daemon@acme.test", nil)
			in.Shown = shown
			for _, address := range []string{"nobody@x.test", "Ann@x.test", "bob@x.test"} {
				in.Bounces = append(in.Bounces, outreach.Bounce{Address: address, Fault: outreach.FaultRecipient, Error: "550 5.1.1", Vouched: true})
			}
			s.ingest(s.box, in)
			same(t, "the first", got(s.Message(s.ctx, s.ws, s.out.ID))(t).Status, outreach.MessageBounced)
			same(t, "the second", got(s.Message(s.ctx, s.ws, second.ID))(t).Status, outreach.MessageSent)
			same(t, "unmatched", len(s.unmatched()), 0)
		})
	}
}

// A vouched report of the sender's fault without our ids holds the enrollment and
// does not blame the mailbox.
func TestVouchedReportsPauseNoMailbox(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	for i := range 4 {
		address := fmt.Sprintf("%d@x%d.test", i, i)
		e := s.enroll(c, s.prospect(address))
		s.send(box)
		in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@acme.test", nil)
		in.Shown = "Step 1"
		in.Bounces = []outreach.Bounce{{Address: address, Fault: outreach.FaultSender, Error: "550 5.7.1", Vouched: true}}
		s.ingest(box, in)
		same(t, "held", s.enrollment(e).Status, outreach.EnrollmentHeld)
	}
	same(t, "mailbox", got(s.Mailbox(s.ctx, s.ws, box.ID))(t).Status, outreach.MailboxConnected)
}

// A signed link names the message as its Message-ID does.
func TestReportsCountByALink(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		kind outreach.ReceivedKind
		want outreach.ProspectStatus
	}{
		"bounce":    {outreach.ReceivedBounce, outreach.ProspectBounced},
		"complaint": {outreach.ReceivedComplaint, outreach.ProspectUnsubscribed},
		"reply":     {outreach.ReceivedReply, outreach.ProspectReplied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			in := s.received(s.box, c.kind, "else@where.test", nil)
			in.Links = ids(s.out.ID)
			if c.kind == outreach.ReceivedBounce {
				in.Bounces = []outreach.Bounce{{Fault: outreach.FaultRecipient, Error: "550 5.1.1"}}
			}
			s.ingest(s.box, in)
			same(t, "prospect", s.status(s.p), c.want)
			other := s.room(t)
			same(t, "in another workspace",
				ours(got(other.Concerning(other.ctx, other.mailbox("me@acme.test"), []outreach.Received{in}))(t)),
				[]bool{c.kind == outreach.ReceivedComplaint})
		})
	}
}

// A person at a company that was written to, without any reference, waits on the
// pile. It changes nothing until it is assigned.
func TestReplyFromACompanyWaits(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	positive := outreach.InterestPositive
	in := s.received(s.box, outreach.ReceivedReply, "boss@sales.x.test", nil)
	in.Interest = &positive
	s.ingest(s.box, in)
	s.unchanged()
	pile := s.unmatched()
	same(t, "unmatched", []any{len(pile), pile[0].From, pile[0].Automatic}, []any{1, "boss@sales.x.test", false})

	_, err := s.UpdateReply(s.ctx, s.ws, pile[0].ID, func(r *outreach.Reply) { r.Automatic = true })
	refused(t, err, outreach.CodeInvalidState)
	_, err = s.AssignReply(s.ctx, s.ws, pile[0].ID, uuid.New())
	refused(t, err, outreach.CodeUnknownReference)
	same(t, "where", faults(t, err), []string{"/prospect_id unknown_reference"})

	r := got(s.AssignReply(s.ctx, s.ws, pile[0].ID, s.p.ID))(t)
	same(t, "of the last message", []any{*r.ProspectID, *r.MessageID, *r.CampaignID}, []any{s.p.ID, s.out.ID, s.c.ID})
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "replied"})
	same(t, "enrollment", s.enrollment(s.e).Status, outreach.EnrollmentReplied)
	same(t, "unmatched", len(s.unmatched()), 0)
	same(t, "in the list", s.lastReply().ID, r.ID)
	_, err = s.AssignReply(s.ctx, s.ws, r.ID, s.p.ID)
	refused(t, err, outreach.CodeInvalidState)
	_, err = s.DismissReply(s.ctx, s.ws, r.ID)
	refused(t, err, outreach.CodeInvalidState)
}

func TestDismissedReply(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.ingest(s.box, s.received(s.box, outreach.ReceivedReply, "boss@x.test", nil))
	id := s.unmatched()[0].ID
	for range 2 {
		got(s.DismissReply(s.ctx, s.ws, id))(t)
		same(t, "unmatched", len(s.unmatched()), 0)
	}
	same(t, "not in the list", len(got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 5}))(t).Rows), 0)
	s.unchanged()
}

// Who has nothing to do with a company that was written to is not kept at all.
func TestStrangersAreNotKept(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.prospect("new@never.test")
	s.enroll(s.c, s.prospect("someone@gmail.com"))
	s.send(s.box)
	for name, in := range map[string]outreach.Received{
		"another company":          s.received(s.box, outreach.ReceivedReply, "boss@y.test", nil),
		"a company not written to": s.received(s.box, outreach.ReceivedReply, "boss@never.test", nil),
		"a free mail provider":     s.received(s.box, outreach.ReceivedReply, "other@gmail.com", nil),
		"a program of the company": s.received(s.box, outreach.ReceivedAutomatic, "robot@x.test", nil),
		"a report on a private matter": {Key: "r", Kind: outreach.ReceivedBounce,
			Bounces: []outreach.Bounce{{Address: "friend@y.test", Fault: outreach.FaultRecipient}}},
		"mail from before the connection": {Key: "old", Kind: outreach.ReceivedReply, From: "boss@x.test", At: s.clock.Now().AddDate(-1, 0, 0)},
	} {
		same(t, name+" concerns us", ours(got(s.Concerning(s.ctx, s.box, []outreach.Received{in}))(t)), []bool{false})
		s.ingest(s.box, in)
		same(t, name+" is kept", len(s.unmatched()), 0)
	}
}

// A stranger cannot fill the pile without end.
func TestPileIsBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.exec(`
INSERT INTO replies (id, workspace_id, mailbox_id, sender, body_text, automatic)
SELECT gen_random_uuid(), $1, $2, 'a', 'b', true FROM generate_series(1, 999)`, s.ws, s.box.ID)
	for range 2 {
		s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", nil))
	}
	same(t, "kept", ask[int](s.stage, `SELECT count(*)::int FROM replies WHERE workspace_id = $1`, s.ws), 1000)
}

// ours reports which messages concern us.
func ours(concerning []outreach.Concern) (all []bool) {
	for _, c := range concerning {
		all = append(all, c.Ours)
	}
	return all
}
