package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/jobs/carry"
)

// Everything here goes by clock_timestamp(): all processes share the database's
// clock, and none can hurry or delay a delivery by a wrong clock of its own.
// Statements on several rows lock them by id first, so that no two of them wait
// for each other.

// handOut claims what is due, fairly. Lanes are the deliveries of one
// subscription to one host; `lanes` hops from one to the next by index. `seen`
// reads the head of each: what is carried already stands there too, since the
// longest due is handed out first. Then each lane, each workspace at a host,
// each host and each workspace takes its turns up to its bound, those with the
// least in hand first. Retries that are due at once may be more than a workspace
// has room for at a host; the workers send those back, so they do not count
// against others.
//
// The last join looks at the rows again under lock: what another scan has
// handed out meanwhile is skipped.
const handOut = `
WITH RECURSIVE clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
lanes AS (
	(SELECT workspace_id, host, subscription_id FROM deliveries
	WHERE status = 'queued' ORDER BY workspace_id, host, subscription_id LIMIT 1)
	UNION ALL
	SELECT n.* FROM lanes l CROSS JOIN LATERAL (
		SELECT d.workspace_id, d.host, d.subscription_id FROM deliveries d
		WHERE d.status = 'queued' AND (d.workspace_id, d.host, d.subscription_id) > (l.workspace_id, l.host, l.subscription_id)
		ORDER BY d.workspace_id, d.host, d.subscription_id LIMIT 1) n
),
seen AS MATERIALIZED (
	SELECT l.workspace_id AS w, l.host AS h, l.subscription_id AS s, d.id, d.next_attempt_at AS due,
		(d.handed_until > c.now OR d.lease_until > c.now) IS TRUE AS carried
	FROM clock c CROSS JOIN lanes l CROSS JOIN LATERAL (
		SELECT id, next_attempt_at, handed_until, lease_until FROM deliveries
		WHERE workspace_id = l.workspace_id AND host = l.host AND subscription_id = l.subscription_id
			AND status = 'queued' AND next_attempt_at <= c.now
		ORDER BY next_attempt_at, id LIMIT 2 * $4::bigint + 1) d
),
laned AS (
	SELECT w, h, due, id, carried,
		count(*) FILTER (WHERE carried) OVER (PARTITION BY w, h) AS in_lane,
		row_number() OVER (PARTITION BY w, h) = 1 AS first,
		count(*) FILTER (WHERE carried) OVER (PARTITION BY w, h, s)
			+ row_number() OVER (PARTITION BY w, h, s, carried ORDER BY due, id) AS turn
	FROM seen
),
counted AS (
	SELECT w, h, due, id, carried, in_lane, turn,
		sum(least(in_lane, $4)) FILTER (WHERE first) OVER () AS in_all,
		sum(least(in_lane, $4)) FILTER (WHERE first) OVER (PARTITION BY w) AS in_workspace,
		sum(least(in_lane, $4)) FILTER (WHERE first) OVER (PARTITION BY h) AS in_host
	FROM laned
),
free AS MATERIALIZED (
	SELECT *, in_lane + row_number() OVER (PARTITION BY w, h ORDER BY turn, due, id) AS place
	FROM counted WHERE NOT carried AND due <= coalesce($6, 'infinity'::timestamptz)
),
by_host AS (
	SELECT *, in_host + row_number() OVER (PARTITION BY h ORDER BY place, due, id) AS host_place
	FROM free WHERE place <= $4
),
by_workspace AS (
	SELECT *, in_workspace + row_number() OVER (PARTITION BY w ORDER BY place, due, id) AS workspace_place
	FROM by_host WHERE host_place <= $3
),
chosen AS (
	SELECT id FROM by_workspace WHERE workspace_place <= $2
	ORDER BY workspace_place, due, id
	LIMIT greatest($1::bigint - coalesce((SELECT max(in_all) FROM free), 0), 0)
),
locked AS MATERIALIZED (
	SELECT d.id FROM deliveries d JOIN chosen USING (id) CROSS JOIN clock c
	WHERE d.status = 'queued' AND d.next_attempt_at <= c.now
		AND (d.handed_until IS NULL OR d.handed_until <= c.now) AND (d.lease_until IS NULL OR d.lease_until <= c.now)
	ORDER BY d.id FOR UPDATE OF d SKIP LOCKED
),
handed AS (
	UPDATE deliveries d SET generation = d.generation + 1, handed_until = clock_timestamp() + $5::interval
	FROM locked WHERE d.id = locked.id
	RETURNING d.id, d.generation, d.workspace_id, d.host
)
SELECT c.now, (SELECT count(*) FROM free), h.id, h.generation, h.workspace_id, h.host
FROM clock c LEFT JOIN handed h ON true`

