package mail

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of one template and of what it renders to, in bytes but for maxUses. A
// template has no loops, so time is linear in maxTemplate, maxRendered, maxWork, and
// maxUses times maxValue: what conditions read is not counted while they do.
const (
	maxTemplate = 256 << 10 // source of one field
	maxRendered = 1 << 20   // result of one field
	maxWork     = 2 << 20   // all that the filters of one field read and make
	maxValue    = 64 << 10  // one value that a filter reads or makes
	maxUses     = 1_000     // variables that one field reads, each as often as it stands there
)

// Templates is what the author of a step wrote: Liquid in three fields. An empty
// field renders to an empty field.
type Templates struct {
	Subject string
	HTML    string
	Text    string
}

// Rendered is the result for one prospect. Subject is a single line.
type Rendered struct {
	Subject string
	HTML    string
	Text    string
}

// TemplateError says what is wrong with a template, in words for its author.
type TemplateError struct {
	Field  string // subject, body_html or body_text
	Line   int    // from 1; 0 when the fault has no place
	Detail string
}

// Error names the field, the line and the fault.
func (e *TemplateError) Error() string {
	if e.Line == 0 {
		return e.Field + ": " + e.Detail
	}
	return fmt.Sprintf("%s, line %d: %s", e.Field, e.Line, e.Detail)
}

// MissingVariableError says that a template prints a variable for which the
// prospect has no value, and gives no fallback. The message must not be sent.
type MissingVariableError struct {
	Name  string // as written in the template, such as custom_fields.city
	Field string // subject, body_html or body_text
}

// Error names the variable and the field.
func (e *MissingVariableError) Error() string {
	return e.Field + ": " + e.Name + " has no value and no fallback"
}

// Render fills the three templates with vars: strings, numbers, booleans, and
// maps of those (custom_fields). Null and blank strings count as no value.
//
// Values are HTML-escaped in the HTML field and stand as they are in the other
// two; line breaks in the subject become spaces. A variable that is printed
// without a value, alone or as part of a filter chain or argument, is a
// *MissingVariableError, unless `default` gives a fallback (an explicitly empty
// one is allowed). A variable that is only tested, in if, unless or case, is not
// printed and may be missing. Every other fault is a *TemplateError.
//
// Loops, include and capture are refused, intermediate values are bounded: a
// hostile template costs milliseconds and a few megabytes, and reads no file.
func (r *Renderer) Render(tpl Templates, vars map[string]any) (Rendered, error) {
	var out Rendered
	known := present(vars)
	for _, f := range tpl.fields(&out) {
		if f.source == "" {
			continue
		}
		text, err := r.renderField(f, known)
		if err != nil {
			return Rendered{}, err
		}
		*f.target = text
	}
	out.Subject = oneLine(out.Subject)
	return out, nil
}

// Check reports whether the templates can be rendered at all: syntax, tags and
// filters. The first fault is returned as a *TemplateError. It says nothing
// about variables, which depend on the prospect.
func Check(tpl Templates) error {
	for _, f := range tpl.fields(new(Rendered)) {
		if _, err := compile(f); err != nil {
			return err
		}
	}
	return nil
}

// field is one template with its name and the way its values are printed.
type field struct {
	name   string
	source string
	html   bool
	target *string
}

func (t Templates) fields(out *Rendered) []field {
	return []field{
		{name: "subject", source: t.Subject, target: &out.Subject},
		{name: "body_html", source: t.HTML, html: true, target: &out.HTML},
		{name: "body_text", source: t.Text, target: &out.Text},
	}
}

// fault places an error of the template engine in its field. Engine panics
// arrive here too, so the words of unknown errors are not repeated.
func (f field) fault(line int, format string, args ...any) error {
	return &TemplateError{Field: f.name, Line: line, Detail: fmt.Sprintf(format, args...)}
}

// present copies vars without the entries that hold nothing, so that "unknown",
// null and blank are one case for conditions, fallbacks and the check for holes.
// The copy also keeps assign from writing into the caller's map.
func present(vars map[string]any) map[string]any {
	out := make(map[string]any, len(vars))
	for name, value := range vars {
		switch v := value.(type) {
		case map[string]any:
			out[name] = present(v)
		case map[string]string:
			inner := make(map[string]any, len(v))
			for k, s := range v {
				inner[k] = s
			}
			out[name] = present(inner)
		case *string:
			if v != nil && !blank(*v) {
				out[name] = *v
			}
		default:
			if !blank(value) {
				out[name] = value
			}
		}
	}
	return out
}

func blank(value any) bool {
	if value == nil {
		return true
	}
	s, ok := value.(string)
	return ok && strings.TrimSpace(s) == ""
}

// oneLine makes a text safe for a header: every run of white space and control
// characters becomes one space.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '\u00a0' || r == '\u2028' || r == '\u2029' || r == '\u0085' || isControl(r)
	}), " ")
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// errTooMuch stops a template that makes more text than a message may hold.
var errTooMuch = errors.New("the template makes too much text")
