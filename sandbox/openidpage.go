package sandbox

import (
	_ "embed"
	"html/template"
	"net/http"
)

//go:embed openid.html
var openIDSource string

var openIDPages = template.Must(template.New("").Parse(openIDSource))

func showOpenID(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = openIDPages.ExecuteTemplate(w, name, data) // the visitor may have closed the connection
}
