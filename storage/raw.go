package storage

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// rawRow reads the columns of one row in order from the bytes that Postgres sent. Scan finds the
// type of each target by reflection and allocates for each; here the texts of a row share one
// allocation and their pointers another. It is for lists of many rows. It stops at the first column
// that does not fit; err returns the error.
type rawRow struct {
	values [][]byte
	at     int
	texts  strings.Builder
	kept   []string
	err    error
}

// rawColumns reports whether the columns have the formats that rawRow reads: ids and times in
// binary. A pool behind a proxy may be set to text.
func rawColumns(row pgx.CollectableRow) bool {
	for _, column := range row.FieldDescriptions() {
		binaryType := column.DataTypeOID == pgtype.UUIDOID || column.DataTypeOID == pgtype.TimestamptzOID
		if binaryType && column.Format != pgx.BinaryFormatCode || column.DataTypeOID == pgtype.JSONBOID && column.Format != pgx.TextFormatCode {
			return false
		}
	}
	return true
}

// newRawRow returns a reader for rows with that many texts.
func newRawRow(row pgx.CollectableRow, texts int) *rawRow {
	r := &rawRow{values: row.RawValues(), kept: make([]string, 0, texts)}
	size := 0
	for _, value := range r.values {
		size += len(value)
	}
	r.texts.Grow(size)
	return r
}

func (r *rawRow) next() []byte {
	value := r.values[r.at]
	r.at++
	return value
}

// string reads a text; null is "".
func (r *rawRow) string() string {
	start := r.texts.Len()
	r.texts.Write(r.next()) // never beyond what newRawRow made room for
	return r.texts.String()[start:]
}

// text reads a nullable text.
func (r *rawRow) text() *string {
	if r.values[r.at] == nil {
		r.at++
		return nil
	}
	r.kept = append(r.kept, r.string())
	return &r.kept[len(r.kept)-1]
}

func (r *rawRow) id() (id uuid.UUID) {
	if value := r.next(); copy(id[:], value) != len(id) {
		r.fail("an id", value)
	}
	return id
}

func (r *rawRow) maybeID() *uuid.UUID {
	if r.values[r.at] == nil {
		r.at++
		return nil
	}
	id := r.id()
	return &id
}

// y2k is the epoch of Postgres' times, in microseconds since 1970.
const y2k = 946_684_800_000_000

func (r *rawRow) instant() time.Time {
	value := r.next()
	if len(value) != 8 {
		r.fail("an instant", value)
		return time.Time{}
	}
	return time.UnixMicro(int64(binary.BigEndian.Uint64(value)) + y2k).UTC()
}

func (r *rawRow) maybeInstant() *time.Time {
	if r.values[r.at] == nil {
		r.at++
		return nil
	}
	at := r.instant()
	return &at
}

// object reads a JSON object; null is empty.
func (r *rawRow) object() map[string]any {
	value := r.next()
	if out, ok := flatObject(value); ok {
		return out
	}
	out := map[string]any{}
	if err := json.Unmarshal(value, &out); err != nil {
		r.fail("an object", value)
	}
	return out
}

func (r *rawRow) fail(what string, value []byte) {
	if r.err == nil {
		r.err = fmt.Errorf("column %d: %d bytes are not %s", r.at, len(value), what)
	}
}

// flatObject reads an object as Postgres prints it ({"a": 1, "b": "x"}) if its values are plain:
// strings without escapes, numbers, booleans. It returns false for any other object; encoding/json
// then reads it.
func flatObject(text []byte) (map[string]any, bool) {
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, len(text) == 0
	}
	rest := string(text[1 : len(text)-1])
	out := make(map[string]any, strings.Count(rest, `": `))
	for rest != "" {
		var key string
		var value any
		var ok bool
		if key, rest, ok = plainString(rest); !ok || !strings.HasPrefix(rest, ": ") {
			return nil, false
		}
		if value, rest, ok = plainValue(rest[2:]); !ok {
			return nil, false
		}
		out[key] = value
		if after, more := strings.CutPrefix(rest, ", "); more && after != "" {
			rest = after
		} else if rest != "" {
			return nil, false
		}
	}
	return out, true
}

// plainString reads a quoted string without escapes.
func plainString(text string) (s, rest string, ok bool) {
	if text == "" || text[0] != '"' {
		return "", "", false
	}
	end := strings.IndexAny(text[1:], `"\`)
	if end < 0 || text[1+end] == '\\' {
		return "", "", false
	}
	return text[1 : 1+end], text[2+end:], true
}

func plainValue(text string) (value any, rest string, ok bool) {
	if strings.HasPrefix(text, `"`) {
		s, rest, ok := plainString(text)
		return s, rest, ok
	}
	end := strings.IndexByte(text, ',')
	if end < 0 {
		end = len(text)
	}
	switch word, rest := text[:end], text[end:]; word {
	case "true", "false":
		return word == "true", rest, true
	default:
		number, err := strconv.ParseFloat(word, 64)
		return number, rest, err == nil && strings.Trim(word, "0123456789.-") == ""
	}
}
