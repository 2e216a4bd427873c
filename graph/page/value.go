package page

import (
	"strconv"
	"time"

	"github.com/google/uuid"

	"outreach/graph/scalar"
)

func appendKey(dst []byte, i int, alias string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(appendString(dst, alias), ':')
}

// appendString quotes s as the generated code does: only what JSON (RFC 8259)
// demands is escaped.
func appendString(dst []byte, s string) []byte {
	const digits = "0123456789ABCDEF"
	dst = append(dst, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\\', '"':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendText(dst []byte, s *string) []byte {
	if s == nil {
		return append(dst, "null"...)
	}
	return appendString(dst, *s)
}

func appendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

func appendStrings[S ~string](dst []byte, list []S) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, string(s))
	}
	return append(dst, ']')
}

// The functions below turn a way of reading a field into a way of writing it.

func text[T any](get func(*T) *string) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return appendText(dst, get(row)) }
}

func str[T any, S ~string](get func(*T) S) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return appendString(dst, string(get(row))) }
}

func enum[T any, S ~string](get func(*T) *S) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte {
		if v := get(row); v != nil {
			return appendString(dst, string(*v))
		}
		return append(dst, "null"...)
	}
}

func list[T any, S ~string](get func(*T) []S) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return appendStrings(dst, get(row)) }
}

func id[T any](get func(*T) uuid.UUID) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return scalar.AppendUUID(dst, get(row)) }
}

func maybeID[T any](get func(*T) *uuid.UUID) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte {
		if v := get(row); v != nil {
			return scalar.AppendUUID(dst, *v)
		}
		return append(dst, "null"...)
	}
}

func instant[T any](get func(*T) time.Time) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return scalar.AppendTime(dst, get(row)) }
}

func maybeInstant[T any](get func(*T) *time.Time) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte {
		if v := get(row); v != nil {
			return scalar.AppendTime(dst, *v)
		}
		return append(dst, "null"...)
	}
}

func number[T any](get func(*T) int) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return appendInt(dst, get(row)) }
}

func maybeNumber[T any](get func(*T) *int) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte {
		if v := get(row); v != nil {
			return appendInt(dst, *v)
		}
		return append(dst, "null"...)
	}
}

func boolean[T any](get func(*T) bool) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return strconv.AppendBool(dst, get(row)) }
}

func fields[T any](get func(*T) map[string]any) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte { return scalar.AppendObject(dst, get(row)) }
}

func ids[T any](get func(*T) []uuid.UUID) func([]byte, *T) []byte {
	return func(dst []byte, row *T) []byte {
		dst = append(dst, '[')
		for i, v := range get(row) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = scalar.AppendUUID(dst, v)
		}
		return append(dst, ']')
	}
}
