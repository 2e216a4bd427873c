package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"outreach/rest"
)

// fullBodies have every key that a call takes; where only one of two may stand,
// there is a body for each.
var fullBodies = map[string][]string{
	"POST /prospects":       {fullProspect},
	"PATCH /prospects/{id}": {fullProspect},
	"POST /prospects/bulk":  {`{"prospects":[` + fullProspect + `],"on_existing":"skip"}`},
	"POST /enrollments": {`{"campaign_id":"CAMPAIGN","prospect":` + fullProspect +
		`,"on_existing":"update","force":true,"restart":false}`, `{"campaign_id":"CAMPAIGN","prospect_id":"PROSPECT"}`},
	"POST /enrollments/{id}/resume": {`{"force":true}`},
	"POST /campaigns":               {fullCampaign},
	"PATCH /campaigns/{id}":         {fullCampaign},
	"POST /offers":                  fullOffers,
	"PATCH /offers/{id}": {strings.Replace(fullOffers[0], `"title"`, `"body_html":null,"title"`, 1),
		strings.Replace(fullOffers[1], `"title"`, `"target_url":null,"title"`, 1)},
	"POST /snippets":                       {fullSnippet},
	"PATCH /snippets/{id}":                 {fullSnippet},
	"POST /mailboxes":                      {fullMailbox},
	"PATCH /mailboxes/{id}":                {fullMailbox},
	"POST /mailbox_connections":            {`{"provider":"google","email":"full@a.example","mailbox_id":"MAILBOX"}`},
	"POST /mailboxes/{id}/placement_check": {`{"to_mailbox_id":"MAILBOX"}`},
	"POST /replies/{id}/answer":            {fullAnswer},
	"PATCH /messages/{id}":                 {fullAnswer},
	"PATCH /me":                            {`{"contact_gap_hours":0}`},
	"POST /messages/{id}/resolve":          {`{"as":"sent"}`},
	"PATCH /replies/{id}":                  {`{"interest":"positive","automatic":false}`},
	"POST /replies/{id}/assign":            {`{"prospect_id":"PROSPECT"}`},
	"POST /suppressions":                   {`{"email":"gone@a.example","note":"N"}`, `{"domain":"gone.example","note":"N"}`},
	"POST /subscriptions":                  {fullSubscription},
	"PATCH /subscriptions/{id}":            {fullSubscription},
}

const (
	fullProspect = `{"email":"full@a.example","first_name":"A","last_name":"B","company_name":"C","job_title":"D",` +
		`"phone":"1","website":"w","linkedin_url":"l","timezone":"UTC","custom_fields":{"a":1}}`
	fullCampaign = `{"name":"N","timezone":"UTC","send_days":["mon"],"send_from":"09:00","send_until":"17:00",
		"skip_dates":["2026-12-25"],"starts_on":"2026-01-01","ends_on":"2099-12-31","daily_new_limit":5,"company_daily_limit":2,
		"stop_on_reply":true,"stop_company_on_reply":false,
		"track_clicks":true,"track_opens":false,"mailbox_ids":["MAILBOX"],
		"steps":[{"subject":"S","body_text":"T"},{"id":null,"delay_minutes":5,"subject":"S","body_html":"H","body_text":"T"}]}`
	fullMailbox = `{"email":"full@a.example","display_name":"A","provider":"custom","auth":"password","smtp":SMTP,"imap":IMAP,` +
		`"daily_limit":5,"min_gap_seconds":5,"ramp_up":{"start":20,"increase":2},"signature_html":"S",` +
		`"folders":["INBOX"]}`
	fullSnippet      = `{"name":"N","body_html":"H","body_text":"T"}`
	fullAnswer       = `{"subject":"S","body_html":"H","body_text":"T","cc":["cc@a.example"],"send_at":"2026-11-20"}`
	fullSubscription = `{"url":"HOOK","events":["sent"],"enabled":true}`
)

var fullOffers = []string{
	`{"title":"T","target_url":"https://a.example/","prospect_id":"PROSPECT","company_id":"COMPANY","campaign_id":"CAMPAIGN"}`,
	`{"title":"T","body_html":"H","prospect_id":"PROSPECT","company_id":"COMPANY","campaign_id":"CAMPAIGN"}`,
}