// HandOut claims due deliveries for tasks that the caller is about to make:
// due rows in nobody's hands, in turns over lanes, hosts and workspaces, within
// the bounds of the admission. Safe from any number of processes at once: no row
// goes to two of them.
//
// If the process dies before the commit, nothing was handed out; right after
// it, the deliveries come back to the next scan once their hold has ended.
func (db *DB) HandOut(ctx context.Context, a carry.Admission) (out carry.Handout, err error) {
	var until *time.Time
	if !a.Until.IsZero() {
		until = &a.Until
	}
	rows, err := db.pool.Query(ctx, handOut, a.Total, a.PerWorkspace, a.PerHost, a.PerLane, a.Hold, until)
	if err != nil {
		return out, fmt.Errorf("hand out deliveries: %w", err)
	}
	defer rows.Close()
	free := 0
	for rows.Next() {
		if err := scanHanded(rows, &out, &free); err != nil {
			return out, fmt.Errorf("hand out deliveries: %w", err)
		}
	}
	out.Left = free > len(out.Handed)
	if err := rows.Err(); err != nil {
		return out, fmt.Errorf("hand out deliveries: %w", err)
	}
	return out, nil
}

// scanHanded reads a row of the outer join, which is one of nulls when nothing
// was handed out.
func scanHanded(rows pgx.Rows, out *carry.Handout, free *int) error {
	var id, workspace *uuid.UUID
	var generation *int
	var host *string
	if err := rows.Scan(&out.At, free, &id, &generation, &workspace, &host); err != nil {
		return err
	}
	if id != nil {
		out.Handed = append(out.Handed, carry.Handed{ID: *id, Generation: *generation, WorkspaceID: *workspace, Host: *host})
	}
	return nil
}

// beginAttempts judges each task under its row's lock. The attempt is written
// down before the request goes out, under the number after those whose outcome
// is known: a repeat of one whose process died takes its place.
const beginAttempts = `
WITH asked AS (SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::int[])) AS a (id, generation)),
locked AS MATERIALIZED (
	SELECT d.id, d.workspace_id, d.host, d.subscription_id, d.type, d.url, d.body, d.attempts, d.status,
		d.next_attempt_at, d.lease_until, d.generation = a.generation AS current
	FROM deliveries d JOIN asked a USING (id) ORDER BY d.id FOR UPDATE OF d
),
clock AS MATERIALIZED (SELECT clock_timestamp() AS now FROM (SELECT count(*) FROM locked) after_locking),
judged AS MATERIALIZED (
	SELECT l.*, c.now, CASE
		WHEN l.status <> 'queued' OR NOT l.current OR l.next_attempt_at IS NULL THEN 'stale'
		WHEN l.lease_until > c.now THEN 'busy'
		WHEN l.next_attempt_at > c.now THEN 'early'
		ELSE 'begun' END AS verdict
	FROM locked l CROSS JOIN clock c
),
leased AS (
	UPDATE deliveries d SET lease_until = j.now + $3::interval, handed_until = j.now + $3::interval
	FROM judged j WHERE d.id = j.id AND j.verdict = 'begun'
),
logged AS (
	INSERT INTO delivery_attempts (delivery_id, number, started_at)
	SELECT id, attempts + 1, now FROM judged WHERE verdict = 'begun'
	ON CONFLICT (delivery_id, number) DO UPDATE
	SET started_at = excluded.started_at, duration_ms = NULL, http_status = NULL, error = NULL
)
SELECT j.id, j.verdict, greatest(j.next_attempt_at - j.now, interval '0'), j.attempts + 1, j.now,
	j.workspace_id, j.host, j.subscription_id, j.type, j.url, j.body, s.secret
FROM judged j JOIN subscriptions s ON s.id = j.subscription_id`

