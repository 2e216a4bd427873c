// Package scalar prints and reads the scalars of the schema in the format of REST, so that a
// GraphQL answer can be a REST body unchanged. It must not know resolvers or storage.
package scalar

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
)

// The error of an unreadable value is for the client.
var (
	errUUID   = outreach.Errorf(outreach.CodeInvalidParameter, "%s", outreach.NotUUID("An id"))
	errTime   = outreach.Errorf(outreach.CodeInvalidParameter, "A time must be an ISO 8601 date, or a date-time with Z or an offset.")
	errObject = outreach.Errorf(outreach.CodeInvalidParameter, "custom_fields must be an object.")
)

// MarshalUUID prints an id in its usual lower-case form.
func MarshalUUID(id uuid.UUID) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { w.Write(AppendUUID(nil, id)) })
}

// UnmarshalUUID reads an id in its usual form of 36 characters.
func UnmarshalUUID(v any) (uuid.UUID, error) {
	text, ok := v.(string)
	if !ok || len(text) != 36 {
		return uuid.Nil, errUUID
	}
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil, errUUID
	}
	return id, nil
}

// AppendUUID appends the JSON string of id to dst.
func AppendUUID(dst []byte, id uuid.UUID) []byte {
	var text [38]byte
	text[0], text[37] = '"', '"'
	const digits = "0123456789abcdef"
	at := 1
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			text[at] = '-'
			at++
		}
		text[at], text[at+1] = digits[b>>4], digits[b&15]
		at += 2
	}
	return append(dst, text[:]...)
}

// MarshalTime prints an instant with six fraction digits and +00:00.
func MarshalTime(t time.Time) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { w.Write(AppendTime(nil, t)) })
}

// UnmarshalTime reads any ISO 8601 date or date-time that the service accepts.
func UnmarshalTime(v any) (time.Time, error) {
	text, ok := v.(string)
	if !ok {
		return time.Time{}, errTime
	}
	at, err := outreach.ParseInstant(text)
	if err != nil {
		return at, errTime
	}
	return at, nil
}

// AppendTime appends the JSON string of t to dst.
func AppendTime(dst []byte, t time.Time) []byte {
	dst = append(dst, '"')
	dst = outreach.AppendInstant(dst, t)
	return append(dst, '"')
}

// MarshalObject prints a JSON object with its keys in order.
func MarshalObject(object map[string]any) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { w.Write(AppendObject(nil, object)) })
}

// UnmarshalObject reads a JSON object.
func UnmarshalObject(v any) (map[string]any, error) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, errObject
	}
	return object, nil
}

// AppendObject appends the JSON of object to dst, with its keys in order, as encoding/json prints
// it. A nil object is written as an empty one.
func AppendObject(dst []byte, object map[string]any) []byte {
	if len(object) == 0 {
		return append(dst, '{', '}')
	}
	keys := make([]string, 0, 8)
	for key := range object {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	open := byte('{')
	for _, key := range keys {
		dst = append(dst, open)
		open = ','
		dst = append(appendText(dst, key), ':')
		dst = appendValue(dst, object[key])
	}
	return append(dst, '}')
}

// appendValue prints the usual values itself and leaves the others, such as numbers with a
// fraction, to encoding/json.
func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendText(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case float64:
		if whole := int64(v); v == float64(whole) && max(v, -v) < 1e15 && (v != 0 || !math.Signbit(v)) {
			return strconv.AppendInt(dst, whole, 10)
		}
	}
	return appendAny(dst, value)
}

// appendText quotes a string that needs no escape.
func appendText(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			return appendAny(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

func appendAny(dst []byte, value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return append(dst, "null"...) // only for values that JSON cannot hold, which no field can have
	}
	return append(dst, text...)
}
