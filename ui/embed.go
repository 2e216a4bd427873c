// Package ui holds the built web application and serves it. It must not know data, sessions or
// other routes of the service.
package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed all:dist
var built embed.FS

// policy is the Content-Security-Policy of the application: nothing from other
// hosts, no inline script, no inline style.
const policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// framePolicy is that of the one page that shows the HTML of a mail. A mail has inline styles. The
// page has an opaque origin, runs no script of the mail and loads nothing.
const framePolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' " +
	"data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"

// remotePolicy is that of the same page once a person has asked for the pictures of a mail.
var remotePolicy = strings.Replace(framePolicy, "img-src 'self' data:", "img-src 'self' data: https: http:", 1)

// file is one built file, ready to be sent.
type file struct {
	plain, packed []byte // packed is nil where gzip gains nothing
	header        http.Header
	etag          string
}

// Handler serves the application: hashed files below /assets/ with a year of caching, 404 for any
// other file, which is a path with an ending (/robots.txt), and the page itself for every other
// path, so that a deep link opens. It answers GET and HEAD only. The service must route its other
// paths before this handler.
func Handler() http.Handler {
	files, err := load(built)
	if err != nil {
		panic(fmt.Sprintf("ui: the built application is damaged: %v", err)) // it is part of the binary
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		found, ok := files[r.URL.Path]
		if !ok && (strings.HasPrefix(r.URL.Path, "/assets/") || path.Ext(r.URL.Path) != "") {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			http.Error(w, "no such file", http.StatusNotFound)
			return
		}
		if !ok {
			found = files["/index.html"]
		}
		found.serve(w, r)
	})
}

// load reads and compresses every built file once, keyed by its path.
func load(from fs.FS) (map[string]*file, error) {
	files := map[string]*file{}
	err := fs.WalkDir(from, "dist", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		url := strings.TrimPrefix(name, "dist")
		files[url], err = newFile(url, content)
		return err
	})
	if frame := files["/frame.html"]; frame != nil {
		remote := *frame
		remote.header = frame.header.Clone()
		remote.header.Set("Content-Security-Policy", remotePolicy)
		remote.header.Set("Referrer-Policy", "no-referrer")
		files["/frame-remote.html"] = &remote
	}
	if err == nil && files["/index.html"] == nil {
		err = fs.ErrNotExist
	}
	return files, err
}

func newFile(url string, content []byte) (*file, error) {
	packed, err := pack(content)
	if err != nil {
		return nil, fmt.Errorf("compress %s: %w", url, err)
	}
	sum := sha256.Sum256(content)
	return &file{plain: content, packed: packed, header: headers(url), etag: hex.EncodeToString(sum[:8])}, nil
}

// pack returns nil if the packed form would not be smaller.
func pack(content []byte) ([]byte, error) {
	var buffer bytes.Buffer
	writer, err := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(content); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	if buffer.Len() >= len(content) {
		return nil, nil
	}
	return buffer.Bytes(), nil
}

func headers(url string) http.Header {
	header := http.Header{}
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Content-Type", mediaType(url))
	header.Set("Cache-Control", "no-cache")
	switch {
	case strings.HasPrefix(url, "/assets/"):
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
		if strings.HasPrefix(url, "/assets/frame-") {
			// The mail frame's origin is opaque, so its own files are from another origin.
			header.Set("Access-Control-Allow-Origin", "*")
		}
	case url == "/frame.html":
		header.Set("Content-Security-Policy", framePolicy)
	default:
		header.Set("Content-Security-Policy", policy)
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
	}
	return header
}

// mediaType does not use the machine's table for our own files, because machines differ.
func mediaType(url string) string {
	switch path.Ext(url) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	if known := mime.TypeByExtension(path.Ext(url)); known != "" {
		return known
	}
	return "application/octet-stream"
}

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	for name, values := range f.header {
		header[name] = values
	}
	content, etag := f.plain, `"`+f.etag+`"`
	if f.packed != nil {
		header.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Get("Accept-Encoding")) {
			content, etag = f.packed, `"`+f.etag+`-gzip"`
			header.Set("Content-Encoding", "gzip")
		}
	}
	header.Set("ETag", etag)
	if matches(r.Header.Get("If-None-Match"), etag) {
		header.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(content) // the client may have closed the connection
	}
}

// acceptsGzip reads Accept-Encoding (RFC 9110, section 12.5.3); a weight of zero
// is a refusal.
func acceptsGzip(accept string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if c := strings.TrimSpace(coding); strings.EqualFold(c, "gzip") || c == "*" {
			q := strings.TrimPrefix(strings.ReplaceAll(weight, " ", ""), "q=")
			value, err := strconv.ParseFloat(q, 64)
			return weight == "" || err != nil || value > 0
		}
	}
	return false
}

func matches(ifNoneMatch, etag string) bool {
	for part := range strings.SplitSeq(ifNoneMatch, ",") {
		if tag := strings.TrimPrefix(strings.TrimSpace(part), "W/"); tag == etag || tag == "*" {
			return true
		}
	}
	return false
}
