package sending

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/internal/groupcommit"
	"outreach/storage"
)

// The ledger of a message (docs/reference.md#ledger).
//
// Commit 1, ClaimSend: the row is `claimed`, its Message-ID and bytes are fixed. If the process
// dies before it, nothing has happened. If it dies after it, it leaves a lease, and the process
// that finds the lease ended sends the same bytes.
//
// Commit 2, CommitMessage, just before the final dot: `committing`, which is stored as `claimed`
// with committed_at. If the process dies before it, the message was not sent. If it dies after it,
// the message may have been sent.
//
// Commit 3, SettleMessage: the answer, the sent event and its deliveries. If the process dies
// before it, it leaves `committing`. When the lease has ended that becomes `unknown`, and the step
// is not sent again until the message is resolved.

// claiming is one call of ClaimSend with its result.
type claiming struct {
	box     outreach.Mailbox
	holder  string
	compose func(outreach.Draft) (outreach.Composed, error)
	out     *outreach.Outgoing
	over    bool // there is nothing to send now
	busy    bool // another transaction has locked the mailbox
}

// ClaimSend is commit 1 for the next message of a mailbox: one that an earlier process left
// claimed, else a new one for the enrollment that outreach.Sender.Schedule chooses. It returns nil
// if the mailbox has nothing to send now, and records when it may have. Enrollments that cannot be
// sent to are ended, held or postponed on the way. It returns outreach.ErrMailboxBusy if another
// transaction has locked the mailbox: only one process at a time claims for a mailbox, which keeps
// its gap and its limit.
//
// Calls for several mailboxes that come at the same time share a transaction; a single call is a
// batch of one. A call may outlast its context by one transaction, because a claimed message must
// be returned to the call that asked for it.
func (l *Ledger) ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
	compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &claiming{box: box, holder: holder, compose: compose}
	_, err := l.claims.Do(context.WithoutCancel(ctx), c)
	if err == nil && c.busy {
		err = outreach.ErrMailboxBusy
	}
	return c.out, err
}

// claimGroup claims for several mailboxes, workspace by workspace. If the transaction of a
// workspace fails, its calls are repeated one by one, so that each gets its own error.
func (l *Ledger) claimGroup(ctx context.Context, calls []*claiming) []error {
	of := map[uuid.UUID][]*claiming{}
	for _, c := range calls {
		workspace := c.box.WorkspaceID
		if !slices.ContainsFunc(of[workspace], func(other *claiming) bool { return other.box.ID == c.box.ID }) {
			of[workspace] = append(of[workspace], c) // of two calls for one mailbox, one is repeated alone
		}
	}
	done := map[*claiming]bool{}
	for workspace, some := range of {
		err := l.claimBatch(ctx, workspace, some)
		for _, c := range some {
			done[c] = err == nil
		}
	}
	results := make([]error, len(calls))
	for i, c := range calls {
		if !done[c] {
			results[i] = groupcommit.ErrAlone
		}
	}
	return results
}

func (l *Ledger) claimAlone(ctx context.Context, call *claiming) error {
	return l.claimBatch(ctx, call.box.WorkspaceID, []*claiming{call})
}

// claimBatch claims for mailboxes of one workspace. Each transaction settles a bounded number of
// enrollments that cannot be sent to. It repeats until each mailbox has a message or nothing to
// send.
func (l *Ledger) claimBatch(ctx context.Context, workspace uuid.UUID, calls []*claiming) error {
	for first := true; ; first = false {
		var b *claimTx
		err := l.db.GroupTx(ctx, func(tx pgx.Tx) error {
			for _, c := range calls {
				c.out, c.over, c.busy = nil, false, false
			}
			b = &claimTx{ledger: l, tx: tx, workspace: workspace, now: l.db.Now(), of: map[uuid.UUID]*claiming{},
				senders: map[uuid.UUID]*sender{}, written: map[uuid.UUID]uuid.UUID{}}
			var known headsOf
			if b.memory, known = l.heads.of(workspace, time.Now()); first {
				b.heads = known
			}
			return b.run(ctx, calls)
		})
		if err != nil {
			for _, c := range calls {
				c.out = nil
			}
			return err
		}
		l.heads.note(workspace, b.memory, b.heads, time.Now())
		calls = slices.DeleteFunc(slices.Clone(calls), func(c *claiming) bool { return c.out != nil || c.over })
		if len(calls) == 0 {
			return nil
		}
	}
}

// claimTx is one transaction of Ledger.claimBatch.
type claimTx struct {
	ledger    *Ledger
	tx        pgx.Tx
	workspace uuid.UUID
	now       time.Time
	of        map[uuid.UUID]*claiming // by mailbox
	senders   map[uuid.UUID]*sender   // of the mailboxes that are locked
	campaigns []*outreach.Campaign
	queues    []outreach.Queue
	memory    *headsOf // what heads come from
	heads     headsOf  // where the queues of new prospects begin, as far as it is known
	served    map[uuid.UUID]map[outreach.Line]time.Time
	gap       time.Duration           // shortest time between steps of two campaigns to one prospect
	host      *string                 // host of tracked links
	written   map[uuid.UUID]uuid.UUID // prospect that this transaction writes to, with the campaign
	begun     map[firm]int            // people that a campaign with a limit by company began with today
	postponed bool                    // the last round ended enrollments or made them wait
	busy      bool                    // a due enrollment was locked by another transaction
	off       bool                    // no mail is sent now
}

