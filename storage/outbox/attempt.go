package outbox

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/jobs/queue"
	"outreach/storage"
)

// begunAttempt is an attempt with the data from which its secret is read.
type begunAttempt struct {
	queue.Attempt
	subscription uuid.UUID
	sealed       []byte
}

var begunColumns = storage.NewColumns(func(a *begunAttempt) []storage.Column {
	return []storage.Column{
		{SQL: "b.id", To: &a.ID},
		{SQL: "b.attempts + 1", To: &a.Number},
		{SQL: "b.attempt_started_at", To: &a.StartedAt},
		{SQL: "b.workspace_id", To: &a.WorkspaceID},
		{SQL: "b.host", To: &a.Host},
		{SQL: "b.subscription_id", To: &a.subscription},
		{SQL: "b.type", To: &a.Type},
		{SQL: "b.url", To: &a.URL},
		{SQL: "b.body", To: &a.Body},
		{SQL: "s.secret", To: &a.sealed},
	}
})

// beginAttempts begins the attempts that may begin. An attempt is stored before its request is
// sent, with the number after the last recorded one: the repetition of an attempt whose process
// died has the same number.
var beginAttempts = `
WITH begun AS (
	UPDATE deliveries d SET attempt_started_at = statement_timestamp(),
		lease_until = statement_timestamp() + $4::interval, handed_until = statement_timestamp() + $4::interval
	FROM unnest($2::uuid[], $3::int[]) AS a (id, generation)
	WHERE d.workspace_id = $1 AND d.id = a.id AND d.generation = a.generation
		AND (d.status = 'queued') IS TRUE AND d.next_attempt_at <= statement_timestamp()
		AND (d.lease_until IS NULL OR d.lease_until <= statement_timestamp())
	RETURNING d.id, d.attempts, d.attempt_started_at, d.workspace_id, d.host, d.subscription_id, d.type, d.url, d.body
)
SELECT ` + begunColumns.SQL + `
FROM begun b JOIN subscriptions s ON s.workspace_id = $1 AND s.id = b.subscription_id`

// judgeRefused returns why the other attempts may not begin. An attempt that could begin now, because
// it became due or a lease ended meanwhile, is early with a wait of zero: its task tries again.
const judgeRefused = `
SELECT d.id, CASE
	WHEN d.status <> 'queued' OR d.generation <> a.generation OR d.next_attempt_at IS NULL THEN 'stale'
	WHEN d.lease_until > statement_timestamp() THEN 'busy'
	ELSE 'early' END, greatest(d.next_attempt_at - statement_timestamp(), interval '0')
FROM unnest($2::uuid[], $3::int[]) AS a (id, generation) JOIN deliveries d ON d.workspace_id = $1 AND d.id = a.id`

// BeginAttempts asks for several tasks whether their attempts may begin, and begins those, under the
// next number and leased for ttl from now. The number counts when the result is recorded. The
// answers are in the order of the tasks. A second task for the same delivery is busy.
//
// If the process dies before the commit, no attempt has begun; after it, the attempt is repeated
// under the same number when the lease has ended.
func (o *Outbox) BeginAttempts(ctx context.Context, tasks []queue.Handed, ttl time.Duration) ([]queue.Attempt, error) {
	first := make(map[uuid.UUID]int, len(tasks))
	out := make([]queue.Attempt, len(tasks))
	single := make([]queue.Handed, 0, len(tasks))
	for i, task := range tasks {
		out[i].Verdict = queue.Busy
		if _, twice := first[task.ID]; !twice {
			first[task.ID], out[i].Verdict = i, queue.Stale // unless a row is found
			single = append(single, task)
		}
	}
	begun, err := o.begin(ctx, single, ttl)
	if err != nil {
		return nil, fmt.Errorf("begin attempts: %w", err)
	}
	for _, attempt := range begun {
		out[first[attempt.ID]] = attempt
	}
	if len(begun) == len(single) {
		return out, nil
	}
	refused := slices.DeleteFunc(single, func(task queue.Handed) bool { return out[first[task.ID]].Verdict == queue.Begun })
	if err := o.judge(ctx, refused, func(id uuid.UUID) *queue.Attempt { return &out[first[id]] }); err != nil {
		return nil, fmt.Errorf("judge tasks: %w", err)
	}
	return out, nil
}

