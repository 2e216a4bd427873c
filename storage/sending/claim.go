package sending

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"outreach"
	"outreach/storage"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// The ledger of a message (contract, section 7).
//
// Commit 1, ClaimSend: the row is `claimed`, its Message-ID and bytes fixed. A
// process that dies before it has done nothing; one that dies after it leaves a
// lease, and whoever finds the lease over sends the same bytes.
//
// Commit 2, CommitMessage, just before the final dot: `committing`, which in the
// row is `claimed` with committed_at. A process
// that dies before it has surely not sent; one that dies after it may have.
//
// Commit 3, SettleMessage: the answer, the sent event and its deliveries. A
// process that dies before it leaves `committing`; when the lease is over that
// becomes `unknown`, and nobody sends the step again until it is settled.

const selectSenders = `
SELECT m.workspace_id, m.id FROM mailboxes m
WHERE m.status = 'connected' AND (m.next_send_at IS NULL OR m.next_send_at <= $1)
	AND m.daily_limit > 0 AND (m.sent_on IS DISTINCT FROM ($1 AT TIME ZONE 'UTC')::date OR m.sent_count < m.daily_limit)
	AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = m.workspace_id AND c.status = 'active' AND m.id = ANY(c.mailbox_ids))
ORDER BY m.next_send_at NULLS FIRST, m.id LIMIT 10000`

// Senders gives the mailboxes that could send something now, the longest waiting
// first.
func (l *Ledger) Senders(ctx context.Context) ([]outreach.MailboxRef, error) {
	return l.db.MailboxRefs(ctx, "list senders", selectSenders, l.db.Now())
}

// claim is one run of ClaimSend.
type claim struct {
	db      *Ledger
	tx      pgx.Tx
	box     outreach.Mailbox
	holder  string
	compose func(outreach.Draft) (outreach.Composed, error)
	now     time.Time
}

const lockSender = `
SELECT m.status = 'connected' AND (m.next_send_at IS NULL OR m.next_send_at <= $3)
	AND m.daily_limit > 0 AND (m.sent_on IS DISTINCT FROM ($3 AT TIME ZONE 'UTC')::date OR m.sent_count < m.daily_limit)
FROM mailboxes m WHERE m.workspace_id = $1 AND m.id = $2 FOR UPDATE SKIP LOCKED`

// ClaimSend is commit 1 for the next message of a mailbox: one that an earlier
// process left claimed, else a new one for the enrollment whose turn it is. It
// gives nil when the mailbox has nothing to send right now, and settles on the
// way whatever cannot be sent: outside its window it is planned anew, without a
// value for a variable it is held, suppressed it is stopped. Only one process at
// a time claims for a mailbox, which keeps its gap and its limit.
//
// Calls for several mailboxes that come at the same time share a transaction. A
// call outlives its context by the length of one: a message that was claimed is
// given to whoever asked for it.
func (l *Ledger) ClaimSend(ctx context.Context, box outreach.Mailbox, holder string, compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &claiming{box: box, holder: holder, compose: compose}
	err := l.claims.do(context.WithoutCancel(ctx), c)
	return c.out, err
}

func (l *Ledger) claimAlone(ctx context.Context, call *claiming) error {
	for batch := 1; ; batch = 50 {
		var more bool
		err := l.db.Tx(ctx, func(tx pgx.Tx) (err error) {
			c := claim{db: l, tx: tx, box: call.box, holder: call.holder, compose: call.compose, now: l.db.Now()}
			call.out, more, err = c.next(ctx, batch)
			return err
		})
		if err != nil {
			call.out = nil
		}
		if err != nil || call.out != nil || !more {
			return err
		}
	}
}

func (c *claim) next(ctx context.Context, batch int) (*outreach.Outgoing, bool, error) {
	var able bool
	err := c.tx.QueryRow(ctx, lockSender, c.box.WorkspaceID, c.box.ID, c.now).Scan(&able)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && !able {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("lock mailbox: %w", err)
	}
	for more := true; more; {
		var out *outreach.Outgoing
		if out, more, err = c.takeOver(ctx); out != nil || err != nil {
			return out, false, err
		}
	}
	return c.begin(ctx, batch)
}

const takeOverMessage = `
UPDATE messages SET holder = $3, lease_until = clock_timestamp() + $4, tries = tries + 1
WHERE id = (SELECT id FROM messages WHERE workspace_id = $1 AND mailbox_id = $2 AND status = 'claimed' AND committed_at IS NULL AND lease_until < clock_timestamp()
	ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, message_id, recipient, raw, tries, campaign_id, (SELECT p.timezone FROM prospects p WHERE p.workspace_id = $1 AND p.id = prospect_id)`

