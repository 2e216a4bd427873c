package sandbox

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
)

// pageHooks is how many webhooks the page shows; the JSON list has all.
const pageHooks = 200

//go:embed receiver.html
var pageText string

var pageTemplate = template.Must(template.New("receiver").Parse(pageText))

// list answers with all kept webhooks, newest last.
func (r *Receiver) list(w http.ResponseWriter, request *http.Request) {
	hooks := r.log.list()
	if hooks == nil {
		hooks = []ReceivedHook{}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(hooks); err != nil {
		r.config.Logger.DebugContext(request.Context(), "sandbox list not sent", slog.Any("error", err))
	}
}

// page shows the webhooks to people, newest first. It loads no other files.
func (r *Receiver) page(w http.ResponseWriter, request *http.Request) {
	hooks := r.log.list()
	total := len(hooks)
	hooks = hooks[max(0, total-pageHooks):]
	slices.Reverse(hooks)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	w.Header().Set("Cache-Control", "no-store")
	err := pageTemplate.Execute(w, map[string]any{"URL": r.URL(), "Total": total, "Hooks": hooks})
	if err != nil {
		r.config.Logger.DebugContext(request.Context(), "sandbox page not sent", slog.Any("error", err))
	}
}
