package rest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vektah/gqlparser/v2/ast"

	"outreach"
)

// How large a body may be; a bulk request holds up to a thousand prospects.
const (
	maxBody     = 1 << 20
	maxBulkBody = 5 << 20
)

// maxDrained bounds what is read of a body that is too large anyway.
const maxDrained = 32 << 20

// bulkInput is the one input whose elements are judged each for itself.
const bulkInput = "BulkProspectsInput"

// noInput names the type, which the schema does not have, of an object without
// keys.
const noInput = "Empty"

// readBody decodes the body of a call into variables["input"] and gives its
// bytes. A call that takes no input takes no body or an empty object.
func (a *api) readBody(w http.ResponseWriter, r *http.Request, e *endpoint, variables map[string]any) ([]byte, error) {
	if r.Method != http.MethodPost && r.Method != http.MethodPatch {
		return nil, nil
	}
	body, err := rawBody(w, r, e.bodyLimit())
	switch {
	case err != nil:
		return nil, err
	case len(body) == 0 && e.input == nil:
		return nil, nil
	case len(body) == 0:
		return nil, invalidJSON(0, "", "the body is empty")
	}
	if err := checkMedia(r); err != nil {
		return nil, err
	}
	input, err := a.decoding.decode(body, e.input)
	if err == nil && e.input != nil {
		variables["input"] = input
	}
	return body, err
}

func (e *endpoint) bodyLimit() int64 {
	if e.input != nil && e.input.Name() == bulkInput {
		return maxBulkBody
	}
	return maxBody
}

func rawBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	tooLarge := outreach.Errorf(outreach.CodeTooLarge, "The body of this call has at most %d bytes.", limit)
	if r.ContentLength > limit {
		drain(r)
		return nil, tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		drain(r)
		return nil, tooLarge
	}
	if err != nil { // the client stopped in the middle
		return nil, invalidJSON(int64(len(body)), "", "the body ends before it is complete")
	}
	return body, nil
}

// drain reads what is left of a refused body and keeps none of it. A client that
// is still writing when the connection closes gets a reset for an answer; one
// that asked first (RFC 9110, section 10.1.1) has sent nothing yet.
func drain(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained)
	}
}

// checkMedia accepts JSON in UTF-8, for PATCH also as a merge patch (RFC 7396).
func checkMedia(r *http.Request) error {
	media, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	fits := media == "application/json" || media == "application/merge-patch+json" && r.Method == http.MethodPatch
	charset, given := parameters["charset"]
	encoding := r.Header.Get("Content-Encoding")
	if err != nil || !fits || given && !strings.EqualFold(charset, "utf-8") || encoding != "" && !strings.EqualFold(encoding, "identity") {
		return outreach.Errorf(outreach.CodeUnsupportedMedia, "Send the body as application/json in UTF-8, not encoded.")
	}
	return nil
}

// decoding holds what every body is read with.
type decoding struct {
	schema *ast.Schema
	shown  map[string]map[string]bool                 // the fields that REST shows, by type
	inputs map[string]map[string]*ast.FieldDefinition // those it takes, by input and REST name
}

// decode reads one JSON document as a value of an input type, whose fields are
// spelled as in REST. What is not JSON, or has unknown or repeated keys, is
// CodeInvalidJSON; values that do not fit are all named in one refusal. A nil
// type takes an empty object.
func (d decoding) decode(body []byte, input *ast.Type) (map[string]any, error) {
	c := &coercer{decoding: d, json: jsontext.NewDecoder(bytes.NewBuffer(body))}
	if input == nil {
		input = ast.NamedType(noInput, nil)
	}
	value, err := c.value(input, "")
	if err == nil {
		err = c.end()
	}
	if err != nil {
		return nil, syntaxError(err)
	}
	object, _ := value.(map[string]any)
	if object != nil && input.Name() == bulkInput {
		c.finishBulk(object)
	}
	return object, c.faults.Err()
}

// end refuses whatever follows the document.
func (c *coercer) end() error {
	offset := c.json.InputOffset()
	_, err := c.json.ReadToken()
	switch {
	case err == nil:
		return invalidJSON(offset, "", "something follows the end of the document")
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// syntaxError gives the place and the reason of what jsontext does not accept.
func syntaxError(err error) error {
	broken, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case ok && errors.Is(broken.Err, jsontext.ErrDuplicateName):
		return invalidJSON(broken.ByteOffset, string(broken.JSONPointer), "the key appears twice")
	case ok:
		return invalidJSON(broken.ByteOffset, string(broken.JSONPointer), broken.Err.Error())
	case errors.Is(err, io.EOF):
		return invalidJSON(0, "", "the body is empty")
	}
	return err
}

func invalidJSON(offset int64, pointer, reason string) error {
	detail := fmt.Sprintf("At byte %d: %s.", offset, strings.ToValidUTF8(reason, "\uFFFD"))
	pointer = strings.ToValidUTF8(pointer, "\uFFFD")
	return &outreach.Error{
		Code: outreach.CodeInvalidJSON, Message: detail,
		Fields: []outreach.FieldError{{Pointer: pointer, Code: outreach.CodeInvalidJSON, Detail: detail}},
	}
}
