package storage

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// uuidCodec passes ids as 16 bytes. pgx treats uuid.UUID as a database/sql value that it prints and
// parses, which costs time in every statement.
type uuidCodec struct{ pgtype.UUIDCodec }

// registerUUID sets the codec for ids and arrays of ids.
func registerUUID(types *pgtype.Map) {
	id := &pgtype.Type{Name: "uuid", OID: pgtype.UUIDOID, Codec: uuidCodec{}}
	types.RegisterType(id)
	types.RegisterType(&pgtype.Type{Name: "_uuid", OID: pgtype.UUIDArrayOID, Codec: &pgtype.ArrayCodec{ElementType: id}})
}

// PlanEncode encodes uuid.UUID in the binary format and leaves other types to pgx.
func (c uuidCodec) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.(uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return encodeUUID{}
	}
	return c.UUIDCodec.PlanEncode(types, oid, format, value)
}

// PlanScan fills a *uuid.UUID from the binary format and leaves other types to pgx.
func (c uuidCodec) PlanScan(types *pgtype.Map, oid uint32, format int16, target any) pgtype.ScanPlan {
	if _, ok := target.(*uuid.UUID); ok && format == pgtype.BinaryFormatCode {
		return scanUUID{}
	}
	return c.UUIDCodec.PlanScan(types, oid, format, target)
}

type encodeUUID struct{}

// Encode appends the 16 bytes.
func (encodeUUID) Encode(value any, buf []byte) ([]byte, error) {
	id := value.(uuid.UUID)
	return append(buf, id[:]...), nil
}

type scanUUID struct{}

// Scan reads 16 bytes. It returns an error for null.
func (scanUUID) Scan(src []byte, target any) error {
	if copy(target.(*uuid.UUID)[:], src) != len(uuid.UUID{}) || len(src) != len(uuid.UUID{}) {
		return fmt.Errorf("%d bytes are not a UUID", len(src))
	}
	return nil
}