const postponeTakeOver = `UPDATE messages SET lease_until = clock_timestamp() + $2, tries = tries - 1 WHERE id = $1`

// On another day than that of its last try the message counts again.
const noteTakeOver = `
WITH again AS (
	UPDATE messages SET counted_on = ($5 AT TIME ZONE 'UTC')::date WHERE id = $3 AND counted_on IS DISTINCT FROM ($5 AT TIME ZONE 'UTC')::date RETURNING counted_on
)
UPDATE mailboxes m SET next_send_at = $4, sent_on = coalesce((SELECT counted_on FROM again), m.sent_on),
	sent_count = CASE (SELECT counted_on = m.sent_on FROM again) WHEN true THEN m.sent_count + 1 WHEN false THEN 1 ELSE m.sent_count END
WHERE m.workspace_id = $1 AND m.id = $2`

// takeOver picks up a message whose process died before commit 2, or whose
// server asked to come back later. Outside its window it waits for the next
// opening; one that may not go any more is withdrawn, and there may be more.
func (c *claim) takeOver(ctx context.Context) (taken *outreach.Outgoing, more bool, err error) {
	var out outreach.Outgoing
	var of uuid.UUID
	var timezone *string
	err = c.tx.QueryRow(ctx, takeOverMessage, c.box.WorkspaceID, c.box.ID, c.holder, outreach.LeaseLength).
		Scan(&out.ID, &out.MessageID, &out.Recipient, &out.Raw, &out.Tries, &of, &timezone)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("take over message: %w", err)
	}
	f, err := LockInFlight(ctx, c.tx, out.ID)
	if err != nil {
		return nil, false, err
	}
	if withdrawn, err := c.db.withdraw(ctx, c.tx, f); withdrawn || err != nil {
		return nil, withdrawn, err
	}
	campaign, err := storage.Campaigns.One(ctx, c.tx, c.box.WorkspaceID, of)
	if err != nil {
		return nil, false, err
	}
	if wait := campaign.NextOpening(c.now, timezone).Sub(c.now); wait > 0 {
		_, err := c.tx.Exec(ctx, postponeTakeOver, out.ID, wait)
		return nil, true, err
	}
	if _, err := c.tx.Exec(ctx, noteTakeOver, c.box.WorkspaceID, c.box.ID, out.ID, c.afterGap(), c.now); err != nil {
		return nil, false, fmt.Errorf("note another try: %w", err)
	}
	return &out, false, nil
}

const selectTurns = `
SELECT c.id FROM campaigns c WHERE c.workspace_id = $1 AND c.status = 'active' AND $2 = ANY(c.mailbox_ids)
ORDER BY c.served_at NULLS FIRST, c.id`

// begin looks for somebody to write to, campaign after campaign, the one that was
// served longest ago first.
func (c *claim) begin(ctx context.Context, batch int) (*outreach.Outgoing, bool, error) {
	rows, err := c.tx.Query(ctx, selectTurns, c.box.WorkspaceID, c.box.ID)
	if err != nil {
		return nil, false, fmt.Errorf("list campaigns: %w", err)
	}
	turns, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return nil, false, fmt.Errorf("list campaigns: %w", err)
	}
	more := false
	for _, id := range turns {
		campaign, err := storage.Campaigns.One(ctx, c.tx, c.box.WorkspaceID, id)
		if err != nil {
			return nil, false, err
		}
		out, settled, err := c.fromCampaign(ctx, &campaign, batch)
		if err != nil || out != nil {
			return out, false, err
		}
		more = more || settled
	}
	return nil, more, nil
}

// due is an enrollment whose time has come, with what decides about it.
type due struct {
	outreach.Enrollment
	run      int
	forced   bool
	prospect *outreach.Prospect
	place    mark    // in the queue; only where many are listed at once
	host     *string // of tracked links; likewise
	free     bool    // nothing stands against it; likewise
}

// A claim leaves its enrollment e as it is, in the queue, which saves a change of
// all its indexes: the claimed message says that it is being written to. A message
// that has to wait for its next try takes the enrollment out of the queue. The
// look is a scalar one, which no plan turns into a join of two whole tables.
const notOnItsWay = `true IS DISTINCT FROM (SELECT l.status = 'claimed' FROM messages l
	WHERE l.enrollment_id = e.id AND l.run = e.run AND l.step = e.next_step AND l.status NOT IN ('not_sent', 'bounced'))`