// BeginAttempts asks for several tasks whether their attempts may begin, and
// begins those that may: counted and leased for ttl from now. The answers come
// in the order of the tasks; a second task for the same delivery is busy.
//
// If the process dies before the commit, no attempt has begun; after it, the
// attempt is repeated under the same number once the lease has ended.
func (db *DB) BeginAttempts(ctx context.Context, tasks []carry.Handed, ttl time.Duration) ([]carry.Attempt, error) {
	ids, generations := make([]uuid.UUID, 0, len(tasks)), make([]int, 0, len(tasks))
	first := make(map[uuid.UUID]int, len(tasks))
	out := make([]carry.Attempt, len(tasks))
	for i, task := range tasks {
		out[i].Verdict = carry.Busy
		if _, twice := first[task.ID]; twice {
			continue
		}
		first[task.ID], out[i].Verdict = i, carry.Stale // unless a row says otherwise
		ids, generations = append(ids, task.ID), append(generations, task.Generation)
	}
	rows, err := db.pool.Query(ctx, beginAttempts, ids, generations, ttl)
	if err != nil {
		return nil, fmt.Errorf("begin attempts: %w", err)
	}
	attempts, err := pgx.CollectRows(rows, db.scanAttempt)
	if err != nil {
		return nil, fmt.Errorf("begin attempts: %w", err)
	}
	for _, attempt := range attempts {
		out[first[attempt.ID]] = attempt
	}
	return out, nil
}

func (db *DB) scanAttempt(row pgx.CollectableRow) (a carry.Attempt, err error) {
	var subscription uuid.UUID
	var sealed []byte
	err = row.Scan(&a.ID, &a.Verdict, &a.Wait, &a.Number, &a.StartedAt,
		&a.WorkspaceID, &a.Host, &subscription, &a.Type, &a.URL, &a.Body, &sealed)
	if err == nil && a.Verdict == carry.Begun {
		a.Secret, a.Err = db.openSecret(subscription, sealed)
	}
	return a, err
}

func (db *DB) openSecret(subscription uuid.UUID, sealed []byte) (string, error) {
	plain, err := db.keys.Open(outreach.PurposeSigningSecret, subscription[:], sealed)
	if err != nil {
		return "", fmt.Errorf("open signing secret: %w", err)
	}
	return string(plain), nil
}

const renewLeases = `
WITH mine AS (SELECT * FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS m (id, number, started_at)),
locked AS MATERIALIZED (
	SELECT d.id FROM deliveries d JOIN mine m USING (id)
		JOIN delivery_attempts a ON a.delivery_id = d.id AND a.number = m.number AND a.started_at = m.started_at AND a.duration_ms IS NULL
	WHERE d.status = 'queued' ORDER BY d.id FOR UPDATE OF d
)
UPDATE deliveries d SET lease_until = clock_timestamp() + $4::interval, handed_until = clock_timestamp() + $4::interval
FROM locked WHERE d.id = locked.id`

// RenewLeases keeps the running attempts of this process its own for ttl more.
// One that is over, or was taken over, is left alone.
func (db *DB) RenewLeases(ctx context.Context, claims []carry.Claim, ttl time.Duration) error {
	ids, numbers, starts := columnsOf(claims)
	if _, err := db.pool.Exec(ctx, renewLeases, ids, numbers, starts, ttl); err != nil {
		return fmt.Errorf("renew leases: %w", err)
	}
	return nil
}

