package rest

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"outreach"
)

// bulkInput is the input type whose elements are decoded one by one.
const bulkInput = "BulkProspectsInput"

const bulkList = "prospects"

// decodeBulk reads the body of a bulk request. Each element is decoded on its own: its faults,
// including unknown and repeated keys, are listed in the field unreadable, and the other elements
// stay valid.
func (d decoding) decodeBulk(body []byte) (map[string]any, outreach.Faults, error) {
	r := d.newReader(body, jsontext.AllowDuplicateNames(true))
	in := d.inputs[bulkInput]
	r.elements = &elements{input: d.inputs[in.fields[bulkList].Type.Elem.Name()], values: []any{}}
	object, err := r.document(in)
	if err != nil || object == nil {
		return object, r.faults, err
	}
	switch {
	case object[bulkList] == nil && len(r.faults) == 0:
		r.faults.Add(outreach.At(bulkList), outreach.FieldRequired, "%s is required.", bulkList)
	case len(r.elements.values) > outreach.MaxBulk:
		r.faults.Add(outreach.At(bulkList), outreach.FieldTooLong, "%s must have at most %d elements.", bulkList, outreach.MaxBulk)
	}
	if len(r.elements.unreadable) > 0 {
		object[unreadableField] = r.elements.unreadable
	}
	return object, r.faults, nil
}

// elements collects the elements of a bulk request.
type elements struct {
	input      *input
	values     []any
	unreadable []any // UnreadableInput
}

// element reads the next element. It skips elements beyond the limit, because the request is
// refused.
func (r *reader) element() error {
	raw, err := r.json.ReadValue()
	if err != nil || len(r.elements.values) > outreach.MaxBulk {
		return err
	}
	one := r.newReader(raw)
	one.root = "The element"
	one.base = r.base + r.json.InputOffset() - int64(len(raw))
	value, err := one.document(r.elements.input)
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		one.faults = refused.Fields
	} else if err != nil {
		return err
	}
	if len(one.faults) > 0 {
		value = map[string]any{}
	}
	for _, fault := range one.faults {
		r.elements.unreadable = append(r.elements.unreadable, map[string]any{
			"index": len(r.elements.values), "path": anyOf(fault.Path), "code": string(fault.Code), "detail": fault.Detail,
		})
	}
	r.elements.values = append(r.elements.values, value)
	return nil
}

func anyOf(path outreach.Path) []any {
	names := make([]any, len(path))
	for i, name := range path {
		names[i] = name
	}
	return names
}
