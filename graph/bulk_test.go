package graph_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
)

const (
	bulkProspects = `mutation ($in: BulkProspectsInput!, $dry: Boolean! = false) { bulkProspects(input: $in, ` +
		`dryRun: $dry) { results { index outcome prospectId changes errors { pointer code detail } } } }`
	bulkEnroll = `mutation ($in: BulkEnrollInput!) { bulkEnroll(input: $in) { results { index outcome ` +
		`enrollmentId refusal { code message fields { pointer code detail } } } } }`
	bulkSuppressions = `mutation ($in: BulkSuppressionsInput!) { bulkSuppressions(input: $in) { results { index ` +
		`outcome suppressionId refusal { code message fields { pointer code detail } } } } }`
)

// some are n elements made by one.
func some(n int, one func(i int) any) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = one(i)
	}
	return list
}

func TestBulkCalls(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	var c, p uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT c.id, p.id FROM campaigns c, prospects p`).Scan(&c, &p))
	of := func(document string, in map[string]any, list string) string {
		return string(s.field(document, map[string]any{"in": in, "dry": true}, list, "results"))
	}
	given := map[string]any{
		"prospects": []any{map[string]any{"email": "new@x.test"},
			map[string]any{"email": "P0@c0.test", "customFields": map[string]any{"b": true}}, map[string]any{"email": "x"}}, "onExisting": "update"}
	same(t, "a dry run", of(bulkProspects, given, "bulkProspects"),
		`[{"index":0,"outcome":"created","prospectId":null,"changes":[],"errors":[]},`+
			`{"index":1,"outcome":"updated","prospectId":"`+p.String()+`","changes":["/email"],"errors":[]},`+
			`{"index":2,"outcome":"invalid","prospectId":null,"changes":[],`+
			`"errors":[{"pointer":"/email","code":"invalid","detail":"email must be an e-mail address, such as ann@example.com."}]}]`)
	s.exec(`UPDATE enrollments SET status = 'active'`)
	unknown := uuid.NewString()
	enrolled := of(bulkEnroll, map[string]any{"campaignId": c.String(), "prospectIds": []any{p.String(), unknown}}, "bulkEnroll")
	if !strings.Contains(enrolled, `"outcome":"present","enrollmentId":"`) {
		t.Error(enrolled)
	}
	same(t, "an unknown prospect", enrolled[strings.Index(enrolled, `{"index":1`):],
		`{"index":1,"outcome":"refused","enrollmentId":null,"refusal":{"code":"unknown_reference","message":"This `+
			`workspace has no such resource.",`+
			`"fields":[{"pointer":"/prospect_ids/1","code":"unknown_reference","detail":"This workspace has no such resource."}]}}]`)
	suppressed := of(bulkSuppressions,
		map[string]any{"suppressions": []any{map[string]any{"domain": "a b"}, map[string]any{"email": "z@z.test"}}}, "bulkSuppressions")
	same(t, "a refused domain", suppressed[:strings.Index(suppressed, `,{"index":1`)],
		`[{"index":0,"outcome":"refused","suppressionId":null,"refusal":{"code":"validation_failed",`+
			`"message":"domain must be a domain, such as `+
			`example.com.","fields":[{"pointer":"/domain","code":"invalid","detail":"domain must be a domain, such as example.com."}]}}`)

	same(t, "stopped enrollments", string(s.field(`mutation ($in: BulkSuppressionsInput!) { bulkSuppressions(input: $in) { stopped } }`,
		map[string]any{"in": map[string]any{"suppressions": []any{map[string]any{"email": "p0@c0.test"}}}}, "bulkSuppressions", "stopped")), "1")

	document := fmt.Sprintf(`mutation { bulkEnroll(input: {campaignId: %q, prospectIds: [%q]}) { results { index } } }`, c, p)
	same(t, "without a session", s.post(s.handler(graph.HandlerConfig{}), document, nil).Errors[0].Extensions["code"], any("unauthorized"))
}

// A bulk call takes 1 to 1,000 elements, and the thousandth costs no statement.
func TestBulkCallsAreBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	var c uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM campaigns`).Scan(&c))
	for name, call := range map[string]struct {
		document string
		in       func(n int) map[string]any
	}{
		"prospects": {bulkProspects, func(n int) map[string]any {
			return map[string]any{"prospects": some(n, func(i int) any { return map[string]any{"email": fmt.Sprintf("q%d@x%d.test", i, n)} })}
		}},
		"prospect_ids": {bulkEnroll, func(n int) map[string]any {
			return map[string]any{"campaignId": c.String(), "prospectIds": some(n, func(int) any { return uuid.NewString() })}
		}},
		"suppressions": {bulkSuppressions, func(n int) map[string]any {
			return map[string]any{"suppressions": some(n, func(i int) any { return map[string]any{"email": fmt.Sprintf("r%d-%d@x.test", n, i)} })}
		}},
	} {
		for _, n := range []int{0, 1001} {
			_, err := s.run(call.document, map[string]any{"in": call.in(n)})
			if outreach.CodeOf(err) != outreach.CodeValidation || !strings.Contains(err.Error(), name+" must have 1 to 1000") {
				t.Errorf("%d %s: %v", n, name, err)
			}
		}
		var counts []int
		for _, n := range []int{1, 1000} {
			s.count.take()
			_, err := s.run(call.document, map[string]any{"in": call.in(n)})
			must(t, err)
			counts = append(counts, s.count.take())
		}
		if counts[0] != counts[1] || counts[1] > 10 {
			t.Errorf("%s: %v statements for 1 and 1,000", name, counts)
		}
	}
}

// An undo takes up to 1,000 suppressions and 1,000 of the enrollments that they stopped. More enrollments
// are restored by calls without suppressions.
func TestUndoSuppressionsIsBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(2)
	var id uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM suppressions LIMIT 1`).Scan(&id))
	random := func(n int) []any { return some(n, func(int) any { return uuid.NewString() }) }
	undo := func(ids, stopped []any) error {
		_, err := s.run(`mutation ($ids: [UUID!]!, $stopped: [UUID!]!) { undoSuppressions(ids: $ids, stopped: $stopped) { restored } }`,
			map[string]any{"ids": ids, "stopped": stopped})
		return err
	}
	for _, c := range []struct {
		ids, stopped int
		want         string
	}{{0, 0, "stopped"}, {1001, 0, "ids"}, {1, 1001, "stopped"}, {0, 1001, "stopped"}} {
		err := undo(random(c.ids), random(c.stopped))
		if outreach.CodeOf(err) != outreach.CodeValidation || !strings.HasSuffix(err.Error(), ": "+c.want+" must have 1 to 1000 elements.") {
			t.Errorf("%d ids, %d stopped: %v", c.ids, c.stopped, err)
		}
	}
	must(t, undo([]any{id.String()}, random(1000)))
	must(t, undo([]any{}, random(1000)))
}