func columnsOf(claims []carry.Claim) (ids []uuid.UUID, numbers []int, starts []time.Time) {
	for _, c := range claims {
		ids, numbers, starts = append(ids, c.ID), append(numbers, c.Number), append(starts, c.StartedAt)
	}
	return ids, numbers, starts
}

// finishAttempts records answers of attempts that are still the latest of their
// number. A delivery that was never scheduled is a test: it has one attempt.
// Said again, it answers what it answered before and changes nothing: those that
// were not settled now are looked up by the second half, which is skipped when
// there are none.
//
// The arrays come out of subqueries so that the planner cannot see their length:
// otherwise it would make a new plan for each batch, which costs more than
// running it.
const finishAttempts = `
WITH told AS MATERIALIZED (
	SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::int[]), (SELECT $3::timestamptz[]), (SELECT $4::int[]), (SELECT $5::int[]), (SELECT $6::text[]))
		AS t (id, number, started_at, duration_ms, http_status, error)
),
locked AS MATERIALIZED (
	SELECT t.*, d.next_attempt_at IS NULL OR t.number >= $9::int AS last
	FROM deliveries d JOIN told t USING (id)
		JOIN delivery_attempts a ON a.delivery_id = d.id AND a.number = t.number AND a.started_at = t.started_at AND a.duration_ms IS NULL
	WHERE d.status = 'queued' AND d.attempts = t.number - 1
	ORDER BY d.id FOR UPDATE OF d, a
),
clock AS MATERIALIZED (SELECT clock_timestamp() AS now FROM (SELECT count(*) FROM locked) after_locking),
settled AS (
	UPDATE deliveries d SET attempts = l.number, http_status = l.http_status, error = l.error, lease_until = NULL,
		status = CASE WHEN l.error IS NULL THEN 'delivered' WHEN l.last THEN 'failed' ELSE 'queued' END,
		delivered_at = CASE WHEN l.error IS NULL THEN c.now END,
		next_attempt_at = CASE WHEN l.error IS NOT NULL AND NOT l.last THEN c.now + $7::interval END,
		handed_until = CASE WHEN l.error IS NOT NULL AND NOT l.last THEN c.now + $7::interval + $8::interval END
	FROM locked l CROSS JOIN clock c WHERE d.id = l.id
	RETURNING d.id, d.status
),
logged AS (
	UPDATE delivery_attempts a SET duration_ms = l.duration_ms, http_status = l.http_status, error = l.error
	FROM locked l WHERE a.delivery_id = l.id AND a.number = l.number
)
SELECT id, status FROM settled
UNION ALL
SELECT t.id, CASE WHEN a.duration_ms IS NOT NULL THEN d.status END
FROM told t LEFT JOIN deliveries d USING (id)
	LEFT JOIN delivery_attempts a ON a.delivery_id = t.id AND a.number = t.number AND a.started_at = t.started_at
WHERE (SELECT count(*) FROM settled) < cardinality($1::uuid[]) AND t.id NOT IN (SELECT id FROM settled)`

// FinishAttempts records the answers of attempts in one statement and gives the
// deliveries' states in the same order. A failure before the last attempt is
// due again a retry delay after now, which is after the attempt's end.
//
// If the process dies before the commit, the attempts are repeated under their
// numbers once their leases have ended; after it, nothing is owed. Calling it
// again with the same results is harmless.
func (db *DB) FinishAttempts(ctx context.Context, results []carry.Result, pace carry.Pace) ([]carry.Recorded, error) {
	sql, args := finishArguments(results, pace)
	rows, err := db.pool.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("finish attempts: %w", err)
	}
	states := make(map[uuid.UUID]*outreach.DeliveryStatus, len(results))
	var id uuid.UUID
	var status *outreach.DeliveryStatus
	if _, err := pgx.ForEachRow(rows, []any{&id, &status}, func() error { states[id] = status; return nil }); err != nil {
		return nil, fmt.Errorf("finish attempts: %w", err)
	}
	out := make([]carry.Recorded, len(results))
	for i, result := range results {
		if state := states[result.ID]; state != nil {
			out[i].Status = *state
		} else {
			out[i].Lost = true
		}
	}
	return out, nil
}

