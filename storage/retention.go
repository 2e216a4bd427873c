package storage

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// dropWait bounds the wait for the lock that detaching a partition takes. Reads and writes of events
// wait for no longer than that.
const dropWait = 50 * time.Millisecond

const (
	selectOldPartitions = `
SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'public.events'::regclass
	AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= $1
ORDER BY c.relname`

	keepCounts = `
INSERT INTO event_counts (workspace_id, campaign_id, day, type, interest, count)
SELECT workspace_id, campaign_id, (occurred_at AT TIME ZONE 'UTC')::date, type, interest, count(*)
FROM %s GROUP BY 1, 2, 3, 4, 5`

	keepPeople = `
INSERT INTO event_people (workspace_id, campaign_id, prospect_id, type)
SELECT DISTINCT workspace_id, campaign_id, prospect_id, type
FROM %s WHERE prospect_id IS NOT NULL AND type IN ('replied', 'clicked', 'bounced', 'unsubscribed')
	AND interest IS DISTINCT FROM 'automatic'`
)

// DropEvents drops the partitions of events that end before the given time, and returns their
// number. What statistics and unsubscribing need of them is kept in event_counts and event_people.
// If another program reads the table, such as a backup, it returns ErrPartitionBusy after dropWait,
// and the next call tries again.
//
// Each partition is a transaction. If the process dies, it is there with its events, or it is gone
// and counted.
func (db *DB) DropEvents(ctx context.Context, before time.Time) (dropped int, err error) {
	names, err := Values[string](ctx, db.pool, "list old event partitions", selectOldPartitions, before)
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := db.dropPartition(ctx, name); err != nil {
			return dropped, err
		}
		dropped++
	}
	return dropped, nil
}

// dropPartition counts the events of a partition while others may read it, and then detaches it,
// for which it waits until nothing reads the table.
func (db *DB) dropPartition(ctx context.Context, name string) error {
	table := pgx.Identifier{name}.Sanitize()
	return db.changePartition(ctx, name, true, dropWait,
		"LOCK TABLE "+table+" IN SHARE MODE", // no event is added after it was counted
		fmt.Sprintf(keepCounts, table),
		fmt.Sprintf(keepPeople, table),
		"ALTER TABLE events DETACH PARTITION "+table,
		"DROP TABLE "+table)
}

// dueTogether is how many workspaces with old rows are listed at a time.
const dueTogether = 1000

// lookMargin is longer than any transaction: what is committed later than that is younger.
const lookMargin = time.Hour

// Retained describes a kind of rows that are deleted when they are old. The table workspaces has a
// column for each kind: a time before which the workspace has no such rows. So only workspaces that
// may have old rows are read.
type Retained struct {
	// Due lists at most $2 workspaces whose column is before $1.
	Due string
	// Remove deletes at most $3 rows of workspace $1 from before $2.
	Remove string
	// Oldest returns the time of the oldest row of workspace $1, or no row.
	Oldest string
	// Note sets the column of workspace $1 to $2.
	Note string
}

// removeTogether bounds the rows of one statement of RemoveOld.
const removeTogether = 1000

// RemoveOld deletes the rows from before the given time, in bounded batches, and returns their
// number. from is that time as Remove takes it. If it is interrupted, the next call continues.
func (db *DB) RemoveOld(ctx context.Context, what Retained, before time.Time, from any) (total int, err error) {
	err = db.eachDue(ctx, what.Due, before, func(workspace uuid.UUID) error {
		for {
			tag, err := db.pool.Exec(ctx, what.Remove, workspace, from, removeTogether)
			if err != nil {
				return err
			}
			total += int(tag.RowsAffected())
			if int(tag.RowsAffected()) < removeTogether {
				break
			}
		}
		oldest, err := Values[*time.Time](ctx, db.pool, "find the oldest row", what.Oldest, workspace)
		if err != nil {
			return err
		}
		return db.noteOldest(ctx, what.Note, workspace, before, oldest)
	})
	return total, err
}

// eachDue calls look with each workspace that due lists. look must record how far it came, so that the
// workspace is no longer due.
func (db *DB) eachDue(ctx context.Context, due string, before time.Time, look func(workspace uuid.UUID) error) error {
	for {
		ids, err := Values[uuid.UUID](ctx, db.pool, "list workspaces with old rows", due, before, dueTogether)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := look(id); err != nil {
				return err
			}
		}
		if len(ids) < dueTogether {
			return nil
		}
	}
}

// noteOldest sets the column of a workspace that was looked at to the oldest time, if there is one.
// A row that stayed because another transaction had locked it is deleted by the next call.
func (db *DB) noteOldest(ctx context.Context, note string, workspace uuid.UUID, before time.Time, oldest []*time.Time) error {
	from := db.Now().Add(-lookMargin)
	if len(oldest) > 0 && oldest[0] != nil {
		from = *oldest[0]
	}
	if from.Before(before) {
		from = before
	}
	return Exec(ctx, db.pool, "note the oldest row", note, workspace, from)
}

