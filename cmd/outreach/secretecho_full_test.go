//go:build full

package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"outreach"
	"outreach/internal/testkit"
)

// echoIssuer is an OpenID provider that repeats in its answers all secrets that it gets, and keeps
// them.
type echoIssuer struct {
	*httptest.Server
	mu      sync.Mutex
	kind    string
	secrets map[string]string
}

// echoes are the ways in which it answers a token request, "refused" apart.
var echoes = []string{"error of the server", "page", "no JSON", "unknown error", "redirect", "cut"}

func newEchoIssuer(t *testing.T) *echoIssuer {
	e := &echoIssuer{secrets: map[string]string{}}
	mux := http.NewServeMux()
	e.Server = httptest.NewServer(mux)
	t.Cleanup(e.Close)
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(object{"issuer": e.URL, "authorization_endpoint": e.URL + "/authorize",
			"token_endpoint": e.URL + "/token", "jwks_uri": e.URL + "/keys", "response_types_supported": []string{"code"},
			"subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"RS256"}})
	})
	mux.HandleFunc("GET /authorize", func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		http.Redirect(w, r, asked.Get("redirect_uri")+"?"+url.Values{"state": {asked.Get("state")}, "code": {rand.Text()}}.Encode(),
			http.StatusFound)
	})
	mux.HandleFunc("POST /token", e.token)
	return e
}

// answers sets how token requests are answered from now on.
func (e *echoIssuer) answers(kind string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.kind = kind
}

// got returns the secrets of all token requests.
func (e *echoIssuer) got() map[string]string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return maps.Clone(e.secrets)
}

func (e *echoIssuer) token(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range []string{"code", "code_verifier", "refresh_token", "client_secret"} {
		if value := r.PostForm.Get(name); value != "" {
			e.secrets[fmt.Sprintf("%s at the echo %d", name, len(e.secrets))] = value
		}
	}
	form := r.PostForm.Encode()
	refuse := func(status int, code string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(object{"error": code, "error_description": form, "error_uri": e.URL + "/?" + form})
	}
	switch e.kind {
	case "error of the server":
		refuse(http.StatusInternalServerError, form)
	case "page":
		http.Error(w, form, http.StatusBadGateway)
	case "no JSON":
		_, _ = io.WriteString(w, form)
	case "unknown error":
		refuse(http.StatusBadRequest, r.PostForm.Get("refresh_token")+r.PostForm.Get("code"))
	case "redirect":
		http.Redirect(w, r, "http://127.0.0.1:1/?"+form, http.StatusTemporaryRedirect)
	case "cut":
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, form)
	default:
		refuse(http.StatusBadRequest, "invalid_grant")
	}
}

// startEchoSMTP starts a mail server that refuses each login and repeats what it got.
func (v *vault) startEchoSMTP() outreach.MailServer {
	v.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.NoError(v.t, err)
	v.t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go echoSMTP(conn)
		}
	}()
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	number, _ := strconv.Atoi(port)
	return outreach.MailServer{Host: host, Port: number}
}

func echoSMTP(conn net.Conn) {
	defer conn.Close()
	_, _ = io.WriteString(conn, "220 echo\r\n")
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		_, login, isLogin := strings.Cut(lines.Text(), "AUTH PLAIN ")
		switch {
		case isLogin:
			plain, _ := base64.StdEncoding.DecodeString(login)
			fmt.Fprintf(conn, "535 5.7.8 %s is wrong: %q\r\n", login, plain)
		case strings.HasPrefix(lines.Text(), "QUIT"):
			_, _ = io.WriteString(conn, "221 bye\r\n")
			return
		default:
			_, _ = io.WriteString(conn, "250-echo\r\n250 AUTH PLAIN\r\n")
		}
	}
}

// oneTimeCode is the code of a second factor now (RFC 4226, section 5.3).
func oneTimeCode(secret []byte) string {
	mac := hmac.New(sha1.New, secret)
	_ = binary.Write(mac, binary.BigEndian, time.Now().Unix()/30)
	sum := mac.Sum(nil)
	start := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[start:])&0x7fffffff%1_000_000)
}

// text returns all that was exported.
func (c *collector) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return string(c.bytes)
}
