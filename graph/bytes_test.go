package graph_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"outreach/graph"
	"outreach/graph/exec"
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

var update = flag.Bool("update", false, "write the golden file anew")

const printedFile = "testdata/printed.golden"

// Everything of the schema is printed by graph/page, byte for byte as gqlgen's
// generated code prints it, however it is asked for, as a row of a list and alone.
// The golden file was written while single objects were still printed by that
// code: what -update changes in it beyond a field that is new is a fault.
func TestObjectsPrintWhatGeneratedCodeDoes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fill(3)
	var printed strings.Builder
	for _, list := range lists {
		ways := selections(s.schema.Schema(), list.node)
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			for _, row := range s.printed(list.name, list.one, list.node, ways[way]) {
				fmt.Fprintf(&printed, "%s, %s: %s\n", list.node, way, row)
			}
		}
	}
	if *update {
		must(t, os.WriteFile(printedFile, []byte(printed.String()), 0o644))
	}
	golden, err := os.ReadFile(printedFile)
	must(t, err)
	same(t, "printed", strings.Split(printed.String(), "\n"), strings.Split(string(golden), "\n"))
}

// printed asks for all rows of a list, and for each alone, and gives the different
// ones without what no two runs have in common.
func (s *stage) printed(list, one, node, selection string) []string {
	s.t.Helper()
	fragment := ""
	if strings.Contains(selection, "...F") {
		fragment = " fragment F on " + node + " { __typename " + whole(s.schema.Schema(), node, func(_ int, f *ast.FieldDefinition) string { return f.Name }) + "}"
	}
	const flags = "$yes: Boolean! = true, $no: Boolean! = false"
	const noop = "noop: __typename @include(if: $no) noop: __typename @skip(if: $yes) "
	many := elements(s.t, s.field("query q("+flags+") { "+noop+list+"(first: 10) { nodes { "+selection+" } } }"+fragment, nil, list, "nodes"))
	ids := elements(s.t, s.field("{ "+list+"(first: 10) { nodes { id } } }", nil, list, "nodes"))
	if len(many) < 2 || len(many) != len(ids) {
		s.t.Fatalf("%s: %d rows, %d ids", list, len(many), len(ids))
	}
	var rows []string
	for i, row := range many {
		id := strings.Split(string(ids[i]), `"`)[3]
		alone := s.field("query q("+flags+", $id: UUID!) { "+noop+one+"(id: $id) { "+selection+" } }"+fragment, map[string]any{"id": id}, one)
		same(s.t, list+" "+selection, string(alone), string(row))
		rows = append(rows, settled(string(row)))
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

var passing = regexp.MustCompile(`[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6}\+00:00|Z)|/o/[A-Za-z0-9_.-]+`)

// settled puts its length in the place of every id, instant, digest and signature.
func settled(text string) string {
	return passing.ReplaceAllStringFunc(text, func(found string) string { return fmt.Sprintf("<%d>", len(found)) })
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

// What generated code asks for is there, but for the objects that graph/page writes.
func TestEveryResolverIsThere(t *testing.T) {
	t.Parallel()
	written := map[string]bool{}
	for _, list := range lists {
		written[list.node] = true
	}
	root := reflect.ValueOf(&graph.Resolver{})
	for method := range reflect.TypeFor[exec.ResolverRoot]().Methods() {
		if !written[method.Name] && root.MethodByName(method.Name).Call(nil)[0].IsNil() {
			t.Errorf("nothing resolves %s", method.Name)
		}
	}
}
