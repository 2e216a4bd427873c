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

// OpenAPI gives the OpenAPI 3.1 document in JSON, as it is served.
func OpenAPI() ([]byte, error) {
	text, err := yaml.YAMLToJSON(openAPIFile)
	if err != nil {
		return nil, fmt.Errorf("convert OpenAPI document: %w", err)
	}
	return text, nil
}

// documents are what is served to anyone: the OpenAPI document and its page.
type documents struct {
	json []byte
	page []byte
}

// theDocuments are made once a process: they are the same for every handler, and
// reading YAML takes a while.
var theDocuments = sync.OnceValues(newDocuments)

func newDocuments() (documents, error) {
	text, err := OpenAPI()
	if err != nil {
		return documents{}, err
	}
	page, err := renderDocs(openAPIFile)
	return documents{json: text, page: page}, err
}

// Where the two documents are.
const (
	openAPIPath = Base + "/openapi.json"
	docsPath    = "/docs"
)

// serve answers for the documents, false for every other path.
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

// serveDocument sends what only changes with the program, with an ETag.
func serveDocument(w http.ResponseWriter, r *http.Request, media string, text []byte) {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-cache")
	w.Header().Set("ETag", entityTag(text))
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}
