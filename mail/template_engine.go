package mail

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/osteele/liquid/expressions"
	"github.com/osteele/liquid/parser"
	"github.com/osteele/liquid/render"
	"github.com/osteele/liquid/tags"
)

// printFilter is put behind every printed expression. Its name is in no list of
// filters, so a template cannot use it.
const printFilter = "outreach_print"

// machine renders one field, for one prospect at a time: it counts what has been
// made and knows which variables each printed expression reads.
type machine struct {
	field   field
	config  render.Config
	root    render.Node
	prints  []printed
	vars    map[string]any
	uses    int // variables that the source reads
	work    int // bytes that filters have read and made
	written int // bytes printed
}

// printed is one {{ … }} of the source.
type printed struct {
	names    []string // the variables that it reads, in order
	fallback bool     // whether it has a default
}

// reset makes the machine ready for a prospect.
func (m *machine) reset(vars map[string]any) { m.vars, m.work, m.written = vars, 0, 0 }

func (r *Renderer) renderField(f field, vars map[string]any) (out string, err error) {
	m, err := r.take(f)
	if err != nil {
		return "", err
	}
	// The engine panics where an expression meets a value of the wrong kind. Such
	// a machine is not used again.
	defer func() {
		if recover() != nil {
			out, err = "", f.fault(0, "an expression cannot be evaluated")
		}
	}()
	out, err = m.render(vars)
	r.put(m)
	return out, err
}

func (m *machine) render(vars map[string]any) (string, error) {
	m.reset(vars)
	var buf bytes.Buffer
	if err := render.Render(m.root, &buf, vars, m.config); err != nil {
		return "", m.explain(err)
	}
	if buf.Len() > maxRendered {
		return "", m.field.fault(0, "%v", errTooMuch)
	}
	return buf.String(), nil
}

// explain finds our own errors inside those of the engine, which quotes causes
// as text only.
func (m *machine) explain(err render.Error) error {
	var cause error = err
	for range 10 {
		if filtered, ok := errors.AsType[expressions.FilterError](cause); ok {
			cause = filtered.Err
			break
		}
		inner, ok := cause.(interface{ Cause() error })
		if !ok || inner.Cause() == nil {
			break
		}
		cause = inner.Cause()
	}
	if missing, ok := errors.AsType[*MissingVariableError](cause); ok {
		return missing
	}
	return m.field.fault(err.LineNumber(), "%v", cause)
}

// print is the last step of every {{ … }}: nothing missing passes, and the HTML
// field gets escaped text.
func (m *machine) print(value any, index int) (any, error) {
	p := m.prints[index]
	if value == nil || blank(value) && !p.fallback {
		return nil, &MissingVariableError{Name: m.missing(p), Field: m.field.name}
	}
	text, err := toText(value)
	if err != nil {
		return nil, err
	}
	if m.field.html {
		text = html.EscapeString(text)
	}
	if m.written += len(text); m.written > maxRendered {
		return nil, errTooMuch
	}
	return text, nil
}

// missing names the variable to blame: the first of the expression that has no
// value, else the first one there is.
func (m *machine) missing(p printed) string {
	for _, name := range p.names {
		if lookup(m.vars, name) == nil {
			return name
		}
	}
	if len(p.names) > 0 {
		return p.names[0]
	}
	return "an expression"
}

func lookup(vars map[string]any, path string) any {
	var value any = vars
	for part := range strings.SplitSeq(path, ".") {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = inner[part]
	}
	return value
}

// compile checks the source against what templates may use, puts printFilter
// behind every printed expression and lets the engine parse the result.
func compile(f field) (m *machine, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, f.fault(0, "the template cannot be parsed")
		}
	}()
	f.target = nil // a machine outlives the rendering that it was made for
	m = &machine{field: f, config: render.NewConfig()}
	tags.AddStandardTags(m.config)
	for name := range filters {
		m.config.AddFilter(name, func(value any, args ...any) (any, error) { return m.apply(name, value, args) })
	}
	m.config.AddFilter(printFilter, func(value any, index int) (any, error) { return m.print(value, index) })
	source, err := m.prepare(f)
	if err != nil {
		return nil, err
	}
	root, perr := m.config.Compile(source, parser.SourceLoc{LineNo: 1})
	if perr != nil {
		return nil, f.fault(perr.LineNumber(), "%s", plainSyntax(perr))
	}
	m.root = root
	return m, nil
}

// enginePrefix is what the engine puts before its complaints.
var enginePrefix = regexp.MustCompile(`^Liquid error( \(line \d+\))?: `)

