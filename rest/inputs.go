package rest

import (
	"strings"
	"unicode"

	"github.com/vektah/gqlparser/v2/ast"
)

// inputs maps the names of input types to their descriptions.
type inputs map[string]*input

// input is an input type with its REST names.
type input struct {
	definition *ast.Definition
	fields     map[string]*ast.FieldDefinition // by REST name
	readOnly   map[string]bool                 // fields that answers have and the input has not, by REST name
}

// unreadableField is set by the decoder, never by a client.
const unreadableField = "unreadable"

// newInputs reads the input types of the schema. shown holds the fields that REST returns, by
// type.
func newInputs(schema *ast.Schema, shown map[string]map[string]bool) inputs {
	types := inputs{}
	for name, definition := range schema.Types {
		if definition.Kind != ast.InputObject {
			continue
		}
		one := &input{definition: definition, fields: map[string]*ast.FieldDefinition{}, readOnly: shown[strings.TrimSuffix(name, "Input")]}
		for _, field := range definition.Fields {
			if field.Name != unreadableField {
				one.fields[snakeCase(field.Name)] = field
			}
		}
		types[name] = one
	}
	types.readOnlyByMutation(schema, shown)
	return types
}

// readOnlyByMutation finds the resource of an input that is not named after it: the type that its
// mutation returns, or the first resource inside that type.
func (types inputs) readOnlyByMutation(schema *ast.Schema, shown map[string]map[string]bool) {
	for _, mutation := range schema.Mutation.Fields {
		argument := mutation.Arguments.ForName("input")
		if argument == nil || types[argument.Type.Name()].readOnly != nil {
			continue
		}
		if resource := shown[mutation.Type.Name()]; resource != nil {
			types[argument.Type.Name()].readOnly = resource
			continue
		}
		for _, field := range schema.Types[mutation.Type.Name()].Fields {
			if resource := shown[field.Type.Name()]; resource != nil {
				types[argument.Type.Name()].readOnly = resource
				break
			}
		}
	}
}

// snakeCase returns the REST name of a GraphQL field.
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
