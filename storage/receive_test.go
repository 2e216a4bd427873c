package storage_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/tracking/hit"
)

// scene is one prospect who got the first of two steps.
type scene struct {
	*stage
	box outreach.Mailbox
	c   outreach.Campaign
	p   outreach.Prospect
	e   outreach.Enrollment
	out *outreach.Outgoing
}

func (s *stage) scene() *scene {
	s.t.Helper()
	s.subscribe(outreach.SubscriptionEvents...)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0, 60)...)
	p := s.prospect("ann@x.test")
	e := s.enroll(c, p)
	return &scene{s, box, c, p, e, s.send(box)}
}

func TestReplyStopsAndTells(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	in := s.received(s.box, outreach.ReceivedReply, "Ann@X.test", s.out)
	in.Interest, in.Reason = new(outreach.InterestPositive), new("says yes")
	s.ingest(s.box, in)
	r := s.lastReply()
	want := outreach.Reply{ID: r.ID, WorkspaceID: s.ws, ProspectID: &s.p.ID, CampaignID: &s.c.ID, MailboxID: s.box.ID,
		MessageID: &s.out.ID, From: "Ann@X.test", FullText: "words",
		Subject: new("Re"), Text: "words", Interest: new(outreach.InterestPositive), InterestReason: new("says yes"), ReceivedAt: s.clock.Now(),
		Header: outreach.ReplyHeader{Thread: []string{}}, ReadIn: s.box.ID, Attachments: []outreach.Attachment{}}
	same(t, "reply", r, want)
	same(t, "events", s.events(s.p.ID)[1:],
		[]event{{"replied", new("positive"), map[string]any{"replyId": r.ID.String(), "from": "Ann@X.test"}}})
	same(t, "deliveries", s.queued(), []string{"sent", "replied", "positive_reply"})
	same(t, "positive reply goes under the reply's id", ask[uuid.UUID](s.stage, `
SELECT event_id FROM deliveries WHERE subscription_event = 'positive_reply'`), r.ID)
	same(t, "as replied", ask[string](s.stage, `SELECT type FROM deliveries WHERE subscription_event = 'positive_reply'`), "replied")
	same(t, "enrollment", s.enrollment(s.e).Status, outreach.EnrollmentReplied)
	p := got(s.Prospect(s.ctx, s.ws, s.p.ID))(t)
	same(t, "prospect", p.Status, outreach.ProspectReplied)
	same(t, "interest", p.Interest, new(outreach.InterestPositive))
	same(t, "when", p.LastRepliedAt, new(s.clock.Now()))
}

func TestIngestedOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	in := s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out)
	var mu sync.Mutex
	count := 0
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			taken, err := s.Ingest(s.ctx, s.box, []outreach.Received{in, in}, inboxAt(1))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, now := range taken {
				if now {
					count++
				}
			}
		})
	}
	all.Wait()
	same(t, "ingested", count, 1)
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "replied"})
}

// Two mailboxes may read one account, and a reply may go to both.
func TestIngestedOnceFromSeveralMailboxes(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	s := house.scene()
	in := s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out)
	s.ingest(s.box, in)
	same(t, "ingested again", got(s.Ingest(s.ctx, s.mailbox("also@acme.test"), []outreach.Received{in}, inboxAt(1)))(t), []bool{false})
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "replied"})
	other := house.room(t).scene()
	other.ingest(other.box, in) // of another workspace
}

// Which message, prospect and campaign something is about.
func TestMatching(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		from       string
		references func(s *scene) []string
		message    bool // matched to our message
		reply      bool
	}{
		"by reference, from any address": {"assistant@elsewhere.test",
			func(s *scene) []string { return []string{"<no@such>", s.out.MessageID} }, true, true},
		"by address":                      {"ANN@x.test", func(*scene) []string { return nil }, true, true},
		"by address, a foreign reference": {"ann@x.test", func(*scene) []string { return []string{"<no@such>"} }, true, true},
		"a prospect never written to":     {"bob@x.test", func(*scene) []string { return nil }, false, true},
		"somebody unknown":                {"eve@elsewhere.test", func(*scene) []string { return nil }, false, false},
		"nobody at all":                   {"", func(*scene) []string { return nil }, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			s.prospect("bob@x.test")
			in := s.received(s.box, outreach.ReceivedReply, c.from, nil)
			in.References = c.references(s)
			s.ingest(s.box, in)
			list := got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 5}))(t)
			if !c.reply {
				same(t, "replies", len(list.Rows), 0)
				return
			}
			same(t, "matched", list.Rows[0].MessageID != nil && *list.Rows[0].MessageID == s.out.ID, c.message)
			same(t, "campaign", list.Rows[0].CampaignID != nil, c.message)
		})
	}
}

