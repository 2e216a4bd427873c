package rest

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/rest/resttest"
)

var (
	theValidator *resttest.Validator
	readDocument sync.Once
)

// validator reads the document once for all tests, none of which changes it.
func validator(t testing.TB) *resttest.Validator {
	t.Helper()
	readDocument.Do(func() {
		if text, err := OpenAPI(); err != nil {
			t.Error(err)
		} else {
			theValidator = resttest.New(t, text)
		}
	})
	if theValidator == nil {
		t.Fatal("the OpenAPI document is not valid")
	}
	return theValidator
}

func validated(t testing.TB, h http.Handler) http.Handler { return validator(t).Handler(t, h) }

func TestDocumentHasEveryRouteAndNoOther(t *testing.T) {
	t.Parallel()
	want := []string{"GET /openapi.json"}
	for _, r := range routes {
		want = append(want, r.method+" "+r.path)
	}
	var got []string
	for path, item := range validator(t).Document().Paths.Map() {
		for method := range item.Operations() {
			got = append(got, method+" "+path)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Every call and every webhook says what it does in sentences.
func TestDocumentDescribesEveryCall(t *testing.T) {
	t.Parallel()
	document := validator(t).Document()
	items := maps.Clone(document.Paths.Map())
	maps.Copy(items, document.Webhooks)
	for path, item := range items {
		for method, operation := range item.Operations() {
			if operation.Summary == "" || !strings.HasSuffix(strings.TrimSpace(operation.Description), ".") {
				t.Errorf("%s %s: summary %q, description %q", method, path, operation.Summary, operation.Description)
			}
		}
	}
}

// A value may be null in the document if it may be null in the query layer.
func TestDocumentKnowsWhatMayBeNull(t *testing.T) {
	t.Parallel()
	compared := 0
	for name, schema := range validator(t).Document().Components.Schemas {
		of := name
		for _, part := range []string{"Whole", "WithFullText", "WithAttempts", "WithSecret"} {
			of = strings.Replace(of, part, "", 1)
		}
		shape := theSchema().Types[of]
		if shape == nil || len(shape.Fields) == 0 || shape.Kind != ast.Object {
			continue
		}
		compared++
		for _, field := range shape.Fields {
			property := schema.Value.Properties[snakeCase(field.Name)]
			if property == nil {
				continue
			}
			value := property.Value
			null := value.Type.Includes("null") || slices.ContainsFunc(value.AnyOf, func(one *openapi3.SchemaRef) bool {
				return one.Value.Type.Includes("null")
			})
			if null == field.Type.NonNull {
				t.Errorf("%s.%s: the document says null %v, the query layer %v", name, snakeCase(field.Name), null, !field.Type.NonNull)
			}
		}
	}
	if compared < 20 {
		t.Errorf("only %d schemas compared", compared)
	}
}

func TestDocumentHasEveryParameterAndNoOther(t *testing.T) {
	t.Parallel()
	document := validator(t).Document()
	for _, r := range routes {
		e, err := newEndpoint(theSchema(), r, Operations()[r.operation])
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Collect(maps.Keys(e.filters))
		if r.shape.list {
			want = append(want, "limit")
		}
		if r.shape.paged {
			want = append(want, "cursor")
		}
		if strings.Contains(r.path, "{id}") {
			want = append(want, "id")
		}
		if r.shape.file {
			want = append(want, "attachment_id")
		}
		operation := document.Paths.Value(r.path).GetOperation(r.method)
		var got []string
		for _, parameter := range operation.Parameters {
			if parameter.Value.In != "header" {
				got = append(got, parameter.Value.Name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: %s", r.method, r.path, diff)
		}
	}
}

// The keys of each body are those that its GraphQL input takes.
func TestDocumentHasEveryInputFieldAndNoOther(t *testing.T) {
	t.Parallel()
	document := validator(t).Document()
	for _, r := range routes {
		e, err := newEndpoint(theSchema(), r, Operations()[r.operation])
		if err != nil {
			t.Fatal(err)
		}
		body := document.Paths.Value(r.path).GetOperation(r.method).RequestBody
		if e.input == nil {
			continue
		}
		var want []string
		for _, field := range theSchema().Types[e.input.Name()].Fields {
			if field.Name != "unreadable" {
				want = append(want, snakeCase(field.Name))
			}
		}
		got := slices.Sorted(maps.Keys(body.Value.Content.Get("application/json").Schema.Value.Properties))
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s %s: %s", r.method, r.path, diff)
		}
	}
}

// Every example of a body is one that the decoder takes.
func TestExamplesOfBodiesAreTaken(t *testing.T) {
	t.Parallel()
	shown, err := shownFields()
	if err != nil {
		t.Fatal(err)
	}
	decoding := decoding{schema: theSchema(), inputs: newInputs(theSchema(), shown)}
	document := validator(t).Document()
	for _, r := range routes {
		e, _ := newEndpoint(theSchema(), r, Operations()[r.operation])
		if e.input == nil {
			continue
		}
		for name, example := range document.Paths.Value(r.path).GetOperation(r.method).RequestBody.Value.Content.Get(
			"application/json").Examples {
			body := marshal(t, example.Value.Value)
			if _, faults, err := decoding.decode(body, e.input); err != nil || len(faults) > 0 {
				t.Errorf("%s %s, example %s: %v %v", r.method, r.path, name, err, faults)
			}
		}
	}
}

// The document shows a webhook for each type of event, and the bodies that
// subscriptions send (webhook/testdata) are as it says.
func TestDocumentHasEveryWebhook(t *testing.T) {
	t.Parallel()
	document := validator(t).Document()
	files, err := filepath.Glob("../webhook/testdata/payload/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no payloads: %v", err)
	}
	seen := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var body map[string]any
		if err := json.Unmarshal(text, &body); err != nil {
			t.Fatal(err)
		}
		kind, _ := body["type"].(string)
		item := document.Webhooks[kind]
		if item == nil {
			t.Errorf("%s: the document has no webhook %q", file, kind)
			continue
		}
		seen[kind] = true
		schema := item.Post.RequestBody.Value.Content.Get("application/json").Schema.Value
		if err := schema.VisitJSON(body); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		for key := range body {
			if schema.Properties[key] == nil {
				t.Errorf("%s: the document does not know %s", file, key)
			}
		}
		for key := range body["metadata"].(map[string]any) {
			if schema.Properties["metadata"].Value.Properties[key] == nil {
				t.Errorf("%s: the document does not know metadata.%s", file, key)
			}
		}
	}
	if len(seen) != len(document.Webhooks) || len(seen) != len(document.Components.Schemas["EventType"].Value.Enum) {
		t.Errorf("webhooks with a payload in testdata: %v of %d", seen, len(document.Webhooks))
	}
}

func TestEveryCodeHasAStatus(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../error.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range codesIn(string(text)) {
		if _, ok := refusals[code]; !ok {
			t.Errorf("no status for %s", code)
		}
	}
	enum := validator(t).Document().Components.Schemas["ErrorCode"].Value.Enum
	if len(enum) != len(refusals) {
		t.Errorf("the document has %d codes, the table %d", len(enum), len(refusals))
	}
	for _, code := range enum {
		if _, ok := refusals[codeOf(code)]; !ok {
			t.Errorf("no status for %v, which the document has", code)
		}
	}
}

// A client that branches on a code finds its details among the answers of its
// status, as the table has it.
func TestEveryCodeHasAnExample(t *testing.T) {
	t.Parallel()
	shown := map[outreach.Code]refusal{}
	for _, response := range validator(t).Document().Components.Responses {
		media := response.Value.Content.Get(problemType)
		if media == nil {
			continue
		}
		for name, example := range media.Examples {
			body := example.Value.Value.(map[string]any)
			code := codeOf(body["code"])
			if name != string(code) || body["type"] != "/docs#"+name {
				t.Errorf("example %s is one of %v, %v", name, code, body["type"])
			}
			shown[code] = refusal{int(body["status"].(float64)), body["title"].(string)}
		}
	}
	want := maps.Clone(refusals)
	for _, code := range []outreach.Code{outreach.CodeForbidden, outreach.CodeConflict, outreach.CodePasswordRequired,
		outreach.CodeTOTPRequired, outreach.CodeTOTPSetupRequired} {
		delete(want, code) // calls of the application alone answer with these
	}
	if diff := cmp.Diff(want, shown, cmp.AllowUnexported(refusal{})); diff != "" {
		t.Error(diff)
	}
}

func TestDocumentsNeedNoToken(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for path, media := range map[string]string{"/api/v1/openapi.json": "application/json", "/docs": "text/html; charset=utf-8"} {
		got := s.do("GET", path, "", "Authorization", "")
		if got.StatusCode != 200 || got.Header.Get("Content-Type") != media {
			t.Errorf("%s: %s %s", path, got.Status, got.Header.Get("Content-Type"))
		}
		again := s.do("GET", path, "", "If-None-Match", got.Header.Get("ETag"))
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("%s again: %s", path, again.Status)
		}
		if operation := validator(t).Document().Paths.Value(strings.TrimPrefix(path, Base)); operation != nil &&
			operation.Get.Responses.Status(again.StatusCode) == nil {
			t.Errorf("%s: the document does not tell of %s", path, again.Status)
		}
		if post := s.do("POST", path, "{}"); post.StatusCode != 405 || post.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("POST %s: %s, Allow %q", path, post.Status, post.Header.Get("Allow"))
		}
	}
}

