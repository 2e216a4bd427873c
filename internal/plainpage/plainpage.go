// Package plainpage holds what the pages outside the application have in common: those that
// prospects see and those that connect a mailbox. They run no scripts and load nothing but their
// own style sheet, which is part of their source.
package plainpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed page.css
var style string

// Parse returns the templates of source, with the style sheet in place of the word STYLE. The style
// sheet is part of the source, not a value, so that its bytes match the hash in the policy.
func Parse(source string) *template.Template {
	return template.Must(template.New("").Parse(strings.Replace(source, "STYLE", style, 1)))
}

// Policy returns the Content-Security-Policy of a page. It allows the style sheet and, in addition
// to it, the directives. A page has no base URL and must not be framed.
func Policy(directives ...string) string {
	sum := sha256.Sum256([]byte(style))
	all := append([]string{"default-src 'none'", "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}, directives...)
	return strings.Join(append(all, "base-uri 'none'", "frame-ancestors 'none'"), "; ")
}
