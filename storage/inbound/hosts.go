package inbound

import (
	"context"
	"fmt"
)

const isTrackingHost = `
SELECT EXISTS (SELECT FROM tracking_domains WHERE status = 'verified' AND host = $1)
	OR EXISTS (SELECT FROM tracking_domains WHERE served_hosts @> ARRAY[$1::text])`

// IsTrackingHost reports whether host, without port, is the verified tracking domain of a workspace
// or was one.
func (b *Inbox) IsTrackingHost(ctx context.Context, host string) (is bool, err error) {
	if err := b.db.Pool().QueryRow(ctx, isTrackingHost, host).Scan(&is); err != nil {
		return false, fmt.Errorf("look up tracking host: %w", err)
	}
	return is, nil
}
