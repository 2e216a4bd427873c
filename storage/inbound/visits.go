package inbound

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"outreach/tracking/hit"
)

// foldEvery is the time within which the same request of one client counts once:
// what a stranger can add to the database is bounded by links, clients and minutes.
const foldEvery = time.Minute

// foldKey is the same for requests that count once: for one link, by one client,
// for the same evidence against a person, within one minute. A client is an IPv4
// address, or the network of 64 bits that an IPv6 address is in.
func foldKey(link uuid.UUID, url string, by hit.Visitor) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%q\n%q\n%s", link, by.At.Unix()/int64(foldEvery.Seconds()),
		clientOf(by.Address), by.Scanner, url))
	return sum[:16]
}

func clientOf(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Unmap().Is4() {
		return address
	}
	network, err := parsed.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return network.String()
}

const deleteOldHits = `
DELETE FROM hits WHERE workspace_id = $1 AND id IN (
	SELECT id FROM hits WHERE workspace_id = $1 AND id < $2 AND (kind <> 'unsubscribe') ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)`

// hitBatch bounds one statement of ExpireHits.
const hitBatch = 1000

// ExpireHits deletes clicks and visits that are older than before, a bounded batch
// at a time, and returns how many. It may be broken off at any instant; the next
// call goes on. The events that people's hits raised, and the counts of offers,
// stay.
func (b *Inbox) ExpireHits(ctx context.Context, before time.Time) (total int, err error) {
	total, err = b.db.RemoveOld(ctx, deleteOldHits, hitBatch, hitFloor(before))
	if err != nil {
		return total, fmt.Errorf("expire hits: %w", err)
	}
	return total, nil
}
