package mail

import (
	"errors"
	"fmt"
	"html"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/osteele/liquid/values"
	"github.com/osteele/tuesday"
)

// filter is a function after a |. Its value and arguments are never missing: apply rejects missing
// ones, so that a chain such as {{ first_name | append: "!" }} cannot hide a missing value.
type filter struct {
	args int // largest number of arguments
	need int // smallest number
	do   func(m *machine, value any, args []any) (any, error)
}

// filters are the standard Liquid filters that are useful for flat fields. Each takes time and
// space linear in its input and its result. apply counts both, because a small result may need
// much work.
var filters = map[string]filter{
	"default":        {1, 1, nil}, // see apply
	"append":         {1, 1, onText(func(s string, a []string) string { return s + a[0] })},
	"prepend":        {1, 1, onText(func(s string, a []string) string { return a[0] + s })},
	"upcase":         {0, 0, onText(func(s string, _ []string) string { return strings.ToUpper(s) })},
	"downcase":       {0, 0, onText(func(s string, _ []string) string { return strings.ToLower(s) })},
	"capitalize":     {0, 0, onText(func(s string, _ []string) string { return capitalize(s) })},
	"strip":          {0, 0, onText(func(s string, _ []string) string { return strings.TrimSpace(s) })},
	"lstrip":         {0, 0, onText(func(s string, _ []string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) })},
	"rstrip":         {0, 0, onText(func(s string, _ []string) string { return strings.TrimRightFunc(s, unicode.IsSpace) })},
	"strip_newlines": {0, 0, onText(func(s string, _ []string) string { return strings.NewReplacer("\r", "", "\n", "").Replace(s) })},
	"strip_html":     {0, 0, onText(func(s string, _ []string) string { return markup.ReplaceAllString(s, "") })},
	"remove":         {1, 1, onText(func(s string, a []string) string { return strings.ReplaceAll(s, a[0], "") })},
	"remove_first":   {1, 1, onText(func(s string, a []string) string { return strings.Replace(s, a[0], "", 1) })},
	"url_encode":     {0, 0, onText(func(s string, _ []string) string { return url.QueryEscape(s) })},
	"escape":         {0, 0, escape},
	"escape_once":    {0, 0, escape},
	"replace":        {2, 2, replace(-1)},
	"replace_first":  {2, 2, replace(1)},
	"truncate":       {2, 0, truncate},
	"truncatewords":  {2, 0, truncateWords},
	"slice":          {2, 1, slice},
	"split":          {1, 1, split},
	"join":           {1, 0, join},
	"first":          {0, 0, func(_ *machine, v any, _ []any) (any, error) { return element(v, false) }},
	"last":           {0, 0, func(_ *machine, v any, _ []any) (any, error) { return element(v, true) }},
	"size":           {0, 0, size},
	"date":           {1, 0, date},
	"plus":           {1, 1, arithmetic(func(a, b float64) float64 { return a + b })},
	"minus":          {1, 1, arithmetic(func(a, b float64) float64 { return a - b })},
	"times":          {1, 1, arithmetic(func(a, b float64) float64 { return a * b })},
	"divided_by":     {1, 1, arithmetic(func(a, b float64) float64 { return a / b })},
	"modulo":         {1, 1, arithmetic(math.Mod)},
	"round":          {1, 0, round},
	"floor":          {0, 0, rounded(math.Floor)},
	"ceil":           {0, 0, rounded(math.Ceil)},
	"abs":            {0, 0, rounded(math.Abs)},
}

var markup = regexp.MustCompile(`<[^>]*>`)

var errList = errors.New("a list cannot be printed; use join, first or last")

// apply runs one filter and counts what it reads and writes.
func (m *machine) apply(name string, value any, args []any) (any, error) {
	if err := m.ctx.Err(); err != nil {
		return nil, err
	}
	f := filters[name]
	if len(args) < f.need || len(args) > f.args {
		return nil, fmt.Errorf("%s has the wrong number of arguments", name)
	}
	if name == "default" {
		if blank(value) || value == false {
			return args[0], nil
		}
		return value, nil
	}
	if value == nil {
		return nil, nil
	}
	for _, arg := range args {
		if arg == nil {
			return nil, nil
		}
	}
	if err := m.count(value); err != nil {
		return nil, err
	}
	if err := m.count(args...); err != nil {
		return nil, err
	}
	out, err := f.do(m, value, args)
	if err != nil && m.holes == recordFaults {
		return nil, nil // the print has no value
	}
	if err != nil {
		return nil, err
	}
	return out, m.count(out)
}

// count adds the sizes of values to the work of this field.
func (m *machine) count(values ...any) error {
	for _, value := range values {
		size := 0
		switch v := value.(type) {
		case string:
			size = len(v)
		case []any:
			size = 32 * len(v)
		}
		if m.work += size; size > maxValue || m.work > maxWork {
			return errTooMuch
		}
	}
	return nil
}

// toText returns a value as text, numbers without exponents. It returns an error for a value
// without a plain text.
func toText(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return fmt.Sprint(v), nil
	case fmt.Stringer:
		return v.String(), nil
	}
	return "", errList
}

