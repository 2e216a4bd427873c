package rest

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"outreach"
)

//go:embed openapi.yaml
var openAPIFile []byte

// OpenAPI returns the served OpenAPI 3.1 document as JSON.
func OpenAPI() ([]byte, error) {
	text, err := yaml.YAMLToJSON(openAPIFile)
	if err != nil {
		return nil, fmt.Errorf("convert OpenAPI document: %w", err)
	}
	return text, nil
}

// documents are the public documents: the OpenAPI document and its page.
type documents struct {
	json []byte
	page []byte
}

// theDocuments is built once per process: the documents are the same for every handler, and
// parsing YAML is slow.
var theDocuments = sync.OnceValues(func() (d documents, err error) {
	if d.json, err = OpenAPI(); err != nil {
		return d, err
	}
	d.page, err = renderDocs(openAPIFile)
	return d, err
})

// The paths of the two documents.
const (
	openAPIPath = Base + "/openapi.json"
	docsPath    = "/docs"
)

// serve answers requests for the documents. It reports false for every other path.
func (d documents) serve(w http.ResponseWriter, r *http.Request, requestID string) bool {
	switch {
	case r.URL.Path != openAPIPath && r.URL.Path != docsPath:
		return false
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(outreach.Errorf(outreach.CodeMethodNotAllowed, "This path takes GET, HEAD."), requestID).write(w, r, false)
	case r.URL.Path == openAPIPath:
		serveDocument(w, r, "application/json", d.json)
	default:
		w.Header().Set("Content-Security-Policy", docsPolicy)
		serveDocument(w, r, "text/html; charset=utf-8", d.page)
	}
	return true
}

// serveDocument sends a document with an ETag. It changes only with the program.
func serveDocument(w http.ResponseWriter, r *http.Request, media string, text []byte) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", entityTag(text))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