func finishArguments(results []carry.Result, pace carry.Pace) (string, []any) {
	n := len(results)
	claims, durations := make([]carry.Claim, n), make([]int, n)
	statuses, errs := make([]*int, n), make([]*string, n)
	for i, r := range results {
		claims[i], durations[i] = r.Claim, int(r.Duration.Milliseconds())
		statuses[i], errs[i] = r.HTTPStatus, r.Error
	}
	ids, numbers, starts := columnsOf(claims)
	return finishAttempts, []any{ids, numbers, starts, durations, statuses, errs, pace.RetryDelay, pace.Hold, outreach.MaxAttempts}
}

const giveBack = `
WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::int[]) AS a (id, generation)),
locked AS MATERIALIZED (
	SELECT d.id FROM deliveries d JOIN asked a ON a.id = d.id AND a.generation = d.generation
	WHERE d.status = 'queued' AND d.next_attempt_at IS NOT NULL AND (d.lease_until IS NULL OR d.lease_until <= clock_timestamp())
	ORDER BY d.id FOR UPDATE OF d
)
UPDATE deliveries d SET handed_until = NULL FROM locked WHERE d.id = locked.id`

// GiveBack puts deliveries out of their tasks' hands without an attempt; the
// next scan after they are due takes them up.
//
// If the process dies before the commit, they come back when their hold ends.
func (db *DB) GiveBack(ctx context.Context, tasks []carry.Handed) error {
	ids, generations := make([]uuid.UUID, len(tasks)), make([]int, len(tasks))
	for i, task := range tasks {
		ids[i], generations[i] = task.ID, task.Generation
	}
	if _, err := db.pool.Exec(ctx, giveBack, ids, generations); err != nil {
		return fmt.Errorf("give deliveries back: %w", err)
	}
	return nil
}

// A test is never scheduled: next_attempt_at stays null, so no scan sees it.
const insertTest = `
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
test AS (
	INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, body, lease_until, created_at)
	SELECT $1, $2, $3, $4, $5, $4, $6, $7, now + $8::interval, now FROM clock
	RETURNING id, host
),
logged AS (
	INSERT INTO delivery_attempts (delivery_id, number, started_at) SELECT $1, 1, now FROM clock, test
)
SELECT now, host FROM clock, test`

// StartTest writes a delivery of a test event for one subscription, enabled or
// not and whatever its events, with its only attempt begun and leased for ttl.
//
// If the process dies before the commit, there is no test; after it,
// SettleTests records the test as interrupted once the lease has ended.
func (db *DB) StartTest(ctx context.Context, workspace, subscription uuid.UUID, ttl time.Duration) (a carry.Attempt, err error) {
	err = db.tx(ctx, func(tx pgx.Tx) error {
		s, err := subscriptions.one(ctx, tx, workspace, subscription)
		if err != nil {
			return err
		}
		event := outreach.Event{ID: newID(), WorkspaceID: workspace, Type: outreach.EventTest, OccurredAt: db.now(), Metadata: outreach.TestMetadata{}}
		body, err := db.payload(event)
		if err != nil {
			return fmt.Errorf("write payload: %w", err)
		}
		a, err = db.startTest(ctx, tx, s, event, body, ttl)
		return err
	})
	return a, err
}

func (db *DB) startTest(ctx context.Context, tx pgx.Tx, s outreach.Subscription, event outreach.Event, body []byte, ttl time.Duration) (carry.Attempt, error) {
	a := carry.Attempt{
		Claim: carry.Claim{ID: newID(), Number: 1}, Verdict: carry.Begun,
		WorkspaceID: s.WorkspaceID, Type: event.Type, URL: s.URL, Body: body,
	}
	var sealed []byte
	if err := tx.QueryRow(ctx, selectSecret, s.WorkspaceID, s.ID).Scan(&sealed); err != nil {
		return a, fmt.Errorf("read sealed secret: %w", err)
	}
	var err error
	if a.Secret, err = db.openSecret(s.ID, sealed); err != nil {
		return a, err
	}
	err = tx.QueryRow(ctx, insertTest, a.ID, s.WorkspaceID, s.ID, event.Type, event.ID, s.URL, body, ttl).Scan(&a.StartedAt, &a.Host)
	if err != nil {
		return a, fmt.Errorf("insert test delivery: %w", err)
	}
	return a, nil
}

