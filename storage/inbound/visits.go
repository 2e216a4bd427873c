package inbound

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"

	"outreach/storage"
	"outreach/tracking/hit"
)

// foldEvery is the time within which repeated requests of one client count once. It bounds what a
// stranger can add to the database by links, clients and minutes.
const foldEvery = time.Minute

// foldKey returns the key of requests that count once: for one link, by one client, with the same
// scanner evidence, within one minute. A client is an IPv4 address or the /64 network of an IPv6
// address.
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

// oldHits are the clicks and visits that ExpireHits deletes.
var oldHits = storage.Retained{
	Due: `SELECT id FROM workspaces WHERE hits_from < $1 ORDER BY hits_from LIMIT $2`,
	Remove: `
DELETE FROM hits WHERE workspace_id = $1 AND id IN (
	SELECT id FROM hits WHERE workspace_id = $1 AND id < $2 AND (kind IN ('click', 'visit')) ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)`,
	Oldest: `SELECT occurred_at FROM hits WHERE workspace_id = $1 AND kind IN ('click', 'visit') ORDER BY id LIMIT 1`,
	Note:   `UPDATE workspaces SET hits_from = $2 WHERE id = $1`,
}

// ExpireHits deletes clicks and visits from before the given time, in bounded batches, and returns
// their number. If it is interrupted, the next call continues. Events of people's hits, and the
// counts of offers, are kept.
func (b *Inbox) ExpireHits(ctx context.Context, before time.Time) (total int, err error) {
	total, err = b.db.RemoveOld(ctx, oldHits, before, hitFloor(before))
	if err != nil {
		return total, fmt.Errorf("expire hits: %w", err)
	}
	return total, nil
}
