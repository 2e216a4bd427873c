package page

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Scope is what a cursor is bound to: the list, the workspace and the filters. A cursor can only
// be opened in its scope.
type Scope struct {
	List      string
	Workspace uuid.UUID
	Filter    any // a filter of the root package
}

// Cursors seals the position at which a page ended. A cursor is opaque and authenticated
// (docs/reference.md#lists): 24 bytes of key, 16 of HMAC-SHA256.
type Cursors struct{ Keys *outreach.Keyring }

const (
	keyLength = 24
	tagLength = 16
)

// errScope is for a cursor whose tag does not fit. The tag covers key and scope together, so it does not show which
// of them differs.
var errScope = outreach.InvalidCursor(
	"cursor was changed, or belongs to another list or to other filters: send it as its page had it, or begin without it.")

// Seal returns the cursor of key in scope.
func (c Cursors) Seal(scope Scope, key outreach.Key) string {
	return c.seal(scope, key.At.UnixMicro(), key.ID)
}

// SealOffset returns a cursor that holds an offset, for the list built in memory.
func (c Cursors) SealOffset(scope Scope, offset int) string {
	return c.seal(scope, int64(offset), uuid.Nil)
}

func (c Cursors) seal(scope Scope, at int64, id uuid.UUID) string {
	raw := binary.BigEndian.AppendUint64(make([]byte, 0, keyLength+tagLength), uint64(at))
	raw = append(raw, id[:]...)
	raw = append(raw, c.Keys.MAC(outreach.PurposeCursor, scope.message(raw))[:tagLength]...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

// Open returns the key of a cursor. It returns CodeInvalidCursor unless the cursor was sealed in
// scope.
func (c Cursors) Open(scope Scope, cursor string) (outreach.Key, error) {
	at, id, err := c.open(scope, cursor)
	return outreach.Key{At: time.UnixMicro(at).UTC(), ID: id}, err
}

// OpenOffset returns the offset of a cursor of SealOffset.
func (c Cursors) OpenOffset(scope Scope, cursor string) (int, error) {
	at, _, err := c.open(scope, cursor)
	return int(at), err
}

func (c Cursors) open(scope Scope, cursor string) (int64, uuid.UUID, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(raw) != keyLength+tagLength || base64.RawURLEncoding.EncodeToString(raw) != cursor {
		return 0, uuid.Nil, outreach.ErrMalformedCursor
	}
	key, tag := raw[:keyLength], raw[keyLength:]
	if !c.Keys.Verify(outreach.PurposeCursor, scope.message(key), tag) {
		return 0, uuid.Nil, errScope
	}
	return int64(binary.BigEndian.Uint64(key)), uuid.UUID(key[8:]), nil
}

// message returns the bytes that the tag authenticates. They are unambiguous without lengths: the
// key's length is fixed, and neither list names nor JSON contain a NUL.
func (s Scope) message(key []byte) []byte {
	filter, err := json.Marshal(s.Filter)
	if err != nil {
		panic(err) // filters are plain structs
	}
	message := append([]byte(s.List), 0)
	message = append(message, s.Workspace[:]...)
	message = append(append(message, filter...), 0)
	return append(message, key...)
}