// maxRounds bounds how often one transaction looks for enrollments. Each round settles at most
// roundSize for each mailbox.
const (
	maxRounds = 4
	roundSize = 50
)

func (b *claimTx) run(ctx context.Context, calls []*claiming) error {
	left, err := b.begin(ctx, calls)
	if err != nil {
		return err
	}
	if b.off {
		for _, c := range calls {
			c.over = true
		}
		return nil
	}
	for _, c := range calls {
		c.busy = b.senders[c.box.ID] == nil
		c.over = c.busy
	}
	if len(b.senders) == 0 {
		return nil
	}
	if err := b.takeOver(ctx, left); err != nil {
		return err
	}
	if err := b.read(ctx); err != nil {
		return err
	}
	for round := range maxRounds {
		wants := b.choose()
		if len(wants) == 0 {
			break
		}
		size := 1
		if round > 0 {
			size = roundSize // the first enrollment could not be sent to; others may be alike
		}
		picks, err := b.fetch(ctx, wants, size)
		if err != nil {
			return err
		}
		if err := b.settle(ctx, picks); err != nil {
			return err
		}
		if err := b.readAgain(ctx, len(picks) > 0); err != nil {
			return err
		}
	}
	return b.lookAgain(ctx)
}

var lockSenders = `
SELECT ` + storage.MailboxColumns.SQL + ` FROM mailboxes m
WHERE m.workspace_id = $1 AND m.id = ANY($2) FOR UPDATE SKIP LOCKED`

const selectWorkspaceRules = `
SELECT w.contact_gap_hours, (SELECT t.host FROM tracking_domains t WHERE t.workspace_id = w.id AND t.status = 'verified'),
	EXISTS (SELECT FROM sender_wakes s WHERE s.workspace_id = $1 AND s.mailbox_id IS NULL)
FROM workspaces w WHERE w.id = $1`

// begin locks the mailboxes for this transaction and reads what does not depend on their state, in
// one round trip. Each read is a statement of its own, so that it sees the changes that the lock
// waited for. It sets off while no mail is sent.
func (b *claimTx) begin(ctx context.Context, calls []*claiming) (left []leftMessage, err error) {
	ids := make([]uuid.UUID, 0, len(calls))
	for _, c := range calls {
		ids, b.of[c.box.ID] = append(ids, c.box.ID), c
	}
	batch := &pgx.Batch{}
	batch.Queue(selectGate).QueryRow(func(row pgx.Row) error {
		may, err := b.ledger.guard.mayClaim(row)
		b.off = !may
		return err
	})
	batch.Queue(lockSenders, b.workspace, ids).Query(func(rows pgx.Rows) error {
		boxes, err := storage.Mailboxes.Collect(rows, nil)
		for _, box := range boxes {
			b.senders[box.ID] = &sender{Sender: outreach.Sender{Mailbox: box}}
		}
		return err
	})
	batch.Queue(selectSenderStates, b.workspace, ids).Query(func(rows pgx.Rows) error { return setStates(rows, b.senders, b.now) })
	batch.Queue(selectLeft, b.workspace, ids).Query(func(rows pgx.Rows) (err error) {
		left, err = leftColumns.Collect(rows, nil)
		return err
	})
	batch.Queue(selectWorkspaceRules, b.workspace).QueryRow(func(row pgx.Row) error {
		var hours int
		var woken bool
		err := row.Scan(&hours, &b.host, &woken)
		b.gap = time.Duration(hours) * time.Hour
		if woken || !b.ledger.heads.holds(b.workspace, b.memory) {
			b.heads = nil // something may have been put before them
		}
		return err
	})
	batch.Queue(selectActive, b.workspace, ids).Query(func(rows pgx.Rows) error {
		found, err := storage.Campaigns.Collect(rows, nil)
		for i := range found {
			b.campaigns = append(b.campaigns, &found[i])
		}
		return err
	})
	batch.Queue(selectTurns, b.workspace, ids).Query(func(rows pgx.Rows) (err error) {
		b.served, err = readTurns(rows)
		return err
	})
	if err := b.tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("lock mailboxes: %w", err)
	}
	return left, nil
}