// Another workspace's Message-ID is not a reference of ours.
func TestMatchingStaysInItsWorkspace(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	theirs, ours := house.scene(), house.room(t)
	box := ours.mailbox("me@acme.test")
	ours.ingest(box, ours.received(box, outreach.ReceivedReply, "ann@x.test", theirs.out))
	same(t, "their replies", ask[int](house, `SELECT count(*)::int FROM replies`), 0)
	same(t, "their enrollment", theirs.enrollment(theirs.e).Status, outreach.EnrollmentActive)
}

func TestStopOnReply(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		onReply, company         bool
		self, colleague, foreign outreach.EnrollmentStatus
	}{
		"the prospect":       {true, false, outreach.EnrollmentReplied, outreach.EnrollmentActive, outreach.EnrollmentActive},
		"nobody":             {false, false, outreach.EnrollmentActive, outreach.EnrollmentActive, outreach.EnrollmentActive},
		"the whole company":  {true, true, outreach.EnrollmentReplied, outreach.EnrollmentReplied, outreach.EnrollmentActive},
		"company, by itself": {false, true, outreach.EnrollmentReplied, outreach.EnrollmentReplied, outreach.EnrollmentActive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(k *outreach.Campaign) { k.StopOnReply, k.StopCompanyOnReply = c.onReply, c.company }))(t)
			colleague := s.enroll(s.c, s.prospect("bob@x.test"))
			foreign := s.enroll(s.c, s.prospect("eve@y.test"))
			elsewhere := s.enroll(s.campaign("Other", s.box, steps(0)...), s.prospect("carl@x.test"))
			s.replyTo(s.box, "ann@x.test", s.out, nil)
			same(t, "prospect", s.enrollment(s.e).Status, c.self)
			same(t, "colleague", s.enrollment(colleague).Status, c.colleague)
			same(t, "foreigner", s.enrollment(foreign).Status, c.foreign)
			same(t, "colleague in another campaign", s.enrollment(elsewhere).Status, outreach.EnrollmentActive)
		})
	}
}

func TestAutomaticRepliesChangeNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", s.out))
	same(t, "kept", s.lastReply().Automatic, true)
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent"})
	same(t, "enrollment", s.enrollment(s.e).Status, outreach.EnrollmentActive)
	same(t, "prospect", s.status(s.p), outreach.ProspectInSequence)
}

// A return date holds until then, and then the sequence goes on by itself.
func TestOutOfOffice(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	back := s.clock.Now().AddDate(0, 0, 5)
	in := s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", s.out)
	in.ReturnDate = &back
	s.ingest(s.box, in)
	e := s.enrollment(s.e)
	same(t, "held", e.Status, outreach.EnrollmentHeld)
	same(t, "until", e.HoldUntil, &back)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "still held", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
	s.clock.Set(back)
	must(t, s.RefreshCampaigns(s.ctx))
	e = s.enrollment(s.e)
	same(t, "goes on", e.Status, outreach.EnrollmentActive)
	same(t, "at once", e.NextSendAt, &back)
	same(t, "without the reason", e.HoldReason, nil)
}

// leaves ingests a note that the prospect is out of office for some days.
func (s *scene) leaves(days int) {
	s.t.Helper()
	in := s.received(s.box, outreach.ReceivedAutomatic, s.p.Email, s.out)
	in.ReturnDate = new(s.clock.Now().AddDate(0, 0, days))
	s.ingest(s.box, in)
}