// emptyTogether bounds the rows of one transaction of EmptyMail.
const emptyTogether = 1000

const (
	selectOldMail = `SELECT id FROM workspaces WHERE mail_from < $1 ORDER BY mail_from LIMIT $2`

	selectMailKept = `SELECT messages_kept_from, replies_kept_from FROM workspaces WHERE id = $1`

	selectOldestMail = `
SELECT least(
	(SELECT sent_at FROM messages WHERE workspace_id = $1 AND sent_at >= $2 AND status IN ('sent', 'bounced', 'unknown')
		ORDER BY sent_at LIMIT 1),
	(SELECT received_at FROM replies WHERE workspace_id = $1 AND received_at >= $2 ORDER BY received_at LIMIT 1))`

	setMailFrom = `UPDATE workspaces SET mail_from = $2 WHERE id = $1`

	// A message that is on its way, or waits for its time, keeps its text. The subject is kept as long as
	// the enrollment may continue the thread.
	emptyMessages = `
WITH old AS (
	SELECT id, sent_at FROM messages
	WHERE workspace_id = $1 AND sent_at >= coalesce($2::timestamptz, '-infinity') AND sent_at < $3 AND status IN ('sent', 'bounced', 'unknown')
	ORDER BY sent_at, id LIMIT $4
), emptied AS (
	UPDATE messages m SET body_text = '', body_html = NULL, words = '', smtp_response = NULL, cc = '{}',
		subject = CASE WHEN EXISTS (SELECT FROM enrollments e WHERE e.workspace_id = $1 AND e.id = m.enrollment_id
			AND e.run = m.run) THEN m.subject ELSE '' END
	FROM old WHERE m.workspace_id = $1 AND m.id = old.id
)
SELECT count(*), max(sent_at) FROM old`

	emptyReplies = `
WITH old AS (
	SELECT id, received_at FROM replies
	WHERE workspace_id = $1 AND received_at >= coalesce($2::timestamptz, '-infinity') AND received_at < $3
	ORDER BY received_at, id LIMIT $4
), emptied AS (
	UPDATE replies r SET subject = NULL, body_text = '', full_text = NULL, words = '', attachments = '[]', interest_reason = NULL
	FROM old WHERE r.workspace_id = $1 AND r.id = old.id
)
SELECT count(*), max(received_at) FROM old`

	setMessagesKept = `UPDATE workspaces SET messages_kept_from = $2 WHERE id = $1`
	setRepliesKept  = `UPDATE workspaces SET replies_kept_from = $2 WHERE id = $1`
)

// EmptyMail deletes the words of messages and replies from before the given time: subjects, texts,
// files' names and answers of servers. Recipients and times are kept, so that statistics, matching and
// unsubscribe links still work.
//
// Each batch is a transaction that also notes how far it came; if the process dies, the next call
// continues there.
func (db *DB) EmptyMail(ctx context.Context, before time.Time) error {
	before = before.UTC().Truncate(24 * time.Hour) // so a workspace is looked at once a day at most
	err := db.eachDue(ctx, selectOldMail, before, func(workspace uuid.UUID) error {
		var messages, replies *time.Time
		if err := db.pool.QueryRow(ctx, selectMailKept, workspace).Scan(&messages, &replies); err != nil {
			return err
		}
		if err := db.emptyUntil(ctx, workspace, emptyMessages, setMessagesKept, messages, before); err != nil {
			return err
		}
		if err := db.emptyUntil(ctx, workspace, emptyReplies, setRepliesKept, replies, before); err != nil {
			return err
		}
		oldest, err := Values[*time.Time](ctx, db.pool, "find the oldest mail", selectOldestMail, workspace, before)
		if err != nil {
			return err
		}
		return db.noteOldest(ctx, setMailFrom, workspace, before, oldest)
	})
	if err != nil {
		return fmt.Errorf("empty old mail: %w", err)
	}
	return nil
}

// emptyUntil may empty a mail twice, where a batch ends between two of the same time.
func (db *DB) emptyUntil(ctx context.Context, workspace uuid.UUID, empty, set string, from *time.Time, before time.Time) error {
	for from == nil || from.Before(before) {
		var next *time.Time
		err := db.Tx(ctx, func(tx pgx.Tx) error {
			var n int
			if err := tx.QueryRow(ctx, empty, workspace, from, before, emptyTogether).Scan(&n, &next); err != nil {
				return err
			}
			if n < emptyTogether {
				next = &before
			}
			_, err := tx.Exec(ctx, set, workspace, next)
			return err
		})
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}