func (o *Outbox) begin(ctx context.Context, tasks []queue.Handed, ttl time.Duration) ([]queue.Attempt, error) {
	attempts := make([]queue.Attempt, 0, len(tasks))
	return attempts, o.eachWorkspace(ctx, tasks, beginAttempts, []any{ttl}, func(rows pgx.Rows) error {
		return begunColumns.Each(rows, func(a *begunAttempt) {
			a.Verdict = queue.Begun
			a.Secret, a.Err = o.openSecret(a.subscription, a.sealed)
			attempts = append(attempts, a.Attempt)
		})
	})
}

func (o *Outbox) openSecret(subscription uuid.UUID, sealed []byte) (string, error) {
	plain, err := o.db.Keys().Open(outreach.PurposeSigningSecret, subscription[:], sealed)
	if err != nil {
		return "", fmt.Errorf("open signing secret: %w", err)
	}
	return string(plain), nil
}

func (o *Outbox) judge(ctx context.Context, tasks []queue.Handed, of func(uuid.UUID) *queue.Attempt) error {
	var id uuid.UUID
	var verdict queue.Verdict
	var wait *time.Duration
	return o.eachWorkspace(ctx, tasks, judgeRefused, nil, storage.EachRow([]any{&id, &verdict, &wait}, func() {
		a := of(id)
		a.Verdict = verdict
		if verdict == queue.Early {
			a.Wait = *wait
		}
	}))
}

const renewLeases = `
UPDATE deliveries d SET lease_until = statement_timestamp() + $5::interval, handed_until = statement_timestamp() + $5::interval
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) AS m (id, number, started_at)
WHERE d.workspace_id = $1 AND d.id = m.id AND (d.status = 'queued') IS TRUE AND d.attempts = m.number - 1
	AND d.attempt_started_at = m.started_at`

// RenewLeases renews the leases of running attempts of this process for ttl. Attempts that are over
// or taken over are not changed.
func (o *Outbox) RenewLeases(ctx context.Context, attempts []queue.AttemptKey, ttl time.Duration) error {
	batch := &pgx.Batch{}
	inOrder := slices.SortedFunc(slices.Values(attempts), compareKeys)
	for workspace, some := range storage.ByWorkspace(inOrder, queue.AttemptKey.Workspace) {
		c := columnsOfAttempts(some)
		batch.Queue(renewLeases, workspace, c.ids, c.numbers, c.starts, ttl)
	}
	if err := o.db.Groups().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("renew leases: %w", err)
	}
	return nil
}

func compareKeys(a, b queue.AttemptKey) int { return storage.CompareIDs(a.ID, b.ID) }

// attemptColumns holds the keys of attempts as columns.
type attemptColumns struct {
	ids     []uuid.UUID
	numbers []int
	starts  []time.Time
}

func columnsOfAttempts(keys []queue.AttemptKey) (c attemptColumns) {
	for _, k := range keys {
		c.ids, c.numbers, c.starts = append(c.ids, k.ID), append(c.numbers, k.Number), append(c.starts, k.StartedAt)
	}
	return c
}

// finishAttempts records results of attempts that are the latest of their number. A delivery that
// was never scheduled is a test: it has one attempt.
const finishAttempts = `
UPDATE deliveries d SET attempts = t.number, http_status = t.http_status, error = t.error, lease_until = NULL, attempt_started_at = NULL,
	attempt_log = d.attempt_log || ROW (t.number, t.started_at, t.duration_ms, t.http_status, t.error)::delivery_attempt,
	status = CASE WHEN t.error IS NULL THEN 'delivered' WHEN d.next_attempt_at IS NULL OR t.number >= $10::int THEN 'failed' ELSE 'queued' END,
	delivered_at = CASE WHEN t.error IS NULL THEN clock.now END,
	next_attempt_at = CASE WHEN t.error IS NOT NULL AND t.number < $10::int AND d.next_attempt_at IS NOT NULL
		THEN clock.retry END,
	handed_until = CASE WHEN t.error IS NOT NULL AND t.number < $10::int AND d.next_attempt_at IS NOT NULL
		THEN clock.handed END
FROM (SELECT statement_timestamp() AS now, statement_timestamp() + $8::interval AS retry,
	statement_timestamp() + $8::interval + $9::interval AS handed) clock,
	unnest($2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[])
	AS t (id, number, started_at, duration_ms, http_status, error)
WHERE d.workspace_id = $1 AND d.id = t.id AND (d.status = 'queued') IS TRUE AND d.attempts = t.number - 1
	AND d.attempt_started_at = t.started_at
RETURNING d.id, d.status`