// What the document says of each value of each body, its type, its bounds and
// whether it may be null, is what the service does.
func TestBodiesAreTakenAsDescribed(t *testing.T) {
	t.Parallel()
	for call, bodies := range fullBodies {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			method, template, _ := strings.Cut(call, " ")
			path, _ := writes[call](w)
			schema := bodySchema(t, method, template)
			untried := leaves(schema, "")
			for _, body := range bodies {
				b := described{world: w, call: call, path: path, schema: schema, body: w.filledIn(body)}
				for pointer, leaf := range leaves(schema, "") {
					if b.has(pointer) {
						b.try(t, pointer, leaf)
						delete(untried, pointer)
					}
				}
			}
			if len(untried) > 0 {
				t.Errorf("no body has %v", slices.Sorted(maps.Keys(untried)))
			}
		})
	}
	for _, c := range rest.Calls(schema(t)) {
		operation := validator(t).Document().Paths.Value(c.Path).GetOperation(c.Method)
		if operation.RequestBody == nil || len(bodySchema(t, c.Method, c.Path).Properties) == 0 {
			continue
		}
		if call := c.Method + " " + c.Path; fullBodies[call] == nil {
			t.Errorf("nothing tries the body of %s", call)
		}
	}
}

func bodySchema(t *testing.T, method, path string) *openapi3.Schema {
	t.Helper()
	return validator(t).Document().Paths.Value(path).GetOperation(method).RequestBody.Value.Content.Get("application/json").Schema.Value
}

// filledIn puts what the workspace has in the place of names.
func (w *world) filledIn(body string) string {
	var mailbox map[string]json.RawMessage
	must(w.t, json.Unmarshal([]byte(w.mailboxBody("x@a.example")), &mailbox))
	return strings.NewReplacer("CAMPAIGN", w.campaign(), "PROSPECT", w.prospect(), "COMPANY", w.row("/companies", 1),
		"MAILBOX", w.mailbox, "HOOK", w.hook,
		"SMTP", string(mailbox["smtp"]), "IMAP", string(mailbox["imap"])).Replace(body)
}

// leaves finds by pointer what a body is made of; an array stands for itself and
// for its last element.
func leaves(schema *openapi3.Schema, at string) map[string]*openapi3.Schema {
	found := map[string]*openapi3.Schema{}
	for name, property := range schema.Properties {
		value := plain(property.Value)
		pointer := at + "/" + name
		found[pointer] = value
		if value.Items != nil && len(plain(value.Items.Value).Properties) > 0 {
			maps.Copy(found, leaves(plain(value.Items.Value), pointer+"/-"))
		}
		maps.Copy(found, leaves(value, pointer))
	}
	return found
}

// plain is the schema of what is not null.
func plain(schema *openapi3.Schema) *openapi3.Schema {
	if len(schema.AnyOf) == 2 && schema.AnyOf[1].Value.Type.Is("null") {
		return schema.AnyOf[0].Value
	}
	return schema
}

// described is one body of one call.
type described struct {
	*world
	call, path, body string
	schema           *openapi3.Schema
}

// has reports whether the body has something there. A step that is to be made has an id that is
// null.
func (d described) has(pointer string) bool {
	_, now := d.with(pointer, nil)
	return now != nil || strings.HasSuffix(pointer, "/-/id")
}

// with decodes the body and sets one value in the place of the one that is there.
func (d described) with(pointer string, value any) (body map[string]any, now any) {
	must(d.t, json.Unmarshal([]byte(d.body), &body))
	path, name := pointer[:strings.LastIndexByte(pointer, '/')], pointer[strings.LastIndexByte(pointer, '/')+1:]
	at := any(body)
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		switch within := at.(type) {
		case []any:
			at = within[len(within)-1]
		case map[string]any:
			if key != "" {
				at = within[key]
			}
		}
	}
	object, ok := at.(map[string]any)
	if ok {
		now, object[name] = object[name], value
	}
	if value == left {
		delete(object, name)
	}
	return body, now
}

// left stands for a key that is left out.
const left = "left out"

// try puts one value after the other into its place and compares what the
// document and the service make of it.
func (d described) try(t *testing.T, pointer string, leaf *openapi3.Schema) {
	t.Helper()
	for _, value := range append(d.candidates(pointer, leaf), left) {
		if onlyTheServiceKnows(d.call, pointer, value) {
			continue
		}
		body, _ := d.with(pointer, value)
		says := d.schema.VisitJSON(asJSON(d.t, body), openapi3.EnableJSONSchema2020(), openapi3.VisitAsRequest())
		text, err := json.Marshal(body)
		must(d.t, err)
		method, _, _ := strings.Cut(d.call, " ")
		answer := d.world.call(d.handler, d.ws, method, d.path, string(text))
		if refused := d.faulty(answer, pointer); refused != (says != nil) {
			t.Errorf("%s with %.40s at %s: %d %.200s\nthe document: %v", d.call, fmt.Sprintf("%#v", value), pointer, answer.Code, answer.Body, says)
		}
	}
}

// asJSON converts a value to the types of decoded JSON.
func asJSON(t *testing.T, value any) (decoded any) {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	must(t, json.Unmarshal(text, &decoded))
	return decoded
}

