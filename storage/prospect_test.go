package storage_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"outreach"
)

func TestCreateProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := got(s.CreateProspect(s.ctx,
		outreach.Prospect{WorkspaceID: s.ws, Email: "  Ann@Example.COM ", FirstName: new(" Ann "), Phone: new("  "),
			CompanyName: new("Example"), Timezone: new("Europe/Paris"), CustomFields: map[string]any{"seats": 3.5, "vip": true, "note": "ü"}}))(t)
	want := outreach.Prospect{ID: p.ID, WorkspaceID: s.ws, Email: "Ann@Example.COM", FirstName: new("Ann"),
		CompanyName: new("Example"), CompanyID: p.CompanyID,
		Timezone: new("Europe/Paris"), CustomFields: map[string]any{"seats": 3.5, "vip": true, "note": "ü"},
		Status: outreach.ProspectNew, CreatedAt: s.clock.Now()}
	same(t, "answer", p, want)
	same(t, "stored", got(s.Prospect(s.ctx, s.ws, p.ID))(t), want)

	_, err := s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "ANN@example.com"})
	refused(t, err, outreach.CodeProspectExists)
	same(t, "who has it", err.(*outreach.Error).Extra["prospect_id"], p.ID.String())
	other := s.room(t)
	other.prospect("ann@example.com") // unique in a workspace only
}

func TestProspectRefusals(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	many := map[string]any{}
	for i := range 101 {
		many[fmt.Sprint(i)] = 1.0
	}
	for name, c := range map[string]struct {
		p    outreach.Prospect
		want []string
	}{
		"no address":        {outreach.Prospect{}, []string{"/email required"}},
		"no address at all": {outreach.Prospect{Email: "nobody"}, []string{"/email invalid"}},
		"time zone":         {outreach.Prospect{Email: "a@x.test", Timezone: new("Mars/Olympus")}, []string{"/timezone invalid"}},
		"NUL":               {outreach.Prospect{Email: "a@x.test", FirstName: new("a\x00b")}, []string{"/first_name invalid"}},
		"nested field": {outreach.Prospect{Email: "a@x.test", CustomFields: map[string]any{"a/b": []any{}}},
			[]string{"/custom_fields/a~1b invalid_type"}},
		"too many fields": {outreach.Prospect{Email: "a@x.test", CustomFields: many}, []string{"/custom_fields too_long"}},
	} {
		c.p.WorkspaceID = s.ws
		_, err := s.CreateProspect(s.ctx, c.p)
		refused(t, err, outreach.CodeValidation)
		same(t, name, faults(t, err), c.want)
	}
	same(t, "nothing was stored", ask[int](s, `SELECT count(*)::int FROM prospects`), 0)
	same(t, "no company either", ask[int](s, `SELECT count(*)::int FROM companies`), 0)
}

func TestUpdateProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := got(s.CreateProspect(s.ctx,
		outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test", CustomFields: map[string]any{"keep": "1", "drop": "2"}}))(t)
	updated := got(s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) {
		p.Email = "b@y.test"
		p.MergeCustomFields(map[string]any{"drop": nil, "add": true})
	}))(t)
	same(t, "fields", updated.CustomFields, map[string]any{"keep": "1", "add": true})
	same(t, "the company follows the address", *got(s.Company(s.ctx, s.ws, *updated.CompanyID))(t).Domain, "y.test")
	same(t, "stored", got(s.Prospect(s.ctx, s.ws, p.ID))(t), updated)

	taken := s.prospect("c@x.test")
	_, err := s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) { p.Email = "C@X.test" })
	refused(t, err, outreach.CodeProspectExists)
	same(t, "who has it", err.(*outreach.Error).Extra["prospect_id"], taken.ID.String())
	_, err = s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) { p.Email = "" })
	refused(t, err, outreach.CodeValidation)
	same(t, "unchanged", got(s.Prospect(s.ctx, s.ws, p.ID))(t), updated)
}