// deaf is an active campaign that no reply stops.
func (s *scene) deaf(name string) outreach.Campaign {
	s.t.Helper()
	c := s.campaign(name, s.box, steps(0)...)
	return got(s.UpdateCampaign(s.ctx, s.ws, c.ID, func(c *outreach.Campaign) { c.StopOnReply = false }))(s.t)
}

// A person who writes is back: the absence ends in every campaign that goes on, for a first step too.
func TestWhoWritesIsBack(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, k := range map[string]struct {
		change func(s *scene, in *outreach.Received)
		want   outreach.EnrollmentStatus
	}{
		"a reply":            {func(*scene, *outreach.Received) {}, outreach.EnrollmentActive},
		"a reply by address": {func(_ *scene, in *outreach.Received) { in.References = nil }, outreach.EnrollmentActive},
		"a reply with a return date": {func(s *scene, in *outreach.Received) {
			in.ReturnDate = new(s.clock.Now().AddDate(0, 0, 3))
		}, outreach.EnrollmentHeld},
		"another note without a date": {func(_ *scene, in *outreach.Received) { in.Kind = outreach.ReceivedAutomatic }, outreach.EnrollmentHeld},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).scene()
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.StopOnReply = false }))(t)
			first, paused := s.enroll(s.deaf("Other"), s.p), s.enroll(s.deaf("Third"), s.p)
			got(s.PauseEnrollment(s.ctx, s.ws, paused.ID))(t)
			s.leaves(5)
			in := s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out)
			k.change(s, &in)
			s.exec(`DELETE FROM sender_wakes WHERE workspace_id = $1`, s.ws)
			s.ingest(s.box, in)
			same(t, "the campaign that was answered", s.enrollment(s.e).Status, k.want)
			same(t, "another campaign", s.enrollment(first).Status, k.want)
			lying := s.enrollment(paused)
			same(t, "the pause lies on", lying.Status, outreach.EnrollmentPaused)
			same(t, "below it", lying.HoldReason == nil, k.want == outreach.EnrollmentActive)
			same(t, "mailboxes look", ask[bool](s.stage, `
SELECT EXISTS (SELECT FROM sender_wakes WHERE workspace_id = $1 AND mailbox_id IS NULL)`, s.ws), k.want == outreach.EnrollmentActive)
		})
	}
}

// A reply from before the absence, which counts only now, does not end it.
func TestAnEarlierReplyEndsNoAbsence(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.StopOnReply = false }))(t)
	s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", s.out))
	earlier := s.lastReply()
	s.clock.Advance(time.Hour)
	s.leaves(5)
	got(s.UpdateReply(s.ctx, s.ws, earlier.ID, func(r *outreach.Reply) { r.Automatic = false }))(t)
	same(t, "still away", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
	note := s.lastReply()
	got(s.UpdateReply(s.ctx, s.ws, note.ID, func(r *outreach.Reply) { r.Automatic = false }))(t)
	same(t, "the note was no note", s.enrollment(s.e).Status, outreach.EnrollmentActive)
}

func (s *scene) bounced(fault outreach.Fault, about *outreach.Outgoing, address string) outreach.Received {
	in := s.received(s.box, outreach.ReceivedBounce, "mailer-daemon@x.test", about)
	in.Bounces = []outreach.Bounce{{Address: address, Fault: fault, Error: "550 5.1.1 unknown"}}
	return in
}

