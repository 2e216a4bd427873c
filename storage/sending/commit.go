package sending

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// ErrWithdrawn reports that a claimed message must not be sent: its prospect replied, its campaign
// stopped, or another process holds it.
var ErrWithdrawn = errors.New("the message was withdrawn")

// committing is one call of CommitMessage.
type committing struct {
	outreach.Ref
	holder string
}

// CommitMessage is commit 2, just before the final dot. Under the lock of the enrollment it checks
// again whether the message may be sent. If not, it deletes the row, as if it had never been
// claimed, and returns ErrWithdrawn; the caller then closes the connection before the dot.
//
// Calls that come at the same time share a transaction; a single call is a batch of one.
func (l *Ledger) CommitMessage(ctx context.Context, message outreach.Ref, holder string) error {
	_, err := l.commits.Do(ctx, committing{message, holder})
	return err
}

// The gap of the mailbox begins at committed_at. A mailbox that was idle is read again from now on.
const commitMessages = `
WITH committed AS (
	UPDATE messages m SET committed_at = $4
	WHERE m.workspace_id = $1 AND m.id = ANY($2) AND m.holder = ($3::text[])[array_position($2, m.id)] AND (m.status = 'claimed') IS TRUE
		AND m.committed_at IS NULL AND (m.lease_until > statement_timestamp()) IS TRUE
	RETURNING m.id, m.mailbox_id, m.gap_factor
), box AS (
	UPDATE mailboxes b SET last_commit_at = $4, gap_factor = c.factor, sent_bound = b.sent_bound + c.count,
		receive_at = CASE WHEN b.last_commit_at > $5 THEN b.receive_at ELSE '-infinity' END
	FROM (SELECT mailbox_id, count(*) AS count, max(gap_factor) AS factor FROM committed GROUP BY mailbox_id) c
	WHERE b.workspace_id = $1 AND b.id = c.mailbox_id
), counted AS (
	INSERT INTO ledger_counts (workspace_id, commits) SELECT $1, count(*) FROM committed HAVING count(*) > 0 ` + addCommits + `
)
SELECT id, (SELECT commits FROM counted) FROM committed`

// commitBatch is commit 2 for several messages. It returns ErrWithdrawn or nil for each.
func (l *Ledger) commitBatch(ctx context.Context, calls []committing) (results []error, err error) {
	results = make([]error, len(calls))
	counts := map[uuid.UUID]int64{}
	err = l.db.GroupTx(ctx, func(tx pgx.Tx) error {
		var committed []uuid.UUID
		for workspace, some := range storage.ByWorkspace(calls, committing.Workspace) {
			ids, count, err := l.commitOf(ctx, tx, workspace, some)
			if err != nil {
				return err
			}
			committed, counts[workspace] = append(committed, ids...), count
		}
		for i, call := range calls {
			if results[i] = nil; !slices.Contains(committed, call.ID) {
				results[i] = ErrWithdrawn
			}
		}
		return nil
	})
	if err == nil {
		for workspace, count := range counts {
			l.guard.saw(workspace, count)
		}
	}
	return results, err
}

// commitOf is commitBatch for messages of one workspace. It returns the committed ones, and how many
// the workspace has committed in all, or 0 if none was committed now.
func (l *Ledger) commitOf(ctx context.Context, tx pgx.Tx, workspace uuid.UUID,
	calls []committing) (committed []uuid.UUID, count int64, err error) {
	ids := make([]uuid.UUID, len(calls))
	for i, call := range calls {
		ids[i] = call.ID
	}
	going, err := l.withdrawThose(ctx, tx, workspace, ids)
	if err != nil {
		return nil, 0, err
	}
	var holders []string
	var allowed []uuid.UUID
	for _, call := range calls {
		if going[call.ID] {
			allowed, holders = append(allowed, call.ID), append(holders, call.holder)
		}
	}
	now := l.db.Now()
	var id uuid.UUID
	err = storage.ForEach(ctx, tx, "commit messages", commitMessages, []any{workspace, allowed, holders, now, outreach.IdleSince(now)},
		[]any{&id, &count}, func() { committed = append(committed, id) })
	if err != nil {
		return nil, 0, err
	}
	return committed, count, l.checkCount(ctx, workspace, count, len(committed))
}

// Messages are locked first, in the order of ids, then their enrollments in the order of theirs, so that two
// transactions lock in the same order.
const lockCommitting = `
SELECT FROM (
	SELECT m.enrollment_id FROM unnest($2::uuid[]) one(id) CROSS JOIN LATERAL (
		SELECT m.enrollment_id FROM messages m WHERE m.workspace_id = $1 AND m.id = one.id FOR UPDATE) m
	ORDER BY m.enrollment_id) one CROSS JOIN LATERAL (
	SELECT FROM enrollments e WHERE e.workspace_id = $1 AND e.id = one.enrollment_id FOR UPDATE) e`

// verdict holds what decides whether a claimed message may still be sent.
type verdict struct {
	id             uuid.UUID
	mayGo, deleted bool
	replies        bool              // whether a reply stops the sequence
	timezone       string            // empty for the campaign's
	campaign       outreach.Campaign // with dates and the time zone for them
	standing       outreach.Standing
}

