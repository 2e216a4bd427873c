package mail

import (
	"bytes"
	"context"
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

// printFilter is appended to every printed expression, assignFilter to every assigned one. Their
// names are in no list of filters, so a template cannot use them.
const (
	printFilter  = "outreach_print"
	assignFilter = "outreach_assign"
)

// machine renders one field, for one prospect at a time. It counts the work and knows which
// variables each printed expression reads.
type machine struct {
	field    field
	config   render.Config
	root     render.Node
	prints   []printed
	tags     int        // {{ }} and {% %} in the source
	lexemes  int        // in the expressions of the source
	uses     int        // variables that the source reads
	depth    int        // of conditions, while the source is prepared
	assigned []string   // the names that the source gives values to
	reads    []variable // of the whole source

	// The rest is of one rendering.
	ctx     context.Context //nolint:containedctx // the engine passes none to filters
	holes   holes
	vars    map[string]any
	missing []string
	failed  []bool // by print, in trial renderings
	work    int    // bytes that filters have read and made
	written int    // bytes printed
}

// holes selects what happens to a print without a value.
type holes int

const (
	stopAtHoles  holes = iota // rendering ends with a *MissingVariableError
	markHoles                 // prints the name of the variable in brackets
	recordFaults              // prints nothing and records the print in machine.failed; other faults are recorded too
)

// printed is one {{ … }} in the source.
type printed struct {
	words
	source        string
	line          int
	unconditional bool // it is outside of if, unless and case
}

// render renders the field once. The engine panics if an expression gets a value of the wrong
// kind.
func (m *machine) render(ctx context.Context, vars map[string]any, holes holes) (out string, err error) {
	m.ctx, m.holes, m.vars, m.missing, m.work, m.written = ctx, holes, vars, nil, 0, 0
	defer func() {
		m.ctx, m.vars = nil, nil
		if recover() != nil {
			out, err = "", m.field.fault(0, "an expression cannot be evaluated")
		}
	}()
	var buf bytes.Buffer
	if err := render.Render(m.root, &buf, vars, m.config); err != nil {
		return "", m.explain(err)
	}
	if buf.Len() > maxRendered {
		return "", m.field.fault(0, "%v", errTooMuch)
	}
	return buf.String(), nil
}

// explain finds our own errors inside those of the engine, which only quotes causes as text.
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
	if ended := m.ctx.Err(); ended != nil {
		return ended
	}
	return m.field.fault(err.LineNumber(), "%v", cause)
}

// print is the last step of every {{ … }}: it rejects missing values and escapes text in the HTML
// field.
func (m *machine) print(value any, index int) (any, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	p := m.prints[index]
	if value == nil || blank(value) && !p.fallback {
		return m.hole(index)
	}
	text, err := toText(value)
	if err != nil {
		return m.fault(index, err)
	}
	if m.field.html {
		text = html.EscapeString(text)
	}
	if m.written += len(text); m.written > maxRendered {
		return nil, errTooMuch
	}
	return text, nil
}

// hole handles a print without a value.
func (m *machine) hole(index int) (any, error) {
	name := m.blame(m.prints[index])
	switch m.holes {
	case markHoles:
		m.missing = append(m.missing, name)
		if name = "[" + name + "]"; m.field.html {
			name = html.EscapeString(name)
		}
		m.written += len(name)
		return name, nil
	case recordFaults:
		m.failed[index] = true
		return "", nil
	}
	return nil, &MissingVariableError{Name: name, Field: m.field.name}
}

// fault handles a print whose value has no text.
func (m *machine) fault(index int, err error) (any, error) {
	if m.holes == recordFaults {
		m.failed[index] = true
		return "", nil
	}
	return nil, err
}

// blame returns the variable of a print to name in an error: the first one without a value, else
// the first one.
func (m *machine) blame(p printed) string {
	for _, v := range p.variables {
		if lookup(m.vars, v.path) == nil {
			return v.text
		}
	}
	if len(p.variables) > 0 {
		return p.variables[0].text
	}
	return "an expression"
}

func lookup(vars map[string]any, path []string) any {
	var value any = vars
	for _, part := range path {
		inner, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = inner[part]
	}
	return value
}

