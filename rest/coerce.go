package rest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// coercer turns the tokens of one document into the values that GraphQL takes.
// Its methods return an error for what ends the reading and collect faults for
// what does not.
type coercer struct {
	decoding
	json       *jsontext.Decoder
	faults     outreach.Faults
	unreadable []any // UnreadableInput
}

// faultHere records what is wrong with what was read last. A deep place is long
// to write, so that it is only written when it is kept.
func (c *coercer) faultHere(code outreach.Code, detail string) {
	if len(c.faults) < outreach.MaxFaults {
		c.faults.Add(string(c.json.StackPointer()), code, "%s", detail)
	}
}

// value reads the next value as one of type t.
func (c *coercer) value(t *ast.Type, pointer string) (any, error) {
	if c.json.PeekKind() == 'n' {
		if _, err := c.json.ReadToken(); err != nil {
			return nil, err
		}
		if t.NonNull || pointer == "" {
			c.faults.Add(pointer, outreach.FieldType, "null cannot stand here.")
		}
		return nil, nil
	}
	if t.Elem != nil {
		return c.list(t.Elem, pointer)
	}
	definition := c.schema.Types[t.NamedType]
	switch {
	case definition == nil || definition.Kind == ast.InputObject:
		return c.object(definition, pointer)
	case definition.Kind == ast.Enum:
		return c.enum(definition, pointer)
	}
	return c.scalar(definition.Name, pointer)
}

// object reads the fields of an input; no definition stands for one without any.
func (c *coercer) object(definition *ast.Definition, pointer string) (any, error) {
	if c.json.PeekKind() != '{' {
		return nil, c.mismatch(pointer, "an object")
	}
	if _, err := c.json.ReadToken(); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for c.json.PeekKind() != '}' {
		if err := c.member(definition, pointer, object); err != nil {
			return nil, err
		}
	}
	if _, err := c.json.ReadToken(); err != nil {
		return nil, err
	}
	c.requireFields(definition, pointer, object)
	return object, nil
}

// member reads one key with its value. A key that the resource shows but does
// not take is read-only; one that nobody knows is refused with its place.
func (c *coercer) member(definition *ast.Definition, pointer string, object map[string]any) error {
	raw, err := c.json.ReadValue()
	if err != nil {
		return err
	}
	offset := c.json.InputOffset() - int64(len(raw))
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return err
	}
	key := string(unquoted)
	at := pointer + "/" + escaped(key)
	field := c.inputField(definition, key)
	switch {
	case field != nil:
		object[field.Name], err = c.value(field.Type, at)
		return err
	case c.shown[resourceOf(definition)][key]:
		c.faults.Add(at, outreach.CodeReadOnlyField, "%s is read-only.", key)
		return c.json.SkipValue()
	}
	return invalidJSON(offset, at, fmt.Sprintf("%q is no key of this object", key))
}

// escaped is for the keys of every element of a bulk request: few hold what a
// JSON pointer escapes.
func escaped(key string) string {
	if strings.ContainsAny(key, "~/") {
		return outreach.EscapePointer(key)
	}
	return key
}

// inputField finds a field by its REST name. What only the layer in between may
// say, unreadable, has none.
func (d decoding) inputField(definition *ast.Definition, key string) *ast.FieldDefinition {
	if definition == nil || key == "unreadable" {
		return nil
	}
	return d.inputs[definition.Name][key]
}

// inputFields gives the fields of every input by their REST names.
func inputFields(schema *ast.Schema) map[string]map[string]*ast.FieldDefinition {
	inputs := map[string]map[string]*ast.FieldDefinition{}
	for name, definition := range schema.Types {
		if definition.Kind != ast.InputObject {
			continue
		}
		inputs[name] = map[string]*ast.FieldDefinition{}
		for _, field := range definition.Fields {
			inputs[name][snakeCase(field.Name)] = field
		}
	}
	return inputs
}

// resourceOf names the type whose fields an input writes.
func resourceOf(definition *ast.Definition) string {
	if definition == nil {
		return ""
	}
	if definition.Name == "EnrollInput" {
		return "Enrollment"
	}
	return strings.TrimSuffix(definition.Name, "Input")
}

func (c *coercer) requireFields(definition *ast.Definition, pointer string, object map[string]any) {
	if definition == nil {
		return
	}
	for _, field := range definition.Fields {
		if _, given := object[field.Name]; !given && field.Type.NonNull && field.DefaultValue == nil {
			name := snakeCase(field.Name)
			c.faults.Add(pointer+"/"+name, outreach.FieldRequired, "%s is required.", name)
		}
	}
}

