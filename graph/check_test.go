package graph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/mail/engine"
)

const (
	found         = `people ready findings { cause variable detail people { email } }`
	checkPeople   = `query q($c: UUID!, $ids: [UUID!]!) { checkPeople(campaignId: $c, prospectIds: $ids) { ` + found + ` } }`
	checkCampaign = `query q($c: UUID!, $after: String) { checkCampaign(id: $c, after: $after) { nextCursor check { ` + found + ` } } }`
)

type finding struct {
	Cause            outreach.CheckCause
	Variable, Detail *string
	People           []struct{ Email string }
}

type checked struct {
	People, Ready int
	Findings      []finding
}

// lines are the findings, one a line.
func (c checked) lines() (all []string) {
	for _, f := range c.Findings {
		line := string(f.Cause)
		for _, more := range []*string{f.Variable, f.Detail} {
			if more != nil {
				line += " (" + *more + ")"
			}
		}
		line += ":"
		var who []string
		for _, p := range f.People {
			who = append(who, strings.TrimSuffix(p.Email, "@x.test"))
		}
		line += " " + strings.Join(slices.Sorted(slices.Values(who)), " ")
		all = append(all, line)
	}
	return slices.Sorted(slices.Values(all))
}

// checker is a workspace with a mailbox and a campaign of two steps.
type checker struct {
	*stage
	box uuid.UUID
	c   outreach.Campaign
}

func newChecker(t *testing.T, steps ...outreach.Step) *checker {
	t.Helper()
	s := &checker{stage: newStage(t)}
	config := s.config()
	config.Templates, config.Keyring = &engine.Composer{Keyring: s.ring}, s.ring
	s.schema = graph.NewSchema(config)
	s.box, _ = s.correspondents(s.ws, "mine")
	s.c = s.campaign("C", steps...)
	return s
}

func (s *checker) campaign(name string, steps ...outreach.Step) outreach.Campaign {
	s.t.Helper()
	c := outreach.NewCampaign()
	c.WorkspaceID, c.Name, c.Steps, c.MailboxIDs = s.ws, name, steps, []uuid.UUID{s.box}
	made, err := s.db.CreateCampaign(s.ctx, c)
	must(s.t, err)
	return made
}

// person is a new prospect with a first name, unless that is "".
func (s *checker) person(name, first string) uuid.UUID {
	s.t.Helper()
	p, err := s.db.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: name + "@x.test", FirstName: &first})
	must(s.t, err)
	return p.ID
}

func (s *checker) check(ids ...uuid.UUID) (out checked) {
	s.t.Helper()
	must(s.t, json.Unmarshal(s.field(checkPeople, map[string]any{"c": s.c.ID.String(), "ids": texts(ids)}, "checkPeople"), &out))
	return out
}

func texts(ids []uuid.UUID) (out []any) {
	for _, id := range ids {
		out = append(out, id.String())
	}
	return out
}

