package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Workspaces take turns: first comes who has the fewest mailboxes being read, so
// that one whose servers all hang keeps nobody else waiting for more than a slot.
const claimReaders = `
WITH clock AS MATERIALIZED (SELECT clock_timestamp() AS now),
busy AS (SELECT b.workspace_id, count(*) AS n FROM mailboxes b, clock WHERE b.receive_lease >= clock.now GROUP BY b.workspace_id),
due AS MATERIALIZED (
	SELECT d.id, coalesce(busy.n, 0) + row_number() OVER (PARTITION BY d.workspace_id ORDER BY d.receive_at, d.id) AS turn
	FROM clock, mailboxes d LEFT JOIN busy USING (workspace_id)
	WHERE d.receive_at <= clock.now AND (d.receive_lease IS NULL OR d.receive_lease < clock.now)
)
UPDATE mailboxes m SET receive_holder = $2, receive_lease = clock_timestamp() + $3, receive_at = clock_timestamp() + $4
WHERE m.id IN (SELECT r.id FROM mailboxes r JOIN due USING (id)
	WHERE r.receive_at <= clock_timestamp() AND (r.receive_lease IS NULL OR r.receive_lease < clock_timestamp())
	ORDER BY due.turn, r.receive_at LIMIT $1 FOR UPDATE OF r SKIP LOCKED)
RETURNING m.workspace_id, m.id`

// Readers claims mailboxes that are due for reading, each for one process, and
// plans their next reading after every. Paused ones are read too: what they have
// sent is still answered.
//
// A process that dies after this leaves a lease: the mailbox is read by another
// when it is over, from where reading had stopped.
func (db *DB) Readers(ctx context.Context, holder string, limit int, every time.Duration) ([]outreach.MailboxRef, error) {
	return db.mailboxRefs(ctx, "claim mailboxes to read", claimReaders, limit, holder, outreach.LeaseLength, every)
}

const renewReaders = `UPDATE mailboxes SET receive_lease = clock_timestamp() + $3 WHERE id = ANY($1) AND receive_holder = $2 AND receive_lease IS NOT NULL`

// RenewReaders keeps the leases of mailboxes that this process is reading.
func (db *DB) RenewReaders(ctx context.Context, ids []uuid.UUID, holder string) error {
	if _, err := db.pool.Exec(ctx, renewReaders, ids, holder, outreach.LeaseLength); err != nil {
		return fmt.Errorf("renew leases of mailboxes: %w", err)
	}
	return nil
}

// A mailbox in error is connected again as soon as it could be read. That says
// nothing of the refusals it met when sending.
const doneReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, last_checked_at = $4,
	last_error = CASE WHEN $5::text IS NULL AND sender_faults > 0 THEN last_error ELSE $5 END,
	status = CASE WHEN status = 'paused' THEN status WHEN $5::text IS NULL THEN 'connected' ELSE 'error' END
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

const leaveReading = `
UPDATE mailboxes SET receive_lease = NULL, receive_holder = NULL, receive_at = clock_timestamp()
WHERE workspace_id = $1 AND id = $2 AND receive_holder = $3`

// LeaveReading gives a mailbox back whose reading was broken off, so that another
// process goes on with it at once.
func (db *DB) LeaveReading(ctx context.Context, workspace, id uuid.UUID, holder string) error {
	if _, err := db.pool.Exec(ctx, leaveReading, workspace, id, holder); err != nil {
		return fmt.Errorf("leave mailbox: %w", err)
	}
	return nil
}

// DoneReading gives a mailbox back; failure is words for its owner, nil when it
// could be read.
func (db *DB) DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error {
	if _, err := db.pool.Exec(ctx, doneReading, workspace, id, holder, db.now(), failure); err != nil {
		return fmt.Errorf("give mailbox back: %w", err)
	}
	return nil
}

const noteFailure = `
UPDATE mailboxes SET status = 'error', last_error = $3, last_checked_at = $4 WHERE workspace_id = $1 AND id = $2 AND status <> 'paused'`

