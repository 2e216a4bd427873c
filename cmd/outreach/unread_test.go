package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"outreach/internal/testkit"
)

// unread serves a handler and sends it the beginning of a request. It returns the connection.
func unread(t *testing.T, handler http.HandlerFunc, request string) net.Conn {
	t.Helper()
	server := httptest.NewServer(endBodies(10*time.Millisecond, handler))
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	testkit.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	testkit.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second))) // only to end a test that fails
	_, err = io.WriteString(conn, request)
	testkit.NoError(t, err)
	return conn
}

func refuseUnread(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "no", http.StatusUnauthorized)
}

// A body that does not come to its end holds neither the answer nor the connection.
func TestUnreadBodyHoldsNoConnection(t *testing.T) {
	t.Parallel()
	for name, request := range map[string]string{
		"of a length": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
		"in chunks":   "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"of a GET":    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
		"not begun":   "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n",
	} {
		for what, handler := range map[string]http.HandlerFunc{
			"refused": refuseUnread, "no answer": func(http.ResponseWriter, *http.Request) {},
		} {
			conn := unread(t, handler, request)
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || !answer.Close {
				t.Errorf("%s, %s: %v %+v", name, what, err, answer)
				continue
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Errorf("%s, %s: the connection stays: %v", name, what, err)
			}
		}
	}
}

// A client that writes a large body to its end before it reads gets the answer, and goes on with the connection,
// although the handler has read a part of the body only.
func TestUnreadBodyIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	const parts = 16
	part := strings.Repeat(" ", 1<<20)
	server := httptest.NewServer(endBodies(time.Minute, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.CopyN(io.Discard, r.Body, 1<<20)
		testkit.NoError(t, err)
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	})))
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	testkit.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	reader := bufio.NewReader(conn)
	for _, request := range []struct{ length, part, end string }{
		{fmt.Sprintf("Content-Length: %d", parts*len(part)), part, ""},
		{"Transfer-Encoding: chunked", fmt.Sprintf("%x\r\n%s\r\n", len(part), part), "0\r\n\r\n"},
		{"Content-Length: 1048577", part, " "},
	} {
		n := parts
		if request.end == " " {
			n = 1
		}
		_, err := io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\n"+request.length+"\r\n\r\n"+
			strings.Repeat(request.part, n)+request.end)
		testkit.NoError(t, err)
		answer, err := http.ReadResponse(reader, nil)
		testkit.NoError(t, err)
		if answer.StatusCode != http.StatusRequestEntityTooLarge || answer.Close {
			t.Errorf("%s: %s, closes %v", request.length, answer.Status, answer.Close)
		}
	}
}
