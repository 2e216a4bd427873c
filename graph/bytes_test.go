package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/graph"
)

// lists are all lists of the schema, each with the query for one of its rows.
var lists = []struct{ name, one, node string }{
	{"prospects", "prospect", "Prospect"}, {"enrollments", "enrollment", "Enrollment"}, {"campaigns", "campaign", "Campaign"},
	{"companies", "company", "Company"}, {"offers", "offer", "Offer"}, {"snippets", "snippet", "Snippet"},
	{"sendingDomains", "sendingDomain", "SendingDomain"}, {"mailboxes", "mailbox", "Mailbox"}, {"messages", "message", "Message"},
	{"replies", "reply", "Reply"}, {"suppressions", "suppression", "Suppression"},
	{"subscriptions", "subscription", "Subscription"}, {"deliveries", "delivery", "Delivery"},
}

// selections are ways of asking for the same object, made of the fields that the schema has its
// type.
func selections(schema *ast.Schema, node string) map[string]string {
	all := whole(schema, node, func(_ int, f *ast.FieldDefinition) string { return f.Name })
	return map[string]string{
		"whole":    all,
		"aliases":  whole(schema, node, func(i int, f *ast.FieldDefinition) string { return fmt.Sprintf("a%d_%s: %s", i, f.Name, f.Name) }),
		"typename": "__typename kind: __typename id",
		"repeated": "id " + all + " id " + all,
		"inline":   fmt.Sprintf("... on %s { id ... { %s } } __typename", node, all),
		"spread":   "first: id ...F last: id",
		"directives": whole(schema, node, func(i int, f *ast.FieldDefinition) string {
			return f.Name + []string{" @include(if: $yes)", " @skip(if: $yes)", " @include(if: $no)", ""}[i%4]
		}) + fmt.Sprintf(" id ... on %s @skip(if: $yes) { gone: id } ...F @include(if: $no) ... @include(if: $yes) { again: id }", node),
	}
}

// whole selects every field of a type, those of nested objects included.
func whole(schema *ast.Schema, name string, write func(int, *ast.FieldDefinition) string) string {
	var text strings.Builder
	for i, field := range schema.Types[name].Fields {
		if strings.HasPrefix(field.Name, "__") {
			continue
		}
		text.WriteString(write(i, field) + " ")
		if inner := schema.Types[field.Type.Name()]; inner.Kind == ast.Object {
			text.WriteString("{ __typename " + whole(schema, inner.Name, write) + "} ")
		}
	}
	return text.String()
}

// The tables of graph/exec print every object of the schema as gqlgen's own generated
// code does, byte for byte, however it is asked for, as a row of a list and alone.
func TestTablesPrintWhatStockGqlgenDoes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	for _, list := range lists {
		for way, selection := range selections(s.schema.Schema(), list.node) {
			t.Run(list.name+", "+way, func(t *testing.T) {
				fragment := s.fragment(list.node, selection)
				document := "query q(" + flags + ") { " + noop + list.name + "(first: 10) { __typename nodes { " + selection +
					" } next: nextCursor } }" + fragment
				rows := s.both(t, document, nil)
				if n := strings.Count(string(rows), `"next":`); n != 1 {
					t.Fatalf("%d pages in %s", n, rows)
				}
				for _, id := range s.ids(list.name) {
					document := "query q(" + flags + ", $id: UUID!) { " + noop + list.one + "(id: $id) { " + selection + " } }" + fragment
					s.both(t, document, map[string]any{"id": id})
				}
			})
		}
	}
}

// noop and flags are parts of each compared document: fields that are left out by a
// directive, at the root too.
const (
	noop  = "noop: __typename @include(if: $no) noop: __typename @skip(if: $yes) "
	flags = "$yes: Boolean! = true, $no: Boolean! = false"
)

// fragment returns the definition of F where a selection spreads it.
func (s *stage) fragment(node, selection string) string {
	if !strings.Contains(selection, "...F") {
		return ""
	}
	all := whole(s.schema.Schema(), node, func(_ int, f *ast.FieldDefinition) string { return f.Name })
	return " fragment F on " + node + " { __typename " + all + "}"
}

// ids returns the ids of at least two rows of a list.
func (s *stage) ids(list string) (ids []string) {
	s.t.Helper()
	for _, row := range elements(s.t, s.field("{ "+list+"(first: 10) { nodes { id } } }", nil, list, "nodes")) {
		ids = append(ids, strings.Split(string(row), `"`)[3])
	}
	if len(ids) < 2 {
		s.t.Fatalf("%s has %d rows", list, len(ids))
	}
	return ids
}

// both runs a document by the tables and by stock gqlgen and returns what both print.
func (s *stage) both(t *testing.T, document string, variables map[string]any) []byte {
	t.Helper()
	tables, err := s.run(document, variables)
	must(t, err)
	x, err := graph.NewExecutor(s.stock, map[string]string{"it": document})
	must(t, err)
	plain, err := x.Run(s.ctx, "it", variables)
	must(t, err)
	same(t, document, string(tables), string(plain))
	return tables
}

// History has no single object; it and empty pages are compared as lists alone.
func TestHistoryAndEmptyPages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	all := whole(s.schema.Schema(), "History", func(_ int, f *ast.FieldDefinition) string { return f.Name })
	for _, id := range s.ids("prospects") {
		printed := s.both(t, "query q($id: UUID!) { history(prospectId: $id) { nodes { "+all+"} } }", map[string]any{"id": id})
		if !strings.Contains(string(printed), `"type":"`) {
			t.Errorf("history: %s", printed)
		}
	}
	must(t, s.db.RecordAudit(s.ctx, outreach.AuditEntry{WorkspaceID: s.ws, Actor: nasty, Action: outreach.AuditSignedIn, Subject: new(nasty)}))
	owner := &outreach.Viewer{WorkspaceID: s.ws, Role: outreach.RoleOwner}
	token := s.ctx
	s.ctx = outreach.WithActor(s.ctx, outreach.Actor{WorkspaceID: s.ws, User: owner})
	all = whole(s.schema.Schema(), "AuditEntry", func(_ int, f *ast.FieldDefinition) string { return f.Name })
	if audit := s.both(t, "{ auditLog { nodes { "+all+"} nextCursor } }", nil); !strings.Contains(string(audit), `"action":"signed_in"`) {
		t.Errorf("audit log: %s", audit)
	}
	s.ctx = token
	all = whole(s.schema.Schema(), "FoundMail", func(_ int, f *ast.FieldDefinition) string { return f.Name })
	if found := s.both(t, `{ mail(search: "日本") { nodes { `+all+`} nextCursor } }`, nil); !strings.Contains(string(found), `"kind":"`) {
		t.Errorf("found mail: %s", found)
	}
	printed := s.both(t, `{ x: replies(interest: negative) { nodes { id } nextCursor } }`, nil)
	same(t, "an empty page", string(printed), `{"x":{"nodes":[],"nextCursor":null}}`)
	s.both(t, `{ x: campaigns(first: 1) { cursor: nextCursor __typename ... on CampaignConnection { rows: nodes { id } } } }`, nil)
}

// Every list of the schema is in the table above.
func TestEveryListIsCompared(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	// lists without a query for one row, and rows of another list
	known := map[string]bool{"history": true, "auditLog": true, "waitingAnswers": true, "mail": true}
	for _, list := range lists {
		known[list.name] = true
	}
	for _, field := range s.schema.Schema().Query.Fields {
		if strings.HasSuffix(field.Type.Name(), "Connection") && !known[field.Name] {
			t.Errorf("no test compares the rows of %s", field.Name)
		}
	}
}
