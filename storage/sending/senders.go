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

// mailboxes.look_at says when a mailbox is checked next: a claim that finds nothing sets it to the
// time when it may find something, and Senders lists a mailbox when that time has come. Any change
// that may make an enrollment due earlier, or free a place, adds a row to sender_wakes.

const selectSenders = `SELECT workspace_id, id FROM mailboxes WHERE look_at <= $1 AND ` + storage.KnownMailbox + `
ORDER BY look_at LIMIT $2`

// maxSenders bounds one list of senders. The rest follows in the next list.
const maxSenders = 1000

// Senders returns the mailboxes that may have something to send now, longest waiting first. While
// sending is off it returns none.
func (l *Ledger) Senders(ctx context.Context) ([]outreach.MailboxRef, error) {
	if l.guard.closed() {
		return nil, nil
	}
	if err := l.wake(ctx); err != nil {
		return nil, err
	}
	return l.db.MailboxRefs(ctx, "list senders", selectSenders, l.db.Now(), maxSenders)
}

const selectNextLook = `SELECT min(look_at) FROM mailboxes WHERE look_at > $1`

// NextSender returns when the next mailbox is to be checked, or the zero time if no time is known.
// While sending is off it returns when to check that again.
func (l *Ledger) NextSender(ctx context.Context) (at time.Time, err error) {
	if l.guard.closed() {
		return l.db.Now().Add(guardEvery), nil
	}
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
WITH taken AS (DELETE FROM sender_wakes WHERE workspace_id = $1 RETURNING mailbox_id)
UPDATE mailboxes m SET look_at = $2
WHERE m.workspace_id = $1 AND (m.look_at IS NULL OR m.look_at > $2)
	AND EXISTS (SELECT FROM taken t WHERE t.mailbox_id IS NULL OR t.mailbox_id = m.id)`

// wake makes the mailboxes of changed workspaces due and checks their campaigns. If a process dies in
// it, the next call does the rest. Other workspaces cost nothing.
func (l *Ledger) wake(ctx context.Context) error {
	woken, err := storage.Values[uuid.UUID](ctx, l.db.Groups(), "list woken workspaces", selectWoken)
	if err != nil {
		return err
	}
	for _, workspace := range woken {
		err := l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, lookNow, workspace, l.db.Now()); err != nil {
				return fmt.Errorf("wake mailboxes: %w", err)
			}
			return checkCampaigns(ctx, tx, workspace)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inFlight matches a claimed message l that a live sender holds, or that a sender left after commit
// 2. A message that waits for its next try is not in flight.
const inFlight = `l.holder IS NOT NULL AND (l.committed_at IS NOT NULL OR l.lease_until > statement_timestamp())`

// senderState is what is read of a sending mailbox.
type senderState struct {
	id                               uuid.UUID
	commit, inFlight, first, freeing *time.Time
	later                            *time.Time // like freeing, for tomorrow's limit
	left                             *time.Time // when the first message before commit 2 is taken over
	factor                           float64
	sent, owed                       int
}

// The count holds messages in flight and those that a server accepted in the last 24 hours, since
// $3. The message that takes the mailbox to its limit frees its place when it is 24 hours old. $5
// is today's limit, $6 tomorrow's, which a ramp-up raises if something was sent today.
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
		{SQL: `
(SELECT min(l.lease_until) FROM messages l WHERE l.workspace_id = $1 AND l.mailbox_id = m.id AND l.status = 'claimed'
	AND l.kind = 'step' AND l.committed_at IS NULL)`, To: &s.left},
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
			AND NOT l.external
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
		s.LeftAt = time.Time{}
		if state.left != nil {
			s.LeftAt = laterOf(*state.left, now.Add(time.Second))
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

// earlierOf returns the earlier of at and before; a zero at stays zero.
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