// An undo of stops takes up to 1,000 enrollments.
func TestRestoreEnrollmentsIsBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	s.exec(`UPDATE enrollments SET status = 'active', forced = true`) // against its reply
	var id uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM enrollments`).Scan(&id))
	restore := func(ids []any) (string, error) {
		data, err := s.run(`mutation ($ids: [UUID!]!) { restoreEnrollments(ids: $ids) }`, map[string]any{"ids": ids})
		return string(data), err
	}
	random := func(n int) []any { return some(n, func(int) any { return uuid.NewString() }) }
	for _, n := range []int{0, 1001} {
		_, err := restore(random(n))
		if outreach.CodeOf(err) != outreach.CodeValidation || !strings.HasSuffix(err.Error(), ": ids must have 1 to 1000 elements.") {
			t.Errorf("%d ids: %v", n, err)
		}
	}
	for _, want := range []int{0, 1} {
		data, err := restore(append(random(999), id.String()))
		must(t, err)
		same(t, "restored", data, fmt.Sprintf(`{"restoreEnrollments":%d}`, want))
		_, err = s.run(`mutation ($id: UUID!) { stopEnrollment(id: $id) { status } }`, map[string]any{"id": id.String()})
		must(t, err)
	}
}

// A deletion takes up to 1,000 prospects.
func TestDeleteProspectsIsBounded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(1)
	var id uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM prospects`).Scan(&id))
	remove := func(ids []any) (string, error) {
		data, err := s.run(`mutation ($ids: [UUID!]!) { deleteProspects(ids: $ids) }`, map[string]any{"ids": ids})
		return string(data), err
	}
	random := func(n int) []any { return some(n, func(int) any { return uuid.NewString() }) }
	for _, n := range []int{0, 1001} {
		_, err := remove(random(n))
		if outreach.CodeOf(err) != outreach.CodeValidation || !strings.HasSuffix(err.Error(), ": ids must have 1 to 1000 elements.") {
			t.Errorf("%d ids: %v", n, err)
		}
	}
	for _, want := range []int{1, 0} {
		data, err := remove(append(random(999), id.String()))
		must(t, err)
		same(t, "deleted", data, fmt.Sprintf(`{"deleteProspects":%d}`, want))
	}
}

// heldImporter lets a call of one workspace wait until it is released.
type heldImporter struct {
	graph.ProspectImporter
	workspace         uuid.UUID
	entered, released chan struct{}
}

func (h heldImporter) BulkProspects(ctx context.Context, workspace uuid.UUID, elements []outreach.BulkElement,
	mode outreach.BulkMode) ([]outreach.BulkResult, error) {
	if workspace == h.workspace {
		h.entered <- struct{}{}
		<-h.released
	}
	return h.ProspectImporter.BulkProspects(ctx, workspace, elements, mode)
}

// A workspace has one bulk call at a time in a process. Others are not delayed by it.
func TestBulkCallsTakeTurns(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	config := s.config()
	held := heldImporter{config.Stores.ProspectImporter, s.ws, make(chan struct{}), make(chan struct{})}
	config.Stores.ProspectImporter, config.Keyring = held, s.ring
	s.schema = graph.NewSchema(config)
	create := func(ctx context.Context, email string) error {
		_, err := s.runAs(ctx, bulkProspects, map[string]any{"in": map[string]any{
			"prospects": []any{map[string]any{"email": email}}, "onExisting": "skip"}})
		return err
	}
	first := make(chan error)
	go func() { first <- create(s.ctx, "first@x.test") }()
	<-held.entered
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	if err := create(ended, "second@x.test"); !errors.Is(err, context.Canceled) {
		t.Errorf("a second call beside the first ended with %v, want %v", err, context.Canceled)
	}
	other, err := s.db.CreateWorkspace(t.Context(), "Other")
	must(t, err)
	must(t, create(outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: other}), "third@x.test"))
	close(held.released)
	must(t, <-first)
	go func() { <-held.entered }()
	must(t, create(s.ctx, "fourth@x.test"))
}
