package rest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// params reads the query string of a call into the variables of its operation.
// A parameter that the call does not define, or one given twice, is refused.
func (e *endpoint) params(schema *ast.Schema, query string) (map[string]any, error) {
	variables := map[string]any{}
	if e.shape.list {
		variables["limit"] = outreach.DefaultLimit
	}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		name, value, err := e.cutPair(pair)
		if err != nil {
			return nil, err
		}
		if seen[name] {
			return nil, invalidParameter(name, "%s is given twice.", name)
		}
		seen[name] = true
		if variables[name], err = e.param(schema, name, value); err != nil {
			return nil, err
		}
	}
	return variables, nil
}

// cutPair unescapes name=value. A semicolon is not a separator (RFC 3986).
func (e *endpoint) cutPair(pair string) (name, value string, err error) {
	rawName, rawValue, _ := strings.Cut(pair, "=")
	if name, err = url.QueryUnescape(rawName); err != nil || !utf8.ValidString(name) {
		return "", "", invalidParameter(strings.ToValidUTF8(rawName, "\uFFFD"), "The name of a parameter is not readable.")
	}
	if value, err = url.QueryUnescape(rawValue); err != nil || !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return "", "", e.unreadable(name)
	}
	return name, value, nil
}

// unreadable returns the error for a value that is not valid text.
func (e *endpoint) unreadable(name string) error {
	if name == "cursor" && e.shape.list {
		return outreach.ErrMalformedCursor
	}
	return invalidParameter(name, "The value of %s is not readable.", name)
}

func (e *endpoint) param(schema *ast.Schema, name, value string) (any, error) {
	switch {
	case name == "limit" && e.shape.list:
		return limit(value)
	case name == "cursor" && e.shape.list && !e.shape.paged:
		return nil, errOnePage
	case name == "cursor" && e.shape.list && value == "":
		return nil, errCursorEmpty
	case name == "cursor" && e.shape.list:
		return value, nil // it is opened in graph
	}
	filter, ok := e.filters[name]
	if !ok {
		return nil, invalidParameter(name, "%s is not a parameter of this call.", name)
	}
	return filterValue(schema, filter.Name(), name, value)
}

var (
	errCursorEmpty = outreach.InvalidCursor("cursor is empty: leave it out for the first page.")
	errOnePage     = outreach.InvalidCursor("This list has one page: leave cursor out.")
)

// limit reads a decimal number from 1 to 100 without sign or leading zero.
func limit(value string) (any, error) {
	n, err := strconv.Atoi(value)
	if err != nil || strconv.Itoa(n) != value || n < 1 || n > outreach.MaxLimit {
		return nil, invalidParameter("limit", "limit must be an integer from 1 to %d.", outreach.MaxLimit)
	}
	return n, nil
}

// filterValue reads one filter by the GraphQL type of its variable.
func filterValue(schema *ast.Schema, kind, name, value string) (any, error) {
	if value == "" {
		return nil, invalidParameter(name, "%s must not be empty.", name)
	}
	switch kind {
	case "String":
		return value, nil
	case "UUID":
		if id, ok := parseUUID(value); ok {
			return id, nil
		}
		return nil, invalidParameter(name, "%s", outreach.NotUUID(name))
	case "Time":
		at, err := outreach.ParseInstant(value)
		if err != nil {
			return nil, invalidParameter(name, "%s must be an ISO 8601 date, or date-time with Z or an offset.", name)
		}
		return outreach.FormatInstant(at), nil
	case "Int":
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || strconv.FormatInt(n, 10) != value || n < 1 {
			return nil, invalidParameter(name, "%s must be an integer of at least 1.", name)
		}
		return int(n), nil
	case "Boolean":
		if value != "true" && value != "false" {
			return nil, invalidParameter(name, "%s must be true or false.", name)
		}
		return value == "true", nil
	}
	names := enumNames(schema.Types[kind])
	if !slices.Contains(names, value) {
		return nil, invalidParameter(name, "%s must be one of %s.", name, strings.Join(names, ", "))
	}
	return value, nil
}

func enumNames(enum *ast.Definition) (names []string) {
	for _, value := range enum.EnumValues {
		names = append(names, value.Name)
	}
	return names
}

func invalidParameter(name, format string, args ...any) error {
	err := outreach.Errorf(outreach.CodeInvalidParameter, format, args...)
	err.Fields = outreach.Faults{{Path: outreach.At(name), Code: outreach.CodeInvalidParameter, Detail: err.Message}}
	return err
}