// Of many who take one address at once, one gets it and the others learn who.
func TestOneAddressOneProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var people []outreach.Prospect
	for i := range 8 {
		people = append(people, s.prospect(fmt.Sprintf("p%d@x.test", i)))
	}
	var mu sync.Mutex
	codes := map[outreach.Code]int{}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			var err error
			if i < 8 {
				_, err = s.UpdateProspect(s.ctx, s.ws, people[i].ID, func(p *outreach.Prospect) { p.Email = "wanted@x.test" })
			} else {
				_, err = s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "Wanted@x.test"})
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				codes["won"]++
			} else {
				codes[outreach.CodeOf(err)]++
			}
		})
	}
	all.Wait()
	same(t, "outcomes", codes, map[outreach.Code]int{"won": 1, outreach.CodeProspectExists: 15})
}

// Deleting leaves the id on what was recorded.
func TestDeleteProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	must(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID))
	refused(t, s.DeleteProspect(s.ctx, s.ws, s.p.ID), outreach.CodeNotFound)
	_, err := s.Prospect(s.ctx, s.ws, s.p.ID)
	refused(t, err, outreach.CodeNotFound)
	e := s.enrollment(s.e)
	same(t, "stopped", e.Status, outreach.EnrollmentStopped)
	same(t, "why", e.StopReason, new("the prospect was deleted"))
	same(t, "its message stays", got(s.Message(s.ctx, s.ws, s.out.ID))(t).ProspectID, s.p.ID)
	same(t, "its history stays", len(got(s.ListHistory(s.ctx, s.ws, s.p.ID, outreach.Page{Limit: 5}))(t).Rows), 1)
	same(t, "what is queued stays", s.queued(), []string{"sent"})
	s.ingest(s.box, s.received(s.box, outreach.ReceivedReply, "ann@x.test", s.out))
	same(t, "a late reply", s.lastReply().ProspectID, &s.p.ID)
	again := s.prospect("ann@x.test")
	same(t, "the address is free, and known to have replied", again.Status, outreach.ProspectReplied)
}

// Of many, those are deleted that exist.
func TestDeleteProspects(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	bob, carl := s.prospect("bob@x.test"), s.prospect("carl@x.test")
	ids := []uuid.UUID{s.p.ID, uuid.New(), bob.ID}
	same(t, "deleted", got(s.DeleteProspects(s.ctx, s.ws, ids))(t), 2)
	same(t, "deleted again", got(s.DeleteProspects(s.ctx, s.ws, ids))(t), 0)
	same(t, "stopped", s.enrollment(s.e).Status, outreach.EnrollmentStopped)
	for _, id := range ids {
		_, err := s.Prospect(s.ctx, s.ws, id)
		refused(t, err, outreach.CodeNotFound)
	}
	same(t, "the other one stays", got(s.Prospect(s.ctx, s.ws, carl.ID))(t).Email, "carl@x.test")
}

// Of the statuses that hold the weightiest is shown.
func TestProspectStatus(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	for name, c := range map[string]struct {
		marks       string // columns of prospects
		enrollments []outreach.EnrollmentStatus
		want        outreach.ProspectStatus
	}{
		"nothing":            {"", nil, outreach.ProspectNew},
		"active":             {"", []outreach.EnrollmentStatus{"finished", "active", "paused"}, outreach.ProspectInSequence},
		"held":               {"", []outreach.EnrollmentStatus{"held"}, outreach.ProspectInSequence},
		"paused":             {"", []outreach.EnrollmentStatus{"stopped", "paused"}, outreach.ProspectPaused},
		"finished":           {"", []outreach.EnrollmentStatus{"finished"}, outreach.ProspectFinished},
		"stopped":            {"", []outreach.EnrollmentStatus{"stopped"}, outreach.ProspectFinished},
		"failed":             {"", []outreach.EnrollmentStatus{"failed"}, outreach.ProspectFinished},
		"replied":            {"replied_at = now()", []outreach.EnrollmentStatus{"active"}, outreach.ProspectReplied},
		"bounced":            {"replied_at = now(), bounced_at = now()", nil, outreach.ProspectBounced},
		"unsubscribed":       {"replied_at = now(), bounced_at = now(), unsubscribed_at = now()", nil, outreach.ProspectUnsubscribed},
		"unsubscribed alone": {"unsubscribed_at = now()", []outreach.EnrollmentStatus{"active"}, outreach.ProspectUnsubscribed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			p := s.prospect("a@x.test")
			box := s.mailbox("me@acme.test")
			// The change of one enrollment derives the status anew.
			trigger := s.enroll(s.campaign("T", box, steps(0)...), p)
			for i, status := range c.enrollments {
				e := s.enroll(s.campaign(fmt.Sprint(i), box, steps(0)...), p)
				s.exec(`UPDATE enrollments SET status = $2 WHERE id = $1`, e.ID, string(status))
			}
			if c.marks != "" {
				s.exec(`UPDATE prospects SET `+c.marks+` WHERE id = $1`, p.ID)
			}
			if name == "nothing" {
				must(t, s.DeleteCampaign(s.ctx, s.ws, trigger.CampaignID))
			} else if name == "stopped" || c.want == outreach.ProspectFinished {
				got(s.StopEnrollment(s.ctx, s.ws, trigger.ID))(t)
			} else {
				must(t, s.DeleteCampaign(s.ctx, s.ws, trigger.CampaignID))
			}
			same(t, "status", s.status(p), c.want)
		})
	}
}