// bulkPointer is where the elements of a bulk request are; no other input has a
// list there.
const bulkPointer = "/prospects"

func (c *coercer) list(element *ast.Type, pointer string) (any, error) {
	if c.json.PeekKind() != '[' {
		return nil, c.mismatch(pointer, "an array")
	}
	if _, err := c.json.ReadToken(); err != nil {
		return nil, err
	}
	values := []any{}
	for c.json.PeekKind() != ']' {
		if pointer == bulkPointer && len(values) > outreach.MaxBulk { // refused already: read it only to its end
			if err := c.json.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		before := len(c.faults)
		value, err := c.value(element, fmt.Sprintf("%s/%d", pointer, len(values)))
		if err != nil {
			return nil, err
		}
		if pointer == bulkPointer && len(c.faults) > before {
			c.setAside(len(values), before)
			value = map[string]any{}
		}
		values = append(values, value)
	}
	_, err := c.json.ReadToken()
	return values, err
}

// setAside moves the faults of one bulk element to where they spoil only it,
// with pointers that begin at the element, as those of its later judges do.
func (c *coercer) setAside(index, from int) {
	element := fmt.Sprintf("%s/%d", bulkPointer, index)
	for _, fault := range c.faults[from:] {
		c.unreadable = append(c.unreadable, map[string]any{
			"index": index, "pointer": strings.TrimPrefix(fault.Pointer, element), "code": string(fault.Code), "detail": fault.Detail,
		})
	}
	c.faults = c.faults[:from]
}

// finishBulk says which elements could not be read, and refuses a request with
// none or too many.
func (c *coercer) finishBulk(object map[string]any) {
	prospects, _ := object["prospects"].([]any)
	switch {
	case object["prospects"] == nil && len(c.faults) == 0:
		c.faults.Add(bulkPointer, outreach.FieldRequired, "prospects is required.")
	case len(prospects) > outreach.MaxBulk:
		c.faults.Add(bulkPointer, outreach.FieldTooLong, "prospects holds at most %d elements.", outreach.MaxBulk)
	}
	if len(c.unreadable) > 0 {
		object["unreadable"] = c.unreadable
	}
}

func (c *coercer) enum(definition *ast.Definition, pointer string) (any, error) {
	if c.json.PeekKind() != '"' {
		return nil, c.mismatch(pointer, "a string")
	}
	token, err := c.json.ReadToken()
	if err != nil {
		return nil, err
	}
	name := token.String()
	if names := enumNames(definition); !slices.Contains(names, name) {
		c.faults.Add(pointer, outreach.FieldInvalid, "One of %s stands here.", strings.Join(names, ", "))
	}
	return name, nil
}

// kinds says what a scalar is in JSON: its first characters and its name.
var kinds = map[string]struct{ first, name string }{
	"String":       {`"`, "a string"},
	"UUID":         {`"`, "a string"},
	"Int":          {"0", "a whole number"},
	"Boolean":      {"tf", "true or false"},
	"CustomFields": {"{", "an object"},
}

func (c *coercer) scalar(name, pointer string) (any, error) {
	kind, known := kinds[name]
	if !known {
		return nil, fmt.Errorf("no rule to read a %s", name)
	}
	if !strings.ContainsRune(kind.first, rune(c.json.PeekKind())) {
		return nil, c.mismatch(pointer, kind.name)
	}
	value, err := c.free()
	if err != nil {
		return nil, err
	}
	switch name {
	case "UUID":
		id, ok := parseUUID(value.(string))
		if !ok {
			c.faults.Add(pointer, outreach.CodeUnknownReference, "There is nothing with this id in this workspace.")
		}
		return id, nil
	case "Int":
		return c.int32(value, pointer), nil
	}
	return value, nil
}

// int32 takes every number that is whole, however it is written.
func (c *coercer) int32(value any, pointer string) any {
	number, whole := value.(int64)
	if float, ok := value.(float64); ok {
		number, whole = int64(float), float == math.Trunc(float)
	}
	switch {
	case !whole:
		c.faults.Add(pointer, outreach.FieldType, "A whole number stands here.")
	case number < math.MinInt32 || number > math.MaxInt32:
		c.faults.Add(pointer, outreach.FieldInvalid, "The number is out of range.")
	}
	return int(number)
}

// mismatch records a value of the wrong type and passes over it.
func (c *coercer) mismatch(pointer, wanted string) error {
	if err := c.json.SkipValue(); err != nil {
		return err
	}
	c.faults.Add(pointer, outreach.FieldType, "%s stands here.", strings.ToUpper(wanted[:1])+wanted[1:])
	return nil
}

// snakeCase gives the REST name of a GraphQL field.
func snakeCase(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
