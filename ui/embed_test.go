package ui

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ask(t *testing.T, method, path string, header http.Header) *http.Response {
	t.Helper()
	request := httptest.NewRequest(method, path, nil)
	for name, values := range header {
		request.Header[name] = values
	}
	recorder := httptest.NewRecorder()
	Handler().ServeHTTP(recorder, request)
	return recorder.Result()
}

func body(t *testing.T, response *http.Response) string {
	t.Helper()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

var asset = regexp.MustCompile(`/assets/[\w.-]+\.(?:js|css|svg)`)

func TestDeepLinksGetThePage(t *testing.T) {
	t.Parallel()
	home := body(t, ask(t, "GET", "/", nil))
	for _, path := range []string{"/index.html", "/prospects", "/prospects/018f2f6e-0000-7000-8000-000000000000",
		"/settings/webhooks", "/campaigns/new"} {
		response := ask(t, "GET", path, nil)
		got := []string{response.Status, response.Header.Get("Content-Type"), response.Header.Get("Cache-Control"),
			response.Header.Get("X-Content-Type-Options"), response.Header.Get("Referrer-Policy"), body(t, response)}
		want := []string{"200 OK", "text/html; charset=utf-8", "no-cache", "nosniff", "same-origin", home}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", path, diff)
		}
	}
}

func TestThePageIsStrict(t *testing.T) {
	t.Parallel()
	response := ask(t, "GET", "/", nil)
	directives := response.Header.Get("Content-Security-Policy")
	if !strings.HasPrefix(directives, "default-src 'self';") || strings.Contains(directives, "unsafe") ||
		strings.Contains(directives, "http") {
		t.Errorf("policy %q lets in more than our own files", directives)
	}
	page := body(t, response)
	if regexp.MustCompile(`(?i)<style|style=|<script(?:[^>]*)>[^<]|\son\w+=|https?://`).MatchString(page) {
		t.Errorf("the page holds inline code or another host's address:\n%s", page)
	}
}

func TestEveryNamedAssetIsThereForAYear(t *testing.T) {
	t.Parallel()
	names := asset.FindAllString(body(t, ask(t, "GET", "/", nil)), -1)
	if len(names) < 2 {
		t.Fatalf("the page names %v, want a script and a style sheet at least", names)
	}
	for _, name := range names {
		response := ask(t, "GET", name, nil)
		got := []string{response.Status, response.Header.Get("Cache-Control")}
		if diff := cmp.Diff([]string{"200 OK", "public, max-age=31536000, immutable"}, got); diff != "" {
			t.Errorf("GET %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestUnknownAssetsAndMethods(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/assets/", 404},
		{"GET", "/assets/index-00000000.js", 404},
		{"HEAD", "/assets/x.css", 404},
		{"GET", "/favicon.ico", 404},
		{"GET", "/robots.txt", 404},
		{"GET", "/.well-known/security.txt", 404},
		{"POST", "/", 405},
		{"DELETE", "/prospects", 405},
	} {
		if got := ask(t, test.method, test.path, nil).StatusCode; got != test.status {
			t.Errorf("%s %s = %d, want %d", test.method, test.path, got, test.status)
		}
	}
}

func TestCompression(t *testing.T) {
	t.Parallel()
	plain := body(t, ask(t, "GET", "/", nil))
	for accept, packed := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "*": true, "gzip;q=0": false,
		"identity": false, "": false} {
		response := ask(t, "GET", "/", http.Header{"Accept-Encoding": {accept}})
		content := body(t, response)
		if got := response.Header.Get("Content-Encoding") == "gzip"; got != packed {
			t.Errorf("Accept-Encoding %q: gzip = %v, want %v", accept, got, packed)
			continue
		}
		if packed {
			reader, err := gzip.NewReader(bytes.NewReader([]byte(content)))
			if err != nil {
				t.Fatal(err)
			}
			unpacked, err := io.ReadAll(reader)
			if err != nil {
				t.Fatal(err)
			}
			content = string(unpacked)
		}
		if diff := cmp.Diff(plain, content); diff != "" {
			t.Errorf("Accept-Encoding %q changes the page:\n%s", accept, diff)
		}
	}
}

func TestConditionalAndHead(t *testing.T) {
	t.Parallel()
	first := ask(t, "GET", "/", nil)
	again := ask(t, "GET", "/", http.Header{"If-None-Match": {`"other", W/` + first.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified || body(t, again) != "" {
		t.Errorf("a known page answered %d, want 304 and no body", again.StatusCode)
	}
	head := ask(t, "HEAD", "/", nil)
	if head.StatusCode != http.StatusOK || body(t, head) != "" || head.Header.Get("Content-Length") != first.Header.Get("Content-Length") {
		t.Error("HEAD differs from GET in more than the body")
	}
}

// The first load is the page with what it names. It stays below 130 kB as sent, and without the editor
// of answers and steps, which is as large again.
func TestFirstLoadIsSmall(t *testing.T) {
	t.Parallel()
	files, err := load(built)
	if err != nil {
		t.Fatal(err)
	}
	editor := map[string]bool{} // the scripts with its code, which has this name of a class
	for name, file := range files {
		if strings.HasSuffix(name, ".js") && bytes.Contains(file.plain, []byte("ProseMirror")) {
			editor[name] = true
		}
	}
	if len(editor) == 0 {
		t.Error("no script has the editor")
	}
	total := len(files["/index.html"].packed)
	for _, name := range asset.FindAllString(string(files["/index.html"].plain), -1) {
		total += sent(files[name])
		if editor[name] {
			t.Errorf("the first load has the editor: %s", name)
		}
	}
	if total < 50_000 || total > 130_000 {
		t.Errorf("the first load is %d bytes, want 50,000 to 130,000", total)
	}
}

func sent(f *file) int {
	if f.packed != nil {
		return len(f.packed)
	}
	return len(f.plain)
}

func TestTheMailFrameIsClosed(t *testing.T) {
	t.Parallel()
	response := ask(t, "GET", "/frame.html", nil)
	directives := response.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "sandbox allow-scripts", "frame-ancestors 'self'"} {
		if !strings.Contains(directives, want) {
			t.Errorf("the frame's policy %q lacks %q", directives, want)
		}
	}
	if strings.Contains(directives, "allow-same-origin") {
		t.Error("a mail must not run in the application's origin")
	}
	for _, name := range asset.FindAllString(body(t, response), -1) {
		if got := ask(t, "GET", name, nil).Header.Get("Access-Control-Allow-Origin"); got != "*" {
			t.Errorf("GET %s may not be read by the frame's opaque origin", name)
		}
	}
}

// The frame of a mail loads nothing of other servers until a person asks for its pictures, and
// pictures alone then.
func TestFramesOfMails(t *testing.T) {
	t.Parallel()
	for path, pictures := range map[string]bool{"/frame.html": false, "/frame-remote.html": true} {
		response := ask(t, "GET", path, nil)
		policy := response.Header.Get("Content-Security-Policy")
		if response.StatusCode != 200 || !strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "sandbox allow-scripts") {
			t.Errorf("GET %s = %s with policy %q", path, response.Status, policy)
		}
		for directive := range strings.SplitSeq(policy, ";") {
			may := pictures && strings.HasPrefix(strings.TrimSpace(directive), "img-src ")
			if strings.Contains(directive, "http") != may {
				t.Errorf("%s: %s", path, directive)
			}
		}
	}
}
