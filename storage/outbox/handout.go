package outbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach/jobs/queue"
	"outreach/storage"
)

// The queue uses statement_timestamp() only: all processes share the database's clock, so a wrong
// clock of one process does not change when a delivery is made. Statements on several rows lock them in
// the order of their ids, which is that of the arrays, so that two of them cannot deadlock. DB.Groups
// plans them for that order. IS TRUE keeps them from reading the whole index of due rows.

// frontRow is one row of selectFronts. If nothing is queued, there is one row with only the time.
type frontRow struct {
	now        time.Time
	workspace  *uuid.UUID
	host       *string
	inProgress *int
	free       []uuid.UUID
	due        []time.Time
}

var frontColumns = storage.NewColumns(func(f *frontRow) []storage.Column {
	return []storage.Column{
		{SQL: "c.now", To: &f.now},
		{SQL: "f.workspace_id", To: &f.workspace},
		{SQL: "f.host", To: &f.host},
		{SQL: "f.in_progress", To: &f.inProgress},
		{SQL: "f.free", To: &f.free},
		{SQL: "f.due", To: &f.due},
	}
})

// selectFronts reads the front of each lane, which is one subscription's deliveries to a host. `few`
// are the longest due deliveries, at most $3 of them. Their lanes are enough if nothing else is due,
// or if they belong to $4 workspaces, of which each gets one. Otherwise `hops` jumps from one lane
// to the next by index. So a scan costs in proportion to what is due, however many lanes wait for a
// later time.
//
// Deliveries in progress are in the front too, because the longest due are handed out first. Of the
// free ones it returns as many as a workspace has room for at a host, and one more, which tells that
// some are left.
var selectFronts = `
WITH RECURSIVE clock AS MATERIALIZED (SELECT statement_timestamp() AS now),
few AS MATERIALIZED (
	SELECT workspace_id, host, subscription_id FROM deliveries
	WHERE status = 'queued' AND next_attempt_at <= (SELECT now FROM clock)
	ORDER BY next_attempt_at LIMIT $3::int
),
enough AS MATERIALIZED (SELECT count(*) < $3::int OR count(DISTINCT workspace_id) >= $4::int AS yes FROM few),
hops AS (
	(SELECT workspace_id, host, subscription_id FROM deliveries
	WHERE status = 'queued' AND NOT (SELECT yes FROM enough)
	ORDER BY workspace_id, host, subscription_id LIMIT 1)
	UNION ALL
	SELECT n.* FROM hops l CROSS JOIN LATERAL (
		SELECT d.workspace_id, d.host, d.subscription_id FROM deliveries d
		WHERE d.status = 'queued' AND (d.workspace_id, d.host, d.subscription_id) > (l.workspace_id, l.host, l.subscription_id)
		ORDER BY d.workspace_id, d.host, d.subscription_id LIMIT 1) n
),
lanes AS (
	SELECT DISTINCT workspace_id, host, subscription_id FROM few WHERE (SELECT yes FROM enough)
	UNION ALL SELECT workspace_id, host, subscription_id FROM hops
)
SELECT ` + frontColumns.SQL + ` FROM clock c LEFT JOIN LATERAL (
	SELECT l.workspace_id, l.host, h.in_progress, h.free[:$1::int + 1] AS free, h.due[:$1::int + 1] AS due
	FROM lanes l CROSS JOIN LATERAL (
		SELECT count(*) FILTER (WHERE d.in_progress) AS in_progress, array_agg(d.id) FILTER (WHERE d.free) AS free,
			array_agg(d.at) FILTER (WHERE d.free) AS due
		FROM (
			SELECT q.*, NOT q.in_progress AND q.at <= coalesce($2, 'infinity'::timestamptz) AS free FROM (
				SELECT id, next_attempt_at AS at, (handed_until > c.now OR lease_until > c.now) IS TRUE AS in_progress
				FROM deliveries
				WHERE workspace_id = l.workspace_id AND host = l.host AND subscription_id = l.subscription_id
					AND status = 'queued' AND next_attempt_at <= c.now
				ORDER BY next_attempt_at, id LIMIT 2 * $1::int + 1) q) d) h) f ON true`

// Citus does not run a recursive query over all workspaces. Instead, one query finds the lanes with
// due deliveries, and the fronts are read lane by lane.
const selectDue = `
SELECT DISTINCT d.workspace_id, d.host, d.subscription_id, statement_timestamp() AS now
FROM deliveries d WHERE d.status = 'queued' AND d.next_attempt_at <= statement_timestamp() LIMIT 10000`

var selectFront = `
SELECT ` + frontColumns.SQL + ` FROM (SELECT $6::timestamptz AS now) c CROSS JOIN LATERAL (
	SELECT $3::uuid AS workspace_id, $4::text AS host, h.in_progress, h.free[:$1::int + 1] AS free, h.due[:$1::int + 1] AS due
	FROM (
		SELECT count(*) FILTER (WHERE d.in_progress) AS in_progress, array_agg(d.id) FILTER (WHERE d.free) AS free,
			array_agg(d.at) FILTER (WHERE d.free) AS due
		FROM (
			SELECT q.*, NOT q.in_progress AND q.at <= coalesce($2, 'infinity'::timestamptz) AS free FROM (
				SELECT id, next_attempt_at AS at, (handed_until > $6 OR lease_until > $6) IS TRUE AS in_progress
				FROM deliveries
				WHERE workspace_id = $3 AND host = $4 AND subscription_id = $5 AND status = 'queued' AND next_attempt_at <= $6
				ORDER BY next_attempt_at, id LIMIT 2 * $1::int + 1) q) d) h) f`

