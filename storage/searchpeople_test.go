package storage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
)

// found returns the prospects of a campaign that a search finds, read page by page, by id.
func (s *stage) found(campaign uuid.UUID, text string) (ids []uuid.UUID) {
	s.t.Helper()
	filter := outreach.EnrollmentFilter{CampaignID: &campaign, Search: got(outreach.ParseSearch(text))(s.t)}
	page := outreach.Page{Limit: 1}
	for {
		rows := got(s.ListEnrollments(s.ctx, s.ws, filter, page))(s.t)
		for _, e := range rows.Rows {
			ids = append(ids, e.ProspectID)
		}
		if !rows.More {
			slices.SortFunc(ids, func(a, b uuid.UUID) int { return strings.Compare(a.String(), b.String()) })
			return ids
		}
		page.After = &rows.Last
	}
}

// A search finds the people of a campaign by the beginnings of words of their address, names and
// company, in one workspace and one campaign.
func TestSearchPeopleOfCampaign(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c, beside := s.campaign("C", box, steps(0)...), s.campaign("Beside", box, steps(0)...)
	ann := got(s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "a.keller@north.test", FirstName: new("Änne"),
		LastName: new("Keller"), CompanyName: new("Northwind")}))(t)
	ben := s.prospect("ben@kelp.test")
	outside := s.prospect("keller@outside.test")
	both := []uuid.UUID{ann.ID, ben.ID} // in the order in which they were made
	s.enroll(c, ann)
	s.enroll(c, ben)
	s.enroll(beside, outside)
	other := s.room(t)
	other.enroll(other.campaign("Theirs", other.mailbox("me@other.test"), steps(0)...), other.prospect("keller@theirs.test"))
	for _, one := range []struct {
		text string
		want []uuid.UUID
	}{
		{"keller", []uuid.UUID{ann.ID}},
		{"KEL", both},
		{"an kel", []uuid.UUID{ann.ID}},
		{"anne", []uuid.UUID{ann.ID}},
		{"a.keller@north.test", []uuid.UUID{ann.ID}},
		{"northw", []uuid.UUID{ann.ID}},
		{"test", both},
		{"eller", nil},
		{"keller ben", nil},
	} {
		if ids := s.found(c.ID, one.text); !slices.Equal(ids, one.want) {
			t.Errorf("%q finds %v, want %v", one.text, ids, one.want)
		}
	}
	if ids := other.found(c.ID, "keller"); ids != nil {
		t.Errorf("another workspace finds %v", ids)
	}
	held := outreach.EnrollmentHeld
	s.exec(`UPDATE enrollments SET status = 'held' WHERE prospect_id = $1`, ben.ID)
	rows := got(s.ListEnrollments(s.ctx, s.ws, outreach.EnrollmentFilter{CampaignID: &c.ID, Status: &held, Search: []string{"kel"}},
		outreach.Page{Limit: 5}))(t)
	if len(rows.Rows) != 1 || rows.Rows[0].ProspectID != ben.ID {
		t.Errorf("of the held people the search finds %v", rows.Rows)
	}
}

// What a search finds follows every way in which a prospect is written.
func TestSearchFollowsProspects(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	c := s.campaign("C", s.mailbox("me@acme.test"), steps(0)...)
	named := func(name string) outreach.BulkElement {
		return outreach.BulkElement{Change: func(p *outreach.Prospect) { p.Email, p.LastName = "one@x.test", &name }}
	}
	one := *got(s.BulkProspects(s.ctx, s.ws, []outreach.BulkElement{named("Imported")}, outreach.BulkMode{}))(t)[0].ProspectID
	s.enroll(c, outreach.Prospect{ID: one})
	check := func(word string, gone string) {
		t.Helper()
		if ids := s.found(c.ID, word); !slices.Equal(ids, []uuid.UUID{one}) {
			t.Errorf("%s finds %v", word, ids)
		}
		if ids := s.found(c.ID, gone); ids != nil {
			t.Errorf("%s, which it was called before, finds %v", gone, ids)
		}
	}
	check("imported", "nobody")
	got(s.BulkProspects(s.ctx, s.ws, []outreach.BulkElement{named("Again")}, outreach.BulkMode{Update: true}))(t)
	check("again", "imported")
	got(s.UpdateProspect(s.ctx, s.ws, one, func(p *outreach.Prospect) { p.LastName = new("Edited") }))(t)
	check("edited", "again")
}

// A search reads the people that it finds and no others, of the workspace or of the campaign.
func TestSearchOfPeopleGoesByItsIndex(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fillIn()
	conn := got(s.sql.Acquire(s.ctx))(t)
	defer conn.Release()
	got(conn.Exec(s.ctx, "SET plan_cache_mode = force_generic_plan"))(t)
	campaign := id('c', 3)
	for _, status := range []*outreach.EnrollmentStatus{nil, new(outreach.EnrollmentFinished)} {
		s.said.take()
		got(s.ListEnrollments(s.ctx, s.ws, outreach.EnrollmentFilter{CampaignID: &campaign, Status: status, Search: []string{"p77"}},
			outreach.Page{Limit: 50}))(t)
		said := s.said.take()[1] // after the look at the first rows of the list
		lines := rows[string](s, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+said.sql, said.args...)
		plan := strings.Join(lines, "\n")
		for _, plan := range []string{plan, planOf(t, conn.Conn(), "search", said.sql)} { // for these words, and for any
			for _, want := range []string{"Bitmap Index Scan on prospects_words", "enrollments_workspace_id_campaign_id_prospect_id_key"} {
				if !strings.Contains(plan, want) {
					t.Errorf("the plan has no %s:\n%s", want, plan)
				}
			}
		}
		for _, line := range lines {
			var removed int
			_, _ = fmt.Sscanf(strings.TrimSpace(line), "Rows Removed by Filter: %d", &removed)
			if largeScan.MatchString(line+" ") || removed > 200 {
				t.Errorf("%s in\n%s", line, plan)
			}
		}
	}
}