// NoteFailure puts a mailbox in error with words for its owner.
func (db *DB) NoteFailure(ctx context.Context, workspace, id uuid.UUID, reason string) error {
	if _, err := db.pool.Exec(ctx, noteFailure, workspace, id, reason, db.now()); err != nil {
		return fmt.Errorf("note mailbox failure: %w", err)
	}
	return nil
}

const wakeReader = `UPDATE mailboxes SET receive_at = clock_timestamp() WHERE id = $1 AND receive_at > clock_timestamp()`

// WakeReader makes a mailbox due for reading now, since its server has announced
// something new.
func (db *DB) WakeReader(ctx context.Context, mailbox uuid.UUID) error {
	if _, err := db.pool.Exec(ctx, wakeReader, mailbox); err != nil {
		return fmt.Errorf("wake reader: %w", err)
	}
	return nil
}

const selectPositions = `SELECT folder, uid_validity, last_uid FROM mailbox_folders WHERE mailbox_id = $1`

// Positions gives where reading stopped in each folder of a mailbox.
func (db *DB) Positions(ctx context.Context, mailbox uuid.UUID) ([]outreach.FolderPosition, error) {
	rows, err := db.pool.Query(ctx, selectPositions, mailbox)
	if err != nil {
		return nil, fmt.Errorf("read positions: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p outreach.FolderPosition, err error) {
		var validity, uid int64
		err = row.Scan(&p.Folder, &validity, &uid)
		p.UIDValidity, p.UID = uint32(validity), uint32(uid)
		return p, err
	})
}

const upsertPosition = `
INSERT INTO mailbox_folders (mailbox_id, folder, uid_validity, last_uid) VALUES ($1, $2, $3, $4)
ON CONFLICT (mailbox_id, folder) DO UPDATE SET uid_validity = excluded.uid_validity, last_uid = excluded.last_uid`

// storePosition notes where reading goes on.
func storePosition(ctx context.Context, q querier, mailbox uuid.UUID, p outreach.FolderPosition) error {
	if _, err := q.Exec(ctx, upsertPosition, mailbox, p.Folder, int64(p.UIDValidity), int64(p.UID)); err != nil {
		return fmt.Errorf("store position: %w", err)
	}
	return nil
}

// origin is what a received message answers: ours, its prospect, its campaign.
type origin struct {
	message  *inFlight
	prospect uuid.UUID
	campaign *uuid.UUID
	byHeader bool // it named our Message-ID, which only a recipient can know
}

// match finds what a message is about, and locks the message of ours that it
// answers; nil when it is about nothing of ours.
func match(ctx context.Context, tx pgx.Tx, found subjects, in *outreach.Received, address string) (*origin, error) {
	s, byHeader, ok := found.about(in, address)
	if !ok {
		return nil, nil
	}
	if s.message == nil {
		return &origin{prospect: s.prospect}, nil
	}
	f, err := lockInFlight(ctx, tx, *s.message)
	if err != nil {
		return nil, err
	}
	return &origin{message: &f, prospect: f.prospect, campaign: &f.campaign, byHeader: byHeader}, nil
}

// Whoever claims for the enrollment holds this lock.
const lockEnrollmentRow = `SELECT FROM enrollments WHERE workspace_id = $1 AND id = $2 FOR UPDATE`

const selectWentAgain = `
SELECT EXISTS (SELECT FROM messages WHERE workspace_id = $1 AND enrollment_id = $2 AND run = $3 AND step = $4 AND status NOT IN ('not_sent', 'bounced'))`

// prove settles as sent what nobody had settled yet: whatever refers to a message
// proves that it left. Its sender, if there still is one, finds it settled. It
// proves more than a person's word that the message was not sent, as long as the
// step has not gone again.
func (db *DB) prove(ctx context.Context, tx pgx.Tx, f *inFlight) error {
	if f.status == outreach.MessageNotSent {
		if _, err := tx.Exec(ctx, lockEnrollmentRow, f.workspace, f.enrollment); err != nil {
			return fmt.Errorf("lock enrollment: %w", err)
		}
		var again bool
		if err := tx.QueryRow(ctx, selectWentAgain, f.workspace, f.enrollment, f.run, f.step).Scan(&again); err != nil || again {
			return err
		}
	}
	if !f.provable() {
		return nil
	}
	err := db.settleSent(ctx, tx, *f, "proven by what came back")
	f.status = outreach.MessageSent
	return err
}