// An address that had been suppressed for a reason comes back with its status.
func TestStatusComesBackWithTheAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for reason, want := range map[string]outreach.ProspectStatus{
		"manual": outreach.ProspectNew, "bounced": outreach.ProspectBounced, "unsubscribed": outreach.ProspectUnsubscribed,
		"complaint": outreach.ProspectUnsubscribed,
	} {
		for i, make := range []func(email string) outreach.Prospect{s.prospect, s.bulkOne} {
			email := fmt.Sprintf("%s%d@x.test", reason, i)
			s.exec(`
INSERT INTO suppressions (id, workspace_id, email, email_key, reason) VALUES (gen_random_uuid(), $1, $2, $2, $3)`, s.ws, email, reason)
			same(t, email, s.status(make(email)), want)
		}
	}
}

// It is an address that bounces and a person who unsubscribes: another address
// leaves the bounce behind, and the wish only where it has one of its own.
func TestMarksFollowTheAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, c := range []struct {
		from, to      string // the reasons for which the addresses are suppressed
		moved, undone outreach.ProspectStatus
	}{
		{"bounced", "", outreach.ProspectNew, outreach.ProspectBounced},
		{"bounced", "bounced", outreach.ProspectBounced, outreach.ProspectBounced},
		{"bounced", "complaint", outreach.ProspectUnsubscribed, outreach.ProspectUnsubscribed},
		{"unsubscribed", "", outreach.ProspectUnsubscribed, outreach.ProspectUnsubscribed},
		{"unsubscribed", "bounced", outreach.ProspectUnsubscribed, outreach.ProspectUnsubscribed},
		{"manual", "bounced", outreach.ProspectBounced, outreach.ProspectNew},
		{"", "manual", outreach.ProspectNew, outreach.ProspectNew},
		{"", "unsubscribed", outreach.ProspectUnsubscribed, outreach.ProspectUnsubscribed},
	} {
		name := c.from + " to " + c.to
		emails := []string{uuid.NewString() + "@x.test", uuid.NewString() + "@y.test"}
		for i, reason := range []string{c.from, c.to} {
			if reason != "" {
				s.exec(`
INSERT INTO suppressions (id, workspace_id, email, email_key, reason) VALUES (gen_random_uuid(), $1, $2, $2, $3)`, s.ws, emails[i], reason)
			}
		}
		p := s.prospect(emails[0])
		for i, want := range []outreach.ProspectStatus{c.moved, c.undone} {
			updated := got(s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) { p.Email = emails[1-i] }))(t)
			same(t, name+", answered", updated.Status, want)
			same(t, name, s.status(p), want)
		}
	}
	p := s.prospect("typo@x.test")
	s.exec(`UPDATE prospects SET bounced_at = now(), status = 'bounced' WHERE id = $1`, p.ID)
	got(s.UpdateProspect(s.ctx, s.ws, p.ID, func(p *outreach.Prospect) { p.Email = " Typo@X.test" }))(t)
	same(t, "the same address spelled otherwise", s.status(p), outreach.ProspectBounced)
}

