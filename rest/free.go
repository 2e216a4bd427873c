package rest

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"outreach"
)

// free reads a value of any type: nil, bool, string, int64 where the number is
// written as one and fits, else float64, map[string]any or []any. The nesting is
// bounded by jsontext; places are only worked out for faults, since a deep one is
// long.
func (c *coercer) free() (any, error) {
	token, err := c.json.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return c.text(token), nil
	case '0':
		return c.number(token.String()), nil
	case '{':
		return c.freeObject()
	case '[':
		return c.freeArray()
	}
	return nil, nil
}

func (c *coercer) freeObject() (any, error) {
	object := map[string]any{}
	for c.json.PeekKind() != '}' {
		token, err := c.json.ReadToken()
		if err != nil {
			return nil, err
		}
		key := c.text(token)
		if object[key], err = c.free(); err != nil {
			return nil, err
		}
	}
	_, err := c.json.ReadToken()
	return object, err
}

func (c *coercer) freeArray() (any, error) {
	array := []any{}
	for c.json.PeekKind() != ']' {
		value, err := c.free()
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := c.json.ReadToken()
	return array, err
}

// text refuses the one character that Postgres cannot keep.
func (c *coercer) text(token jsontext.Token) string {
	text := token.String()
	if strings.ContainsRune(text, 0) {
		c.faultHere(outreach.FieldInvalid, "A NUL character cannot be stored.")
	}
	return text
}

func (c *coercer) number(text string) any {
	if whole, err := strconv.ParseInt(text, 10, 64); err == nil {
		return whole
	}
	float, err := strconv.ParseFloat(text, 64)
	if err != nil {
		c.faultHere(outreach.FieldInvalid, "The number is out of range.")
		return 0.0
	}
	return float
}
