package graph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/rest"
)

func TestRestOperationsAreValid(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	operations := rest.Operations()
	if len(operations) < 50 {
		t.Fatalf("%d operations", len(operations))
	}
	if _, err := graph.NewExecutor(s.schema, operations); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"syntax": "query {", "field": "{ nothing }",
		"argument": "{ me(x: 1) { workspaceId } }", "two": "query a { me { workspaceId } } query b { me { workspaceId } }"} {
		if _, err := graph.NewExecutor(s.schema, map[string]string{"broken": text}); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestExecutorErrors(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	x, err := graph.NewExecutor(s.schema, rest.Operations())
	must(t, err)
	id := map[string]any{"id": uuid.NewString()}
	cancelled, cancel := context.WithCancel(s.ctx)
	cancel()
	for name, c := range map[string]struct {
		ctx       context.Context
		operation string
		variables map[string]any
		code      outreach.Code
	}{
		"a domain error keeps its type": {s.ctx, "prospect", id, outreach.CodeNotFound},
		"nobody asks":                   {t.Context(), "prospect", id, outreach.CodeUnauthorized},
		"a limit out of bounds":         {s.ctx, "prospects", map[string]any{"limit": 101}, outreach.CodeInvalidParameter},
		"a cursor from nowhere":         {s.ctx, "prospects", map[string]any{"limit": 1, "cursor": "x"}, outreach.CodeInvalidCursor},
		"an unknown operation":          {s.ctx, "nothing", nil, outreach.CodeInternal},
		"a missing variable":            {s.ctx, "prospect", nil, outreach.CodeInternal},
		"a request that ended":          {cancelled, "prospect", id, outreach.CodeInternal},
	} {
		data, err := x.Run(c.ctx, c.operation, c.variables)
		if err == nil || outreach.CodeOf(err) != c.code || data != nil {
			t.Errorf("%s: %s %v", name, data, err)
		}
	}
	if _, err := x.Run(cancelled, "prospect", id); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A cursor opens only where it was made: not in another list, not under another
// filter, not in another workspace.
func TestCursorsOfLists(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	cursor := func(document string, list string) string {
		return strings.Trim(string(s.field(document, nil, list, "nextCursor")), `"`)
	}
	campaigns := cursor("{ campaigns(first: 1) { nextCursor } }", "campaigns")
	active := cursor("{ campaigns(first: 1, status: active) { nextCursor } }", "campaigns")
	cold := cursor("{ companies(first: 1, temperature: hot) { nextCursor } }", "companies")
	for _, c := range []struct {
		document string
		cursor   string
		opens    bool
	}{
		{"campaigns(after: $c)", campaigns, true}, {"campaigns(after: $c, first: 3)", campaigns, true},
		{"campaigns(after: $c, status: active)", active, true},
		{"campaigns(after: $c, status: active)", campaigns, false}, {"campaigns(after: $c)", active, false},
		{`campaigns(after: $c, search: "a")`, campaigns, false}, {"prospects(after: $c)", campaigns, false},
		{"companies(after: $c, temperature: hot)", cold, true}, {"companies(after: $c)", cold, false},
		{"companies(after: $c, temperature: cold)", cold, false}, {`companies(after: $c, temperature: hot, search: "c")`, cold, false},
		{"mailboxes(after: $c)", campaigns, false},
	} {
		_, err := s.run("query q($c: String) { "+c.document+" { nodes { id } } }", map[string]any{"c": c.cursor})
		if c.opens && err != nil || !c.opens && outreach.CodeOf(err) != outreach.CodeInvalidCursor {
			t.Errorf("%s: %v", c.document, err)
		}
	}
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	s.ctx = outreach.WithActor(s.ctx, outreach.Actor{WorkspaceID: other})
	if _, err := s.run("query q($c: String) { campaigns(after: $c) { nodes { id } } }",
		map[string]any{"c": campaigns}); outreach.CodeOf(err) != outreach.CodeInvalidCursor {
		t.Errorf("another workspace: %v", err)
	}
}

// A screen costs the same few statements whether it shows one row or twenty. The
// reason why a campaign does not send is computed when it is read, by at most seven.
func TestStatementsOfAScreen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(20)
	documents := maps.Clone(rest.Operations())
	for _, list := range lists {
		text := "query q($limit: Int!) { " + list.name + "(first: $limit) { nodes { " +
			selections(s.schema.Schema(), list.node)["whole"] + "} nextCursor } }"
		documents["whole "+list.name] = text
	}
	x, err := graph.NewExecutor(s.schema, documents)
	must(t, err)
	for _, list := range lists {
		for _, operation := range []string{list.name, "whole " + list.name} {
			var counts []int
			for _, limit := range []int{1, 5, 20} {
				s.count.take()
				if _, err := x.Run(s.ctx, operation, map[string]any{"limit": limit}); err != nil {
					t.Fatalf("%s: %v", operation, err)
				}
				counts = append(counts, s.count.take())
			}
			if counts[2] > 10 || slices.Max(counts) != slices.Min(counts) {
				t.Errorf("%s: %v statements for 1, 5 and 20 rows", operation, counts)
			}
		}
	}
}

// What every open page asks again and again is one statement, and so is the list
// of campaigns with what each has done.
func TestStatementsOfOpenPages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	var ids []string
	for _, node := range elements(t, s.field("{ campaigns { nodes { id } } }", nil, "campaigns", "nodes")) {
		ids = append(ids, strings.Split(string(node), `"`)[3])
	}
	for document, variables := range map[string]map[string]any{
		"{ waitingReplies }": nil,
		"query q($ids: [UUID!]!) { campaignsStats(ids: $ids) { campaignId active held } }": {"ids": ids},
		"query q($ids: [UUID!]!) { redelivered(ids: $ids) }":                               {"ids": ids},
	} {
		s.count.take()
		s.field(document, variables)
		same(t, document, s.count.take(), 1)
	}
	tooMany := map[string]any{"ids": slices.Repeat(ids[:1], outreach.MaxLimit+1)}
	for _, document := range []string{"query q($ids: [UUID!]!) { campaignsStats(ids: $ids) { sent } }",
		"query q($ids: [UUID!]!) { mailStatuses(prospectIds: $ids) { state } }",
		"query q($ids: [UUID!]!) { redelivered(ids: $ids) }"} {
		if _, err := s.run(document, tooMany); outreach.CodeOf(err) != outreach.CodeInvalidParameter {
			t.Errorf("too many: %v", err)
		}
	}
	same(t, "waiting", string(s.field("{ waitingReplies }", nil, "waitingReplies")), "2")
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	s.ctx = outreach.WithActor(s.ctx, outreach.Actor{WorkspaceID: other})
	same(t, "of another workspace", string(s.field("query q($ids: [UUID!]!) { waitingReplies campaignsStats(ids: "+
		"$ids) { sent } }", map[string]any{"ids": ids})), `{"waitingReplies":0,"campaignsStats":[]}`)
}

