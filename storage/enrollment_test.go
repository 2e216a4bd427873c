package storage_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

func byEmail(email string) func(*outreach.Prospect) {
	return func(p *outreach.Prospect) { p.Email = email }
}

func TestEnroll(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(15, 0)...)
	request := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, Change: byEmail("ann@x.test")}
	first := got(s.Enroll(s.ctx, request))(t)
	want := outreach.Enrollment{ID: first.Enrollment.ID, WorkspaceID: s.ws, CampaignID: c.ID,
		ProspectID: first.Prospect.ID, Status: outreach.EnrollmentActive,
		NextStep: new(1), DueAt: new(s.clock.Now().Add(15 * time.Minute)),
		NextSendAt: new(s.clock.Now().Add(15 * time.Minute)), CreatedAt: s.clock.Now()}
	same(t, "enrollment", first.Enrollment, want)
	same(t, "made", []bool{first.ProspectCreated, first.EnrollmentCreated}, []bool{true, true})
	same(t, "status", first.Prospect.Status, outreach.ProspectInSequence)

	request.Change = byEmail(" ANN@X.test")
	again := got(s.Enroll(s.ctx, request))(t)
	same(t, "the same", again.Enrollment, want)
	same(t, "found", []bool{again.ProspectCreated, again.EnrollmentCreated}, []bool{false, false})
}

func TestEnrollOnExisting(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	p := got(s.CreateProspect(s.ctx,
		outreach.Prospect{WorkspaceID: s.ws, Email: "ann@x.test", FirstName: new("Ann"), JobTitle: new("CEO")}))(t)
	request := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID,
		Change: func(p *outreach.Prospect) { p.Email, p.FirstName = "ann@x.test", new("Anna") }}
	same(t, "skip leaves it", got(s.Enroll(s.ctx, request))(t).Prospect.FirstName, new("Ann"))
	request.Update = true
	updated := got(s.Enroll(s.ctx, request))(t).Prospect
	same(t, "update applies", updated.FirstName, new("Anna"))
	same(t, "what was given only", updated.JobTitle, new("CEO"))
	same(t, "stored", got(s.Prospect(s.ctx, s.ws, p.ID))(t), updated)
}

func TestEnrollRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	for name, k := range map[string]struct {
		request outreach.EnrollRequest
		code    outreach.Code
		want    []string
	}{
		"unknown campaign": {outreach.EnrollRequest{CampaignID: uuid.New(), Change: byEmail("a@x.test")},
			outreach.CodeUnknownReference, []string{"/campaign_id unknown_reference"}},
		"unknown prospect": {outreach.EnrollRequest{CampaignID: c.ID, ProspectID: new(uuid.New())},
			outreach.CodeUnknownReference, []string{"/prospect_id unknown_reference"}},
		"invalid prospect": {outreach.EnrollRequest{CampaignID: c.ID, Change: byEmail("nobody")}, outreach.CodeValidation,
			[]string{"/prospect/email invalid"}},
	} {
		k.request.WorkspaceID = s.ws
		_, err := s.Enroll(s.ctx, k.request)
		refused(t, err, k.code)
		same(t, name, faults(t, err), k.want)
	}
	same(t, "nothing was made", ask[int](s, `SELECT count(*)::int FROM prospects`), 0)
}

// A prospect enrolled while a campaign is being archived is refused, or stopped
// with the rest: no enrollment is left active in it.
func TestEnrollWhileTheCampaignIsArchived(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	enroll := func(ctx context.Context, c outreach.Campaign) error {
		_, err := s.Enroll(ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, Change: byEmail("ann@x.test")})
		return err
	}
	archive := func(ctx context.Context, c outreach.Campaign) error {
		_, err := s.ArchiveCampaign(ctx, s.ws, c.ID)
		return err
	}
	for name, k := range map[string]struct {
		first, second func(context.Context, outreach.Campaign) error
		code          outreach.Code
		want          []string
	}{
		"archive first": {archive, enroll, outreach.CodeCampaignArchived, nil},
		"enroll first":  {enroll, archive, "", []string{"stopped"}},
	} {
		c := s.campaign(name, box, steps(0)...)
		request := &outreach.KeyedRequest{} // holds the first back, uncommitted
		must(t, k.first(outreach.WithKeyedRequest(s.ctx, request), c))
		second := make(chan error, 1)
		go func() { second <- k.second(s.ctx, c) }()
		s.untilOneWaits()
		must(t, request.Take().Commit(s.ctx))
		if err := <-second; k.code == "" && err != nil || k.code != "" && outreach.CodeOf(err) != k.code {
			t.Errorf("%s: %v", name, err)
		}
		same(t, name, ask[[]string](s, `SELECT array_agg(status) FROM enrollments WHERE campaign_id = $1`, c.ID), k.want)
	}
}