func TestPageShowsEverythingAndLoadsNothing(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	got := s.do("GET", "/docs", "")
	page := text(t, got)
	for _, want := range []string{"POST</b> <code>/api/v1/prospects/bulk", "temperature_reason",
		"idempotency_key_reused", "ada@lovelace-analytics.example", "at most 500 characters", "0 to 86400, default 60",
		"openssl dgst -sha256 -hmac", "outreach listen", `/redeliver"`, "The text of the mail server.", "X-Service-Signature"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
	for _, unwanted := range []string{"<script", "src=", "@import", "url(", "ZgotmplZ"} {
		if strings.Contains(page, unwanted) {
			t.Errorf("the page holds %q", unwanted)
		}
	}
	if n := strings.Count(page, `<details>`); n < len(routes) {
		t.Errorf("the page shows %d calls and schemas", n)
	}
	policy := got.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, styleHash()) {
		t.Errorf("policy %q", policy)
	}
}

// The resources of the document have the fields that operations select, and its
// enumerations the values of the schema.
func TestDocumentAgreesWithTheQueryLayer(t *testing.T) {
	t.Parallel()
	shown, err := shownFields()
	if err != nil {
		t.Fatal(err)
	}
	schemas := validator(t).Document().Components.Schemas
	for name, fields := range shown {
		described := name
		if whole := map[string]string{"Subscription": "SubscriptionWithSecret", "Message": "WholeMessage"}[name]; whole != "" {
			described = whole
		}
		want := slices.Sorted(maps.Keys(fields))
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(schemas[described].Value.Properties))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		required := slices.Sorted(slices.Values(schemas[described].Value.Required))
		if diff := cmp.Diff(want, required); diff != "" {
			t.Errorf("what %s always has: %s", name, diff)
		}
	}
	compared := 0
	for name, schema := range schemas {
		enum := theSchema().Types[name]
		if enum == nil || len(enum.EnumValues) == 0 {
			continue
		}
		compared++
		var values []string
		for _, value := range schema.Value.Enum {
			values = append(values, value.(string))
		}
		if diff := cmp.Diff(enumNames(enum), values); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if compared < 15 {
		t.Errorf("only %d enumerations compared", compared)
	}
}