// plainSyntax gives the engine's complaint without its prefix and without the
// source that it repeats, which holds the marks that prepare made.
func plainSyntax(err parser.Error) string {
	text := enginePrefix.ReplaceAllString(err.Error(), "")
	if i := strings.Index(text, " in {%"); i > 0 {
		text = text[:i]
	}
	if i := strings.Index(text, " in \""); i > 0 {
		text = text[:i]
	}
	return text
}

// opening begins a tag; the engine takes one that is not closed for text.
var opening = regexp.MustCompile(`\{[{%]`)

// prepare rebuilds the source token by token.
func (m *machine) prepare(f field) (string, error) {
	if len(f.source) > maxTemplate {
		return "", f.fault(0, "the template is longer than %d KiB", maxTemplate>>10)
	}
	var out strings.Builder
	verbatim := "" // inside comment or raw: the tag that ends it
	for _, tok := range parser.Scan(f.source, parser.SourceLoc{LineNo: 1}, nil) {
		switch {
		case verbatim != "":
			if tok.Type == parser.TagTokenType && tok.Name == verbatim {
				verbatim = ""
			}
			out.WriteString(tok.Source)
		case tok.Type == parser.TextTokenType:
			if at := opening.FindStringIndex(tok.Source); at != nil {
				line := tok.SourceLoc.LineNo + strings.Count(tok.Source[:at[0]], "\n")
				return "", f.fault(line, "a {{ or {%% is not closed, or holds a line break")
			}
			out.WriteString(tok.Source)
		case tok.Type == parser.ObjTokenType:
			text, err := m.prepareObject(f, tok)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
		case tok.Type == parser.TagTokenType:
			if tok.Name == "comment" || tok.Name == "raw" {
				verbatim = "end" + tok.Name
			}
			text, err := m.prepareTag(f, tok)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
		}
	}
	if verbatim != "" {
		return "", f.fault(0, "%s is missing", verbatim)
	}
	return out.String(), nil
}

// scan reads one expression and counts the variables in it.
func (m *machine) scan(args string) (words, error) {
	w, err := scanExpression(args)
	if m.uses += len(w.names); err == nil && m.uses > maxUses {
		err = fmt.Errorf("the template reads variables more than %d times", maxUses)
	}
	return w, err
}

func (m *machine) prepareObject(f field, tok parser.Token) (string, error) {
	args := f.unescape(tok.Args)
	words, err := m.scan(args)
	if err != nil {
		return "", f.fault(tok.SourceLoc.LineNo, "%v", err)
	}
	if _, err := expressions.Parse(args); err != nil {
		return "", f.fault(tok.SourceLoc.LineNo, "syntax error in {{ %s }}", args)
	}
	m.prints = append(m.prints, printed(words))
	left, right := trims(tok.Source)
	return fmt.Sprintf("{{%s (%s) | %s: %d %s}}", left, args, printFilter, len(m.prints)-1, right), nil
}

// allowedTags have no loop, read no file and print nothing by themselves.
var allowedTags = map[string]bool{
	"if": true, "elsif": true, "else": true, "endif": true, "unless": true, "endunless": true,
	"case": true, "when": true, "endcase": true, "assign": true,
	"comment": true, "endcomment": true, "raw": true, "endraw": true,
}

func (m *machine) prepareTag(f field, tok parser.Token) (string, error) {
	line := tok.SourceLoc.LineNo
	if !allowedTags[tok.Name] {
		return "", f.fault(line, "the tag %q is not available here", tok.Name)
	}
	args := f.unescape(tok.Args)
	if _, err := m.scan(args); err != nil {
		return "", f.fault(line, "%v", err)
	}
	left, right := trims(tok.Source)
	return fmt.Sprintf("{%%%s %s %s %s%%}", left, tok.Name, args, right), nil
}

// unescape undoes what rich-text editors do to quotes and blanks inside tags.
func (f field) unescape(args string) string {
	if !f.html || !strings.Contains(args, "&") && !strings.Contains(args, "\u00a0") {
		return args
	}
	text := strings.ReplaceAll(html.UnescapeString(args), "\u00a0", " ")
	if strings.Contains(text, "}}") || strings.Contains(text, "%}") {
		return args
	}
	return text
}

func trims(source string) (left, right string) {
	if source[2] == '-' {
		left = "-"
	}
	if source[len(source)-3] == '-' {
		right = "-"
	}
	return left, right
}