func (db *DB) takeReply(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	o, err := match(ctx, tx, found, &in, in.From)
	if err != nil || o == nil {
		return err
	}
	r := outreach.Reply{WorkspaceID: box.WorkspaceID, ProspectID: o.prospect, CampaignID: o.campaign, MailboxID: box.ID,
		From: in.From, Subject: in.Subject, Text: in.Text, Interest: in.Interest, InterestReason: in.Reason,
		Automatic: in.Kind == outreach.ReceivedAutomatic}
	if o.message != nil {
		r.MessageID = &o.message.id
	}
	if o.byHeader {
		if err := db.prove(ctx, tx, o.message); err != nil {
			return err
		}
	}
	if err := db.storeReply(ctx, tx, &r); err != nil {
		return err
	}
	if in.ReturnDate == nil || o.message == nil {
		return nil
	}
	zones, err := zonesOf(ctx, tx, o.message)
	if err != nil {
		return err
	}
	if h, ok := outOfOffice(*in.ReturnDate, zones, db.now()); ok {
		return holdOne(ctx, tx, box.WorkspaceID, o.message.enrollment, h)
	}
	return nil
}

func (db *DB) takeBounces(ctx context.Context, tx pgx.Tx, found subjects, in outreach.Received) error {
	for _, bounce := range in.Bounces {
		o, err := match(ctx, tx, found, &in, bounce.Address)
		if err != nil {
			return err
		}
		if o == nil || o.message == nil || o.message.status == outreach.MessageBounced {
			continue // about nothing of ours, or the second report on one failure
		}
		if err := db.prove(ctx, tx, o.message); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, markBounced, o.message.id, bounce.Error); err != nil {
			return fmt.Errorf("mark message bounced: %w", err)
		}
		if err := db.recordBounce(ctx, tx, *o.message, bounce.Error); err != nil {
			return err
		}
		if err := db.followBounce(ctx, tx, *o.message, bounce.Fault, bounce.Error); err != nil {
			return err
		}
	}
	return nil
}

const markBounced = `UPDATE messages SET status = 'bounced', smtp_response = $2, raw = NULL WHERE id = $1`

// recordBounce raises the bounced event (contract, section 6: a final refusal or
// a final report, whatever its class).
func (db *DB) recordBounce(ctx context.Context, tx pgx.Tx, f inFlight, text string) error {
	event, err := db.eventOf(ctx, tx, f.workspace, f.prospect, &f.campaign, outreach.EventBounced)
	if err != nil {
		return err
	}
	if now := event.ProspectEmail; now != nil && outreach.FoldEmail(*now) != outreach.FoldEmail(f.recipient) {
		event.ProspectEmail = &f.recipient // it is not the new address that bounced
	}
	event.Metadata = outreach.BouncedMetadata{Error: text, Step: f.step}
	return db.record(ctx, tx, event)
}

const noteFault = `UPDATE messages SET fault = $2 WHERE id = $1`

// followBounce does what a bounce calls for, by whose fault it is.
func (db *DB) followBounce(ctx context.Context, tx pgx.Tx, f inFlight, fault outreach.Fault, text string) error {
	if _, err := tx.Exec(ctx, noteFault, f.id, fault); err != nil {
		return fmt.Errorf("note fault: %w", err)
	}
	switch fault {
	case outreach.FaultRecipient:
		return db.deadAddress(ctx, tx, f)
	case outreach.FaultSender:
		return db.blameMailbox(ctx, tx, f, text)
	}
	return db.transientBounce(ctx, tx, f)
}

const markProspectBounced = `UPDATE prospects SET bounced_at = coalesce(bounced_at, $3) WHERE workspace_id = $1 AND id = $2 AND email_key = $4`

