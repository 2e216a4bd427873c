package sending

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

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

// withStep returns the queues of follow-ups without the people whose step was removed: a claim ends them,
// but sends them nothing. removed counts them by campaign.
func withStep(ctx context.Context, q storage.Querier, workspace uuid.UUID,
	queues []outreach.Queue) (left []outreach.Queue, removed map[uuid.UUID]int, err error) {
	var a queueArrays
	of := map[uuid.UUID]int{} // queues by the first person
	for i := range queues {
		if queues[i].Followup {
			a.add(&queues[i])
			of[queues[i].First] = i
		}
	}
	left, removed = slices.Clone(queues), map[uuid.UUID]int{}
	if len(of) == 0 {
		return left, removed, nil
	}
	gone := map[uuid.UUID]bool{}
	err = nextWithStepColumns.QueryEach(ctx, q, func(n *nextWithStep) {
		one := &left[of[n.first]]
		removed[one.Campaign.ID] += n.removed
		if n.due == nil {
			gone[one.First] = true
			return
		}
		one.Due, one.First, one.Contact = *n.due, *n.id, *n.contact
	}, selectNextWithStep, workspace, a.campaigns, a.followups, a.boxes, a.zones, a.firsts, a.steps)
	if err != nil {
		return nil, nil, fmt.Errorf("look for removed steps: %w", err)
	}
	return slices.DeleteFunc(left, func(q outreach.Queue) bool { return gone[q.First] }), removed, nil
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

// rivalsOf returns the queues with the due times of follow-ups, if several campaigns have queues.
func rivalsOf(ctx context.Context, q storage.Querier, workspace uuid.UUID, queues []outreach.Queue,
	now time.Time) ([]outreach.Rival, error) {
	var a queueArrays
	rivals, of := make([]outreach.Rival, len(queues)), map[uuid.UUID]int{}
	several := false
	for i := range queues {
		rivals[i].Queue = queues[i]
		several = several || queues[i].Campaign.ID != queues[0].Campaign.ID
		if queues[i].Followup && !queues[i].Due.After(now.Add(rivalHorizon)) {
			a.add(&queues[i])
			of[queues[i].First] = i
		}
	}
	if !several {
		return nil, nil
	}
	if len(of) == 0 {
		return rivals, nil
	}
	var first uuid.UUID
	var due time.Time
	err := storage.ForEach(ctx, q, "read due times", selectDues, []any{workspace, a.campaigns, a.followups, a.boxes, a.zones, a.firsts,
		a.steps, now.Add(rivalHorizon), mostDues}, []any{&first, &due},
		func() { rivals[of[first]].Dues = append(rivals[of[first]].Dues, due) })
	return rivals, err
}

// contest holds what decides which campaign a mailbox sends for next.
type contest struct {
	queues  []outreach.Queue  // without the people whose step was removed
	removed map[uuid.UUID]int // those, by campaign
	rivals  []outreach.Rival
	served  map[uuid.UUID]map[outreach.Line]time.Time
}

func readContest(ctx context.Context, q storage.Querier, workspace uuid.UUID, queues []outreach.Queue, boxes []uuid.UUID,
	now time.Time) (c contest, err error) {
	if c.queues, c.removed, err = withStep(ctx, q, workspace, queues); err != nil {
		return c, err
	}
	if c.rivals, err = rivalsOf(ctx, q, workspace, c.queues, now); err != nil {
		return c, err
	}
	c.served, err = turnsOf(ctx, q, workspace, boxes)
	return c, err
}

// turnsOf returns when each mailbox last claimed a step of each kind for each campaign.
func turnsOf(ctx context.Context, q storage.Querier, workspace uuid.UUID,
	boxes []uuid.UUID) (map[uuid.UUID]map[outreach.Line]time.Time, error) {
	rows, err := q.Query(ctx, selectTurns, workspace, boxes)
	if err != nil {
		return nil, fmt.Errorf("read turns: %w", err)
	}
	return readTurns(rows)
}