// compile checks the source, appends printFilter to every printed expression and has the engine
// parse the result.
func compile(f field) (m *machine, err error) {
	defer func() {
		if recover() != nil {
			m, err = nil, f.fault(0, "the template cannot be parsed")
		}
	}()
	m = &machine{field: f, config: render.NewConfig()}
	tags.AddStandardTags(m.config)
	for name := range filters {
		m.config.AddFilter(name, func(value any, args ...any) (any, error) { return m.apply(name, value, args) })
	}
	m.config.AddFilter(printFilter, func(value any, index int) (any, error) { return m.print(value, index) })
	m.config.AddFilter(assignFilter, func(value any) (any, error) {
		if blank(value) {
			return nil, nil
		}
		return value, nil
	})
	source, err := m.prepare()
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

// enginePrefix is the prefix of the engine's error texts.
var enginePrefix = regexp.MustCompile(`^Liquid error( \(line \d+\))?: `)

// plainSyntax returns the engine's error text without its prefix and without the source that it
// repeats, which contains the markers of prepare.
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

// opening matches the start of a tag; the engine treats an unclosed tag as text.
var opening = regexp.MustCompile(`\{[{%]`)

// prepare rebuilds the source token by token.
func (m *machine) prepare() (string, error) {
	f := m.field
	if len(f.source) > maxTemplate {
		return "", f.fault(0, "the template is longer than %d KiB", maxTemplate>>10)
	}
	var out strings.Builder
	verbatim := "" // inside comment or raw: the tag that ends it
	for _, tok := range parser.Scan(f.source, parser.SourceLoc{LineNo: 1}, nil) {
		if tok.Type == parser.ObjTokenType || tok.Type == parser.TagTokenType {
			if m.tags++; m.tags > maxTags {
				return "", f.fault(tok.SourceLoc.LineNo, "the template has more than %d tags", maxTags)
			}
		}
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
			text, err := m.prepareObject(tok)
			if err != nil {
				return "", err
			}
			out.WriteString(text)
		case tok.Type == parser.TagTokenType:
			if tok.Name == "comment" || tok.Name == "raw" {
				verbatim = "end" + tok.Name
			}
			text, err := m.prepareTag(tok)
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

// scan reads one expression of a line and counts its words.
func (m *machine) scan(line int, args string) (words, error) {
	w, err := scanExpression(args)
	for i := range w.variables {
		w.variables[i].line = line
	}
	m.uses += len(w.variables)
	m.reads = append(m.reads, w.variables...)
	m.lexemes += w.lexemes
	switch {
	case err != nil:
	case m.uses > maxUses:
		err = fmt.Errorf("the template reads variables more than %d times", maxUses)
	case m.lexemes > maxLexemes:
		err = errors.New("the expressions of the template are too long")
	}
	return w, err
}

func (m *machine) prepareObject(tok parser.Token) (string, error) {
	f := m.field
	args := f.unescape(tok.Args)
	words, err := m.scan(tok.SourceLoc.LineNo, args)
	if err != nil {
		return "", f.fault(tok.SourceLoc.LineNo, "%v", err)
	}
	if _, err := expressions.Parse(args); err != nil {
		return "", f.fault(tok.SourceLoc.LineNo, "syntax error in {{ %s }}", args)
	}
	m.prints = append(m.prints,
		printed{words: words, source: strings.TrimSpace(args), line: tok.SourceLoc.LineNo, unconditional: m.depth == 0})
	left, right := trims(tok.Source)
	return fmt.Sprintf("{{%s (%s) | %s: %d %s}}", left, words.rewritten, printFilter, len(m.prints)-1, right), nil
}

// allowedTags contains no loops, and no tags that read files or print.
var allowedTags = map[string]bool{
	"if": true, "elsif": true, "else": true, "endif": true, "unless": true, "endunless": true,
	"case": true, "when": true, "endcase": true, "assign": true,
	"comment": true, "endcomment": true, "raw": true, "endraw": true,
}

func (m *machine) prepareTag(tok parser.Token) (string, error) {
	f, line := m.field, tok.SourceLoc.LineNo
	if !allowedTags[tok.Name] {
		return "", f.fault(line, "the tag %q is not available here", tok.Name)
	}
	switch tok.Name {
	case "if", "unless", "case":
		m.depth++
	case "endif", "endunless", "endcase":
		m.depth--
	}
	words, err := m.scan(line, f.unescape(tok.Args))
	if err != nil {
		return "", f.fault(line, "%v", err)
	}
	args := words.rewritten
	if name, value, ok := strings.Cut(args, "="); ok && tok.Name == "assign" {
		args = fmt.Sprintf("%s= (%s) | %s", name, value, assignFilter)
		m.assigned = append(m.assigned, strings.TrimSpace(name))
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
