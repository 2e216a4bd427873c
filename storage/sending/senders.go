package sending

import (
	"context"
	"fmt"
	"maps"
	"slices"
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

// wake makes the mailboxes of changed workspaces due, checks their campaigns, and shortens waits that
// are longer than contact_gap_hours allows now. If the process dies in it, the next call does the rest.
// Workspaces without a change are not read.
func (l *Ledger) wake(ctx context.Context) error {
	woken, err := storage.Values[uuid.UUID](ctx, l.db.Groups(), "list woken workspaces", selectWoken)
	if err != nil {
		return err
	}
	for _, workspace := range woken {
		if err := l.wakeOne(ctx, workspace); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) wakeOne(ctx context.Context, workspace uuid.UUID) error {
	taken := l.heads.wake(workspace)
	defer taken()
	if err := l.shortenWaits(ctx, workspace); err != nil {
		return err
	}
	return l.db.GroupTx(ctx, func(tx pgx.Tx) error {
		if err := storage.Exec(ctx, tx, "wake mailboxes", lookNow, workspace, l.db.Now()); err != nil {
			return err
		}
		// Read after the wakes were deleted: a claim adds a wait and a wake in one transaction.
		left, err := longWaits(ctx, tx, workspace, 1)
		if err == nil && len(left) > 0 { // the next call goes on
			err = storage.Wake(ctx, tx, workspace)
		}
		if err != nil {
			return err
		}
		return checkCampaigns(ctx, tx, workspace)
	})
}

// inFlight matches a claimed message l that a live sender holds, or that a sender left after commit
// 2. A message that waits for its next try is not in flight.
const inFlight = `l.holder IS NOT NULL AND (l.committed_at IS NOT NULL OR l.lease_until > statement_timestamp())`

// sender is a mailbox with what Schedule needs. Until its messages of the last 24 hours are counted,
// Sent holds their bound.
type sender struct {
	outreach.Sender
	open    int // messages in flight
	bound   int // mailboxes.sent_bound: at least what was sent in the last 24 hours
	counted bool
	kept    int // Owed when they were counted
}

// senderState is what is read of a sending mailbox.
type senderState struct {
	id                     uuid.UUID
	commit, inFlight, left *time.Time // left: when the first message before commit 2 is taken over
	factor                 float64
	open, bound            int
}

var senderColumns = storage.NewColumns(func(s *senderState) []storage.Column {
	return []storage.Column{
		{SQL: "m.id", To: &s.id},
		{SQL: "m.last_commit_at", To: &s.commit},
		{SQL: "m.gap_factor", To: &s.factor},
		{SQL: "m.sent_bound", To: &s.bound},
		{SQL: "claimed.until", To: &s.inFlight},
		{SQL: "claimed.open", To: &s.open},
		{SQL: "claimed.left_at", To: &s.left},
	}
})

var selectSenderStates = `
SELECT ` + senderColumns.SQL + `
FROM unnest($2::uuid[]) box(id) JOIN mailboxes m ON m.workspace_id = $1 AND m.id = box.id
CROSS JOIN LATERAL (
	SELECT count(*) FILTER (WHERE ` + inFlight + `) AS open, max(l.lease_until) FILTER (WHERE ` + inFlight + `) AS until,
		min(l.lease_until) FILTER (WHERE l.kind = 'step' AND l.committed_at IS NULL) AS left_at
	FROM messages l WHERE l.workspace_id = $1 AND l.mailbox_id = m.id AND l.status = 'claimed') claimed`

// sentRecently counts what a server accepted from a mailbox in the last 24 hours.
type sentRecently struct {
	id                      uuid.UUID
	sent                    int
	freeToday, freeTomorrow *time.Time // when a place becomes free, by the limit of today and of tomorrow
	newToday, newTomorrow   *time.Time // the same for first steps: without the places that follow-ups keep
}

// $3 is 24 hours ago, $4 are the limits of today, $5 those of tomorrow, which a ramp-up raises if
// something was sent today, $6 the places that follow-ups keep. The message that takes the mailbox to
// its limit frees its place when it is 24 hours old.
var recentColumns = storage.NewColumns(func(r *sentRecently) []storage.Column {
	return []storage.Column{
		{SQL: "box.id", To: &r.id},
		{SQL: "count(*)", To: &r.sent},
		{SQL: "min(t.sent_at) FILTER (WHERE t.place <= box.most)", To: &r.freeToday},
		{SQL: "min(t.sent_at) FILTER (WHERE t.place = box.tomorrow)", To: &r.freeTomorrow},
		{SQL: "min(t.sent_at) FILTER (WHERE t.place <= box.most - box.kept)", To: &r.newToday},
		{SQL: "min(t.sent_at) FILTER (WHERE t.place = box.tomorrow - box.kept)", To: &r.newTomorrow},
	}
})

var selectRecent = `
SELECT ` + recentColumns.SQL + `
FROM unnest($2::uuid[], $4::int[], $5::int[], $6::int[]) box(id, most, tomorrow, kept) CROSS JOIN LATERAL (
	SELECT l.sent_at, row_number() OVER (ORDER BY l.sent_at DESC, l.id DESC) AS place FROM messages l
	WHERE l.workspace_id = $1 AND l.mailbox_id = box.id AND l.status IN ('sent', 'bounced', 'unknown') AND l.sent_at > $3
		AND NOT l.external
	ORDER BY l.sent_at DESC, l.id DESC LIMIT box.tomorrow + 1) t
GROUP BY box.id, box.most, box.tomorrow, box.kept`

// day is how far back the limit of a mailbox looks.
const day = 24 * time.Hour

// senderStates reads the senders of mailboxes, but for what completeSenders adds.
func senderStates(ctx context.Context, q storage.Querier, workspace uuid.UUID, senders map[uuid.UUID]*sender,
	now time.Time) error {
	rows, err := q.Query(ctx, selectSenderStates, workspace, slices.Collect(maps.Keys(senders)))
	if err != nil {
		return fmt.Errorf("read senders: %w", err)
	}
	if err := setStates(rows, senders, now); err != nil {
		return fmt.Errorf("read senders: %w", err)
	}
	return nil
}

// setStates is senderStates with the rows of selectSenderStates.
func setStates(rows pgx.Rows, senders map[uuid.UUID]*sender, now time.Time) error {
	return senderColumns.Each(rows, func(state *senderState) {
		s := senders[state.id]
		if s == nil {
			return
		}
		*s = sender{open: state.open, bound: state.bound, Sender: outreach.Sender{Mailbox: s.Mailbox, Sent: state.open + state.bound,
			GapUntil: s.Mailbox.GapEnd(state.commit, state.factor)}}
		if state.inFlight != nil {
			s.InFlight = laterOf(*state.inFlight, now.Add(time.Second))
		}
		if state.left != nil {
			s.LeftAt = laterOf(*state.left, now.Add(time.Second))
		}
	})
}

// completeSenders adds the follow-ups that keep places of senders, from their queues, and counts the
// messages of 24 hours where mailboxes.sent_bound does not show that there is room: that costs in
// proportion to the limit.
func completeSenders(ctx context.Context, q storage.Querier, workspace uuid.UUID, senders map[uuid.UUID]*sender,
	queues []outreach.Queue, now time.Time) error {
	for _, s := range senders {
		s.Owed, s.OwedTo = 0, time.Time{}
	}
	for i := range queues {
		s := senders[queues[i].Mailbox]
		reserves, until := queues[i].Reserves(now)
		if s == nil || !reserves {
			continue
		}
		s.Owed += queues[i].Owed
		if !until.IsZero() && (s.OwedTo.IsZero() || until.Before(s.OwedTo)) {
			s.OwedTo = until
		}
	}
	near := map[uuid.UUID]*sender{}
	for id, s := range senders {
		if (!s.counted || s.kept != s.Owed) && s.Sent+s.Owed >= s.Mailbox.LimitOn(now) {
			near[id] = s
		}
	}
	return countRecent(ctx, q, workspace, near, now)
}

// countRecent counts the messages of the last 24 hours of senders, and sets when their places become
// free.
func countRecent(ctx context.Context, q storage.Querier, workspace uuid.UUID, senders map[uuid.UUID]*sender,
	now time.Time) error {
	if len(senders) == 0 {
		return nil
	}
	midnight := outreach.NextUTCDay(now)
	ids := make([]uuid.UUID, 0, len(senders))
	var most, tomorrow, kept []int
	for id, s := range senders {
		ids, most, tomorrow = append(ids, id), append(most, s.Mailbox.LimitOn(now)), append(tomorrow, s.Mailbox.LimitOn(midnight))
		kept = append(kept, s.Owed)
	}
	recent := map[uuid.UUID]sentRecently{}
	err := recentColumns.QueryEach(ctx, q, func(r *sentRecently) { recent[r.id] = *r }, selectRecent, workspace, ids, now.Add(-day),
		most, tomorrow, kept)
	if err != nil {
		return fmt.Errorf("count sent messages: %w", err)
	}
	for id, s := range senders {
		setPlaces(s, recent[id], now, midnight)
	}
	return nil
}

// setPlaces replaces the bound of what a sender sent in the last 24 hours by the number, and sets when
// its places become free.
func setPlaces(s *sender, recent sentRecently, now, midnight time.Time) {
	limit, raised := s.Mailbox.LimitOn(now), s.Mailbox.LimitOn(midnight)
	s.Sent, s.counted, s.kept = s.open+recent.sent, true, s.Owed
	s.FreeAt, s.NewAt = time.Time{}, time.Time{}
	if s.Sent >= limit {
		s.FreeAt = freed(recent.freeToday, s.InFlight)
	}
	if s.Owed < limit {
		s.NewAt = freed(recent.newToday, s.InFlight)
	}
	if raised <= limit {
		return
	}
	// The ramp-up frees places too.
	s.FreeAt = earlierOf(s.FreeAt, laterOf(midnight, freed(recent.freeTomorrow, midnight)))
	if s.Owed < raised {
		at := laterOf(midnight, freed(recent.newTomorrow, midnight))
		if s.NewAt.IsZero() || at.Before(s.NewAt) {
			s.NewAt = at
		}
	}
}

// freed returns when the place of a message is free, or fallback without a message.
func freed(sent *time.Time, fallback time.Time) time.Time {
	if sent == nil {
		return fallback
	}
	return sent.Add(day)
}

const setBounds = `
UPDATE mailboxes m SET sent_bound = one.sent FROM unnest($2::uuid[], $3::int[]) one(id, sent)
WHERE m.workspace_id = $1 AND m.id = one.id`

// worthNoting is by how many messages a bound is lowered at least.
const worthNoting = 10

// noteBounds lowers the bounds of mailboxes that were counted, so that the next claims need not
// count. The mailboxes are locked.
func (b *claimTx) noteBounds(ctx context.Context) error {
	var ids []uuid.UUID
	var sent []int
	for id, s := range b.senders {
		if s.bound-s.Sent >= worthNoting {
			ids, sent = append(ids, id), append(sent, s.Sent)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return storage.Exec(ctx, b.tx, "note what was sent", setBounds, b.workspace, ids, sent)
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