// Every figure of a campaign that an operation selects is counted, also one under another name or in a
// fragment.
func TestSelectedFigures(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	var id uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM campaigns`).Scan(&id))
	same(t, "figures", string(s.field("query q($id: UUID!) { campaignStats(id: $id) { people: prospects ...more } } "+
		"fragment more on CampaignStats { sent: accepted ... on CampaignStats { replied @include(if: true) } }",
		map[string]any{"id": id.String()}, "campaignStats")), `{"people":1,"sent":1,"replied":1}`)
}

func TestMutationsRunInTheirWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	made := s.field(`mutation { createProspect(input: {email: "a@x.test", customFields: {a: 1, b: null}}) { email `+
		`customFields } }`, nil, "createProspect")
	same(t, "answer", string(made), `{"email":"a@x.test","customFields":{"a":1}}`)
	for _, document := range []string{
		`mutation { rotateToken { token } }`, `mutation { revokeToken }`,
		`mutation { inviteMember(email: "b@x.test") { token } }`, `mutation { startTotp { secret } }`,
		`{ sessions { id } }`, `{ auditLog { nodes { id } } }`, `{ invitations { id } }`,
		`mutation { setTrackingDomain(host: "x.test") { host } }`,
		fmt.Sprintf(`mutation { revealSubscriptionSecret(id: %q) { secret } }`, uuid.NewString()),
	} {
		if _, err := s.run(document, nil); outreach.CodeOf(err) != outreach.CodeForbidden {
			t.Errorf("a token may %s: %v", document, err)
		}
	}
}

// All mailboxes are listed, whatever first is: the application shows them without pages.
func TestMailboxesAreListedWhole(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	s.exec(`INSERT INTO mailboxes SELECT (jsonb_populate_record(m, jsonb_build_object('id', uuid_v7(),
			'email', 'm' || n || '@many.test', 'email_key', 'm' || n || '@many.test'))).*
		FROM mailboxes m CROSS JOIN generate_series(1, 150) n`)
	var all int
	must(t, s.sql.QueryRow(s.ctx, `SELECT count(*) FROM mailboxes WHERE workspace_id = $1`, s.ws).Scan(&all))
	for _, document := range []string{`{ mailboxes { nodes { id } nextCursor } }`, `{ mailboxes(first: 1) { nodes { id } nextCursor } }`} {
		data, err := s.run(document, nil)
		must(t, err)
		if n := strings.Count(string(data), `"id"`); n != all || n < 151 || !strings.Contains(string(data), `"nextCursor":null`) {
			t.Errorf("%s lists %d of %d mailboxes", document, n, all)
		}
	}
}
