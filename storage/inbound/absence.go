package inbound

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/sending"
)

// zones are the time zones of a prospect and of a campaign. Either is empty if the prospect or campaign
// is deleted, that of a prospect also if it has none.
type zones struct{ prospect, campaign string }

const selectZones = `
SELECT coalesce((SELECT p.timezone FROM prospects p WHERE p.workspace_id = $1 AND p.id = $2), ''),
	coalesce((SELECT c.timezone FROM campaigns c WHERE c.workspace_id = $1 AND c.id = $3), '')`

func zonesOf(ctx context.Context, tx pgx.Tx, f *sending.InFlight) (z zones, err error) {
	if err = tx.QueryRow(ctx, selectZones, f.Workspace, f.Prospect, f.Campaign).Scan(&z.prospect, &z.campaign); err != nil {
		return z, fmt.Errorf("read time zones: %w", err)
	}
	return z, nil
}

// outOfOffice returns a hold until the start of the day on which the prospect is back, in the
// prospect's time zone. It returns false if that time has passed.
func outOfOffice(day time.Time, z zones, now time.Time) (storage.Hold, bool) {
	c := outreach.Campaign{Timezone: z.campaign}
	until := c.CivilTime(day, z.prospect)
	return storage.Hold{Kind: outreach.HoldAbsence, Reason: "out of office until " + day.Format(time.DateOnly),
		Until: &until}, until.After(now)
}
