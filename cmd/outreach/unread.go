package main

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// What is read of a body that its handler did not read to the end, such as that of a refused request. A
// client that still writes when the connection closes would see a reset instead of the answer; one that
// sends a byte now and then must not hold the connection.
const (
	unreadBytes = 32 << 20
	unreadTime  = time.Second
)

// endBodies reads what is left of a body before its answer begins, for at most that long, and closes the
// connection if there is more.
func endBodies(atMost time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 || r.Body == nil {
			next.ServeHTTP(w, r)
			return
		}
		body := &bodyEnd{ReadCloser: r.Body}
		answer := &endingWriter{ResponseWriter: w, body: body, expects: r.Header.Get("Expect") != "", atMost: atMost}
		read := r.WithContext(r.Context()) // net/http looks at the body of its own request
		read.Body = body
		next.ServeHTTP(answer, read)
		answer.end() // if nothing was written
	})
}

// bodyEnd remembers whether a body has ended, or has failed.
type bodyEnd struct {
	io.ReadCloser
	err error
}

// Read is part of io.Reader.
func (b *bodyEnd) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.err = err
	}
	return n, err
}

// endingWriter ends the body before it writes.
type endingWriter struct {
	http.ResponseWriter
	body    *bodyEnd
	expects bool // the client sends the body when it is told to (RFC 9110, section 10.1.1)
	atMost  time.Duration
	ended   bool
}

// WriteHeader ends the body and passes the status on.
func (w *endingWriter) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.end()
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write ends the body and passes the bytes on.
func (w *endingWriter) Write(p []byte) (int, error) {
	w.end()
	return w.ResponseWriter.Write(p)
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *endingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *endingWriter) end() {
	if w.ended {
		return
	}
	w.ended = true
	if errors.Is(w.body.err, io.EOF) {
		return
	}
	// The deadline holds for net/http too, which reads on when it closes the body. A connection that supports none,
	// such as the recorder of a test, has none.
	control := http.NewResponseController(w.ResponseWriter)
	_ = control.SetReadDeadline(time.Now().Add(w.atMost))
	if w.body.err == nil && !w.expects {
		_, _ = io.CopyN(io.Discard, w.body, unreadBytes)
	}
	if errors.Is(w.body.err, io.EOF) {
		_ = control.SetReadDeadline(time.Time{})
		return
	}
	w.Header().Set("Connection", "close")
}
