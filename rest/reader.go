package rest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
	"outreach/internal/nearest"
)

// reader converts the tokens of one JSON document into the values of a GraphQL input. Its methods
// return an error if reading cannot continue. Other faults are collected, and ok is false for a
// value that cannot be used: its field is left out, so that the rest of the document can still be
// checked.
type reader struct {
	decoding
	json     *jsontext.Decoder
	base     int64         // offset of the document in the body
	path     outreach.Path // of the value that is read
	root     string        // the name of the whole document in messages
	faults   outreach.Faults
	elements *elements // of a bulk request; nil in any other
}

func (r *reader) fault(code outreach.Code, format string, args ...any) {
	if len(r.faults) < outreach.MaxFaults {
		r.faults.Add(slices.Clone(r.path), code, format, args...)
	}
}

// name returns the name of the current value in messages.
func (r *reader) name() string {
	if len(r.path) == 0 {
		return r.root
	}
	return strings.ReplaceAll(r.path.String(), "\x00", "")
}

// mismatch records a value of the wrong type and skips it.
func (r *reader) mismatch(wanted string) (any, bool, error) {
	r.fault(outreach.FieldType, "%s must be %s.", r.name(), wanted)
	return nil, false, r.json.SkipValue()
}

// value reads the next value as one of type t.
func (r *reader) value(t *ast.Type) (value any, ok bool, err error) {
	if r.json.PeekKind() == 'n' {
		if t.NonNull {
			r.fault(outreach.FieldType, "%s must not be null.", r.name())
		}
		return nil, !t.NonNull, r.json.SkipValue()
	}
	if t.Elem != nil {
		return r.list(t.Elem)
	}
	definition := r.schema.Types[t.NamedType]
	switch definition.Kind {
	case ast.InputObject:
		return r.object(r.inputs[t.NamedType])
	case ast.Enum:
		return r.enum(definition)
	default:
		return r.scalar(t.NamedType)
	}
}

// object reads the fields of an input; nil is an input without fields.
func (r *reader) object(in *input) (any, bool, error) {
	if r.json.PeekKind() != '{' {
		return r.mismatch("an object")
	}
	if _, err := r.json.ReadToken(); err != nil {
		return nil, false, err
	}
	object, seen := map[string]any{}, map[string]bool{}
	for r.json.PeekKind() != '}' {
		if err := r.member(in, object, seen); err != nil {
			return nil, false, err
		}
	}
	if in != nil {
		r.requireFields(in, seen)
	}
	_, err := r.json.ReadToken()
	return object, true, err
}

// member reads one key with its value. A key that answers have and the input has not is read-only;
// an unknown or repeated key ends the reading.
func (r *reader) member(in *input, object map[string]any, seen map[string]bool) error {
	raw, err := r.json.ReadValue()
	if err != nil {
		return err
	}
	offset := r.base + r.json.InputOffset() - int64(len(raw))
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return err
	}
	key := string(unquoted)
	r.path = append(r.path, key)
	defer func() { r.path = r.path[:len(r.path)-1] }()
	if seen[key] {
		return invalidJSON(offset, slices.Clone(r.path), "the key appears twice")
	}
	seen[key] = true
	if in != nil && in.fields[key] != nil {
		field := in.fields[key]
		value, ok, err := r.value(field.Type)
		if ok {
			object[field.Name] = value
		}
		return err
	}
	if in != nil && in.readOnly[key] {
		r.fault(outreach.CodeReadOnlyField, "%s is read-only.", key)
		return r.json.SkipValue()
	}
	return invalidJSON(offset, slices.Clone(r.path), unknownKey(in, key))
}

// maxShownKey is how many bytes of an unknown key a message shows.
const maxShownKey = 100

// unknownKey returns the reason for which a key is refused, with the key of the input that was probably meant.
func unknownKey(in *input, key string) string {
	if in == nil {
		return fmt.Sprintf("%.*q is an unknown key: this call takes none", maxShownKey, key)
	}
	if name, ok := nearest.Name(slices.Sorted(maps.Keys(in.fields)), key); ok {
		return fmt.Sprintf("%q is an unknown key; the nearest name is %q", key, name)
	}
	return fmt.Sprintf("%.*q is an unknown key", maxShownKey, key)
}