// Before an enrollment the check counts what BulkEnroll would refuse, with the same judgement, and
// whose steps would be held for which variable.
func TestCheckPeople(t *testing.T) {
	t.Parallel()
	s := newChecker(t,
		outreach.Step{Subject: new("Hi {{ first_name }}"), BodyText: new("{% if job_title %}As {{ job_title }}{% else %}Hello{% endif %}")},
		outreach.Step{BodyHTML: new("<p>{{ custom_fields.city }} {{ phone | default: '-' }}")},
		outreach.Step{BodyText: new("{% if first_name == 'Max' %}x{% else %} {% endif %}")})
	ids := map[string]uuid.UUID{}
	for _, name := range []string{"in", "suppressed", "gone", "bounced", "replied", "near", "bare", "max"} {
		first := map[string]string{"bare": "", "max": "Max"}[name]
		if name != "bare" && name != "max" {
			first = "Ann"
		}
		ids[name] = s.person(name, first)
	}
	s.exec(`UPDATE prospects SET custom_fields = '{"city": "Rome"}' WHERE email LIKE 'max@%'`)
	_, err := s.db.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: new(ids["in"])})
	must(t, err)
	_, err = s.db.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("suppressed@x.test")})
	must(t, err)
	s.exec(`UPDATE prospects SET unsubscribed_at = now() WHERE email LIKE 'gone@%'`)
	s.exec(`UPDATE prospects SET bounced_at = now() WHERE email LIKE 'bounced@%'`)
	s.exec(`UPDATE prospects SET replied_at = now() WHERE email LIKE 'replied@%'`)
	s.exec(`
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, step, run, status, sent_at, subject,
	message_id, recipient, body_text)
SELECT $1, p.workspace_id, $2, p.id, $3, $1, 1, 1, 'sent', now(), 'S', '<m@x>', p.email, '' FROM prospects p WHERE p.email LIKE 'near@%'`,
		uuid.New(), s.campaign("other").ID, s.box)

	all := []uuid.UUID{uuid.New()} // a prospect that does not exist
	for _, id := range ids {
		all = append(all, id)
	}
	out := s.check(all...)
	same(t, "findings", out.lines(), []string{"bounced: bounced", "contact_gap: near",
		"content (step 3 has no text for this prospect): bare near",
		"enrolled: in", "missing (custom_fields.city): bare near", "missing (first_name): bare", "replied: replied",
		"suppressed: suppressed", "unsubscribed: gone"})
	same(t, "numbers", []int{out.People, out.Ready}, []int{8, 1})

	results, err := s.db.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectIDs: all[1:]})
	must(t, err)
	refused := 0
	for _, r := range results {
		if r.Outcome != outreach.EnrollEnrolled {
			refused++
		}
	}
	same(t, "not enrolled, as the check said", refused, 5)
}

// The check of a campaign begins with each person's next step, leaves out who has ended, and walks
// over a campaign of any size in pages.
func TestCheckCampaign(t *testing.T) {
	t.Parallel()
	s := newChecker(t, outreach.Step{Subject: new("Hi {{ first_name }}"), BodyText: new("Hello")},
		outreach.Step{BodyText: new("{{ phone }} from {{ mailbox.display_name }}")})
	var all []uuid.UUID
	for i := range 1003 {
		all = append(all, uuid.New())
		s.exec(`INSERT INTO prospects (id, workspace_id, email, email_key) VALUES ($1, $2, $3, $3)`,
			all[i], s.ws, fmt.Sprintf("p%d@x.test", i))
	}
	for _, part := range slices.Collect(slices.Chunk(all, outreach.MaxBulk)) {
		_, err := s.db.BulkEnroll(s.ctx, outreach.BulkEnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectIDs: part})
		must(t, err)
	}
	s.exec(`UPDATE enrollments SET next_step = 2 WHERE prospect_id = $1`, all[0])
	s.exec(`UPDATE enrollments SET status = 'held', hold_kind = 'content', hold_reason = 'r' WHERE prospect_id = $1`, all[1])
	s.exec(`UPDATE enrollments SET status = 'stopped' WHERE prospect_id = $1`, all[2])
	s.exec(`UPDATE prospects SET replied_at = now() WHERE id = $1`, all[3])

	var after *string
	var pages []int
	totals := map[string]int{}
	for {
		var page struct {
			NextCursor *string
			Check      checked
		}
		variables := map[string]any{"c": s.c.ID.String()}
		if after != nil {
			variables["after"] = *after
		}
		must(t, json.Unmarshal(s.field(checkCampaign, variables, "checkCampaign"), &page))
		pages = append(pages, page.Check.People)
		for _, f := range page.Check.Findings {
			name := string(f.Cause)
			if f.Variable != nil {
				name += " " + *f.Variable
			}
			totals[name] += len(f.People)
		}
		if after = page.NextCursor; after == nil {
			break
		}
	}
	same(t, "people of each page", pages, []int{999, 3})
	same(t, "totals", totals, map[string]int{"replied": 1, "missing first_name": 1000, "missing phone": 1001,
		"missing mailbox.display_name": 1001})
}

