package storage_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// people are elements with the addresses p0 to pn-1, each with a name.
func people(n int, name string) []outreach.BulkElement {
	elements := make([]outreach.BulkElement, n)
	for i := range elements {
		elements[i].Change = func(p *outreach.Prospect) { p.Email, p.FirstName = fmt.Sprintf("p%d@c%d.test", i, i%7), &name }
	}
	return elements
}

// A dry run says what would happen, row by row, and leaves nothing behind.
func TestBulkDryRun(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for _, update := range []bool{false, true} {
		t.Run(fmt.Sprintf("update %v", update), func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			there := got(s.CreateProspect(s.ctx,
				outreach.Prospect{WorkspaceID: s.ws, Email: "there@x.test", CustomFields: map[string]any{"size": 3.0}}))(t)
			before := s.everything()
			element := func(email, first string, size any) outreach.BulkElement {
				return outreach.BulkElement{Change: func(p *outreach.Prospect) {
					p.Email, p.FirstName = email, &first
					p.MergeCustomFields(map[string]any{"size": size, "a/b": nil})
				}}
			}
			elements := []outreach.BulkElement{element("new@x.test", "", nil), element("there@x.test", "Ann", int64(3)),
				element("there@x.test", "Ann", 3.0),
				element("There@x.test", "Ann", "3"), element("nobody", "", nil), element("NEW@x.test", "Neo", nil)}
			mode := outreach.BulkMode{Update: update, DryRun: true}
			dry := got(s.BulkProspects(s.ctx, s.ws, elements, mode))(t)
			if diff := cmp.Diff(before, s.everything()); diff != "" {
				t.Fatalf("the dry run left something behind:\n%s", diff)
			}
			var said []string
			for _, r := range dry {
				said = append(said, fmt.Sprint(r.Outcome, r.Changed, r.ProspectID != nil))
			}
			want := []string{"created[] false", "skipped[] true", "skipped[] true", "skipped[] true", "invalid[] false", "skipped[] false"}
			if update {
				want = []string{"created[] false", "updated[first_name] true", "updated[] true",
					"updated[email custom_fields.size] true", "invalid[] false", "updated[email first_name] false"}
			}
			same(t, "what would happen", said, want)
			same(t, "who is met", *dry[1].ProspectID, there.ID)
			same(t, "why it is refused", dry[4].Errors[0].Pointer(), "/email")

			mode.DryRun = false
			done := got(s.BulkProspects(s.ctx, s.ws, elements, mode))(t)
			for i := range done {
				same(t, "the same happens", fmt.Sprint(done[i].Outcome, done[i].Changed, done[i].Errors),
					fmt.Sprint(dry[i].Outcome, dry[i].Changed, dry[i].Errors))
			}
		})
	}
}

// An update that nothing comes of writes nothing.
func TestBulkUpdateOfTheSame(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	got(s.BulkProspects(s.ctx, s.ws, people(3, "Ann"), outreach.BulkMode{}))(t)
	versions := func() []string { return rows[string](s, `SELECT xmin::text FROM prospects ORDER BY email`) }
	before := versions()
	for _, r := range got(s.BulkProspects(s.ctx, s.ws, people(3, "Ann"), outreach.BulkMode{Update: true}))(t) {
		same(t, "outcome", fmt.Sprint(r.Outcome, r.Changed), "updated[]")
	}
	same(t, "versions of the rows", versions(), before)
}

