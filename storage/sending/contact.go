package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// contact is a prospect in one campaign.
type contact struct{ prospect, campaign uuid.UUID }

// otherContacts joins m, the steps of other campaigns to one.prospect_id: those in progress, and
// those since $2, the start of the gap; $3 is now. Answers, which have no run, and bounces do not
// count.
const otherContacts = ` CROSS JOIN LATERAL (
	(SELECT m.sent_at AS at FROM messages m
	WHERE m.workspace_id = $1 AND m.prospect_id = one.prospect_id AND m.status IN ('sent', 'bounced', 'unknown') AND m.status <> 'bounced'
		AND m.run IS NOT NULL AND m.sent_at > $2 AND m.campaign_id <> one.campaign_id ORDER BY m.sent_at DESC, m.id DESC LIMIT 1)
	UNION ALL
	SELECT coalesce(m.committed_at, $3) FROM messages m
	WHERE m.workspace_id = $1 AND m.prospect_id = one.prospect_id AND m.status = 'claimed' AND m.campaign_id <> one.campaign_id) m`

const selectContacts = `
SELECT one.prospect_id, one.campaign_id, max(m.at)
FROM unnest($4::uuid[], $5::uuid[]) one(prospect_id, campaign_id)` + otherContacts + `
GROUP BY one.prospect_id, one.campaign_id`

// contacts returns until when the campaigns of the picks must wait for their prospects, because
// another campaign wrote to them. The prospects are locked, so that only one of two campaigns
// writes.
func (b *claimBatch) contacts(ctx context.Context, picks []pick) (map[contact]time.Time, error) {
	until := map[contact]time.Time{}
	if b.gap == 0 {
		return until, nil
	}
	var prospects, campaigns []uuid.UUID
	for _, p := range picks {
		for _, d := range p.due {
			prospects, campaigns = append(prospects, d.prospect), append(campaigns, p.campaign.ID)
		}
	}
	rows, err := b.tx.Query(ctx, selectContacts, b.workspace, b.now.Add(-b.gap), b.now, prospects, campaigns)
	if err != nil {
		return nil, fmt.Errorf("look for other contacts: %w", err)
	}
	var c contact
	var at time.Time
	_, err = pgx.ForEachRow(rows, []any{&c.prospect, &c.campaign, &at}, func() error {
		until[c] = at.Add(b.gap)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for other contacts: %w", err)
	}
	for c, at := range until {
		if !at.After(b.now) {
			delete(until, c)
		}
	}
	return until, nil
}
