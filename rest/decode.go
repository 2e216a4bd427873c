package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// decoding is the input for decoding a body.
type decoding struct {
	schema *ast.Schema
	inputs inputs
}

// decode reads one JSON document as a value of an input type, whose fields have their REST names;
// a nil type accepts an empty object. It returns the values it could read together with every
// fault of type or format. It returns CodeInvalidJSON for text that is not JSON, or has unknown or
// repeated keys.
func (d decoding) decode(body []byte, input *ast.Type) (map[string]any, outreach.Faults, error) {
	if input != nil && input.Name() == bulkInput {
		return d.decodeBulk(body)
	}
	r := d.newReader(body)
	if input == nil {
		object, err := r.document(nil)
		return object, r.faults, err
	}
	object, err := r.document(d.inputs[input.Name()])
	return object, r.faults, err
}

// document reads one object and requires that nothing follows it.
func (r *reader) document(input *input) (map[string]any, error) {
	value, ok, err := r.object(input)
	if err == nil {
		err = r.end()
	}
	if err != nil || !ok {
		return nil, r.syntaxError(err)
	}
	return value.(map[string]any), nil
}

// end returns an error if something follows the document.
func (r *reader) end() error {
	offset := r.json.InputOffset()
	_, err := r.json.ReadToken()
	switch {
	case err == nil:
		return invalidJSON(r.base+offset, nil, "something follows the end of the document")
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// syntaxError returns the position and reason of an error of jsontext.
func (r *reader) syntaxError(err error) error {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(syntax.Err, jsontext.ErrDuplicateName):
		return invalidJSON(r.base+syntax.ByteOffset, pathOf(syntax.JSONPointer), "the key appears twice")
	case ok:
		return invalidJSON(r.base+syntax.ByteOffset, pathOf(syntax.JSONPointer), syntax.Err.Error())
	case errors.Is(err, io.EOF):
		return invalidJSON(0, nil, "the body is empty")
	}
	return err
}

func invalidJSON(offset int64, path outreach.Path, reason string) error {
	detail := fmt.Sprintf("At byte %d: %s.", offset, strings.ToValidUTF8(reason, "\uFFFD"))
	return &outreach.Error{
		Code: outreach.CodeInvalidJSON, Message: detail,
		Fields: []outreach.FieldError{{Path: path, Code: outreach.CodeInvalidJSON, Detail: detail}},
	}
}

// pathOf returns the path of a JSON pointer from jsontext.
func pathOf(pointer jsontext.Pointer) (path outreach.Path) {
	for name := range jsontext.Pointer(strings.ToValidUTF8(string(pointer), "\uFFFD")).Tokens() {
		path = append(path, name)
	}
	return path
}

func (d decoding) newReader(body []byte, options ...jsontext.Options) *reader {
	return &reader{decoding: d, root: "The body", json: jsontext.NewDecoder(bytes.NewBuffer(body), options...)}
}
