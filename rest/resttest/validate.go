// Package resttest checks answers of the API against its OpenAPI document. A test wraps a handler
// or a transport in it, and every answer that passes through is checked. It must not know how
// answers are made.
package resttest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Validator holds a document. It is safe for concurrent use.
type Validator struct {
	document *openapi3.T
	base     string
}

// New reads a document in JSON or YAML. It fails the test if the document or one of its examples is
// not valid. Pass the result of rest.OpenAPI.
func New(t testing.TB, document []byte) *Validator {
	t.Helper()
	parsed, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatalf("read OpenAPI document: %v", err)
	}
	if err := parsed.Validate(context.Background()); err != nil {
		t.Fatalf("validate OpenAPI document: %v", err)
	}
	return &Validator{document: parsed, base: parsed.Servers[0].URL}
}

// Document returns the parsed document.
func (v *Validator) Document() *openapi3.T { return v.document }

// Handler passes requests on to next and reports answers under the document's
// base path that it does not describe.
func (v *Validator) Handler(t testing.TB, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		answer := recorded.Result()
		if err := v.Check(r, answer.StatusCode, answer.Header, recorded.Body.Bytes()); err != nil {
			t.Errorf("%s %s answered %d: %v\n%s", r.Method, r.URL, answer.StatusCode, err, recorded.Body)
		}
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.StatusCode)
		_, _ = w.Write(recorded.Body.Bytes())
	})
}

// Transport does the same for a client; http.DefaultTransport when next is nil.
func (v *Validator) Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		answer, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil {
			return nil, err
		}
		answer.Body = io.NopCloser(bytes.NewReader(body))
		if err := v.Check(r, answer.StatusCode, answer.Header, body); err != nil {
			t.Errorf("%s %s answered %d: %v\n%s", r.Method, r.URL, answer.StatusCode, err, body)
		}
		return answer, nil
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Check checks one answer. It ignores paths outside of the base. A path or method that the document
// does not have must be refused with a problem and 404 or 405.
func (v *Validator) Check(r *http.Request, status int, header http.Header, body []byte) error {
	path, ok := strings.CutPrefix(r.URL.Path, v.base+"/")
	if !ok {
		return nil
	}
	template, item := v.find("/" + path)
	method := r.Method
	if method == http.MethodHead {
		return checkHead(header)
	}
	if item == nil || item.GetOperation(method) == nil {
		return v.checkUnknown(item, status, header, body)
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{
			Request: r,
			Route: &routers.Route{Spec: v.document, Server: v.document.Servers[0], Path: template, PathItem: item,
				Method: method, Operation: item.GetOperation(method)},
		},
		Status:  status,
		Header:  header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(r.Context(), input); err != nil {
		return err
	}
	if empty := status == http.StatusNoContent || status == http.StatusNotModified; empty && len(body) > 0 {
		return fmt.Errorf("has a body of %d bytes", len(body))
	}
	return checkProblem(status, header)
}

// find looks up a path as it is, else with its second segment as an id.
func (v *Validator) find(path string) (string, *openapi3.PathItem) {
	if item := v.document.Paths.Value(path); item != nil {
		return path, item
	}
	segments := strings.Split(path, "/")
	if len(segments) < 3 || segments[2] == "" {
		return "", nil
	}
	segments[2] = "{id}"
	if len(segments) == 5 {
		segments[4] = "{attachment_id}"
	}
	path = strings.Join(segments, "/")
	return path, v.document.Paths.Value(path)
}

func (v *Validator) checkUnknown(item *openapi3.PathItem, status int, header http.Header, body []byte) error {
	if item == nil && status != http.StatusNotFound || item != nil && status != http.StatusMethodNotAllowed {
		return fmt.Errorf("the document does not have this call, so its status must be 404 or 405")
	}
	if item != nil && header.Get("Allow") == "" {
		return fmt.Errorf("405 without Allow")
	}
	media := v.document.Components.Responses["MethodNotAllowed"].Value.Content.Get(header.Get("Content-Type"))
	if media == nil {
		return fmt.Errorf("a refusal of type %q", header.Get("Content-Type"))
	}
	value, err := openapi3filter.JSONBodyDecoder(bytes.NewReader(body), header, media.Schema, nil)
	if err != nil {
		return err
	}
	return media.Schema.Value.VisitJSON(value, openapi3.EnableJSONSchema2020(), openapi3.VisitAsResponse())
}

func checkHead(header http.Header) error {
	if header.Get("X-Request-Id") == "" {
		return fmt.Errorf("no X-Request-Id")
	}
	return nil
}

// checkProblem returns an error unless refusals, and only refusals, have the media type of RFC
// 9457.
func checkProblem(status int, header http.Header) error {
	problem := strings.HasPrefix(header.Get("Content-Type"), "application/problem+json")
	if problem != (status >= 400) {
		return fmt.Errorf("%d with Content-Type %q", status, header.Get("Content-Type"))
	}
	return nil
}
