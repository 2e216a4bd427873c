package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is what goes back to a client. It is also what is kept under an
// Idempotency-Key, hence the exported fields.
type answer struct {
	Status   int    `json:"status"`
	Type     string `json:"type,omitempty"`
	Location string `json:"location,omitempty"`
	Body     []byte `json:"body,omitempty"`
}

// newAnswer cuts the body out of the data that the operation printed. Nothing is
// decoded: the places are known from the operation's text.
func (e *endpoint) newAnswer(data []byte) (*answer, error) {
	a := &answer{Status: http.StatusOK, Type: "application/json"}
	var ok bool
	switch e.shape {
	case page, whole:
		a.Body, ok = cut(data, `{"page":`)
	case found, changed:
		a.Body, ok = cut(data, `{"body":`)
	case created:
		a.Status = http.StatusCreated
		a.Body, ok = cut(data, `{"body":`)
	case gone:
		_, ok = cut(data, `{"done":`)
		a.Status, a.Type = http.StatusNoContent, ""
	case made, joined:
		a.Status, a.Body, ok = cutMade(data, e.shape)
	}
	if !ok {
		return nil, fmt.Errorf("cut answer of operation %q", e.operation)
	}
	if a.Status == http.StatusCreated {
		a.Location = e.location(a.Body)
	}
	return a, nil
}

// cut takes what stands between prefix and the closing brace.
func cut(data []byte, prefix string) ([]byte, bool) {
	rest, begins := bytes.CutPrefix(data, []byte(prefix))
	rest, ends := bytes.CutSuffix(rest, []byte("}"))
	return rest, begins && ends
}

// cutMade reads the leading flag that decides between 201 and 200. The members
// behind it are the body: one named body, or all of them.
func cutMade(data []byte, s shape) (status int, body []byte, ok bool) {
	status = http.StatusCreated
	rest, ok := cut(data, `{"made":{"created":true`)
	if !ok {
		status = http.StatusOK
		rest, ok = cut(data, `{"made":{"created":false`)
	}
	if s == made {
		body, found := cut(rest, `,"body":`)
		return status, body, ok && found
	}
	if !ok || len(rest) < 2 || rest[0] != ',' {
		return status, nil, false
	}
	rest[0] = '{' // the data is ours alone, and the comma is where the brace belongs
	return status, rest, true
}

// location is the path of what was created, whose id is the first in the body.
func (e *endpoint) location(body []byte) string {
	_, after, ok := bytes.Cut(body, []byte(`"id":"`))
	if !ok || len(after) < 36 {
		return ""
	}
	collection, _, _ := strings.Cut(e.path[1:], "/")
	return Base + "/" + collection + "/" + string(after[:36])
}

// write sends the answer; etag asks for validation on single resources.
func (a *answer) write(w http.ResponseWriter, r *http.Request, etag bool) {
	header := w.Header()
	header.Set("Cache-Control", "private, no-store")
	if a.Location != "" {
		header.Set("Location", a.Location)
	}
	refusalHeaders(header, a.Status)
	if etag && a.Status == http.StatusOK {
		tag := entityTag(a.Body)
		header.Set("ETag", tag)
		header.Set("Cache-Control", "private, no-cache")
		if matches(r.Header.Values("If-None-Match"), tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if a.Type != "" {
		header.Set("Content-Type", a.Type)
		header.Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // a client that went away needs no answer
}

// entityTag is a strong validator: the bytes decide.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// matches compares weakly, as If-None-Match asks (RFC 9110, section 13.1.2).
func matches(conditions []string, tag string) bool {
	for _, condition := range conditions {
		for candidate := range strings.SplitSeq(condition, ",") {
			candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
			if candidate == tag || candidate == "*" {
				return true
			}
		}
	}
	return false
}