func (s *stage) bulkOne(email string) outreach.Prospect {
	s.t.Helper()
	r := got(s.BulkProspects(s.ctx, s.ws,
		[]outreach.BulkElement{{Change: func(p *outreach.Prospect) { p.Email = email }}}, outreach.BulkMode{}))(s.t)
	return got(s.Prospect(s.ctx, s.ws, *r[0].ProspectID))(s.t)
}

func TestBulk(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	element := func(email, name string) outreach.BulkElement {
		return outreach.BulkElement{Change: func(p *outreach.Prospect) {
			p.Email, p.FirstName = email, &name
			p.MergeCustomFields(map[string]any{name: 1.0})
		}}
	}
	unreadable := outreach.BulkElement{Faults: outreach.Faults{{Path: outreach.At("email"), Code: outreach.FieldType}}}
	for _, update := range []bool{false, true} {
		t.Run(fmt.Sprintf("update %v", update), func(t *testing.T) {
			t.Parallel()
			s := house.room(t)
			there := got(s.CreateProspect(s.ctx,
				outreach.Prospect{WorkspaceID: s.ws, Email: "there@x.test", LastName: new("Kept"), CustomFields: map[string]any{"old": 1.0}}))(t)
			results := got(s.BulkProspects(s.ctx, s.ws, []outreach.BulkElement{
				element("new@x.test", "first"), element("THERE@x.test", "second"), element("no address", "third"), unreadable,
				element("New@x.test", "fourth"),
			}, outreach.BulkMode{Update: update}))(t)
			met, name, fields := outreach.BulkSkipped, "first", map[string]any{"old": 1.0}
			if update {
				met, name, fields = outreach.BulkUpdated, "fourth", map[string]any{"old": 1.0, "second": 1.0}
			}
			var outcomes []outreach.BulkOutcome
			for i, r := range results {
				same(t, "index", r.Index, i)
				outcomes = append(outcomes, r.Outcome)
			}
			same(t, "outcomes", outcomes, []outreach.BulkOutcome{outreach.BulkCreated, met, outreach.BulkInvalid, outreach.BulkInvalid, met})
			same(t, "who was met", *results[1].ProspectID, there.ID)
			same(t, "the later meets the earlier", *results[4].ProspectID, *results[0].ProspectID)
			same(t, "errors", results[2].Errors[0].Pointer(), "/email")
			same(t, "first name", *got(s.Prospect(s.ctx, s.ws, *results[0].ProspectID))(t).FirstName, name)
			kept := got(s.Prospect(s.ctx, s.ws, there.ID))(t)
			same(t, "last name", kept.LastName, new("Kept"))
			same(t, "custom fields", kept.CustomFields, fields)
		})
	}
}