func onText(do func(string, []string) string) func(*machine, any, []any) (any, error) {
	return func(_ *machine, value any, args []any) (any, error) {
		texts := make([]string, len(args))
		for i, arg := range args {
			var err error
			if texts[i], err = toText(arg); err != nil {
				return nil, err
			}
		}
		s, err := toText(value)
		if err != nil {
			return nil, err
		}
		return do(s, texts), nil
	}
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// escape does nothing in the HTML field, where printing escapes anyway.
func escape(m *machine, value any, _ []any) (any, error) {
	s, err := toText(value)
	if err != nil || m.field.html {
		return s, err
	}
	return html.EscapeString(html.UnescapeString(s)), nil
}

// replace computes the size first: two in a row could otherwise square the length of a text.
func replace(n int) func(*machine, any, []any) (any, error) {
	return func(_ *machine, value any, args []any) (any, error) {
		s, err1 := toText(value)
		old, err2 := toText(args[0])
		with, err3 := toText(args[1])
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, err
		}
		if old == "" {
			return s, nil
		}
		if len(s)+strings.Count(s, old)*len(with) > maxWork {
			return nil, errTooMuch
		}
		return strings.Replace(s, old, with, n), nil
	}
}

func truncate(_ *machine, value any, args []any) (any, error) {
	s, n, end, err := cut(value, args, 50)
	runes := []rune(s)
	if err != nil || len(runes) <= n {
		return s, err
	}
	keep := max(0, n-utf8.RuneCountInString(end))
	return string(runes[:keep]) + end, nil
}

func truncateWords(_ *machine, value any, args []any) (any, error) {
	s, n, end, err := cut(value, args, 15)
	fields := strings.Fields(s)
	if err != nil || len(fields) <= n {
		return s, err
	}
	return strings.Join(fields[:max(n, 0)], " ") + end, nil
}

// cut reads the arguments that both truncations share.
func cut(value any, args []any, n int) (s string, length int, end string, err error) {
	length, end = n, "..."
	if s, err = toText(value); err != nil {
		return s, length, end, err
	}
	if len(args) > 0 {
		if length, err = toInt(args[0]); err != nil {
			return s, length, end, err
		}
	}
	if len(args) > 1 {
		end, err = toText(args[1])
	}
	return s, length, end, err
}

func slice(_ *machine, value any, args []any) (any, error) {
	s, err := toText(value)
	if err != nil {
		return nil, err
	}
	runes, length := []rune(s), 1
	start, err := toInt(args[0])
	if err == nil && len(args) > 1 {
		length, err = toInt(args[1])
	}
	if err != nil {
		return nil, err
	}
	if start < 0 {
		start += len(runes)
	}
	if start < 0 || start >= len(runes) || length <= 0 {
		return "", nil
	}
	return string(runes[start:min(len(runes), start+min(length, len(runes)))]), nil
}

func split(_ *machine, value any, args []any) (any, error) {
	s, err1 := toText(value)
	sep, err2 := toText(args[0])
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	parts := strings.Split(s, sep)
	if sep == " " {
		parts = strings.Fields(s)
	}
	list := make([]any, len(parts))
	for i, part := range parts {
		list[i] = part
	}
	return list, nil
}

func join(_ *machine, value any, args []any) (any, error) {
	list, ok := value.([]any)
	if !ok {
		return value, nil
	}
	sep := " "
	if len(args) > 0 {
		var err error
		if sep, err = toText(args[0]); err != nil {
			return nil, err
		}
	}
	if len(list)*len(sep) > maxWork {
		return nil, errTooMuch
	}
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i], _ = item.(string)
	}
	return strings.Join(parts, sep), nil
}

func element(value any, last bool) (any, error) {
	list, ok := value.([]any)
	switch {
	case !ok:
		return nil, errors.New("first and last need a list; use split before")
	case len(list) == 0:
		return nil, nil
	case last:
		return list[len(list)-1], nil
	}
	return list[0], nil
}

func size(_ *machine, value any, _ []any) (any, error) {
	if list, ok := value.([]any); ok {
		return len(list), nil
	}
	s, err := toText(value)
	return utf8.RuneCountInString(s), err
}

// dateWork is the work of reading one date, in bytes.
const dateWork = 2 << 10

// padded is a strftime width, which could ask for gigabytes of blanks.
var padded = regexp.MustCompile(`%[-_0^#:]*\d`)

// date formats a date. The current time is not available: a message that is composed again after a
// crash must be identical.
func date(m *machine, value any, args []any) (any, error) {
	if m.work += dateWork; m.work > maxWork { // dates are tried in many forms
		return nil, errTooMuch
	}
	s, err := toText(value)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(strings.TrimSpace(s), "now") {
		return nil, errors.New("the date of sending is not available here")
	}
	t, err := values.ParseDate(s)
	if err != nil {
		return nil, errors.New("the value is not a date")
	}
	format := "%Y-%m-%d"
	if len(args) > 0 {
		if format, err = toText(args[0]); err != nil {
			return nil, err
		}
	}
	if len(format) > 100 || padded.MatchString(format) {
		return nil, errors.New("the date format is not available here")
	}
	return tuesday.Strftime(format, t)
}