// A prospect keeps the mailbox that wrote first, as long as the campaign has it.
const selectDue = `
SELECT e.id, e.prospect_id, e.mailbox_id, e.next_step, e.run, e.forced FROM enrollments e
WHERE e.campaign_id = $1 AND e.workspace_id = $2 AND e.status = 'active' AND e.next_send_at <= $3
	AND (e.mailbox_id IS NULL OR e.mailbox_id = $4 OR NOT e.mailbox_id = ANY($5)) AND ` + notOnItsWay + `
ORDER BY e.next_send_at, e.id LIMIT $6 FOR UPDATE SKIP LOCKED`

func (c *claim) fromCampaign(ctx context.Context, campaign *outreach.Campaign, batch int) (out *outreach.Outgoing, settled bool, err error) {
	rows, err := c.tx.Query(ctx, selectDue, campaign.ID, campaign.WorkspaceID, c.now, c.box.ID, campaign.MailboxIDs, batch)
	if err != nil {
		return nil, false, fmt.Errorf("list due enrollments: %w", err)
	}
	waiting, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d due, err error) {
		d.WorkspaceID, d.CampaignID = campaign.WorkspaceID, campaign.ID
		err = row.Scan(&d.ID, &d.ProspectID, &d.MailboxID, &d.NextStep, &d.run, &d.forced)
		return d, err
	})
	if err != nil {
		return nil, false, fmt.Errorf("list due enrollments: %w", err)
	}
	for i := range waiting {
		if out, err = c.consider(ctx, campaign, &waiting[i]); out != nil || err != nil {
			return out, true, err
		}
	}
	return nil, len(waiting) > 0, nil
}

// consider sends to one enrollment or settles why not.
func (c *claim) consider(ctx context.Context, campaign *outreach.Campaign, d *due) (*outreach.Outgoing, error) {
	if d.NextStep == nil || *d.NextStep > len(campaign.Steps) {
		return nil, c.end(ctx, d, outreach.EnrollmentFinished, nil)
	}
	p, err := storage.Prospects.One(ctx, c.tx, d.WorkspaceID, d.ProspectID)
	if err != nil && !errors.Is(err, outreach.ErrNotFound) {
		return nil, err
	}
	d.prospect = &p
	status, reason, err := obstacle(ctx, c.tx, d.WorkspaceID, d.ID, d.ProspectID)
	if err != nil || status != "" {
		if err == nil {
			err = c.end(ctx, d, status, &reason)
		}
		return nil, err
	}
	if opening := campaign.NextOpening(c.now, p.Timezone); opening.After(c.now) {
		return nil, c.plan(ctx, d, opening)
	}
	if full, err := c.fullOfNew(ctx, campaign, d); full || err != nil {
		return nil, err
	}
	return c.claim(ctx, campaign, d)
}

// obstacle says why nothing may be sent to a prospect any more, in the words of
// the enrollment's end; empty when nothing stands against it.
const selectObstacle = `
SELECT CASE
	WHEN p.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
	WHEN p.bounced_at IS NOT NULL THEN 'bounced'
	WHEN EXISTS (SELECT FROM suppressions s WHERE s.workspace_id = $1
		AND (s.email_key = p.email_key OR s.domain = split_part(p.email_key, '@', -1))) THEN 'stopped'
	WHEN p.replied_at IS NOT NULL AND NOT e.forced AND c.stop_on_reply THEN 'replied'
	ELSE '' END
FROM enrollments e JOIN prospects p ON p.id = e.prospect_id AND p.workspace_id = $1 JOIN campaigns c ON c.id = e.campaign_id
WHERE e.workspace_id = $1 AND e.id = $2 AND p.id = $3`

var obstacleReasons = map[outreach.EnrollmentStatus]string{
	outreach.EnrollmentUnsubscribed: "the prospect unsubscribed",
	outreach.EnrollmentBounced:      "mail to the prospect bounces",
	outreach.EnrollmentStopped:      "the address is suppressed",
	outreach.EnrollmentReplied:      "the prospect replied",
}

func obstacle(ctx context.Context, tx pgx.Tx, workspace, enrollment, prospect uuid.UUID) (status outreach.EnrollmentStatus, reason string, err error) {
	err = tx.QueryRow(ctx, selectObstacle, workspace, enrollment, prospect).Scan(&status)
	if errors.Is(err, pgx.ErrNoRows) {
		return outreach.EnrollmentStopped, "the prospect was deleted", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("look for obstacles: %w", err)
	}
	return status, obstacleReasons[status], nil
}