func (r *reader) requireFields(in *input, seen map[string]bool) {
	for _, field := range in.definition.Fields {
		name := snakeCase(field.Name)
		if field.Type.NonNull && field.DefaultValue == nil && !seen[name] {
			r.faults.Add(r.path.Join(name), outreach.FieldRequired, "%s is required.", name)
		}
	}
}

// maxListed is how many elements of a list are kept while it is read, because they take many times the
// bytes of their text. All lists have smaller limits, except that of the mailboxes of a campaign.
const maxListed = 10_000

// list reads an array. If one element cannot be used, the whole list is left out, because the
// indexes of the others would change.
func (r *reader) list(element *ast.Type) (any, bool, error) {
	if r.json.PeekKind() != '[' {
		return r.mismatch("an array")
	}
	if _, err := r.json.ReadToken(); err != nil {
		return nil, false, err
	}
	values, complete := []any{}, true
	for i := 0; r.json.PeekKind() != ']'; i++ {
		if r.elements != nil {
			if err := r.element(); err != nil {
				return nil, false, err
			}
			continue
		}
		if i >= maxListed {
			if i == maxListed {
				r.fault(outreach.FieldTooLong, "%s must have at most %d elements.", r.name(), maxListed)
			}
			complete = false
			if err := r.json.SkipValue(); err != nil {
				return nil, false, err
			}
			continue
		}
		r.path = append(r.path, strconv.Itoa(i))
		value, ok, err := r.value(element)
		r.path = r.path[:len(r.path)-1]
		if err != nil {
			return nil, false, err
		}
		values, complete = append(values, value), complete && ok
	}
	if r.elements != nil {
		values = r.elements.values
	}
	_, err := r.json.ReadToken()
	return values, complete, err
}

func (r *reader) enum(definition *ast.Definition) (any, bool, error) {
	if r.json.PeekKind() != '"' {
		return r.mismatch("a string")
	}
	token, err := r.json.ReadToken()
	if err != nil {
		return nil, false, err
	}
	name, names := token.String(), enumNames(definition)
	if !slices.Contains(names, name) {
		r.fault(outreach.FieldInvalid, "%s must be one of %s.", r.name(), strings.Join(names, ", "))
		return nil, false, nil
	}
	return name, true, nil
}

// scalars maps each scalar type to the first characters of its JSON and its name.
var scalars = map[string]struct{ first, name string }{
	"String":       {`"`, "a string"},
	"UUID":         {`"`, "a string"},
	"Time":         {`"`, "a string"},
	"Int":          {"0", "an integer"},
	"Boolean":      {"tf", "true or false"},
	"CustomFields": {"{", "an object"},
}

func (r *reader) scalar(name string) (any, bool, error) {
	kind, known := scalars[name]
	if !known {
		return nil, false, fmt.Errorf("no rule to read a %s", name)
	}
	if !strings.ContainsRune(kind.first, rune(r.json.PeekKind())) {
		return r.mismatch(kind.name)
	}
	before := len(r.faults)
	value, err := r.free(false)
	if err != nil || len(r.faults) > before {
		return nil, false, err
	}
	switch name {
	case "UUID":
		return r.uuid(value.(string)), true, nil
	case "Time":
		return r.time(value.(string))
	case "Int":
		return r.integer(value.(float64))
	}
	return value, true, nil
}

// uuid returns an id in lower case, or the zero id, which no workspace has, for text that is not a
// UUID.
func (r *reader) uuid(text string) string {
	id, ok := parseUUID(text)
	if !ok {
		r.fault(outreach.CodeUnknownReference, "%s", outreach.NotUUID(r.name()))
		return uuid.Nil.String()
	}
	return id
}

// time reads an instant in any form that query parameters accept.
func (r *reader) time(text string) (any, bool, error) {
	if at, err := outreach.ParseInstant(text); err == nil {
		return outreach.FormatInstant(at), true, nil
	}
	r.fault(outreach.FieldInvalid, "%s must be an ISO 8601 date, or a date-time with Z or an offset.", r.name())
	return nil, false, nil
}

// integer accepts an integer in any notation.
func (r *reader) integer(number float64) (any, bool, error) {
	switch {
	case number != math.Trunc(number):
		r.fault(outreach.FieldType, "%s must be an integer.", r.name())
	case number < math.MinInt32 || number > math.MaxInt32:
		r.fault(outreach.FieldInvalid, "%s is out of range.", r.name())
	default:
		return int(number), true, nil
	}
	return nil, false, nil
}