func TestBounceReports(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for _, c := range []struct {
		fault      outreach.Fault
		enrollment outreach.EnrollmentStatus
		prospect   outreach.ProspectStatus
		next       *int
	}{
		{outreach.FaultRecipient, outreach.EnrollmentBounced, outreach.ProspectBounced, nil},
		{outreach.FaultTransient, outreach.EnrollmentActive, outreach.ProspectInSequence, new(2)},
		{outreach.FaultSender, outreach.EnrollmentHeld, outreach.ProspectInSequence, new(2)},
	} {
		for name, address := range map[string]string{"by reference": "", "by address": "ANN@x.test"} {
			t.Run(string(c.fault)+" "+name, func(t *testing.T) {
				t.Parallel()
				s := house.room(t).scene()
				about := s.out
				if address != "" {
					about = nil
				}
				for range 2 { // the second report is on the same failure
					in := s.bounced(c.fault, about, address)
					in.Bounces[0].Vouched, in.Shown = true, "Subject: Step 1"
					s.ingest(s.box, in)
				}
				same(t, "events", s.events(s.p.ID)[1:], []event{{"bounced", nil, map[string]any{"error": "550 5.1.1 unknown", "step": 1.0}}})
				same(t, "deliveries", s.queued(), []string{"sent", "bounced"})
				same(t, "message", got(s.Message(s.ctx, s.ws, s.out.ID))(t).Status, outreach.MessageBounced)
				e := s.enrollment(s.e)
				same(t, "enrollment", e.Status, c.enrollment)
				same(t, "next", e.NextStep, c.next)
				same(t, "prospect", s.status(s.p), c.prospect)
			})
		}
	}
}

// The last step is answered when the sequence has gone through already: how it
// ended is what the answer says. Another campaign that is over stays as it was.
func TestAnswersToTheLastStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer func(s *scene, out *outreach.Outgoing)
		want   outreach.EnrollmentStatus
	}{
		"a reply": {func(s *scene, out *outreach.Outgoing) { s.replyTo(s.box, "ann@x.test", out, nil) }, outreach.EnrollmentReplied},
		"a bounce": {
			func(s *scene, out *outreach.Outgoing) { s.ingest(s.box, s.bounced(outreach.FaultRecipient, out, "")) }, outreach.EnrollmentBounced},
		"a full mailbox": {
			func(s *scene, out *outreach.Outgoing) { s.ingest(s.box, s.bounced(outreach.FaultTransient, out, "")) }, outreach.EnrollmentFinished},
		"a complaint": {func(s *scene, out *outreach.Outgoing) {
			s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", out))
		}, outreach.EnrollmentUnsubscribed},
		"no more": {func(s *scene, out *outreach.Outgoing) {
			must(s.t, s.Unsubscribe(s.ctx, out.Ref(), hit.Visitor{At: s.clock.Now()}))
		}, outreach.EnrollmentUnsubscribed},
		"an automatic reply": {func(s *scene, out *outreach.Outgoing) {
			s.ingest(s.box, s.received(s.box, outreach.ReceivedAutomatic, "ann@x.test", out))
		}, outreach.EnrollmentFinished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).scene()
			before := s.enroll(s.campaign("Before", s.box, steps(0)...), s.p)
			s.send(s.box)
			s.clock.Advance(time.Hour)
			out := s.send(s.box)
			same(t, "gone through", s.enrollment(s.e).Status, outreach.EnrollmentFinished)
			c.answer(s, out)
			same(t, "enrollment", s.enrollment(s.e).Status, c.want)
			same(t, "the other one", s.enrollment(before).Status, outreach.EnrollmentFinished)
		})
	}
}

// A late report on step 1 does not throw back an enrollment that stands at 3.
func TestLateTransientReport(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	e := s.enroll(s.campaign("C", box, steps(0, 0, 60)...), s.prospect("ann@x.test"))
	first := s.send(box)
	s.send(box)
	before := s.enrollment(e)
	in := s.received(box, outreach.ReceivedBounce, "mailer-daemon@x.test", first)
	in.Bounces = []outreach.Bounce{{Fault: outreach.FaultTransient, Error: "552 full"}}
	s.ingest(box, in)
	same(t, "enrollment", s.enrollment(e), before)
}

// A deleted prospect's mail still bounces and suppresses, with the id kept and
// the address gone.
func TestBounceOfDeletedProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	s.ingest(s.box, s.bounced(outreach.FaultRecipient, s.out, ""))
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "bounced"})
	same(t, "no address", ask[bool](s.stage, `SELECT prospect_email IS NULL FROM events WHERE type = 'bounced'`), true)
	same(t, "suppressed", rows[string](s.stage, `SELECT email FROM suppressions`), []string{"ann@x.test"})
}