// A bulk call costs the same few statements for twenty rows and for two hundred,
// whatever becomes of them. The first ten people bring all companies.
func TestStatementsOfABulkCall(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	prospects := func(mode outreach.BulkMode) func(*stage, int) {
		return func(s *stage, n int) {
			got(s.BulkProspects(s.ctx, s.ws, people(n/2, "Ann"), outreach.BulkMode{}))(t)
			s.said.take()
			got(s.BulkProspects(s.ctx, s.ws, append(people(n, "Bob"), people(n, "Cid")...), mode))(t)
		}
	}
	for name, call := range map[string]func(s *stage, n int){
		"skip":    prospects(outreach.BulkMode{}),
		"update":  prospects(outreach.BulkMode{Update: true}),
		"dry run": prospects(outreach.BulkMode{Update: true, DryRun: true}),
		"enroll": func(s *stage, n int) {
			c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
			request := outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectIDs: s.stored(n)}
			s.said.take()
			got(s.BulkEnroll(s.ctx, request))(t)
		},
		"suppress": func(s *stage, n int) {
			c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
			got(s.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectIDs: s.stored(n)}))(t)
			var list []outreach.Suppression
			for i := range n {
				list = append(list, outreach.Suppression{Email: new(fmt.Sprintf("p%d@c%d.test", i, i%7))},
					outreach.Suppression{Domain: new(fmt.Sprintf("c%d.test", i))})
			}
			s.said.take()
			_, _, err := s.BulkSuppressions(s.ctx, s.ws, list)
			must(t, err)
		},
	} {
		var counts []int
		for _, n := range []int{20, 200} {
			call(s.room(t), n)
			counts = append(counts, len(s.said.take()))
		}
		if counts[0] != counts[1] || counts[1] > 12 {
			t.Errorf("%s: %v statements for 20 and 200 rows", name, counts)
		}
	}
}

// stored puts n prospects into the workspace and gives their ids.
func (s *stage) stored(n int) []uuid.UUID {
	s.t.Helper()
	list := make([]uuid.UUID, n)
	for i, r := range got(s.BulkProspects(s.ctx, s.ws, people(n, "Ann"), outreach.BulkMode{}))(s.t) {
		list[i] = *r.ProspectID
	}
	return list
}

// A bulk enrollment says of each prospect what the single call would: the same
// outcome, the same refusal.
func TestBulkEnroll(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	obstacles := map[string]string{
		"suppressed": `
INSERT INTO suppressions (id, workspace_id, email, email_key, reason) SELECT gen_random_uuid(), workspace_id, email,
	email_key, 'manual' FROM prospects WHERE id = $1`,
		"by domain": `
INSERT INTO suppressions (id, workspace_id, domain, reason)
SELECT gen_random_uuid(), workspace_id, split_part(email_key, '@', 2), 'manual' FROM prospects WHERE id = $1`,
		"complained": `
INSERT INTO suppressions (id, workspace_id, email, email_key, reason) SELECT gen_random_uuid(), workspace_id, email,
	email_key, 'complaint' FROM prospects WHERE id = $1`,
		"bounced": `UPDATE prospects SET bounced_at = now() WHERE id = $1`,
		"replied": `UPDATE prospects SET replied_at = now() WHERE id = $1`,
		"running": `
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id) SELECT gen_random_uuid(), $2, id, $1
FROM campaigns WHERE workspace_id = $2`,
		"finished": `
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status)
SELECT gen_random_uuid(), $2, id, $1, 'finished' FROM campaigns WHERE workspace_id = $2`,
		"free": "",
	}
	names := slices.Sorted(maps.Keys(obstacles))
	for _, c := range []struct{ force, restart, archived bool }{{}, {force: true}, {restart: true}, {archived: true},
		{restart: true, archived: true}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			t.Parallel()
			// Two workspaces of one shape: one is asked in bulk, one by single calls.
			bulk, single := house.room(t), house.room(t)
			for _, s := range []*stage{bulk, single} {
				s.campaign("C", s.mailbox("me@acme.test"), steps(15)...)
			}
			request := outreach.BulkEnrollRequest{WorkspaceID: bulk.ws, CampaignID: ask[uuid.UUID](bulk, `
SELECT id FROM campaigns WHERE workspace_id = $1`, bulk.ws), Force: c.force, Restart: c.restart}
			one := outreach.EnrollRequest{WorkspaceID: single.ws, CampaignID: ask[uuid.UUID](single, `
SELECT id FROM campaigns WHERE workspace_id = $1`, single.ws), Force: c.force, Restart: c.restart}
			var want []string
			for i, name := range names {
				for _, s := range []*stage{bulk, single} {
					p := s.prospect(fmt.Sprintf("ann@%d.test", i))
					switch sql := obstacles[name]; {
					case strings.Contains(sql, "$2"):
						s.exec(sql, p.ID, s.ws)
					case sql != "":
						s.exec(sql, p.ID)
					}
					if s == bulk {
						request.ProspectIDs = append(request.ProspectIDs, p.ID)
					}
				}
			}
			if c.archived {
				house.exec(`UPDATE campaigns SET status = 'archived' WHERE workspace_id = ANY($1)`, []uuid.UUID{bulk.ws, single.ws})
			}
			for _, id := range rows[uuid.UUID](single, `SELECT id FROM prospects WHERE workspace_id = $1 ORDER BY email`, single.ws) {
				one.ProspectID = &id
				before := ask[int](single, `SELECT coalesce(max(run), 0) FROM enrollments WHERE prospect_id = $1`, id)
				out, err := single.Enroll(single.ctx, one)
				began := err == nil && (out.EnrollmentCreated || ask[int](single, `SELECT run FROM enrollments WHERE prospect_id = $1`, id) > before)
				switch {
				case err != nil:
					want = append(want, "refused "+err.Error())
				case out.EnrollmentCreated:
					want = append(want, "enrolled")
				case began:
					want = append(want, "restarted")
				default:
					want = append(want, "present")
				}
			}
			var said []string
			for i, r := range got(bulk.BulkEnroll(bulk.ctx, request))(t) {
				same(t, "index", r.Index, i)
				text := string(r.Outcome)
				if r.Refusal != nil {
					text += " " + r.Refusal.Error()
				} else {
					same(t, "enrollment", ask[uuid.UUID](bulk, `
SELECT id FROM enrollments WHERE prospect_id = $1`, request.ProspectIDs[i]), *r.EnrollmentID)
				}
				said = append(said, text)
			}
			same(t, "as by single calls", said, want)
			left := `
SELECT concat_ws(' ', p.email, p.status, e.status, e.run, e.forced, e.next_step, e.next_send_at,
	e.created_at > '2000-01-01') FROM prospects p LEFT JOIN enrollments e ON e.prospect_id = p.id WHERE p.workspace_id = $1 ORDER BY 1`
			same(t, "what is left", rows[string](bulk, left, bulk.ws), rows[string](single, left, single.ws))
		})
	}
}