// endable are the enrollments e that an answer to message one ends: those that run
// and, since its last step may be what is answered, the finished one that the
// message belongs to.
const endable = `(e.status IN ('active', 'held', 'paused') OR e.status = 'finished' AND EXISTS (
	SELECT FROM messages m WHERE m.workspace_id = $1 AND m.id = one.message_id AND m.enrollment_id = e.id AND m.run = e.run))`

const endAll = `
UPDATE enrollments e SET status = $4, stop_reason = $5, ` + notHeld + `, next_step = NULL, next_send_at = NULL
FROM (SELECT $3::uuid AS message_id) one
WHERE e.workspace_id = $1 AND e.prospect_id = $2 AND ` + endable

// deadAddress suppresses the address. The prospect bounced if that is still its
// own: everything that runs for it ends. Whoever was given another one since is
// written to there.
func (db *DB) deadAddress(ctx context.Context, tx pgx.Tx, f inFlight) error {
	address := f.recipient
	tag, err := tx.Exec(ctx, markProspectBounced, f.workspace, f.prospect, db.now(), outreach.FoldEmail(address))
	if err != nil {
		return fmt.Errorf("mark prospect bounced: %w", err)
	}
	if tag.RowsAffected() > 0 {
		if _, err := tx.Exec(ctx, endAll, f.workspace, f.prospect, f.id, outreach.EnrollmentBounced, "mail to the prospect bounces"); err != nil {
			return fmt.Errorf("end enrollments: %w", err)
		}
	}
	if _, _, err := db.suppress(ctx, tx, outreach.Suppression{WorkspaceID: f.workspace, Email: &address, Reason: outreach.SuppressedBounced}); err != nil {
		return err
	}
	return db.goOn(ctx, tx, f)
}

// The third fault in a row pauses the mailbox before its reputation is gone. Of
// what a server takes first and reports on later, the row is that of the messages.
const blameMailbox = `
UPDATE mailboxes b SET sender_faults = sender_faults + 1, last_error = $3,
	status = CASE WHEN status = 'paused' OR sender_faults + 1 >= 3 OR (
		SELECT count(*) FILTER (WHERE fault = 'sender') = 3 FROM (
			SELECT m.fault FROM messages m WHERE m.workspace_id = $1 AND m.mailbox_id = $2 AND m.status IN ('sent', 'bounced', 'unknown')
				AND m.sent_at <= (SELECT one.sent_at FROM messages one WHERE one.id = $4) AND m.sent_at > coalesce(b.seen_to_at, '-infinity')
			ORDER BY m.sent_at DESC LIMIT 3) last) THEN 'paused' ELSE status END
WHERE workspace_id = $1 AND id = $2 RETURNING email`

// An enrollment stands at the step that was refused, to send it again; where that
// or a later one has gone since, it stays where it is, as it does when it is over
// for good.
const setBack = `
UPDATE enrollments e SET status = CASE e.status WHEN 'finished' THEN 'active' ELSE e.status END, mailbox_id = $6, next_step = $4, next_send_at = $5
WHERE e.workspace_id = $1 AND e.id = $2 AND e.run = $3 AND e.status IN ('active', 'held', 'paused', 'finished')
	AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.id = e.campaign_id AND c.status <> 'archived')
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = e.prospect_id)
	AND NOT EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3 AND m.step >= $4
		AND m.status NOT IN ('not_sent', 'bounced') AND (m.status <> 'claimed' OR m.committed_at IS NOT NULL))`

func (db *DB) blameMailbox(ctx context.Context, tx pgx.Tx, f inFlight, text string) error {
	var address string
	err := tx.QueryRow(ctx, blameMailbox, f.workspace, f.mailbox, "a message was refused: "+text, f.id).Scan(&address)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("blame mailbox: %w", err)
	}
	if _, err := tx.Exec(ctx, setBack, f.workspace, f.enrollment, f.run, f.step, db.now(), f.mailbox); err != nil {
		return fmt.Errorf("set enrollment back: %w", err)
	}
	if err := holdForMailbox(ctx, tx, f, address, text); err != nil {
		return err
	}
	_, err = refreshStatus(ctx, tx, f.workspace, f.prospect)
	return err
}