func (c *claim) end(ctx context.Context, d *due, status outreach.EnrollmentStatus, reason *string) error {
	return storage.EndOne(ctx, c.tx, d.WorkspaceID, d.ID, d.ProspectID, status, reason)
}

const planEnrollment = `UPDATE enrollments SET next_send_at = $3 WHERE workspace_id = $1 AND id = $2`

func (c *claim) plan(ctx context.Context, d *due, at time.Time) error {
	if _, err := c.tx.Exec(ctx, planEnrollment, d.WorkspaceID, d.ID, at); err != nil {
		return fmt.Errorf("plan enrollment: %w", err)
	}
	return nil
}

// The lock keeps two mailboxes from taking the last place both.
const lockNew = `
SELECT new_on = $3::date AND new_count >= daily_new_limit FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE`

// fullOfNew looks whether a first step is over the campaign's limit of new
// prospects a day, and plans it for the next day if so. noteClaim counts it.
func (c *claim) fullOfNew(ctx context.Context, campaign *outreach.Campaign, d *due) (bool, error) {
	if *d.NextStep > 1 || campaign.DailyNewLimit == nil {
		return false, nil
	}
	var full *bool
	if err := c.tx.QueryRow(ctx, lockNew, campaign.WorkspaceID, campaign.ID, campaign.Today(c.now)).Scan(&full); err != nil {
		return false, fmt.Errorf("look at limit of new prospects: %w", err)
	}
	if full == nil || !*full {
		return false, nil
	}
	return true, c.plan(ctx, d, campaign.NextDay(c.now, d.prospect.Timezone))
}

// The statuses are named as the index of an enrollment's messages names them.
const selectThread = `
SELECT m.message_id, m.subject FROM messages m
WHERE (m.workspace_id = $1) IS TRUE AND m.enrollment_id = $2 AND m.run = $3 AND m.status NOT IN ('not_sent', 'bounced')
	AND (m.status IN ('sent', 'unknown')) IS TRUE ORDER BY m.step`

const insertMessage = `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
	message_id, status, raw, holder, lease_until, tries, counted_on, begun_on, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'claimed', $13, $14, clock_timestamp() + $15, 1, ($16 AT TIME ZONE 'UTC')::date, CASE WHEN $8 = 1 THEN $17::date END, $16)
ON CONFLICT (enrollment_id, run, step) WHERE status NOT IN ('not_sent', 'bounced') DO NOTHING`

const noteClaim = `
WITH box AS (
	UPDATE mailboxes SET sent_count = CASE WHEN sent_on = ($4 AT TIME ZONE 'UTC')::date THEN sent_count + 1 ELSE 1 END,
		sent_on = ($4 AT TIME ZONE 'UTC')::date, next_send_at = $5
	WHERE workspace_id = $1 AND id = $2
)
UPDATE campaigns SET served_at = clock_timestamp(),
	new_on = CASE WHEN $6 THEN $7::date ELSE new_on END,
	new_count = CASE WHEN NOT $6 THEN new_count WHEN new_on = $7::date THEN new_count + 1 ELSE 1 END
WHERE workspace_id = $1 AND id = $3`

const selectOnItsWay = `
SELECT status = 'claimed' FROM messages WHERE enrollment_id = $1 AND run = $2 AND step = $3 AND (status NOT IN ('not_sent', 'bounced') OR reported)`

