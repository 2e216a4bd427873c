package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
)

// lists are all lists of the schema with what asks for one of their rows.
var lists = []struct{ name, one, node string }{
	{"prospects", "prospect", "Prospect"}, {"enrollments", "enrollment", "Enrollment"}, {"campaigns", "campaign", "Campaign"},
	{"companies", "company", "Company"}, {"offers", "offer", "Offer"}, {"mailboxes", "mailbox", "Mailbox"}, {"messages", "message", "Message"},
	{"replies", "reply", "Reply"}, {"suppressions", "suppression", "Suppression"}, {"subscriptions", "subscription", "Subscription"}, {"deliveries", "delivery", "Delivery"},
}

// selections are ways of asking for the same object, made of the fields that the
// schema gives its type.
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

// Rows of a list are printed by graph/page, single objects by generated code:
// byte for byte the same, however they are asked for.
func TestListsPrintWhatSingleObjectsDo(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	schema := s.schema.Schema()
	for _, list := range lists {
		fragment := fmt.Sprintf(" fragment F on %s { __typename %s }", list.node, whole(schema, list.node, func(_ int, f *ast.FieldDefinition) string { return f.Name }))
		for way, selection := range selections(schema, list.node) {
			spread := ""
			if strings.Contains(selection, "...F") {
				spread = fragment
			}
			flags := map[string]any{"yes": true, "no": false}
			head := "query q($yes: Boolean! = true, $no: Boolean! = false%s) { noop: __typename @include(if: $no) noop: __typename @skip(if: $yes) "
			many := elements(t, s.field(fmt.Sprintf(head, "")+list.name+"(first: 10) { nodes { "+selection+" } } }"+spread, flags, list.name, "nodes"))
			ids := elements(t, s.field("{ "+list.name+"(first: 10) { nodes { id } } }", nil, list.name, "nodes"))
			if len(many) < 2 {
				t.Fatalf("%s: %d rows", list.name, len(many))
			}
			for i, row := range many {
				id := strings.TrimSuffix(strings.TrimPrefix(string(ids[i]), `{"id":"`), `"}`)
				variables := map[string]any{"yes": true, "no": false, "id": id}
				one := s.field(fmt.Sprintf(head, ", $id: UUID!")+list.one+"(id: $id) { "+selection+" } }"+spread, variables, list.one)
				same(t, list.name+" "+way, string(row), string(one))
			}
		}
	}
}

// History and connections have no single object to compare with: their fields
// are all there, under the names that were asked for.
func TestConnectionsPrintEveryField(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(2)
	schema := s.schema.Schema()
	id := s.field("{ prospects(first: 1) { nodes { id } } }", nil, "prospects", "nodes")
	prospect := strings.Split(string(id), `"`)[3]
	all := whole(schema, "History", func(_ int, f *ast.FieldDefinition) string { return f.Name })
	nodes := elements(t, s.field("query q($id: UUID!) { history(prospectId: $id) { nodes { "+all+"} } }", map[string]any{"id": prospect}, "history", "nodes"))
	if len(nodes) < 2 || !strings.Contains(string(nodes[0]), `"type":"`) {
		t.Errorf("history: %s", nodes)
	}
	page := s.field(`{ x: campaigns(first: 1) { cursor: nextCursor __typename ... on CampaignConnection { rows: nodes { id } } } }`, nil, "x")
	for i, key := range []string{`{"cursor":"`, `","__typename":"CampaignConnection"`, `,"rows":[{"id":"`} {
		if !strings.Contains(string(page), key) {
			t.Errorf("part %d is missing: %s", i, page)
		}
	}
	same(t, "an empty page", string(s.field(`{ x: replies(interest: negative) { nodes { id } nextCursor } }`, nil, "x")), `{"nodes":[],"nextCursor":null}`)
}

// Every list of the schema is in the table above, so that a new one cannot be
// forgotten.
func TestEveryListIsCompared(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	known := map[string]bool{"history": true}
	for _, list := range lists {
		known[list.name] = true
	}
	for _, field := range s.schema.Schema().Query.Fields {
		if strings.HasSuffix(field.Type.Name(), "Connection") && !known[field.Name] {
			t.Errorf("nobody compares the rows of %s", field.Name)
		}
	}
}