// A prospect named twice is enrolled once; one of another workspace is answered
// as one that exists nowhere, and so is another workspace's campaign.
func TestBulkEnrollKeepsApart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	mine, theirs := s.prospect("ann@x.test"), other.prospect("ann@x.test")
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	s.exec(`UPDATE campaigns SET status = 'completed'`)
	nobody := uuid.New()
	before := other.everything()
	results := got(s.BulkEnroll(s.ctx,
		outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectIDs: ids(mine.ID, theirs.ID, nobody, mine.ID)}))(t)
	same(t, "outcomes", []outreach.EnrollOutcome{results[0].Outcome, results[1].Outcome, results[2].Outcome, results[3].Outcome},
		[]outreach.EnrollOutcome{outreach.EnrollEnrolled, outreach.EnrollRefused, outreach.EnrollRefused, outreach.EnrollPresent})
	same(t, "the same", *results[3].EnrollmentID, *results[0].EnrollmentID)
	same(t, "where", faults(t, results[1].Refusal), []string{"/prospect_ids/1 unknown_reference"})
	same(t, "the very answer", []any{results[1].Refusal.Code, results[1].Refusal.Message},
		[]any{results[2].Refusal.Code, results[2].Refusal.Message})
	same(t, "reopened", got(s.Campaign(s.ctx, s.ws, c.ID))(t).Status, outreach.CampaignActive)
	for _, campaign := range ids(c.ID, nobody) {
		_, err := other.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: other.ws, CampaignID: campaign, ProspectIDs: ids(theirs.ID)})
		same(t, "their answer", faults(t, err), []string{"/campaign_id unknown_reference"})
	}
	if diff := cmp.Diff(before, other.everything()); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
}

// Calls with the same people in opposite orders, bulk and single, enroll each once.
func TestBulkEnrollAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	forward := s.stored(100)
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	var all sync.WaitGroup
	var made atomic.Int64
	for n := range 6 {
		all.Go(func() {
			list := [][]uuid.UUID{forward, backward}[n%2]
			results, err := s.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectIDs: list})
			if err != nil {
				t.Error(err)
			}
			for _, r := range results {
				if r.Outcome == outreach.EnrollEnrolled {
					made.Add(1)
				}
			}
			out, err := s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &list[50]})
			if err != nil || out.EnrollmentCreated {
				t.Error("a single call after a bulk one", err, out.EnrollmentCreated)
			}
		})
	}
	all.Wait()
	same(t, "made", made.Load(), 100)
	same(t, "stored", ask[int](s, `SELECT count(*)::int FROM enrollments`), 100)
}

