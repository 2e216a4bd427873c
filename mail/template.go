package mail

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// The limits of one template and of its result: the first four in bytes, the others in numbers. A
// template has no loops, so compiling takes time linear in maxTemplate, maxTags and maxLexemes.
// Rendering takes time linear in maxRendered, maxWork, and maxUses times maxValue, because reads
// of conditions are not counted.
const (
	maxTemplate = 256 << 10 // source of one field
	maxRendered = 1 << 20   // result of one field
	maxWork     = 2 << 20   // everything that the filters of one field read and write
	maxValue    = 64 << 10  // one value that a filter reads or writes
	maxUses     = 1_000     // uses of variables in one field
	maxTags     = 2_000     // {{ }} and {% %} in one field
	maxLexemes  = 20_000    // words, values and signs in the tags of one field
)

// Templates are the Liquid templates of a step in three fields. An empty field renders as empty.
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

// TemplateError describes a fault of a template, in words for its author.
type TemplateError struct {
	Field  string // subject, body_html or body_text
	Line   int    // from 1; 0 if the fault has no position
	Detail string
}

// Error names the field, the line and the fault.
func (e *TemplateError) Error() string {
	if e.Line == 0 {
		return e.Field + ": " + e.Detail
	}
	return fmt.Sprintf("%s, line %d: %s", e.Field, e.Line, e.Detail)
}

// MissingVariableError reports that a template prints a variable without a value and without a
// fallback. The message must not be sent.
type MissingVariableError struct {
	Name  string // as written in the template, such as custom_fields.city
	Field string // subject, body_html or body_text
}

// Error names the variable and the field.
func (e *MissingVariableError) Error() string {
	return e.Field + ": " + e.Name + " has no value and no fallback"
}

// Render fills the three templates with vars: strings, numbers, booleans, and
// maps of those (custom_fields). Null and blank strings count as no value: they are
// false, equal to "", and neither less nor greater than anything.
//
// Values are HTML-escaped in the HTML field and stand as they are in the other
// two; line breaks in the subject become spaces. A variable that is printed
// without a value, alone or as part of a filter chain or argument, is a
// *MissingVariableError, unless `default` gives a fallback (an explicitly empty
// one is allowed). A variable that is only tested, in if, unless or case, is not
// printed and may be missing. Every other fault is a *TemplateError.
//
// Loops, include and capture are refused, intermediate values are bounded: a
// hostile template costs milliseconds and a few megabytes, and reads no file. When
// ctx ends, so does the rendering, with its error.
func (c *Compiled) Render(ctx context.Context, vars map[string]any) (Rendered, error) {
	rendered, _, err := c.run(ctx, vars, stopAtHoles)
	return rendered, err
}

// RenderWithHoles is Render, except that a variable without a value is printed as
// its name in brackets. It returns the names of those variables, each once, in the
// order in which they are met.
func (c *Compiled) RenderWithHoles(ctx context.Context, vars map[string]any) (Rendered, []string, error) {
	return c.run(ctx, vars, markHoles)
}

func (c *Compiled) run(ctx context.Context, vars map[string]any, holes holes) (Rendered, []string, error) {
	var out Rendered
	var missing []string
	known := present(vars)
	for i, target := range []*string{&out.Subject, &out.HTML, &out.Text} {
		m := c.fields[i]
		if m == nil {
			continue
		}
		own := known
		if len(m.assigned) > 0 {
			own = present(vars) // which assign writes into
		}
		text, err := m.render(ctx, own, holes)
		if err != nil {
			return Rendered{}, nil, err
		}
		*target = text
		for _, name := range m.missing {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
		}
	}
	out.Subject = oneLine(out.Subject)
	return out, missing, nil
}

// Compiled holds the templates of a step, ready to be rendered for one prospect after the other.
// It is not safe for concurrent use.
type Compiled struct {
	templates Templates
	fields    [3]*machine // nil for an empty field
	cost      int         // in bytes, roughly
}

// Compile compiles templates. It returns a *TemplateError for a fault in them.
func Compile(tpl Templates) (*Compiled, error) {
	c := &Compiled{templates: tpl}
	for i, f := range tpl.fields() {
		if f.source == "" {
			continue
		}
		m, err := compile(f)
		if err != nil {
			return nil, err
		}
		c.fields[i] = m
		c.cost += len(f.source) + m.tags*tagCost
	}
	return c, nil
}

// tagCost is roughly the size of a compiled tag, in bytes.
const tagCost = 1 << 10

// Of reports whether c was compiled from these templates.
func (c *Compiled) Of(tpl Templates) bool { return c != nil && c.templates == tpl }

// field is one template with its name and the way its values are printed.
type field struct {
	name   string
	source string
	html   bool
}

func (t Templates) fields() [3]field {
	return [3]field{
		{name: "subject", source: t.Subject},
		{name: "body_html", source: t.HTML, html: true},
		{name: "body_text", source: t.Text},
	}
}

// fault returns a *TemplateError for an error of the template engine. Engine panics arrive here
// too, so the text of unknown errors is not shown.
func (f field) fault(line int, format string, args ...any) error {
	return &TemplateError{Field: f.name, Line: line, Detail: fmt.Sprintf(format, args...)}
}

// present returns a copy of vars without unknown, null and blank entries, so that conditions,
// fallbacks and the check for missing values treat them alike.
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

// errTooMuch stops a template that produces more text than a message may have.
var errTooMuch = errors.New("the template produces too much text")