// claim composes the message and writes its row.
func (c *claim) claim(ctx context.Context, campaign *outreach.Campaign, d *due) (*outreach.Outgoing, error) {
	draft, err := c.draft(ctx, campaign, d)
	if err != nil {
		return nil, err
	}
	composed, err := c.compose(draft)
	if isHold(err) {
		if composed, err = c.composeAgain(ctx, d, &draft); errors.Is(err, outreach.ErrNotFound) {
			return nil, nil // deleted a moment ago, which ends the enrollment
		}
	}
	if held, ok := errors.AsType[*outreach.HoldError](err); ok {
		return nil, storage.HoldOne(ctx, c.tx, d.WorkspaceID, d.ID, storage.Hold{Kind: storage.HoldContent, Reason: held.Reason})
	}
	if err != nil {
		return nil, fmt.Errorf("compose message: %w", err)
	}
	tag, err := c.tx.Exec(ctx, insertMessage, draft.ID, d.WorkspaceID, campaign.ID, d.ProspectID, c.box.ID, d.ID, d.run, draft.Number,
		d.prospect.Email, composed.Subject, composed.Text, composed.MessageID, composed.Raw, c.holder, outreach.LeaseLength, c.now, campaign.Today(c.now))
	if err != nil {
		return nil, fmt.Errorf("insert message: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return nil, c.forestalled(ctx, d)
	}
	if _, err := c.tx.Exec(ctx, noteClaim, d.WorkspaceID, c.box.ID, campaign.ID, c.now, c.afterGap(), draft.Number == 1, campaign.Today(c.now)); err != nil {
		return nil, fmt.Errorf("note claim: %w", err)
	}
	return &outreach.Outgoing{ID: draft.ID, MessageID: composed.MessageID, Recipient: d.prospect.Email, Raw: composed.Raw, Tries: 1}, nil
}

func isHold(err error) bool {
	_, ok := errors.AsType[*outreach.HoldError](err)
	return ok
}

// composeAgain composes from the prospect as it is now, under a lock that whoever
// changes it waits for: a change since the first look found nobody held. Steps
// cannot change meanwhile: that takes a lock on the mailbox.
func (c *claim) composeAgain(ctx context.Context, d *due, draft *outreach.Draft) (outreach.Composed, error) {
	var err error
	if *d.prospect, err = storage.Prospects.OneLocked(ctx, c.tx, d.WorkspaceID, d.ProspectID, " FOR KEY SHARE"); err != nil {
		return outreach.Composed{}, err
	}
	draft.Prospect = *d.prospect
	return c.compose(*draft)
}

// forestalled looks at the message that stands in the way of a claim: another
// process claimed it a moment ago, or the step went out before and nobody knows
// how it ended.
func (c *claim) forestalled(ctx context.Context, d *due) error {
	var onItsWay bool
	err := c.tx.QueryRow(ctx, selectOnItsWay, d.ID, d.run, *d.NextStep).Scan(&onItsWay)
	if onItsWay || errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look at the message in the way: %w", err)
	}
	return storage.HoldOne(ctx, c.tx, d.WorkspaceID, d.ID, storage.Hold{Kind: storage.HoldUnknown, Reason: "this step was handed over before and its fate is not known"})
}

// afterGap is when the mailbox may send again: its gap, and up to a quarter more
// so that no clockwork shows.
func (c *claim) afterGap() *time.Time {
	if c.box.MinGapSeconds == 0 {
		return nil
	}
	gap := time.Duration(c.box.MinGapSeconds) * time.Second
	at := c.now.Add(gap + rand.N(gap/4+1)) //nolint:gosec // nobody gains by guessing it
	return &at
}

const selectVerifiedHost = `SELECT host FROM tracking_domains WHERE workspace_id = $1 AND status = 'verified'`

func (c *claim) draft(ctx context.Context, campaign *outreach.Campaign, d *due) (outreach.Draft, error) {
	draft := outreach.Draft{ID: storage.NewID(), Mailbox: c.box, Campaign: *campaign, Step: campaign.Steps[*d.NextStep-1],
		Number: *d.NextStep, Prospect: *d.prospect, Date: c.now}
	if err := c.thread(ctx, d, &draft); err != nil {
		return draft, fmt.Errorf("read thread: %w", err)
	}
	err := c.tx.QueryRow(ctx, selectVerifiedHost, d.WorkspaceID).Scan(&draft.TrackingHost)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return draft, fmt.Errorf("read tracking domain: %w", err)
	}
	return draft, nil
}

const selectBouncedSubject = `
SELECT m.subject FROM messages m
WHERE m.workspace_id = $1 AND m.prospect_id = $2 AND m.enrollment_id = $3 AND m.run = $4 AND m.status = 'bounced' ORDER BY m.step DESC LIMIT 1`

// thread gives a draft what it goes on from.
func (c *claim) thread(ctx context.Context, d *due, draft *outreach.Draft) error {
	rows, err := c.tx.Query(ctx, selectThread, d.WorkspaceID, d.ID, d.run)
	if err != nil {
		return err
	}
	var id, subject string
	_, err = pgx.ForEachRow(rows, []any{&id, &subject}, func() error {
		draft.Thread = append(draft.Thread, id)
		draft.ThreadSubject = subject
		return nil
	})
	if err != nil || len(draft.Thread) > 0 || draft.Number == 1 {
		return err
	}
	err = c.tx.QueryRow(ctx, selectBouncedSubject, d.WorkspaceID, d.ProspectID, d.ID, d.run).Scan(&draft.BouncedSubject)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	return err
}