const countTransient = `
SELECT count(*) FROM messages m WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3 AND m.status = 'bounced' AND m.fault = 'transient' AND m.sent_at > $4`

// transientBounce lets the sequence go on, and stops it at the third within 14
// days.
func (db *DB) transientBounce(ctx context.Context, tx pgx.Tx, f inFlight) error {
	var n int
	if err := tx.QueryRow(ctx, countTransient, f.workspace, f.enrollment, f.run, db.now().AddDate(0, 0, -14)).Scan(&n); err != nil {
		return fmt.Errorf("count bounces: %w", err)
	}
	if n >= 3 {
		return fail(ctx, tx, f, "three messages in a row could not be delivered")
	}
	return db.goOn(ctx, tx, f)
}

// goOn moves an enrollment that still runs past a message that was refused on the
// way out; one that bounced later has moved it already.
func (db *DB) goOn(ctx context.Context, tx pgx.Tx, f inFlight) error {
	if f.status == outreach.MessageCommitting || f.status == outreach.MessageClaimed {
		if _, err := tx.Exec(ctx, advance, f.workspace, f.enrollment, f.campaign, f.step, db.now(), f.run); err != nil {
			return fmt.Errorf("advance enrollment: %w", err)
		}
	}
	_, err := refreshStatus(ctx, tx, f.workspace, f.prospect)
	return err
}

const markUnsubscribed = `UPDATE prospects SET unsubscribed_at = coalesce(unsubscribed_at, $3) WHERE workspace_id = $1 AND id = $2`

// takeComplaint suppresses whoever called a message spam; no event tells of it
// (contract, section 7).
func (db *DB) takeComplaint(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	address := ""
	if len(in.Bounces) > 0 {
		address = in.Bounces[0].Address
	}
	o, err := match(ctx, tx, found, &in, address)
	if err != nil || o == nil {
		return err
	}
	var about *uuid.UUID
	if o.message != nil {
		address, about = o.message.recipient, &o.message.id
		if err := db.prove(ctx, tx, o.message); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, markUnsubscribed, box.WorkspaceID, o.prospect, db.now()); err != nil {
		return fmt.Errorf("mark prospect unsubscribed: %w", err)
	}
	if _, err := tx.Exec(ctx, endAll, box.WorkspaceID, o.prospect, about, outreach.EnrollmentUnsubscribed, "the prospect complained"); err != nil {
		return fmt.Errorf("end enrollments: %w", err)
	}
	if _, _, err := db.suppress(ctx, tx, outreach.Suppression{WorkspaceID: box.WorkspaceID, Email: &address, Reason: outreach.SuppressedComplaint}); err != nil {
		return err
	}
	_, err = refreshStatus(ctx, tx, box.WorkspaceID, o.prospect)
	return err
}

const selectUnknowns = `
SELECT id, message_id, recipient FROM messages WHERE mailbox_id = $1 AND status = 'unknown' AND sent_at > $2 ORDER BY sent_at DESC LIMIT 50`

// Unknowns gives the messages of a mailbox whose fate is unknown, to be looked
// for in its Sent folder.
func (db *DB) Unknowns(ctx context.Context, mailbox uuid.UUID) ([]outreach.Outgoing, error) {
	rows, err := db.pool.Query(ctx, selectUnknowns, mailbox, db.now().AddDate(0, 0, -14))
	if err != nil {
		return nil, fmt.Errorf("list unknown messages: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (o outreach.Outgoing, err error) {
		err = row.Scan(&o.ID, &o.MessageID, &o.Recipient)
		return o, err
	})
}

// ProveSent settles an unknown that was found in the Sent folder.
func (db *DB) ProveSent(ctx context.Context, id uuid.UUID) error {
	return db.tx(ctx, func(tx pgx.Tx) error {
		f, err := lockInFlight(ctx, tx, id)
		if err != nil {
			return err
		}
		return db.prove(ctx, tx, &f)
	})
}
