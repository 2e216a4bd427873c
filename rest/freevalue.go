package rest

import (
	"strconv"
	"strings"

	"outreach"
)

// maxFreeKeys is how many keys of custom fields are kept while they are read: enough for a patch that
// replaces all of them.
const maxFreeKeys = 10 * outreach.MaxCustomFields

// free reads a value of any type: nil, bool, string, float64, map[string]any or []any. A container
// within a container is refused later; it is read and checked, but its values are not kept, because
// they take many times the bytes of their text. jsontext limits the nesting.
func (r *reader) free(inside bool) (any, error) {
	token, err := r.json.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return r.text(token.String()), nil
	case '0':
		return r.number(token.String()), nil
	case '{':
		return r.freeObject(inside)
	case '[':
		return r.freeArray()
	}
	return nil, nil
}

func (r *reader) freeObject(inside bool) (any, error) {
	object := map[string]any{}
	for n := 0; r.json.PeekKind() != '}'; n++ {
		token, err := r.json.ReadToken()
		if err != nil {
			return nil, err
		}
		key := token.String()
		r.path = append(r.path, key)
		name := r.text(key)
		value, err := r.free(true)
		r.path = r.path[:len(r.path)-1]
		if err != nil {
			return nil, err
		}
		if !inside && n < maxFreeKeys {
			object[name] = value
		}
		if !inside && n == maxFreeKeys {
			r.fault(outreach.FieldTooLong, "%s must have at most %d keys.", r.name(), maxFreeKeys)
		}
	}
	_, err := r.json.ReadToken()
	return object, err
}

func (r *reader) freeArray() (any, error) {
	for i := 0; r.json.PeekKind() != ']'; i++ {
		r.path = append(r.path, strconv.Itoa(i))
		_, err := r.free(true)
		r.path = r.path[:len(r.path)-1]
		if err != nil {
			return nil, err
		}
	}
	_, err := r.json.ReadToken()
	return []any{}, err
}

// text adds a fault for a NUL character, which Postgres cannot store.
func (r *reader) text(text string) string {
	if strings.ContainsRune(text, 0) {
		r.fault(outreach.FieldInvalid, "%s must not contain a NUL character.", r.name())
	}
	return text
}

// number returns a number as a float64. It adds a fault if the float64 has another decimal value:
// the client would read back a different number than it sent.
func (r *reader) number(text string) float64 {
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		r.fault(outreach.FieldInvalid, "%s is out of range.", r.name())
		return 0
	}
	if decimalOf(text) != decimalOf(strconv.FormatFloat(number, 'e', -1, 64)) {
		r.fault(outreach.FieldInvalid, "%s has more digits than a 64-bit number keeps. Send it as a string.", r.name())
	}
	return number
}

// decimal is a decimal number: its digits without zeros at either end, and the power of ten of the
// last digit. Zero has no digits.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

func decimalOf(text string) decimal {
	text, negative := strings.CutPrefix(text, "-")
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	trimmed := strings.TrimRight(digits, "0")
	if trimmed == "" {
		return decimal{}
	}
	exponent, _ := strconv.Atoi(power) // a value too large for an int has failed to parse as a float64, or became 0
	return decimal{negative, trimmed, exponent - len(fraction) + len(digits) - len(trimmed)}
}
