package rest

import (
	_ "embed"
	"net/http"

	"github.com/goccy/go-yaml"
)

//go:embed openapi.yaml
var openAPIFile []byte

type document struct{ json []byte }

func newDocument(text []byte) (document, error) {
	converted, err := yaml.YAMLToJSON(text)
	return document{json: converted}, err
}

func (a *api) serveDocument(w http.ResponseWriter, r *http.Request) bool { return false }
