package rest

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"outreach"
)

// answer is the answer to a request. Its exported fields are kept under an
// Idempotency-Key.
type answer struct {
	Status   int    `json:"status"`
	Type     string `json:"type,omitempty"`
	Location string `json:"location,omitempty"`
	Body     []byte `json:"body,omitempty"`

	code     outreach.Code // of a refusal
	replayed bool          // kept from an earlier request
	file     *outreach.File
	sent     func() // called when the file was sent
}

// newAnswer makes an answer of the data of an operation.
func (e *endpoint) newAnswer(data []byte) (*answer, error) {
	status, body, err := e.shape.read(data)
	if err != nil {
		return nil, fmt.Errorf("read answer of operation %q: %w", e.operation, err)
	}
	a := &answer{Status: status, Body: body}
	if body != nil {
		a.Type = "application/json"
	}
	if status == http.StatusCreated {
		collection, _, _ := strings.Cut(e.path[1:], "/")
		a.Location = Base + "/" + cmp.Or(e.shape.collection, collection) + "/" + idOf(body)
	}
	return a, nil
}

// write sends the answer, with an ETag if etag is set.
func (a *answer) write(w http.ResponseWriter, r *http.Request, etag bool) {
	if a.file != nil {
		defer a.sent()
		SendFile(w, *a.file)
		return
	}
	header := w.Header()
	header.Set("Cache-Control", "private, no-store")
	if a.Location != "" {
		header.Set("Location", a.Location)
	}
	a.refusalHeaders(header)
	if a.replayed {
		header.Set("Idempotency-Replayed", "true")
	}
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
	_, _ = w.Write(a.Body) // the client may have closed the connection
}

// entityTag returns a strong ETag for a body.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
}

// matches reports whether If-None-Match lists the tag, by weak comparison (RFC
// 9110, section 13.1.2).
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