// faulty reports whether an answer lists a fault at a path.
func (d described) faulty(answer *httptest.ResponseRecorder, pointer string) bool {
	var refusal struct {
		Errors  []struct{ Pointer string }
		Results []struct{ Errors []struct{ Pointer string } }
	}
	must(d.t, json.Unmarshal(answer.Body.Bytes(), &refusal))
	if len(refusal.Results) > 0 { // a bulk request's elements are judged each for itself
		pointer, refusal.Errors = strings.TrimPrefix(strings.TrimPrefix(pointer, "/prospects"), "/-"), refusal.Results[0].Errors
	}
	pointer = strings.ReplaceAll(pointer, "/-", "/1")
	for _, fault := range refusal.Errors {
		if fault.Pointer == pointer || strings.HasPrefix(fault.Pointer, pointer+"/") {
			return true
		}
	}
	return answer.Code == http.StatusBadRequest
}

// onlyTheServiceKnows what no schema can say: that of two values one is needed.
func onlyTheServiceKnows(call, pointer string, value any) bool {
	if value != nil && value != "" && value != left {
		return false
	}
	switch call + pointer {
	case "POST /suppressions/email", "POST /suppressions/domain", "POST /enrollments/prospect", "POST /enrollments/prospect_id",
		"POST /offers/target_url", "POST /offers/body_html", "PATCH /offers/{id}/target_url", "PATCH /offers/{id}/body_html":
		return true
	}
	return false
}

// candidates are values of the right and the wrong type, on both sides of every
// bound that the service has anywhere.
func (d described) candidates(pointer string, leaf *openapi3.Schema) (values []any) {
	values = []any{nil, true, 5, "5", []any{}, map[string]any{}, []any{nil}}
	name := pointer[strings.LastIndexByte(pointer, '/')+1:]
	switch {
	case name == "id" || strings.HasSuffix(name, "_id"):
		return []any{nil, 5}
	case leaf.Type.Includes("array"):
		return append(values, d.lists(name)...)
	case name == "custom_fields":
		return append(values, customFields()...)
	case leaf.Type.Includes("object"):
		return []any{nil, 5, "x", []any{}}
	case leaf.Type.Includes("integer"):
		for _, n := range []int{-1, 0, 1, 65535, 65536, 86_400, 86_401, 525_600, 525_601, 1_000_000, 1_000_001, 1 << 31} {
			values = append(values, n)
		}
		return append(values, 1.5)
	case leaf.Type.Includes("boolean"):
		return values
	case len(leaf.Enum) > 0:
		return append(append(values, "nonsense", ""), leaf.Enum...)
	}
	return append(d.texts(name), nil, true, 5, []any{}, map[string]any{})
}

// lists repeats the element that is there.
func (d described) lists(name string) (values []any) {
	var body map[string]any
	must(d.t, json.Unmarshal([]byte(d.body), &body))
	element := body[name].([]any)[0]
	for _, n := range []int{1, 2, 50, 51, 100, 101, 1000, 1001} {
		values = append(values, slices.Repeat([]any{element}, n))
	}
	return values
}

func customFields() (values []any) {
	for _, n := range []int{0, 1, 100, 101} {
		many := map[string]any{}
		for i := range n {
			many[strconv.Itoa(i)] = i
		}
		values = append(values, nil, many, nil, map[string]any{strings.Repeat("k", n): true}) // null takes away what is there
	}
	for _, value := range []any{nil, 1.5, []any{}, map[string]any{}, strings.Repeat("x", 5000), strings.Repeat("x", 5001)} {
		values = append(values, map[string]any{"k": value})
	}
	return values
}

// texts are as long as some bound, or a character longer.
func (d described) texts(name string) []any {
	values := []any{""}
	switch name {
	case "send_from", "send_until":
		return append(values, "09:30", "9:30", "24:00", "12:60", "12:30:00", "x")
	case "timezone":
		return append(values, "Europe/Paris", "Etc/GMT+5", "America/Port-au-Prince", "right/UTC", "+02:00", "localtime")
	}
	for _, n := range []int{1, 2, 100, 101, 253, 254, 255, 500, 501, 2000, 2001, 5000, 5001, 100_000, 100_001} {
		if text := d.text(name, n); text != "" {
			values = append(values, text)
		}
	}
	return values
}

// text is a value of n characters that is sound but for its length, "" where
// there is none that short.
func (d described) text(name string, n int) string {
	start := map[string]string{"email": strings.Repeat("l", 64) + "@", "url": d.hook + "/", "target_url": "https://a.example/"}[name]
	n -= len(start)
	labels := name == "email" || name == "domain"
	switch {
	case n < 1 || labels && n < 5 || n > 10_000 && !strings.HasSuffix(name, "_html") && name != "body_text":
		return ""
	case labels:
		names := strings.Repeat("bc.", n) + "bc"
		return start + "a" + names[len(names)-n+1:]
	case name == "host":
		return strings.Repeat("[", n) // cannot be looked up as a name
	}
	return start + strings.Repeat("x", n)
}
