package page

import "strconv"

// AppendNull appends null.
func AppendNull(dst []byte) []byte { return append(dst, "null"...) }

// AppendInt appends a number.
func AppendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// AppendString quotes s like gqlgen's generated code: it escapes only what JSON (RFC 8259)
// requires.
func AppendString(dst []byte, s string) []byte {
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

// AppendList appends a JSON array of values.
func AppendList[T any](dst []byte, values []T, write func(dst []byte, value T) []byte) []byte {
	return appendRange(dst, func(dst []byte, i int) []byte { return write(dst, values[i]) }, 0, len(values))
}

// appendRange appends a JSON array of the values from index from up to, but not including, until.
func appendRange(dst []byte, write appender, from, until int) []byte {
	dst = append(dst, '[')
	for i := from; i < until; i++ {
		if i > from {
			dst = append(dst, ',')
		}
		dst = write(dst, i)
	}
	return append(dst, ']')
}

func appendKey(dst []byte, i int, alias string) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	return append(AppendString(dst, alias), ':')
}

func appendText(dst []byte, s *string) []byte {
	if s == nil {
		return AppendNull(dst)
	}
	return AppendString(dst, *s)
}