func TestComplaint(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	other := s.enroll(s.campaign("Other", s.box, steps(60)...), s.p)
	s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", s.out))
	same(t, "no event tells of it", s.eventTypes(s.p.ID), []string{"sent"})
	same(t, "no delivery either", s.queued(), []string{"sent"})
	same(t, "suppressed", rows[string](s.stage, `SELECT reason || ' ' || email FROM suppressions`), []string{"complaint ann@x.test"})
	same(t, "status", s.status(s.p), outreach.ProspectUnsubscribed)
	for _, e := range []outreach.Enrollment{s.e, other} {
		same(t, "enrollment", s.enrollment(e).Status, outreach.EnrollmentUnsubscribed)
	}
}

func TestIgnoredMailLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.ingest(s.box, s.received(s.box, outreach.ReceivedIgnored, "ann@x.test", s.out))
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent"})
	same(t, "replies", ask[int](s.stage, `SELECT count(*)::int FROM replies`), 0)
}

func TestPositions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	for _, at := range []outreach.FolderPosition{{Folder: "INBOX", UIDValidity: 4294967295, UID: 4294967294},
		{Folder: "INBOX", UIDValidity: 7, UID: 1}} {
		got(s.Ingest(s.ctx, box, nil, at))(t)
		same(t, "positions", got(s.Positions(s.ctx, box.Ref()))(t), []outreach.FolderPosition{at})
	}
}

// However many mailboxes read one account, a reply is that of the one whose
// message it answers, whichever of them reads it first.
func TestReplyNamesTheMailboxThatWrote(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	byReference := func(in *outreach.Received, out *outreach.Outgoing) { in.References = []string{out.MessageID} }
	byAddress := func(*outreach.Received, *outreach.Outgoing) {}
	for name, c := range map[string]struct {
		result outreach.SendResult
		answer func(*outreach.Received, *outreach.Outgoing)
	}{
		"by its reference":               {sentOK, byReference},
		"by its reference, which proves": {lostAnswer, byReference},
		"by its address":                 {sentOK, byAddress},
		"by its address, of an unknown":  {lostAnswer, byAddress},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			out := s.sendWith(s.box, c.result)
			alias := s.mailbox("alias@acme.test")
			in := s.received(alias, outreach.ReceivedReply, s.p.Email, nil)
			c.answer(&in, out)
			s.ingest(alias, in)
			r := s.lastReply()
			same(t, "reply", []any{r.MailboxID, r.MessageID, r.CampaignID}, []any{s.box.ID, &out.ID, &s.c.ID})
		})
	}
}

var sentOK = outreach.SendResult{Kind: outreach.SendSent, Response: "250 ok"}

// Where the message that it answers is unknown, or its mailbox is gone, a reply is
// that of the mailbox in which it lies.
func TestReplyNamesTheMailboxThatReads(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		before func(s *late, reader outreach.Mailbox)
		known  bool // which message it answers
		refers bool
	}{
		"another account, by address": {func(s *late, reader outreach.Mailbox) {
			s.exec(`UPDATE mailboxes SET imap_username = 'other' WHERE id = $1`, reader.ID)
		}, false, false},
		"another server, by address": {func(s *late, reader outreach.Mailbox) {
			s.exec(`UPDATE mailboxes SET imap_host = 'other.test' WHERE id = $1`, reader.ID)
		}, false, false},
		"a mailbox that is gone": {func(s *late, reader outreach.Mailbox) { disconnect(s, reader) }, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			out := s.send(s.box)
			reader := s.mailbox("reader@acme.test")
			c.before(s, reader)
			in := s.received(reader, outreach.ReceivedReply, s.p.Email, nil)
			if c.refers {
				in.References = []string{out.MessageID}
			}
			s.ingest(reader, in)
			r := s.lastReply()
			same(t, "reply", []any{r.MailboxID, r.MessageID != nil}, []any{reader.ID, c.known})
		})
	}
}

