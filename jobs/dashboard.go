package jobs

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/hibiken/asynq"
	"github.com/hibiken/asynqmon"
)

// DashboardPath is where the dashboard must be mounted, including all paths below it.
const DashboardPath = "/ops/queues"

// Board is the asynq dashboard. It allows every action on the queue: the caller that mounts it
// must check the user.
type Board struct {
	inner *asynqmon.HTTPHandler
	guard http.Handler
}

// Dashboard returns the dashboard for one Redis. Its page comes with inline scripts and with fonts
// from another host. It is served with a nonce on each script and without those fonts, under a
// policy that allows nothing from other hosts. It refuses writes that a page of another origin
// causes. The caller closes it.
func Dashboard(options asynq.RedisConnOpt) *Board {
	inner := asynqmon.New(asynqmon.Options{RootPath: DashboardPath, RedisConnOpt: options})
	b := &Board{inner: inner}
	b.guard = http.NewCrossOriginProtection().Handler(http.HandlerFunc(b.serve))
	return b
}

// ServeHTTP serves everything below DashboardPath.
func (b *Board) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.guard.ServeHTTP(w, r) }

// Close closes the connections to Redis.
func (b *Board) Close() error { return b.inner.Close() }

func (b *Board) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Referrer-Policy", "no-referrer")
	if !isAsset(r.URL.Path) {
		header.Set("Cache-Control", "no-store")
	}
	if isAsset(r.URL.Path) || strings.HasPrefix(r.URL.Path, DashboardPath+"/api/") {
		header.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		b.inner.ServeHTTP(w, r)
		return
	}
	b.servePage(w, r)
}

func isAsset(path string) bool {
	rest := strings.TrimPrefix(path, DashboardPath)
	return strings.HasPrefix(rest, "/static/") || strings.Count(rest, "/") == 1 && strings.Contains(rest, ".")
}

// servePage rewrites the single page, which the application shows at each of its addresses.
func (b *Board) servePage(w http.ResponseWriter, r *http.Request) {
	page := &capture{header: http.Header{}, status: http.StatusOK}
	b.inner.ServeHTTP(page, r)
	nonce := newNonce()
	body := rewrite(page.body.Bytes(), nonce)
	w.Header().Set("Content-Security-Policy", pagePolicy(nonce))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(page.status)
	_, _ = w.Write(body)
}

// pagePolicy allows the page's own files, the scripts and styles that carry the
// nonce, and calls to its own API.
func pagePolicy(nonce string) string {
	return "default-src 'none'; script-src 'self' 'nonce-" + nonce + "'; style-src 'self' 'nonce-" + nonce + "'; " +
		"img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func newNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	return base64.RawURLEncoding.EncodeToString(b[:])
}

var foreignLink = regexp.MustCompile(`<link[^>]*href="https?://[^>]*>`)

// rewrite removes what comes from other hosts and marks the inline scripts. The meta tag contains
// the nonce for styles that the page's style library creates at run time. Browsers fetch a
// manifest without cookies unless the link asks for them, and without the session it would be
// refused.
func rewrite(page []byte, nonce string) []byte {
	page = foreignLink.ReplaceAll(page, nil)
	page = bytes.ReplaceAll(page, []byte(`rel="manifest"`), []byte(`rel="manifest" crossorigin="use-credentials"`))
	page = bytes.ReplaceAll(page, []byte("<script>"), []byte(`<script nonce="`+nonce+`">`))
	return bytes.Replace(page, []byte("<head>"), []byte(`<head><meta property="csp-nonce" content="`+nonce+`"/>`), 1)
}

// capture holds a response back until it is rewritten.
type capture struct {
	header http.Header
	body   bytes.Buffer
	status int
}

func (c *capture) Header() http.Header         { return c.header }
func (c *capture) Write(b []byte) (int, error) { return c.body.Write(b) }
func (c *capture) WriteHeader(status int)      { c.status = status }