// boxes returns the mailboxes that have no message yet.
func (b *claimTx) boxes() (ids []uuid.UUID) {
	for id := range b.senders {
		if b.of[id].out == nil {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, storage.CompareIDs)
	return ids
}

// read reads the inputs of Schedule.
func (b *claimTx) read(ctx context.Context) (err error) {
	boxes := b.boxes()
	if len(boxes) == 0 || len(b.campaigns) == 0 {
		return nil
	}
	if err = b.readQueues(ctx, boxes); err != nil {
		return err
	}
	return b.noteBounds(ctx)
}

func (b *claimTx) readQueues(ctx context.Context, boxes []uuid.UUID) (err error) {
	senders := b.only(boxes)
	if b.queues, b.heads, err = readQueues(ctx, b.tx, b.workspace, b.campaigns, senders, b.now, b.heads); err != nil {
		return err
	}
	return completeSenders(ctx, b.tx, b.workspace, senders, b.queues, b.now)
}

// only returns the senders of mailboxes.
func (b *claimTx) only(boxes []uuid.UUID) map[uuid.UUID]*sender {
	some := make(map[uuid.UUID]*sender, len(boxes))
	for _, box := range boxes {
		some[box] = b.senders[box]
	}
	return some
}

// readAgain reads what a round changed for the mailboxes that have no message yet. People who were
// made to wait, or whose enrollments ended, no longer need the place that was kept for them.
func (b *claimTx) readAgain(ctx context.Context, changed bool) (err error) {
	boxes := b.boxes()
	if !changed || len(boxes) == 0 {
		return nil
	}
	if b.postponed {
		b.postponed = false
		if err := senderStates(ctx, b.tx, b.workspace, b.only(boxes), b.now); err != nil {
			return err
		}
	}
	return b.readQueues(ctx, boxes)
}

// slots returns the queues that a mailbox can serve, now or later.
func (b *claimTx) slots(box uuid.UUID) []outreach.Slot {
	s := b.senders[box]
	mine := slices.DeleteFunc(slices.Clone(b.queues), func(q outreach.Queue) bool { return !slices.Contains(q.Campaign.MailboxIDs, box) })
	return s.Schedule(b.now, mine, b.served[box])
}

// choose returns, for each mailbox that can serve a queue now, the queues of the campaign and kind
// that outreach.Sender.Schedule puts first.
func (b *claimTx) choose() (wants []want) {
	for _, box := range b.boxes() {
		turn := outreach.Turn(b.slots(box))
		if len(turn) == 0 {
			continue
		}
		w := want{box: box, campaign: turn[0].Campaign, followup: turn[0].Followup}
		for _, q := range turn {
			w.queues = append(w.queues, place{q.Mailbox, head{q.Timezone, q.Due, q.First}})
		}
		wants = append(wants, w)
	}
	return wants
}

const setLook = `
UPDATE mailboxes m SET look_at = one.at FROM unnest($2::uuid[], $3::timestamptz[]) one(id, at)
WHERE m.workspace_id = $1 AND m.id = one.id`

// lookAgain records when each mailbox without a message may find one.
func (b *claimTx) lookAgain(ctx context.Context) error {
	if b.heads.remembered() {
		return nil // the next transaction looks from the first entries
	}
	var ids []uuid.UUID
	var ats []*time.Time
	for _, box := range b.boxes() {
		slots := b.slots(box)
		if len(slots) > 0 && slots[0].Waits == outreach.WaitsForNothing && !b.busy {
			continue // there is more to settle in the next transaction
		}
		b.of[box].over = true
		ids, ats = append(ids, box), append(ats, b.next(box, slots))
	}
	if len(ids) == 0 {
		return nil
	}
	return storage.Exec(ctx, b.tx, "note the next look", setLook, b.workspace, ids, ats)
}

// next returns when the first of the slots of a mailbox opens, or when a message that was left claimed is
// taken over, or nil if no time is known.
func (b *claimTx) next(box uuid.UUID, slots []outreach.Slot) (at *time.Time) {
	if b.busy {
		soon := b.now.Add(time.Second)
		return &soon
	}
	for _, slot := range slots {
		if !slot.At.IsZero() && (at == nil || slot.At.Before(*at)) {
			at = &slot.At
		}
	}
	if s := b.senders[box]; takesOver(s) && !s.LeftAt.IsZero() && (at == nil || s.LeftAt.Before(*at)) {
		at = &s.LeftAt
	}
	return at
}

// gapFactor draws the factor by which a message stretches the gap of its mailbox, so that sending
// times look irregular.
func gapFactor() float64 {
	return 1 + rand.Float64()*(outreach.MaxGapFactor-1) //nolint:gosec // nothing is gained by guessing it
}

// ClaimSends is ClaimSend for several mailboxes of any workspaces. It returns the messages in the order
// of boxes.
func (l *Ledger) ClaimSends(ctx context.Context, boxes []outreach.Mailbox, holder string,
	compose func(outreach.Draft) (outreach.Composed, error)) ([]*outreach.Outgoing, error) {
	calls := make([]*claiming, len(boxes))
	for i, box := range boxes {
		calls[i] = &claiming{box: box, holder: holder, compose: compose}
	}
	all := make([]*outreach.Outgoing, len(boxes))
	for i, alone := range l.claimGroup(ctx, calls) {
		if alone != nil {
			if err := l.claimAlone(ctx, calls[i]); err != nil {
				return nil, err
			}
		}
		all[i] = calls[i].out
	}
	return all, nil
}
