package sending

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// nextWithStep is a queue that begins with people whose step was removed: where those begin who have a
// step, if there are any, and how many have none.
type nextWithStep struct {
	first   uuid.UUID // the head of the queue
	due     *time.Time
	id      *uuid.UUID
	contact *bool
	removed int
}

var nextWithStepColumns = storage.NewColumns(func(n *nextWithStep) []storage.Column {
	return []storage.Column{
		{SQL: "q.first", To: &n.first},
		{SQL: "z.due", To: &n.due},
		{SQL: "z.id", To: &n.id},
		{SQL: "z.contact", To: &n.contact},
		{SQL: "(SELECT count(*) FROM enrollments e WHERE " + inQueue + " AND e.timezone = q.timezone AND e.next_step > q.steps)", To: &n.removed},
	}
})

// Of the queues ($2 to $7) those are looked at whose first person has no step.
var selectNextWithStep = `
SELECT ` + nextWithStepColumns.SQL + `
FROM unnest($2::uuid[], $3::bool[], $4::uuid[], $5::text[], $6::uuid[], $7::int[])
		q(campaign_id, followup, mailbox_id, timezone, first, steps)
	LEFT JOIN LATERAL (SELECT ` + headColumns + `
		FROM enrollments e WHERE ` + inQueue + ` AND e.timezone = q.timezone AND e.next_step <= q.steps
			AND e.next_send_at IS NOT NULL AND ` + notOnItsWay + ` ORDER BY e.next_send_at, e.id LIMIT 1) z ON true
WHERE EXISTS (SELECT FROM enrollments f WHERE f.workspace_id = $1 AND f.id = q.first AND f.next_step > q.steps)`

// queueArrays holds queues as columns.
type queueArrays struct {
	campaigns, boxes, firsts []uuid.UUID
	followups                []bool
	zones                    []string
	steps                    []int
}

func (a *queueArrays) add(q *outreach.Queue) {
	a.campaigns, a.followups, a.boxes = append(a.campaigns, q.Campaign.ID), append(a.followups, q.Followup), append(a.boxes, q.Mailbox)
	a.zones, a.firsts, a.steps = append(a.zones, q.Timezone), append(a.firsts, q.First), append(a.steps, len(q.Campaign.Steps))
}

// mostDues bounds the due times that are read of one queue. rivalHorizon is until when they matter.
const (
	mostDues     = 100
	rivalHorizon = 3 * time.Hour
)

const selectDues = `
SELECT q.first, z.next_send_at
FROM unnest($2::uuid[], $3::bool[], $4::uuid[], $5::text[], $6::uuid[], $7::int[])
		q(campaign_id, followup, mailbox_id, timezone, first, steps)
	CROSS JOIN LATERAL (SELECT e.next_send_at, e.id
		FROM enrollments e WHERE ` + inQueue + ` AND e.timezone = q.timezone AND e.next_step <= q.steps
			AND e.next_send_at <= $8 AND ` + notOnItsWay + ` ORDER BY e.next_send_at, e.id LIMIT $9) z
ORDER BY q.first, z.next_send_at, z.id`

// contest holds what decides which campaign a mailbox sends for next.
type contest struct {
	queues  []outreach.Queue                          // without the people whose step was removed: a claim ends them and sends them nothing
	removed map[uuid.UUID]int                         // those, by campaign
	rivals  []outreach.Rival                          // the same queues with the due times of follow-ups, if they are of several campaigns
	served  map[uuid.UUID]map[outreach.Line]time.Time // when each mailbox last claimed a step of each kind for each campaign
}

// readContest reads the contest of queues in one round trip.
func readContest(ctx context.Context, db *storage.DB, workspace uuid.UUID, queues []outreach.Queue, boxes []uuid.UUID,
	now time.Time) (c contest, err error) {
	var a queueArrays
	of, several := map[uuid.UUID]int{}, false // queues by the first person
	for i := range queues {
		several = several || queues[i].Campaign.ID != queues[0].Campaign.ID
		if queues[i].Followup {
			a.add(&queues[i])
			of[queues[i].First] = i
		}
	}
	known := 0 // due times of a queue; a campaign alone has no rivals
	if several {
		known = mostDues
	}
	left, dues, gone := slices.Clone(queues), make([][]time.Time, len(queues)), make([]bool, len(queues))
	c.removed = map[uuid.UUID]int{}
	var first uuid.UUID
	var due time.Time
	batch := &pgx.Batch{}
	batch.Queue(selectNextWithStep, workspace, a.campaigns, a.followups, a.boxes, a.zones, a.firsts, a.steps).Query(func(rows pgx.Rows) error {
		return nextWithStepColumns.Each(rows, func(n *nextWithStep) {
			i := of[n.first]
			c.removed[left[i].Campaign.ID] += n.removed
			if gone[i] = n.due == nil; !gone[i] {
				left[i].Due, left[i].First, left[i].Contact = *n.due, *n.id, *n.contact
			}
		})
	})
	batch.Queue(selectDues, workspace, a.campaigns, a.followups, a.boxes, a.zones, a.firsts, a.steps, now.Add(rivalHorizon), known).
		Query(storage.EachRow([]any{&first, &due}, func() { dues[of[first]] = append(dues[of[first]], due) }))
	batch.Queue(selectTurns, workspace, boxes).Query(func(rows pgx.Rows) (err error) {
		c.served, err = readTurns(rows)
		return err
	})
	if err := db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return c, fmt.Errorf("look at other campaigns: %w", err)
	}
	for i := range left {
		if gone[i] {
			continue
		}
		c.queues = append(c.queues, left[i])
		if several {
			c.rivals = append(c.rivals, outreach.Rival{Queue: left[i], Dues: dues[i]})
		}
	}
	return c, nil
}