const markHandedOut = `
UPDATE deliveries d SET generation = d.generation + 1, handed_until = statement_timestamp() + $3::interval
FROM unnest($2::uuid[]) AS chosen (id)
WHERE d.workspace_id = $1 AND d.id = chosen.id AND (d.status = 'queued') IS TRUE AND d.next_attempt_at <= statement_timestamp()
	AND (d.handed_until IS NULL OR d.handed_until <= statement_timestamp())
	AND (d.lease_until IS NULL OR d.lease_until <= statement_timestamp())
RETURNING d.id, d.generation`

// HandOut hands out due deliveries that have no task, for tasks that the caller is about to create: in
// fair turns (docs/reference.md#fairness), within the bounds of the admission. Any number of
// processes may call it at once: each delivery goes to one of them.
//
// If the process dies before the commit, nothing was handed out; right after it, the next scan
// after their hand-out has expired hands the deliveries out again.
func (o *Outbox) HandOut(ctx context.Context, a queue.Admission) (out queue.Handout, err error) {
	fronts, now, err := o.fronts(ctx, a)
	if err != nil {
		return out, fmt.Errorf("hand out deliveries: %w", err)
	}
	free := 0
	for _, f := range fronts {
		free += len(f.free)
	}
	out.At = now
	if out.Handed, err = o.markHandedOut(ctx, admit(fronts, a), a.HandoutTTL); err != nil {
		return out, fmt.Errorf("hand out deliveries: %w", err)
	}
	out.Left = free > len(out.Handed)
	return out, nil
}

// fronts returns what the scan chooses from, and the time by the database's clock.
func (o *Outbox) fronts(ctx context.Context, a queue.Admission) (fronts []front, now time.Time, err error) {
	var until *time.Time
	if !a.Until.IsZero() {
		until = &a.Until
	}
	add := func(f *frontRow) {
		now = f.now
		if f.workspace != nil {
			at := queue.WorkspaceHost{WorkspaceID: *f.workspace, Host: *f.host}
			fronts = append(fronts, front{at: at, inProgress: *f.inProgress, free: f.free, due: f.due})
		}
	}
	if o.db.Distributed() {
		err = o.frontsApart(ctx, a.PerWorkspaceHost, until, add)
		return fronts, cmp.Or(now, o.db.Now()), err
	}
	err = frontColumns.QueryEach(ctx, o.db.Groups(), add, selectFronts, a.PerWorkspaceHost, until, min(2*a.Total, 20_000), a.Total)
	return fronts, now, err
}

// frontsApart reads the fronts lane by lane.
func (o *Outbox) frontsApart(ctx context.Context, most int, until *time.Time, add func(*frontRow)) error {
	rows, err := o.db.Groups().Query(ctx, selectDue)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	var workspace, subscription uuid.UUID
	var host string
	var now time.Time
	_, err = pgx.ForEachRow(rows, []any{&workspace, &host, &subscription, &now}, func() error {
		batch.Queue(selectFront, most, until, workspace, host, subscription,
			now).Query(func(rows pgx.Rows) error { return frontColumns.Each(rows, add) })
		return nil
	})
	if err != nil {
		return err
	}
	return o.db.Groups().SendBatch(ctx, batch).Close()
}

// markHandedOut hands out the chosen deliveries that no other process has taken meanwhile, in the order of
// choice.
func (o *Outbox) markHandedOut(ctx context.Context, chosen []candidate, ttl time.Duration) ([]queue.Handed, error) {
	if len(chosen) == 0 {
		return nil, nil
	}
	generations := make(map[uuid.UUID]int, len(chosen))
	var id uuid.UUID
	var generation int
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(chosen, func(c candidate) uuid.UUID { return c.at.WorkspaceID }) {
		ids := make([]uuid.UUID, len(some))
		for i, c := range some {
			ids[i] = c.id
		}
		note := storage.EachRow([]any{&id, &generation}, func() { generations[id] = generation })
		batch.Queue(markHandedOut, workspace, storage.InOrder(ids), ttl).Query(note)
	}
	if err := o.db.Groups().SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	handed := make([]queue.Handed, 0, len(generations))
	for _, c := range chosen {
		if generation, ok := generations[c.id]; ok {
			handed = append(handed, queue.Handed{ID: c.id, Generation: generation, WorkspaceID: c.at.WorkspaceID, Host: c.at.Host})
		}
	}
	return handed, nil
}

const giveBack = `
UPDATE deliveries d SET handed_until = NULL
FROM unnest($2::uuid[], $3::int[]) AS a (id, generation)
WHERE d.workspace_id = $1 AND d.id = a.id AND d.generation = a.generation
	AND (d.status = 'queued') IS TRUE AND d.next_attempt_at IS NOT NULL AND (d.lease_until IS NULL OR d.lease_until <= statement_timestamp())`

// GiveBack returns deliveries from their tasks without an attempt. The next scan after they are due
// hands them out again.
//
// If the process dies before the commit, they come back when their hand-out expires.
func (o *Outbox) GiveBack(ctx context.Context, tasks []queue.Handed) error {
	if err := o.eachWorkspace(ctx, tasks, giveBack, nil, nil); err != nil {
		return fmt.Errorf("give deliveries back: %w", err)
	}
	return nil
}

// columnsOfTasks returns ids and generations in the order of the ids.
func columnsOfTasks(tasks []queue.Handed) (ids []uuid.UUID, generations []int) {
	ids, generations = make([]uuid.UUID, len(tasks)), make([]int, len(tasks))
	for i, task := range slices.SortedFunc(slices.Values(tasks), func(a, b queue.Handed) int { return storage.CompareIDs(a.ID, b.ID) }) {
		ids[i], generations[i] = task.ID, task.Generation
	}
	return ids, generations
}
