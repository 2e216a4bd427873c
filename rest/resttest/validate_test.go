package resttest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"outreach/rest"
	"outreach/rest/resttest"
)

const suppression = `{"id":"0199f400-2b7c-7e66-9123-c5d8f0a1b2e4","email":"a@b.example","domain":null,"reason":"manual",` +
	`"note":null,"created_at":"2026-11-20T18:00:00.000000+00:00"}`

const notFound = `{"type":"/docs#not_found","title":"T","status":404,"detail":"D","code":"not_found","request_id":"r"}`

// What the document does not describe is reported; what it does is not.
func TestCheck(t *testing.T) {
	t.Parallel()
	document, err := rest.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	v := resttest.New(t, document)
	const one, list = "/api/v1/suppressions/0199f400-2b7c-7e66-9123-c5d8f0a1b2e4", "/api/v1/suppressions"
	for name, test := range map[string]struct {
		method, path string
		status       int
		body         string
		without      string // a header to leave out
		fits         bool
	}{
		"as described":        {"GET", one, 200, suppression, "", true},
		"a key less":          {"GET", one, 200, strings.Replace(suppression, `"note":null,`, "", 1), "", false},
		"a key more":          {"GET", one, 200, strings.Replace(suppression, `"note"`, `"extra":1,"note"`, 1), "", false},
		"another type":        {"GET", one, 200, strings.Replace(suppression, `null,"created`, `5,"created`, 1), "", false},
		"no such value":       {"GET", one, 200, strings.Replace(suppression, "manual", "whim", 1), "", false},
		"another time format": {"GET", one, 200, strings.Replace(suppression, ".000000+00:00", "Z", 1), "", false},
		"no ETag":             {"GET", one, 200, suppression, "ETag", false},
		"no request id":       {"GET", one, 200, suppression, "X-Request-Id", false},
		"a list":              {"GET", list, 200, `{"data":[` + suppression + `],"next_cursor":null}`, "", true},
		"a list with a total": {"GET", list, 200, `{"data":[],"next_cursor":null,"total":0}`, "", false},
		"status not listed":   {"GET", one, 202, suppression, "", false},
		"created":             {"POST", list, 201, suppression, "", true},
		"created nowhere":     {"POST", list, 201, suppression, "Location", false},
		"not found":           {"GET", one, 404, notFound, "", true},
		"a bare refusal":      {"GET", one, 404, `{"error":"no"}`, "", false},
		"nothing there":       {"GET", "/api/v1/people", 404, notFound, "", true},
		"something there":     {"GET", "/api/v1/people", 200, `{}`, "", false},
		"no such method":      {"PUT", list, 405, notFound, "", true},
		"no Allow":            {"PUT", list, 405, notFound, "Allow", false},
		"not ours":            {"GET", "/healthz", 200, `ok`, "", true},
		"deleted":             {"DELETE", one, 204, "", "", true},
		"deleted, with words": {"DELETE", one, 204, "{}", "", false},
	} {
		header := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"r"}, "Cache-Control": {"private, no-store"},
			"Etag": {`"x"`}, "Location": {one}, "Allow": {"GET"}}
		if test.status >= 400 {
			header.Set("Content-Type", "application/problem+json")
		}
		header.Del(test.without)
		err := v.Check(httptest.NewRequest(test.method, test.path, nil), test.status, header, []byte(test.body))
		if (err == nil) != test.fits {
			t.Errorf("%s: %v", name, err)
		}
	}
}