const settleTests = `
WITH stale AS MATERIALIZED (
	SELECT id FROM deliveries
	WHERE status = 'queued' AND next_attempt_at IS NULL AND lease_until <= clock_timestamp()
	ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED
),
logged AS (
	UPDATE delivery_attempts a SET error = 'interrupted',
		duration_ms = least(extract(epoch FROM clock_timestamp() - a.started_at) * 1000, 2147483647)::int
	FROM stale WHERE a.delivery_id = stale.id AND a.number = 1
)
UPDATE deliveries d SET status = 'failed', attempts = 1, error = 'interrupted', lease_until = NULL
FROM stale WHERE d.id = stale.id`

// SettleTests records tests whose process died in the attempt as failed, and
// says how many. It may die at any instant and is simply done again.
func (db *DB) SettleTests(ctx context.Context) (int, error) {
	tag, err := db.pool.Exec(ctx, settleTests)
	if err != nil {
		return 0, fmt.Errorf("settle tests: %w", err)
	}
	return int(tag.RowsAffected()), nil
}

const queueStats = `
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
queued AS (
	SELECT next_attempt_at AS at, lease_until > now AS running,
		next_attempt_at <= now AND (handed_until <= now OR handed_until IS NULL) AND (lease_until <= now OR lease_until IS NULL) AS due
	FROM deliveries, clock WHERE status = 'queued'
)
SELECT count(*), count(*) FILTER (WHERE due), count(*) FILTER (WHERE running),
	coalesce((SELECT now FROM clock) - min(at) FILTER (WHERE due), interval '0')
FROM queued`

// QueueStats counts the queue of all workspaces, for the operator.
func (db *DB) QueueStats(ctx context.Context) (s carry.QueueStats, err error) {
	err = db.pool.QueryRow(ctx, queueStats).Scan(&s.Queued, &s.Due, &s.InFlight, &s.OldestDue)
	if err != nil {
		return s, fmt.Errorf("count queue: %w", err)
	}
	return s, nil
}

// Ids begin with their milliseconds, so the primary key is in the order of age
// and the oldest are found without an index of their own.
const retireDeliveries = `
WITH old AS MATERIALIZED (
	SELECT id FROM deliveries
	WHERE id < $1 AND created_at < $2 AND status <> 'queued' ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED
)
DELETE FROM deliveries d USING old WHERE d.id = old.id`

// retireBatch bounds one statement of Retention.
const retireBatch = 1000

// Retention deletes settled deliveries that were created longer ago than
// olderThan, with their attempts, a bounded batch at a time, and says how many
// went. Queued ones never go. It stops between batches when ctx ends, and what
// a dead process left is taken by the next call.
func (db *DB) Retention(ctx context.Context, olderThan time.Duration) (int, error) {
	var now time.Time
	if err := db.pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now); err != nil {
		return 0, fmt.Errorf("retire deliveries: %w", err)
	}
	cutoff, total := now.Add(-olderThan), 0
	for {
		tag, err := db.pool.Exec(ctx, retireDeliveries, idAt(cutoff), cutoff, retireBatch)
		if err != nil {
			return total, fmt.Errorf("retire deliveries: %w", err)
		}
		total += int(tag.RowsAffected())
		if tag.RowsAffected() < retireBatch {
			return total, nil
		}
		if ctx.Err() != nil {
			return total, ctx.Err()
		}
	}
}

// idAt is above every id made before the millisecond after t (RFC 9562, 5.7).
func idAt(t time.Time) (id uuid.UUID) {
	ms := uint64(t.UnixMilli() + 1)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	return id
}
