package rest

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// The largest body of a call, and of a bulk call.
const (
	maxBody     = 1 << 20
	maxBulkBody = 5 << 20
)

// bodyChunk is how much of a body must arrive within Config.BodyTimeout.
const bodyChunk = 64 << 10

// readBody returns the bytes of a body of the right size and media type. A call
// without input, or with an optional one, may have no body.
func (a *api) readBody(w http.ResponseWriter, r *http.Request, e *endpoint) ([]byte, error) {
	if r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return nil, nil
	}
	body, err := a.rawBody(w, r, e.bodyLimit())
	if err != nil || len(body) == 0 && (e.input == nil || !e.input.NonNull) {
		return nil, err
	}
	if len(body) == 0 {
		return nil, invalidJSON(0, nil, "the body is empty")
	}
	return body, checkMedia(r)
}

// enterBody waits until the body of a request may be read. The time counts for the deadline of the request.
func (a *api) enterBody(r *http.Request, e *endpoint, clock *deadline, workspace uuid.UUID) (leave func(), err error) {
	if a.Bodies == nil || !hasBody(r) {
		return func() {}, nil
	}
	length := r.ContentLength
	if length < 0 || length > e.bodyLimit() {
		length = e.bodyLimit()
	}
	err = clock.wait(r.Context(), func(ctx context.Context) error {
		leave, err = a.Bodies.Enter(ctx, workspace, length)
		return err
	})
	return leave, err
}

// hasBody reports whether a request may have a body that is read.
func hasBody(r *http.Request) bool {
	return r.ContentLength != 0 && (r.Method == http.MethodPost || r.Method == http.MethodPatch)
}

func (e *endpoint) bodyLimit() int64 {
	if e.input != nil && e.input.Name() == bulkInput {
		return maxBulkBody
	}
	return maxBody
}

func (a *api) rawBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	tooLarge := outreach.Errorf(outreach.CodeTooLarge, "The body of this call may have at most %d bytes.", limit)
	source := &steadyReader{source: http.MaxBytesReader(w, r.Body, limit), control: http.NewResponseController(w), timeout: a.BodyTimeout}
	if r.ContentLength > limit {
		return nil, tooLarge
	}
	body, err := io.ReadAll(source)
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, outreach.Errorf(outreach.CodeRequestTimeout, "The body stopped after %d bytes. Send the request again.", len(body))
	}
	if err != nil {
		return nil, invalidJSON(int64(len(body)), nil, "the body ends before it is complete")
	}
	source.end()
	return body, nil
}

// steadyReader reads a body and extends the deadline of the connection after each bodyChunk, so
// that a slow body passes and a stalled one does not.
type steadyReader struct {
	source  io.Reader
	control *http.ResponseController
	timeout time.Duration
	left    int // bytes until the next deadline
}

// Read sets a deadline when one is due. A connection that supports none, such as
// the recorder of a test, has none.
func (s *steadyReader) Read(p []byte) (int, error) {
	if s.left <= 0 {
		_ = s.control.SetReadDeadline(time.Now().Add(s.timeout))
		s.left = bodyChunk
	}
	n, err := s.source.Read(p)
	s.left -= n
	return n, err
}

// end removes the deadline after a complete body. After a stalled one it stays, because the server
// reads the rest before it closes the connection.
func (s *steadyReader) end() { _ = s.control.SetReadDeadline(time.Time{}) }

// checkMedia accepts JSON in UTF-8 and, for PATCH, a merge patch (RFC 7396).
func checkMedia(r *http.Request) error {
	types := r.Header.Values("Content-Type")
	if len(types) == 1 {
		media, parameters, err := mime.ParseMediaType(types[0])
		fits := media == "application/json" || media == "application/merge-patch+json" && r.Method == http.MethodPatch
		charset, given := parameters["charset"]
		encoding := r.Header.Get("Content-Encoding")
		if err == nil && fits && (!given || strings.EqualFold(charset, "utf-8")) && (encoding == "" || strings.EqualFold(encoding, "identity")) {
			return nil
		}
	}
	return outreach.Errorf(outreach.CodeUnsupportedMedia, "Send the body as application/json in UTF-8, without a content encoding.")
}