var verdictColumns = storage.NewColumns(func(v *verdict) []storage.Column {
	return append([]storage.Column{
		{SQL: "m.id", To: &v.id},
		{SQL: `coalesce(e.status = 'active' AND e.run = m.run AND e.next_step = m.step AND c.status = 'active'
			AND m.mailbox_id = ANY(c.mailbox_ids)
			AND (SELECT b.status IN ('connected', 'error') FROM mailboxes b WHERE b.workspace_id = $1 AND b.id = m.mailbox_id)
			AND coalesce(p.email = m.recipient, true), false)`, To: &v.mayGo},
		{SQL: "p.id IS NULL", To: &v.deleted},
		{SQL: "coalesce(c.stop_on_reply AND NOT e.forced, false)", To: &v.replies},
		{SQL: "coalesce(e.timezone, '')", To: &v.timezone},
		{SQL: "coalesce(c.timezone, '')", To: &v.campaign.Timezone},
		{SQL: "c.skip_dates::text[]", To: &v.campaign.SkipDates},
		{SQL: "c.starts_on::text", To: &v.campaign.StartsOn},
		{SQL: "c.ends_on::text", To: &v.campaign.EndsOn},
	}, standingColumns(&v.standing)...)
})

// mayGoOn reports whether the message may be sent at now. The hours of the window count only when a
// message is claimed. Its dates count here again, because midnight may have passed.
func (v verdict) mayGoOn(now time.Time) bool {
	return v.mayGo && !v.campaign.BarsDay(now, v.timezone)
}

// obstacle returns why the prospect must not be written to.
func (v verdict) obstacle() outreach.Obstacle { return v.standing.Obstacle(v.replies, false) }

// The enrollment must stand where it stood at the claim, the campaign must still use the mailbox,
// the mailbox must not be paused, and the prospect must still have the address. This is a statement
// of its own, so that it sees what the locks waited for.
var selectGoing = `
SELECT ` + verdictColumns.SQL + `
FROM messages m LEFT JOIN enrollments e ON e.workspace_id = $1 AND e.id = m.enrollment_id
	LEFT JOIN campaigns c ON c.workspace_id = $1 AND c.id = e.campaign_id
	LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = m.prospect_id
WHERE m.workspace_id = $1 AND m.id = ANY($2)`

// withdrawThose locks claimed messages with their enrollments, deletes those whose enrollment no longer
// sends this step, and returns which may be sent. A paused or held enrollment keeps its step for later;
// an enrollment with a permanent obstacle ends.
func (l *Ledger) withdrawThose(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, ids []uuid.UUID) (going map[uuid.UUID]bool, err error) {
	var verdicts []verdict
	batch := &pgx.Batch{}
	batch.Queue(lockCommitting, workspace, storage.InOrder(ids))
	batch.Queue(selectGoing, workspace, ids).Query(func(rows pgx.Rows) (err error) {
		verdicts, err = verdictColumns.Collect(rows, nil)
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("lock and read messages: %w", err)
	}
	going = map[uuid.UUID]bool{}
	stopped := map[uuid.UUID]verdict{}
	for _, v := range verdicts {
		if v.mayGoOn(l.db.Now()) && !v.deleted && v.obstacle() == outreach.ObstacleNone {
			going[v.id] = true
		} else {
			stopped[v.id] = v
		}
	}
	return going, l.withdraw(ctx, tx, workspace, stopped)
}

// withdraw deletes messages that must not be sent. A message past commit 2 cannot be withdrawn.
func (l *Ledger) withdraw(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, stopped map[uuid.UUID]verdict) error {
	if len(stopped) == 0 {
		return nil
	}
	found, err := lockInFlight(ctx, tx, workspace, slices.SortedFunc(maps.Keys(stopped), storage.CompareIDs))
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.Status != outreach.MessageClaimed {
			continue
		}
		if err := storage.Release(ctx, tx, storage.ReleaseMessage, f.Workspace, f.ID, l.db.Now()); err != nil {
			return err
		}
		v := stopped[f.ID]
		if !v.mayGo {
			continue
		}
		cause := v.obstacle().Ends()
		switch {
		case v.deleted:
			cause = outreach.EndProspectDeleted
		case v.obstacle() == outreach.ObstacleNone:
			continue // the step waits for a date
		}
		if err := storage.EndOne(ctx, tx, f.Workspace, f.Enrollment, f.Prospect, cause.Ending()); err != nil {
			return err
		}
	}
	return nil
}

const renewMessages = `
UPDATE messages SET lease_until = statement_timestamp() + $4 WHERE workspace_id = $1 AND id = ANY($2) AND holder = $3
	AND status IN ('claimed', 'scheduled')`

// RenewMessages renews the leases of messages that this process is sending.
func (l *Ledger) RenewMessages(ctx context.Context, messages []outreach.Ref, holder string) error {
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(messages, outreach.Ref.Workspace) {
		batch.Queue(renewMessages, workspace, outreach.IDsOf(some), holder, outreach.LeaseLength)
	}
	if err := l.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("renew leases of messages: %w", err)
	}
	return nil
}