// One call is a fixed number of statements for at most 1,000 people.
func TestChecksAreBounded(t *testing.T) {
	t.Parallel()
	s := newChecker(t, outreach.Step{Subject: new("S"), BodyText: new("Hello {{ first_name }}")})
	var all []uuid.UUID
	for i := range 1000 {
		all = append(all, uuid.New())
		s.exec(`INSERT INTO prospects (id, workspace_id, email, email_key) VALUES ($1, $2, $3, $3)`,
			all[i], s.ws, fmt.Sprintf("p%d@x.test", i))
	}
	var counts []int
	for _, n := range []int{1, 1000} {
		s.count.take()
		same(t, "people", s.check(all[:n]...).People, n)
		counts = append(counts, s.count.take())
	}
	if counts[0] != counts[1] || counts[1] > 8 {
		t.Errorf("%v statements for 1 and 1,000", counts)
	}
	for _, n := range []int{0, 1001} {
		_, err := s.run(checkPeople, map[string]any{"c": s.c.ID.String(), "ids": texts(slices.Repeat(all[:1], n))})
		same(t, fmt.Sprint(n, " prospects"), outreach.CodeOf(err), outreach.CodeValidation)
	}

	busy := s.config()
	busy.Templates, busy.Keyring = &engine.Composer{Keyring: s.ring, PreviewTime: time.Nanosecond}, s.ring
	s.schema = graph.NewSchema(busy)
	s.check(all...)
	_, err := s.run(checkPeople, map[string]any{"c": s.c.ID.String(), "ids": texts(all)})
	same(t, "the time for previews is used up", outreach.CodeOf(err), outreach.CodeRateLimited)
	for _, document := range []string{
		`mutation { createCampaign(input: {name: "N", steps: [{subject: "Hi", bodyText: "Hi"}]}) { id } }`,
		`mutation { createSnippet(input: {name: "N", bodyText: "Hi"}) { id } }`,
	} {
		_, err := s.run(document, nil)
		same(t, "and that for checks: "+document, outreach.CodeOf(err), outreach.CodeRateLimited)
	}
}

// Another workspace learns nothing of a campaign or of people, and its own campaign does not find
// them.
func TestAnotherWorkspaceChecks(t *testing.T) {
	t.Parallel()
	s := newChecker(t, outreach.Step{Subject: new("S"), BodyText: new("Hello {{ first_name }}")})
	ann := s.person("ann", "")
	_, err := s.db.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: s.c.ID, ProspectID: &ann})
	must(t, err)
	mine := s.c
	s.ws, err = s.db.CreateWorkspace(t.Context(), "Other")
	must(t, err)
	s.ctx = outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: s.ws})
	s.box, _ = s.correspondents(s.ws, "theirs")
	for _, call := range []string{checkPeople, checkCampaign} {
		_, err := s.run(call, map[string]any{"c": mine.ID.String(), "ids": texts([]uuid.UUID{ann})})
		same(t, "of their campaign", outreach.CodeOf(err), outreach.CodeNotFound)
	}
	s.c = s.campaign("own", outreach.Step{Subject: new("S"), BodyText: new("Hello")})
	same(t, "of their prospect", s.check(ann), checked{Findings: []finding{}})
}

// A snippet with a variable that no prospect can have is refused when it is saved, with the nearest
// name, like a step.
func TestSnippetsAreChecked(t *testing.T) {
	t.Parallel()
	s := newChecker(t)
	save := `mutation q($in: SnippetInput!) { createSnippet(input: $in) { id } }`
	refusal := func(document string, variables map[string]any) string {
		_, err := s.run(document, variables)
		if fields := outreach.FaultsOf(err); len(fields) == 1 {
			return fields[0].Pointer() + " " + fields[0].Detail
		}
		return fmt.Sprint(err)
	}
	want := "/body_html body_html, line 1: there is no variable frist_name; the nearest name is first_name"
	in := map[string]any{"name": "N", "bodyHtml": "<p>{{ frist_name }}"}
	same(t, "created", refusal(save, map[string]any{"in": in}), want)
	made, err := s.db.CreateSnippet(s.ctx, outreach.Snippet{WorkspaceID: s.ws, Name: "N", BodyText: new("{{ first_name }}")})
	must(t, err)
	same(t, "updated", refusal(`mutation q($id: UUID!, $in: SnippetInput!) { updateSnippet(id: $id, input: $in) { id } }`,
		map[string]any{"id": made.ID.String(), "in": in}), want)
	in["bodyHtml"] = "<p>{{ custom_fields.any }}"
	_, err = s.run(save, map[string]any{"in": map[string]any{"name": "M", "bodyHtml": "<p>{{ custom_fields.any }}"}})
	must(t, err)
}
