package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// Mailboxes are driven by mailboxes.look_at: a claim that finds nothing notes when
// it may find something, and a mailbox is listed when that time has come. Whatever
// may make somebody due earlier adds a row to sender_wakes.

const selectSenders = `SELECT workspace_id, id FROM mailboxes WHERE look_at <= $1 ORDER BY look_at LIMIT $2`

// maxSenders bounds one list of senders; those that are left are in the next.
const maxSenders = 1000

// Senders returns the mailboxes that may have something to send now, the longest
// waiting first.
func (l *Ledger) Senders(ctx context.Context) ([]outreach.MailboxRef, error) {
	if err := l.wake(ctx); err != nil {
		return nil, err
	}
	return l.db.MailboxRefs(ctx, "list senders", selectSenders, l.db.Now(), maxSenders)
}

const selectNextLook = `SELECT min(look_at) FROM mailboxes WHERE look_at > $1`

// NextSender returns when the next mailbox is to be looked at, the zero time when
// none is known.
func (l *Ledger) NextSender(ctx context.Context) (at time.Time, err error) {
	var next *time.Time
	if err := l.db.Pool().QueryRow(ctx, selectNextLook, l.db.Now()).Scan(&next); err != nil {
		return at, fmt.Errorf("look for the next sender: %w", err)
	}
	if next != nil {
		at = *next
	}
	return at, nil
}

const selectWoken = `SELECT DISTINCT workspace_id FROM (SELECT workspace_id FROM sender_wakes LIMIT 10000) w`

const lookNow = `
WITH taken AS (DELETE FROM sender_wakes WHERE workspace_id = $1)
UPDATE mailboxes SET look_at = $2 WHERE workspace_id = $1 AND (look_at IS NULL OR look_at > $2)`

// wake makes the mailboxes look again in whose workspaces something has changed. A
// process that dies in it leaves the rest to the next call.
func (l *Ledger) wake(ctx context.Context) error {
	rows, err := l.db.Pool().Query(ctx, selectWoken)
	if err != nil {
		return fmt.Errorf("list woken workspaces: %w", err)
	}
	woken, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return fmt.Errorf("list woken workspaces: %w", err)
	}
	for _, workspace := range woken {
		if _, err := l.db.Pool().Exec(ctx, lookNow, workspace, l.db.Now()); err != nil {
			return fmt.Errorf("wake mailboxes: %w", err)
		}
	}
	return nil
}

// inFlight holds for a claimed message l that its sender, or one that died after
// commit 2, has. One that waits for another try is not in flight.
const inFlight = `l.holder IS NOT NULL AND (l.committed_at IS NOT NULL OR l.lease_until > statement_timestamp())`

// senderState is what is read of a mailbox that sends.
type senderState struct {
	id                               uuid.UUID
	commit, inFlight, first, freeing *time.Time
	later                            *time.Time // like freeing, for the limit of tomorrow
	factor                           float64
	sent, owed                       int
}

// What is in flight counts, and what a server has had in the last 24 hours: $3 is
// when they began. The message that takes the mailbox to its limit frees a place
// when it is 24 hours old. $5 is the limit of today, $6 that of tomorrow, which under
// a ramp-up is higher once something was sent today.
var senderColumns = storage.NewColumns(func(s *senderState) []storage.Column {
	return []storage.Column{
		{SQL: "m.id", To: &s.id},
		{SQL: "m.last_commit_at", To: &s.commit},
		{SQL: "m.gap_factor", To: &s.factor},
		{SQL: `
(SELECT max(l.lease_until) FROM messages l WHERE l.workspace_id = $1 AND l.mailbox_id = m.id AND l.status = 'claimed'
	AND ` + inFlight + `)`, To: &s.inFlight},
		{SQL: `
(SELECT count(*) FROM messages l WHERE l.workspace_id = $1 AND l.mailbox_id = m.id AND l.status = 'claimed'
	AND ` + inFlight + `) + recent.n`, To: &s.sent},
		{SQL: "recent.first", To: &s.first},
		{SQL: "recent.freeing", To: &s.freeing},
		{SQL: "recent.later", To: &s.later},
		{SQL: `(SELECT count(*) FROM (SELECT FROM enrollments e WHERE e.workspace_id = $1 AND e.mailbox_id = m.id AND e.status = 'active'
			AND e.next_step > 1 AND e.next_send_at <= $4
			AND (SELECT c.status = 'active' FROM campaigns c WHERE c.workspace_id = $1 AND c.id = e.campaign_id)
			AND ` + notOnItsWay + ` LIMIT box.most) owed)`, To: &s.owed},
	}
})