// untilOneWaits returns once a transaction waits for another's lock.
func (s *stage) untilOneWaits() {
	s.t.Helper()
	for !ask[bool](s, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`) {
		must(s.t, s.ctx.Err())
	}
}

// What forbids writing to a person is named in one order, the weightiest
// first; only a reply can be overruled.
func TestEnrollObstaclesComeInOrder(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	suppressed := `
INSERT INTO suppressions (id, workspace_id, email, email_key, reason) VALUES (gen_random_uuid(), $1, 'ann@x.test', 'ann@x.test', 'manual')`
	domain := `INSERT INTO suppressions (id, workspace_id, domain, reason) VALUES (gen_random_uuid(), $1, 'x.test', 'manual')`
	complaint := `
INSERT INTO suppressions (id, workspace_id, email, email_key, reason)
VALUES (gen_random_uuid(), $1, 'ann@x.test', 'ann@x.test', 'complaint')`
	unsubscribed := `UPDATE prospects SET unsubscribed_at = now() WHERE workspace_id = $1`
	bounced := `UPDATE prospects SET bounced_at = now() WHERE workspace_id = $1`
	replied := `UPDATE prospects SET replied_at = now() WHERE workspace_id = $1`
	archived := `UPDATE campaigns SET status = 'archived' WHERE workspace_id = $1`
	for name, c := range map[string]struct {
		obstacles []string
		want      outreach.Code
		forced    outreach.Code
	}{
		"none": {nil, "", ""},
		"all": {[]string{suppressed, unsubscribed, bounced, replied}, outreach.CodeProspectSuppressed,
			outreach.CodeProspectSuppressed},
		"by domain":       {[]string{domain, unsubscribed}, outreach.CodeProspectSuppressed, outreach.CodeProspectSuppressed},
		"without first":   {[]string{unsubscribed, bounced, replied}, outreach.CodeProspectUnsubscribed, outreach.CodeProspectUnsubscribed},
		"complained":      {[]string{complaint, bounced}, outreach.CodeProspectUnsubscribed, outreach.CodeProspectUnsubscribed},
		"without second":  {[]string{bounced, replied}, outreach.CodeProspectBounced, outreach.CodeProspectBounced},
		"replied":         {[]string{replied}, outreach.CodeProspectReplied, ""},
		"archived before": {[]string{archived, suppressed}, outreach.CodeCampaignArchived, outreach.CodeCampaignArchived},
	} {
		for _, force := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, force %v", name, force), func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				k := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
				p := s.prospect("ann@x.test")
				for _, sql := range c.obstacles {
					s.exec(sql, s.ws)
				}
				out, err := s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: k.ID, ProspectID: &p.ID, Force: force})
				want := c.want
				if force {
					want = c.forced
				}
				if want != "" {
					refused(t, err, want)
					same(t, "enrollments", ask[int](s, `SELECT count(*)::int FROM enrollments WHERE workspace_id = $1`, s.ws), 0)
					return
				}
				must(t, err)
				same(t, "enrolled", out.EnrollmentCreated, true)
			})
		}
	}
}

// An existing enrollment answers before any obstacle does, unless it is to begin
// again.
func TestEnrollExistingAnswersFirst(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("ann@x.test")})
	must(t, err)
	must(t, s.archive(s.c.ID))
	request := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &s.p.ID}
	same(t, "as it is", got(s.Enroll(s.ctx, request))(t).Enrollment.ID, s.e.ID)
	request.Restart = true
	_, err = s.Enroll(s.ctx, request)
	refused(t, err, outreach.CodeCampaignArchived)
	s.exec(`UPDATE campaigns SET status = 'active'`)
	_, err = s.Enroll(s.ctx, request)
	refused(t, err, outreach.CodeProspectSuppressed)
}

func TestRestart(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	request := outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &s.p.ID, Restart: true}
	before := s.enrollment(s.e)
	same(t, "a running one is left alone", got(s.Enroll(s.ctx, request))(t).Enrollment, before)
	got(s.StopEnrollment(s.ctx, s.ws, s.e.ID))(t)
	same(t, "finished", s.status(s.p), outreach.ProspectFinished)
	out := got(s.Enroll(s.ctx, request))(t)
	same(t, "the same enrollment", out.Enrollment.ID, s.e.ID)
	same(t, "not a new one", out.EnrollmentCreated, false)
	same(t, "from the start", []any{out.Enrollment.Status, *out.Enrollment.NextStep, out.Enrollment.StopReason},
		[]any{outreach.EnrollmentActive, 1, (*string)(nil)})
	again := s.send(s.box)
	same(t, "step 1 goes out again", *got(s.Message(s.ctx, s.ws, again.ID))(t).Step, 1)
}

// Restart changes nothing of an enrollment that is under way, whether it is asked for one person or for
// many.
func TestRestartOfWhoIsUnderWay(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(s *scene){
		"active": func(*scene) {},
		"paused": func(s *scene) { got(s.PauseEnrollment(s.ctx, s.ws, s.e.ID))(s.t) },
		"held": func(s *scene) {
			s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'no name'`)
		},
		"with a message on its way": func(s *scene) {
			s.clock.Advance(24 * time.Hour)
			if s.claim(s.box) == nil {
				s.t.Fatal("no step is due")
			}
		},
		"behind the last step": func(s *scene) {
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }))(s.t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).scene()
			set(s)
			const row = `SELECT e::text FROM enrollments e`
			before, shown := ask[string](s.stage, row), s.enrollment(s.e)
			out := got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &s.p.ID, Restart: true}))(t)
			same(t, "answer", out.Enrollment, shown)
			same(t, "created", out.EnrollmentCreated, false)
			many := got(s.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID,
				ProspectIDs: ids(s.p.ID), Restart: true}))(t)
			same(t, "outcome", many[0].Outcome, outreach.EnrollPresent)
			same(t, "enrollment", ask[string](s.stage, row), before)
		})
	}
}