// recordedBefore returns the states of deliveries whose attempts were recorded before.
const recordedBefore = `
SELECT d.id, d.status
FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) AS t (id, number, started_at) JOIN deliveries d ON d.workspace_id = $1 AND d.id = t.id
WHERE EXISTS (SELECT FROM unnest(d.attempt_log) l WHERE l.number = t.number AND l.started_at = t.started_at)`

// FinishAttempts records the results of attempts in one statement and returns the deliveries'
// states in the same order. After a failure that is not the last attempt, the delivery is due again
// after the retry delay, counted from the end of the attempt.
//
// If the process dies before the commit, the attempts are repeated under their numbers when their
// leases have ended; after it, nothing is left to do. A second call with the same results changes
// nothing and returns the same.
func (o *Outbox) FinishAttempts(ctx context.Context, results []queue.Result, pace queue.Pace) ([]queue.Recorded, error) {
	states := make(map[uuid.UUID]outreach.DeliveryStatus, len(results))
	finish, before := &pgx.Batch{}, &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(results, queue.Result.Workspace) {
		c, args := finishArguments(some, pace)
		finish.Queue(finishAttempts, append([]any{workspace}, args...)...).Query(readStates(states))
		before.Queue(recordedBefore, workspace, c.ids, c.numbers, c.starts).Query(readStates(states))
	}
	if err := o.db.Groups().SendBatch(ctx, finish).Close(); err != nil {
		return nil, fmt.Errorf("finish attempts: %w", err)
	}
	if len(states) < len(results) {
		if err := o.db.Groups().SendBatch(ctx, before).Close(); err != nil {
			return nil, fmt.Errorf("look up finished attempts: %w", err)
		}
	}
	out := make([]queue.Recorded, len(results))
	for i, result := range results {
		out[i].Status = states[result.ID]
		out[i].Lost = out[i].Status == ""
	}
	return out, nil
}

func readStates(states map[uuid.UUID]outreach.DeliveryStatus) func(pgx.Rows) error {
	var id uuid.UUID
	var status outreach.DeliveryStatus
	return storage.EachRow([]any{&id, &status}, func() { states[id] = status })
}

// eachWorkspace runs a statement on tasks for each of their workspaces, in one transaction. Its
// parameters are the workspace, the ids of the deliveries, their generations and more.
func (o *Outbox) eachWorkspace(ctx context.Context, tasks []queue.Handed, sql string, more []any, read func(pgx.Rows) error) error {
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(tasks, func(task queue.Handed) uuid.UUID { return task.WorkspaceID }) {
		ids, generations := columnsOfTasks(some)
		queued := batch.Queue(sql, append([]any{workspace, ids, generations}, more...)...)
		if read != nil {
			queued.Query(read)
		}
	}
	return o.db.Groups().SendBatch(ctx, batch).Close()
}

func finishArguments(results []queue.Result, pace queue.Pace) (attemptColumns, []any) {
	n := len(results)
	keys, durations := make([]queue.AttemptKey, n), make([]int, n)
	statuses, errs := make([]*int, n), make([]*string, n)
	inOrder := slices.SortedFunc(slices.Values(results), func(a, b queue.Result) int { return compareKeys(a.AttemptKey, b.AttemptKey) })
	for i, r := range inOrder {
		keys[i], durations[i] = r.AttemptKey, int(r.Duration.Milliseconds())
		statuses[i], errs[i] = r.HTTPStatus, r.Error
	}
	c := columnsOfAttempts(keys)
	return c, []any{c.ids, c.numbers, c.starts, durations, statuses, errs, pace.RetryDelay, pace.HandoutTTL, outreach.MaxAttempts}
}