const senderFrom = `
FROM unnest($2::uuid[], $5::int[], $6::int[]) box(id, most, tomorrow) JOIN mailboxes m ON m.workspace_id = $1 AND m.id = box.id
CROSS JOIN LATERAL (
	SELECT count(*) AS n, min(t.sent_at) AS first, min(t.sent_at) FILTER (WHERE t.place <= box.most) AS freeing,
		min(t.sent_at) FILTER (WHERE t.place = box.tomorrow) AS later
	FROM (SELECT l.sent_at, row_number() OVER (ORDER BY l.sent_at DESC, l.id DESC) AS place FROM messages l
		WHERE l.workspace_id = $1 AND l.mailbox_id = m.id AND l.status IN ('sent', 'bounced', 'unknown') AND l.sent_at > $3
		ORDER BY l.sent_at DESC, l.id DESC LIMIT box.tomorrow + 1) t) recent
WHERE m.workspace_id = $1`

var selectSenderStates = `SELECT ` + senderColumns.SQL + senderFrom

// day is how far back the limit of a mailbox looks.
const day = 24 * time.Hour

// senderStates completes the senders of mailboxes.
func senderStates(ctx context.Context, q storage.Querier, workspace uuid.UUID, senders map[uuid.UUID]*outreach.Sender,
	now time.Time) error {
	ids, most, tomorrow := make([]uuid.UUID, 0, len(senders)), make([]int, 0, len(senders)), make([]int, 0, len(senders))
	midnight := outreach.NextUTCDay(now)
	for id, s := range senders {
		ids, most, tomorrow = append(ids, id), append(most, s.Mailbox.LimitOn(now)), append(tomorrow, s.Mailbox.LimitOn(midnight))
	}
	rows, err := q.Query(ctx, selectSenderStates, workspace, ids, now.Add(-day), now.Add(day), most, tomorrow)
	if err != nil {
		return fmt.Errorf("read senders: %w", err)
	}
	err = senderColumns.Each(rows, func(state *senderState) {
		s := senders[state.id]
		s.Sent, s.Owed, s.GapUntil = state.sent, state.owed, s.Mailbox.GapEnd(state.commit, state.factor)
		s.InFlight, s.PlaceAt, s.FreeAt = time.Time{}, time.Time{}, time.Time{}
		if state.inFlight != nil {
			s.InFlight = laterOf(*state.inFlight, now.Add(time.Second))
		}
		if state.first != nil {
			s.PlaceAt = state.first.Add(day)
		}
		limit := s.Mailbox.LimitOn(now)
		if state.sent >= limit && state.freeing != nil {
			s.FreeAt = state.freeing.Add(day)
		} else if state.sent >= limit && state.inFlight != nil {
			s.FreeAt = s.InFlight
		}
		if s.Mailbox.LimitOn(midnight) > limit { // the ramp-up frees places too
			raised := midnight
			if state.later != nil {
				raised = laterOf(raised, state.later.Add(day))
			}
			s.FreeAt, s.PlaceAt = earlierOf(s.FreeAt, raised), earlierOf(s.PlaceAt, raised)
		}
	})
	if err != nil {
		return fmt.Errorf("read senders: %w", err)
	}
	return nil
}

// earlierOf returns at, or before if that is earlier; the zero time stays.
func earlierOf(at, before time.Time) time.Time {
	if before.Before(at) {
		return before
	}
	return at
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