// A campaign that does not send says why; the lower bound of its enrollments stays.
func TestCampaignSaysWhyItDoesNotSend(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.draft("C", s.mailbox("me@acme.test"), steps(0)...)
	e := s.enroll(c, s.prospect("ann@x.test"))
	says := func(reason *string) {
		t.Helper()
		same(t, "time", s.enrollment(e).NextSendAt, new(s.clock.Now()))
		same(t, "why", got(s.Campaign(s.ctx, s.ws, c.ID))(t).NotSendingReason, reason)
	}
	says(new("The campaign is a draft: activate it to send."))
	_, err := s.PauseCampaign(s.ctx, s.ws, c.ID)
	same(t, "it cannot be paused", err.Error(), outreach.Errorf(outreach.CodeInvalidState, "Cannot pause: the campaign is a draft.").Error())
	got(s.ActivateCampaign(s.ctx, s.ws, c.ID))(t)
	says(nil)
	got(s.PauseCampaign(s.ctx, s.ws, c.ID))(t)
	says(new("The campaign is paused."))
}

// Behind the last step, where those wait whose step was removed, no step is said to come.
func TestNothingIsSaidToComeBehindTheLastStep(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(s *scene){
		"active": func(*scene) {},
		"paused": func(s *scene) { got(s.PauseEnrollment(s.ctx, s.ws, s.e.ID))(s.t) },
		"held": func(s *scene) {
			s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'no name'`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t).scene()
			set(s)
			e := s.enrollment(s.e)
			same(t, "next step", *e.NextStep, 2)
			same(t, "a time is said", e.NextSendAt != nil, e.Status != outreach.EnrollmentPaused)
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = c.Steps[:1] }))(t)
			listed := got(s.ListEnrollments(s.ctx, s.ws, outreach.EnrollmentFilter{}, outreach.Page{Limit: 10}))(t).Rows
			for _, e := range append(listed, s.enrollment(s.e)) {
				same(t, "said to come", []any{e.NextStep, e.NextSendAt}, []any{(*int)(nil), (*time.Time)(nil)})
			}
			if name == "active" {
				status := got(s.MailStatus(s.ctx, s.ws, s.p.ID))(t)
				same(t, "why", []any{status.State, status.Reason}, []any{outreach.MailNone, "No step of C is left."})
			}
			got(s.UpdateCampaign(s.ctx, s.ws, s.c.ID, func(c *outreach.Campaign) { c.Steps = append(c.Steps, steps(0)...) }))(t)
			same(t, "next step when there is one again", *s.enrollment(s.e).NextStep, 2)
		})
	}
}

func TestForcedGoesOnAfterAReply(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.replyTo(s.box, "ann@x.test", s.out, nil)
	other := s.campaign("Other", s.box, steps(0, 0)...)
	got(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: other.ID, ProspectID: &s.p.ID, Force: true}))(t)
	s.send(s.box)
	s.send(s.box)
}

// Twenty calls at once make one prospect and one enrollment.
func TestEnrollAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	s.exec(`UPDATE campaigns SET status = 'completed'`)
	var mu sync.Mutex
	var all sync.WaitGroup
	seen, prospects, enrollments := map[uuid.UUID]bool{}, 0, 0
	for range 20 {
		all.Go(func() {
			out, err := s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, Change: byEmail("ann@x.test"), Update: true})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			seen[out.Enrollment.ID] = true
			if out.ProspectCreated {
				prospects++
			}
			if out.EnrollmentCreated {
				enrollments++
			}
		})
	}
	all.Wait()
	same(t, "made and seen", []int{prospects, enrollments, len(seen)}, []int{1, 1, 1})
	same(t, "reopened", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignActive)
}

func TestEnrollmentTransitions(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	moves := map[string]func(s *stage, id uuid.UUID) (outreach.Enrollment, error){
		"stop":  func(s *stage, id uuid.UUID) (outreach.Enrollment, error) { return s.StopEnrollment(s.ctx, s.ws, id) },
		"pause": func(s *stage, id uuid.UUID) (outreach.Enrollment, error) { return s.PauseEnrollment(s.ctx, s.ws, id) },
		"resume": func(s *stage, id uuid.UUID) (outreach.Enrollment, error) {
			return s.ResumeEnrollment(s.ctx, s.ws, id, false)
		},
	}
	table := map[outreach.EnrollmentStatus]map[string]outreach.EnrollmentStatus{
		"active": {"stop": "stopped", "pause": "paused"}, "held": {"stop": "stopped", "pause": "paused", "resume": "active"},
		"paused": {"stop": "stopped", "resume": "active"}, "stopped": {"resume": "active"}, "replied": {"resume": "active"},
		"finished": {}, "bounced": {}, "unsubscribed": {}, "failed": {},
	}
	for from, allowed := range table {
		for name, move := range moves {
			t.Run(string(from)+" "+name, func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				e := s.enroll(s.campaign("C", s.mailbox("me@acme.test"), steps(0)...), s.prospect("a@x.test"))
				s.exec(`UPDATE enrollments SET status = $2, hold_reason = CASE WHEN $2 = 'held' THEN 'why' END WHERE id = $1`, e.ID, string(from))
				moved, err := move(s, e.ID)
				if allowed[name] == "" {
					refused(t, err, outreach.CodeInvalidState)
					same(t, "unchanged", s.enrollment(e).Status, from)
					return
				}
				must(t, err)
				same(t, "status", moved.Status, allowed[name])
				same(t, "a reason is left", moved.HoldReason != nil, from == "held" && name == "pause")
				if diff := cmp.Diff(moved, s.enrollment(e)); diff != "" {
					t.Errorf("stored differs: %s", diff)
				}
			})
		}
	}
}

// An absence holds all enrollments of a prospect: also one that begins, begins anew or continues
// during it. One that is resumed by hand goes on.
func TestEnrollmentsBeginHeldDuringAbsence(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.clock.Set(monday)
	box := s.mailbox("me@acme.test")
	p := s.prospect("ann@away.test")
	first := s.enroll(s.campaign("A", box, steps(0, 60)...), p)
	stopped := s.enroll(s.campaign("Stopped", box, steps(60)...), p)
	got(s.StopEnrollment(s.ctx, s.ws, stopped.ID))(t)
	back := monday.AddDate(0, 0, 3)
	s.ingest(box, outreach.Received{Key: "away", Kind: outreach.ReceivedAutomatic, From: p.Email, Subject: new("Out of office"),
		Text: "I am away.", ReturnDate: &back, References: []string{s.send(box).MessageID}})
	same(t, "the answered one", s.enrollment(first).Status, outreach.EnrollmentHeld)
	until := s.enrollment(first).HoldUntil
	begun := s.enroll(s.campaign("B", box, steps(0)...), p)
	continued := got(s.ResumeEnrollment(s.ctx, s.ws, stopped.ID, false))(t)
	for _, e := range []outreach.Enrollment{begun, continued, s.enrollment(begun)} {
		same(t, "held", e.Status, outreach.EnrollmentHeld)
		same(t, "until", e.HoldUntil, until)
	}
	if out := s.claim(box); out != nil {
		t.Errorf("%s gets a mail during the absence", out.Recipient)
	}
	same(t, "by hand", got(s.ResumeEnrollment(s.ctx, s.ws, begun.ID, false))(t).Status, outreach.EnrollmentActive)
	s.clock.Set(*until)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "back", s.enrollment(continued).Status, outreach.EnrollmentActive)
}
