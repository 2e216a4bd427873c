package sending

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach/storage"
)

// contact is a prospect in one campaign.
type contact struct{ prospect, campaign uuid.UUID }

// otherContacts joins m, the steps of other campaigns to one.prospect_id: those in progress, and
// those since $2, the start of the gap; $3 is now. Answers, which have no run, and bounces do not
// count. A step in progress is found by its enrollment: a join would let the planner read all
// messages of the workspace that are in progress.
const otherContacts = ` CROSS JOIN LATERAL (
	(SELECT m.sent_at AS at FROM messages m
	WHERE m.workspace_id = $1 AND m.prospect_id = one.prospect_id AND m.status IN ('sent', 'bounced', 'unknown') AND m.status <> 'bounced'
		AND m.run IS NOT NULL AND m.sent_at > $2 AND m.campaign_id <> one.campaign_id ORDER BY m.sent_at DESC, m.id DESC LIMIT 1)
	UNION ALL
	SELECT (SELECT max(coalesce(m.committed_at, $3)) FILTER (WHERE m.status = 'claimed') FROM messages m
		WHERE m.workspace_id = $1 AND m.enrollment_id = o.id AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported))
	FROM enrollments o WHERE o.workspace_id = $1 AND o.prospect_id = one.prospect_id AND o.campaign_id <> one.campaign_id) m`

const selectContacts = `
SELECT one.prospect_id, one.campaign_id, max(m.at)
FROM unnest($4::uuid[], $5::uuid[]) one(prospect_id, campaign_id)` + otherContacts + `
WHERE m.at IS NOT NULL GROUP BY one.prospect_id, one.campaign_id`

// queueContacts adds a statement that reads until when the campaigns of the picks must wait for their
// prospects, because another campaign wrote to them. It runs when the prospects are locked, so that
// only one of two campaigns writes.
func (b *claimTx) queueContacts(batch *pgx.Batch, picks []pick, until map[contact]time.Time) {
	if b.gap == 0 {
		return
	}
	var prospects, campaigns []uuid.UUID
	for _, p := range picks {
		for _, d := range p.due {
			prospects, campaigns = append(prospects, d.prospect), append(campaigns, p.campaign.ID)
		}
	}
	var c contact
	var at time.Time
	add := func() {
		if over := at.Add(b.gap); over.After(b.now) {
			until[c] = over
		}
	}
	batch.Queue(selectContacts, b.workspace, b.now.Add(-b.gap), b.now, prospects,
		campaigns).Query(storage.EachRow([]any{&c.prospect, &c.campaign, &at}, add))
}