// Bulk suppressions report for each element what the single call would, stop the people that they
// concern, and leave every other workspace alone.
func TestBulkSuppressions(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	bob, eve := s.enroll(s.c, s.prospect("bob@y.test")), s.enroll(s.c, s.prospect("eve@z.test"))
	second := s.enroll(s.campaign("Second", s.box, steps(15)...), s.p)
	other := s.room(t).scene()
	theirs := other.everything()
	s.exec(`
INSERT INTO suppressions (id, workspace_id, email, email_key, reason)
VALUES (gen_random_uuid(), $1, 'zoe@z.test', 'zoe@z.test', 'unsubscribed')`, s.ws)
	email := func(text string) outreach.Suppression { return outreach.Suppression{Email: &text, Note: new(" why ")} }
	domain := func(text string) outreach.Suppression { return outreach.Suppression{Domain: &text} }
	elements := []outreach.Suppression{email(" Ann@X.test "), domain("@Y.test"), email("ANN@x.test"),
		email("zoe@z.test"), email("nobody"), {}, domain("y.test"), domain("a b"), email("new@w.test")}
	results, stopped, err := s.BulkSuppressions(s.ctx, s.ws, elements)
	must(t, err)
	var said []string
	for i, r := range results {
		same(t, "index", r.Index, i)
		text := string(r.Outcome)
		if r.Refusal != nil {
			text += fmt.Sprint(faults(t, r.Refusal))
		} else {
			same(t, "id", got(s.Suppression(s.ctx, s.ws, *r.SuppressionID))(t).ID, *r.SuppressionID)
		}
		said = append(said, text)
	}
	same(t, "outcomes", said,
		[]string{"created", "created", "present", "present", "refused[/email invalid]", "refused[/email required]",
			"present", "refused[/domain invalid]", "created"})
	same(t, "stopped", []outreach.EnrollmentStatus{s.enrollment(s.e).Status, s.enrollment(second).Status, s.enrollment(bob).Status,
		s.enrollment(eve).Status}, []outreach.EnrollmentStatus{outreach.EnrollmentStopped, outreach.EnrollmentStopped,
		outreach.EnrollmentStopped, outreach.EnrollmentActive})
	same(t, "enrollments that it stopped", stopped, 3)
	same(t, "status", s.status(s.p), outreach.ProspectFinished)
	same(t, "stored", rows[string](s.stage, `
SELECT concat_ws(' ', email, email_key, domain, reason, note) FROM suppressions WHERE workspace_id = $1 ORDER BY 1`, s.ws),
		[]string{"Ann@X.test ann@x.test manual why", "new@w.test new@w.test manual why", "y.test manual", "zoe@z.test zoe@z.test unsubscribed"})
	if diff := cmp.Diff(theirs, other.everything()); diff != "" {
		t.Errorf("another workspace changed:\n%s", diff)
	}
	results, stopped, err = s.BulkSuppressions(s.ctx, s.ws, elements[:1])
	must(t, err)
	same(t, "again", results[0].Outcome, outreach.SuppressPresent)
	same(t, "stopped again", stopped, 0)
}

func TestBulkSuppressionsAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var forward []outreach.Suppression
	for i := range 100 {
		forward = append(forward, outreach.Suppression{Email: new(fmt.Sprintf("p%d@x.test", i))},
			outreach.Suppression{Domain: new(fmt.Sprintf("c%d.test", i))})
	}
	backward := slices.Clone(forward)
	slices.Reverse(backward)
	var all sync.WaitGroup
	for n := range 6 {
		all.Go(func() {
			if _, _, err := s.BulkSuppressions(s.ctx, s.ws, [][]outreach.Suppression{forward, backward}[n%2]); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	same(t, "stored", ask[int](s, `SELECT count(*)::int FROM suppressions`), 200)
}