// What another mailbox of the workspace writes is not a prospect's answer, unless
// a prospect has that address.
func TestOwnMailboxesAnswerNothing(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		from   string
		before func(s *late)
		reply  bool
	}{
		"a mailbox": {"Colleague@Acme.test", func(s *late) { s.mailbox("colleague@acme.test") }, false},
		"a mailbox that is a prospect": {"colleague@acme.test",
			func(s *late) { s.mailbox("colleague@acme.test"); s.prospect("colleague@acme.test") }, true},
		"another workspace's mailbox": {"colleague@acme.test", func(s *late) { s.room(s.t).mailbox("colleague@acme.test") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t).late(0, 60)
			out := s.send(s.box)
			c.before(s)
			for _, kind := range []outreach.ReceivedKind{outreach.ReceivedReply, outreach.ReceivedAutomatic} {
				s.ingest(s.box, s.received(s.box, kind, c.from, out))
			}
			same(t, "replies", ask[bool](s.stage, `SELECT count(*) = 2 FROM replies WHERE workspace_id = $1`, s.ws), c.reply)
			same(t, "goes on", s.enrollment(s.e).Status == outreach.EnrollmentActive, !c.reply)
		})
	}
}

// What came before its mailbox was connected, and before the first message to the
// prospect, answers nothing, though the prospect wrote it.
func TestMailFromBeforeTheMailbox(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sent  time.Duration // after the prospect was there; never when negative
		came  time.Duration
		kind  outreach.ReceivedKind
		reply bool
	}{
		"before all":                    {-1, time.Hour, outreach.ReceivedReply, false},
		"before another wrote":          {2 * time.Hour, 59 * time.Minute, outreach.ReceivedReply, false},
		"by a clock that is behind":     {2 * time.Hour, 61 * time.Minute, outreach.ReceivedReply, true},
		"before all, automatic":         {-1, time.Hour, outreach.ReceivedAutomatic, false},
		"after another wrote":           {time.Hour, 2 * time.Hour, outreach.ReceivedReply, true},
		"after it was connected":        {-1, 25 * time.Hour, outreach.ReceivedReply, true},
		"at an unknown time":            {-1, -1, outreach.ReceivedReply, true},
		"after another wrote, no reply": {time.Hour, 2 * time.Hour, outreach.ReceivedAutomatic, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			began := s.clock.Now()
			p := s.prospect("ann@x.test")
			if c.sent >= 0 {
				other := s.mailbox("other@acme.test")
				s.exec(`UPDATE mailboxes SET imap_username = 'other' WHERE id = $1`, other.ID)
				s.enroll(s.campaign("C", other, steps(0)...), p)
				s.clock.Set(began.Add(c.sent))
				s.send(other)
			}
			s.clock.Set(began.Add(24 * time.Hour))
			box := s.mailbox("me@acme.test")
			in := s.received(box, c.kind, "ann@x.test", nil)
			if c.came >= 0 {
				in.At = began.Add(c.came)
			}
			s.ingest(box, in)
			same(t, "reply", ask[int](s, `SELECT count(*)::int FROM replies`) == 1, c.reply)
			same(t, "status", s.status(p) == outreach.ProspectReplied, c.reply && c.kind == outreach.ReceivedReply)
		})
	}
}

// An address alone says nothing of a message that is unknown,
// where another went there.
func TestReportByAddressOnAnUnknown(t *testing.T) {
	t.Parallel()
	s := newStage(t).late(0, 0, 0)
	first := s.send(s.box)
	s.clock.Advance(time.Minute)
	second := s.sendWith(s.box, lostAnswer)
	in := s.received(s.box, outreach.ReceivedBounce, "mailer-daemon@x.test", nil)
	in.Bounces = []outreach.Bounce{{Address: s.p.Email, Fault: outreach.FaultTransient, Error: "552 full", Vouched: true}}
	in.Shown = "Step 1"
	s.ingest(s.box, in)
	same(t, "messages", []outreach.MessageStatus{s.messageStatus(first), s.messageStatus(second)},
		[]outreach.MessageStatus{outreach.MessageBounced, outreach.MessageUnknown})
	same(t, "events", s.eventTypes(s.p.ID), []string{"sent", "bounced"})
	same(t, "held", s.enrollment(s.e).Status, outreach.EnrollmentHeld)
}