// Two requests with the same thousand addresses in opposite orders both end well.
func TestBulksInEachOthersWay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	elements := make([]outreach.BulkElement, 300)
	for i := range elements {
		elements[i].Change = func(p *outreach.Prospect) { p.Email = fmt.Sprintf("p%d@c%d.test", i, i%50) }
	}
	var all sync.WaitGroup
	for n := range 4 {
		mine := append([]outreach.BulkElement{}, elements...)
		if n%2 == 1 {
			for i, j := 0, len(mine)-1; i < j; i, j = i+1, j-1 {
				mine[i], mine[j] = mine[j], mine[i]
			}
		}
		all.Go(func() {
			if _, err := s.BulkProspects(s.ctx, s.ws, mine, outreach.BulkMode{Update: n < 2}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	same(t, "prospects", ask[int](s, `SELECT count(*)::int FROM prospects`), 300)
	same(t, "companies", ask[int](s, `SELECT count(*)::int FROM companies`), 50)
}

// A company is found by the domain of the address, free mail excepted, else by
// its folded name, and bears the first name that it was given.
func TestCompanyOfProspect(t *testing.T) {
	t.Parallel()
	house := newStage(t)
	type person struct{ email, company string }
	for name, c := range map[string]struct {
		people []person
		want   []string // name and domain, by name
	}{
		"by domain":                   {[]person{{"a@x.test", ""}, {"b@X.test", ""}}, []string{"x.test x.test"}},
		"the first name given":        {[]person{{"a@x.test", ""}, {"b@x.test", "Ix"}, {"c@x.test", "Other"}}, []string{"Ix x.test"}},
		"by name behind free mail":    {[]person{{"a@gmail.com", "Big  Corp"}, {"b@web.de", "big corp"}}, []string{"Big  Corp -"}},
		"free mail without a company": {[]person{{"a@gmail.com", ""}}, nil},
		"a domain is not its name":    {[]person{{"a@x.test", "Ix"}, {"b@gmail.com", "Ix"}}, []string{"Ix -", "Ix x.test"}},
		"several": {[]person{{"a@x.test", ""}, {"a@y.test", "Y"}, {"a@gmail.com", "Z"}},
			[]string{"Y y.test", "Z -", "x.test x.test"}},
	} {
		for _, bulk := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, bulk %v", name, bulk), func(t *testing.T) {
				t.Parallel()
				s := house.room(t)
				var elements []outreach.BulkElement
				for _, person := range c.people {
					change := func(p *outreach.Prospect) {
						p.Email = person.email
						if person.company != "" {
							p.CompanyName = &person.company
						}
					}
					elements = append(elements, outreach.BulkElement{Change: change})
					if !bulk {
						p := outreach.Prospect{WorkspaceID: s.ws}
						change(&p)
						got(s.CreateProspect(s.ctx, p))(t)
					}
				}
				if bulk {
					got(s.BulkProspects(s.ctx, s.ws, elements, outreach.BulkMode{}))(t)
				}
				same(t, "companies", rows[string](s, `
SELECT name || ' ' || coalesce(domain, '-') FROM companies WHERE workspace_id = $1
ORDER BY name COLLATE "C", domain DESC`, s.ws), c.want, cmpopts.EquateEmpty())
			})
		}
	}
}

func TestListProspectsFilters(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := s.mailbox("me@acme.test")
	c := s.campaign("C", box, steps(0)...)
	ann := got(s.CreateProspect(s.ctx,
		outreach.Prospect{WorkspaceID: s.ws, Email: "ann@x.test", FirstName: new("Ann"), LastName: new("Lee_")}))(t)
	s.enroll(c, ann)
	s.clock.Advance(time.Millisecond)
	bob := got(s.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "bob@y.test", LastName: new("Öberg"),
		CompanyName: new("100%")}))(t)
	for _, c := range []struct {
		filter outreach.ProspectFilter
		want   []string
	}{
		{outreach.ProspectFilter{Status: new(outreach.ProspectInSequence)}, []string{"ann"}},
		{outreach.ProspectFilter{Status: new(outreach.ProspectNew)}, []string{"bob"}},
		{outreach.ProspectFilter{CampaignID: &c.ID}, []string{"ann"}},
		{outreach.ProspectFilter{CampaignID: new(uuid.New())}, nil},
		{outreach.ProspectFilter{CompanyID: ann.CompanyID}, []string{"ann"}},
		{outreach.ProspectFilter{Email: new(" ANN@x.test ")}, []string{"ann"}},
		{outreach.ProspectFilter{Search: new("lee_")}, []string{"ann"}},
		{outreach.ProspectFilter{Search: new("0%")}, []string{"bob"}},
		{outreach.ProspectFilter{Search: new("a_n")}, nil},
		{outreach.ProspectFilter{Search: new("oberg")}, []string{"bob"}},
		{outreach.ProspectFilter{Search: new("ÖBERG 100")}, []string{"bob"}},
		{outreach.ProspectFilter{Search: new("  ")}, []string{"bob", "ann"}},
		{outreach.ProspectFilter{CreatedSince: &ann.CreatedAt}, []string{"bob", "ann"}},
		{outreach.ProspectFilter{CreatedSince: &bob.CreatedAt}, []string{"bob"}},
		{outreach.ProspectFilter{CreatedSince: &bob.CreatedAt, CampaignID: &c.ID}, nil},
	} {
		var names []string
		for _, p := range got(s.ListProspects(s.ctx, s.ws, c.filter, outreach.Page{Limit: 10}))(t).Rows {
			names = append(names, p.Email[:3])
		}
		if diff := cmp.Diff(c.want, names); diff != "" {
			t.Errorf("%+v: %s", c.filter, diff)
		}
	}
}
