package rest

import (
	"bytes"
	"cmp"
	"strings"
	"testing"
)

// Each route, given the example of its answer in the shape that its operation
// prints, answers with that example byte for byte; the document judges the rest. A download has
// no operation; see TestAttachment.
func TestEveryRouteAnswers(t *testing.T) {
	t.Parallel()
	for _, r := range routes {
		if r.shape.file {
			continue
		}
		operation := validator(t).Document().Paths.Value(r.path).GetOperation(r.method)
		want, body := r.shape.status, []byte(nil)
		if r.shape != deleted {
			for _, example := range operation.Responses.Status(want).Value.Content.Get("application/json").Examples {
				body = marshal(t, example.Value.Value)
			}
		}
		s := newService(t, answers(r.shape.print(body)))
		request := ""
		if operation.RequestBody != nil {
			for _, example := range operation.RequestBody.Value.Content.Get("application/json").Examples {
				request = string(marshal(t, example.Value.Value))
			}
		}
		target := Base + strings.Replace(r.path, "{id}", anID, 1)
		got := s.do(r.method, target, request)
		if text := text(t, got); got.StatusCode != want || text != string(body) {
			t.Errorf("%s %s: %s\n%s", r.method, r.path, got.Status, text)
		}
		if s.queries.operation != r.operation {
			t.Errorf("%s %s ran %s", r.method, r.path, s.queries.operation)
		}
		location := got.Header.Get("Location")
		if collection := Base + "/" + cmp.Or(r.shape.collection, strings.Split(r.path, "/")[1]) + "/"; want == 201 &&
			(!strings.HasPrefix(location, collection) || len(location) != len(collection)+36) {
			t.Errorf("%s %s: Location %q", r.method, r.path, location)
		}
	}
}

// print puts a body where the operation would.
func (s shape) print(body []byte) string {
	switch {
	case s == deleted:
		return `{"done":true}`
	case s.either && bytes.HasPrefix(body, []byte(`{"enrollment"`)):
		return `{"made":{"created":true,` + string(body[1:]) + `}`
	case s.either:
		return `{"made":{"created":true,"body":` + string(body) + `}}`
	}
	return `{"` + s.member + `":` + string(body) + `}`
}

func TestWhatWasThereAlreadyIs200(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]string{"/suppressions": "Suppression", "/enrollments": "Enrolled"} {
		example := exampleOf(t, body)
		data := strings.Replace(createdOr.print(example), "true", "false", 1)
		got := newService(t, answers(data)).do("POST", Base+path, `{}`)
		if text := text(t, got); got.StatusCode != 200 || text != string(example) || got.Header.Get("Location") != "" {
			t.Errorf("%s: %s %s", path, got.Status, text)
		}
	}
}

func TestSingleResourcesHaveAnETag(t *testing.T) {
	t.Parallel()
	example := exampleOf(t, "Prospect")
	s := newService(t, answers(`{"body":`+string(example)+`}`))
	path := "/api/v1/prospects/" + anID
	first := s.do("GET", path, "")
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "private, no-cache" {
		t.Fatalf("ETag %q, Cache-Control %q", tag, first.Header.Get("Cache-Control"))
	}
	for condition, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200,
		strings.Trim(tag, `"`): 200} {
		got := s.do("GET", path, "", "If-None-Match", condition)
		if body := text(t, got); got.StatusCode != want || want == 304 && body != "" {
			t.Errorf("If-None-Match %s: %s %q", condition, got.Status, body)
		}
	}
	changed := newService(t, answers(`{"body":`+string(bytes.Replace(example, []byte("Ada"), []byte("Bea"), 1))+`}`)).do("GET", path, "")
	if changed.Header.Get("ETag") == tag {
		t.Error("a changed resource has the same ETag")
	}
	list := newService(t, &recorder{}).do("GET", "/api/v1/prospects", "")
	if list.Header.Get("ETag") != "" || list.Header.Get("Cache-Control") != "private, no-store" {
		t.Errorf("a list has ETag %q, Cache-Control %q", list.Header.Get("ETag"), list.Header.Get("Cache-Control"))
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	s := newService(t, &recorder{})
	for given, kept := range map[string]bool{"trace-1.A_b": true, "": false, "a b": false, "a\tb": false,
		strings.Repeat("x", 65): false, "ü": false} {
		got := s.do("GET", "/api/v1/prospects", "", "X-Request-Id", given).Header.Get("X-Request-Id")
		if (got == given) != kept || got == "" {
			t.Errorf("X-Request-Id %q became %q", given, got)
		}
	}
}
