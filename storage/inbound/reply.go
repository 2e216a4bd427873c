package inbound

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"outreach"
	"outreach/storage"
	"outreach/storage/outbox"
	"outreach/storage/sending"
)

// A reply belongs to the mailbox whose message it answers, if that is known and exists: several
// mailboxes may read one account, and any of them may be first. It is assigned like the prospect's
// last reply.
const insertReplies = `
INSERT INTO replies (id, workspace_id, prospect_id, campaign_id, mailbox_id, message_id, sender, subject, body_text,
	interest, interest_reason, automatic, received_at, raised, positive_at, full_text,
	header_id, thread, reply_to, words, attachments, read_in, assigned_to)
SELECT one.id, $1, one.prospect_id, one.campaign_id,
	coalesce((SELECT b.id FROM mailboxes b WHERE b.workspace_id = $1
		AND b.id = (SELECT m.mailbox_id FROM messages m WHERE m.workspace_id = $1 AND m.id = one.message_id)), $2),
			one.message_id, one.sender, one.subject, one.body_text,
	one.interest, one.interest_reason, one.automatic, $3, one.raised, one.positive_at, nullif(one.full_text, one.body_text),
	nullif(one.header_id, ''), string_to_array(one.thread, ' '), nullif(one.reply_to, ''), one.words, one.attachments::jsonb, $2,
	(SELECT r.assigned_to FROM replies r WHERE r.workspace_id = $1 AND r.prospect_id = one.prospect_id
		ORDER BY r.received_at DESC, r.id DESC LIMIT 1)
FROM unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[], $9::text[], $10::text[], $11::text[],
	$12::text[], $13::bool[], $14::bool[], $15::timestamptz[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[])
	one(id, prospect_id, campaign_id, message_id, sender, subject, body_text, interest, interest_reason, automatic,
		raised, positive_at, full_text,
		header_id, thread, reply_to, words, attachments)`

// replyColumns holds the replies that one mailbox reads at one time as columns.
type replyColumns struct {
	ids, prospects      []uuid.UUID
	campaigns, messages []*uuid.UUID
	senders, texts      []string
	full                []string
	subjects, reasons   []*string
	interests           []*outreach.Interest
	automatic, raised   []bool
	headers, threads    []string
	replyTo, words      []string
	attachments         []string
	positive            []*time.Time
	back                []uuid.UUID // prospects who wrote and told of no absence
}

// add adds a reply. raised reports whether the replied event is raised with it, positiveAt is set
// if positive_reply is.
func (c *replyColumns) add(r *outreach.Reply, raised bool, positiveAt *time.Time) {
	c.ids, c.prospects = append(c.ids, r.ID), append(c.prospects, *r.ProspectID)
	c.campaigns, c.messages = append(c.campaigns, r.CampaignID), append(c.messages, r.MessageID)
	c.senders, c.texts, c.subjects = append(c.senders, r.From), append(c.texts, r.Text), append(c.subjects, r.Subject)
	c.headers, c.threads, c.replyTo = append(c.headers, r.Header.ID),
		append(c.threads, strings.Join(r.Header.Thread, " ")), append(c.replyTo, r.Header.ReplyTo)
	c.attachments = append(c.attachments, attachmentsOf(r.Attachments))
	c.words = append(c.words, wordsOf(r.From, r.Subject, r.Text))
	c.full = append(c.full, cmp.Or(r.FullText, r.Text))
	c.interests, c.reasons = append(c.interests, r.Interest), append(c.reasons, r.InterestReason)
	c.automatic, c.raised, c.positive = append(c.automatic, r.Automatic), append(c.raised, raised), append(c.positive, positiveAt)
}

// wordsOf returns the words by which search finds a reply.
func wordsOf(from string, subject *string, text string) string {
	if subject == nil {
		return outreach.SearchWords(from, text)
	}
	return outreach.SearchWords(from, *subject, text)
}

// storedAttachment is an attachment in the database.
type storedAttachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	ContentType string `json:"contentType"`
	Size        *int   `json:"size"`
}

// attachmentsOf returns attachments as they are stored.
func attachmentsOf(attachments []outreach.Attachment) string {
	stored := make([]storedAttachment, len(attachments))
	for i, a := range attachments {
		stored[i] = storedAttachment(a)
	}
	text, _ := json.Marshal(stored) // strings and numbers always can be
	return string(text)
}

// args returns the arguments of insertReplies.
func (c *replyColumns) args(workspace, mailbox uuid.UUID, at time.Time) []any {
	return []any{workspace, mailbox, at, c.ids, c.prospects, c.campaigns, c.messages, c.senders, c.subjects, c.texts, c.interests, c.reasons,
		c.automatic, c.raised, c.positive, c.full, c.headers, c.threads, c.replyTo, c.words, c.attachments}
}

// storeReply stores a reply with all consequences.
func (b *Inbox) storeReply(ctx context.Context, tx pgx.Tx, r *outreach.Reply) error {
	r.ID, r.ReceivedAt = storage.NewID(), b.db.Now()
	var c replyColumns
	c.add(r, false, nil)
	if err := storage.Exec(ctx, tx, "insert reply", insertReplies, c.args(r.WorkspaceID, r.MailboxID,
		r.ReceivedAt)...); err != nil {
		return err
	}
	return b.followReply(ctx, tx, r)
}

// UpdateReply sets the interest or the automatic mark of a reply by hand. The first positive mark
// raises positive_reply; removing the automatic mark raises the replied event that was withheld.
// What the prospect shows is derived from its replies that are not automatic. Setting the automatic mark
// restores the enrollments that the reply stopped (sending.RestoreReplied). An unmatched reply must be
// assigned first.
func (b *Inbox) UpdateReply(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Reply)) (r outreach.Reply, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		if r, err = storage.Replies.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		if r.ProspectID == nil {
			return outreach.Errorf(outreach.CodeInvalidState, "Assign the reply to a prospect first.")
		}
		before := r
		change(&r)
		if r.Interest == nil {
			r.InterestReason = nil
		} else if !storage.SameValue(r.Interest, before.Interest) {
			r.InterestReason = new("set by hand")
		}
		if err := markReply(ctx, tx, &r); err != nil {
			return err
		}
		if err := b.followMark(ctx, tx, &r, &before); err != nil {
			return err
		}
		if err := b.followReply(ctx, tx, &r); err != nil || r.Automatic == before.Automatic {
			return err
		}
		if err := recallReplies(ctx, tx, r.WorkspaceID, *r.ProspectID); err != nil {
			return err
		}
		if r.Automatic {
			return b.ledger.RestoreReplied(ctx, tx, r.WorkspaceID, *r.ProspectID)
		}
		return b.stopOn(ctx, tx, &r) // the event may have been raised before
	})
	return r, err
}

const readReplied = `
UPDATE prospects p SET (replied_at, last_replied_at) = (
	SELECT least(min(r.received_at), min(f.replied_at)), greatest(max(r.received_at), max(f.last_replied_at))
	FROM (SELECT) one
		LEFT JOIN replies r ON r.workspace_id = $1 AND r.prospect_id = $2 AND NOT r.automatic
		LEFT JOIN former_replies f ON f.workspace_id = $1 AND f.email_key = p.email_key)
WHERE p.workspace_id = $1 AND p.id = $2`

// recallReplies derives interest and reply dates of a prospect from its replies.
func recallReplies(ctx context.Context, tx pgx.Tx, workspace, prospect uuid.UUID) error {
	if err := storage.Exec(ctx, tx, "recall replies", readReplied, workspace, prospect); err != nil {
		return err
	}
	_, err := storage.RefreshStatus(ctx, tx, workspace, prospect)
	return err
}

const updateReply = `UPDATE replies SET interest = $3, interest_reason = $4, automatic = $5 WHERE workspace_id = $1 AND id = $2`

// Temperature reads the events of a reply. Their interest follows the mark. Marks that differ from
// the last one, and automatic replies, do not count.
const markReplyEvents = `
UPDATE events SET interest = CASE WHEN $5 THEN 'automatic' WHEN type = 'replied' OR metadata->>'interest' = $4 THEN $4 END
WHERE workspace_id = $1 AND prospect_id = $2 AND type IN ('replied', 'interest_marked') AND metadata->>'replyId' = $3`

func markReply(ctx context.Context, tx pgx.Tx, r *outreach.Reply) error {
	if err := storage.ExecOne(ctx, tx, "mark reply", updateReply, r.WorkspaceID, r.ID, r.Interest, r.InterestReason, r.Automatic); err != nil {
		return err
	}
	return storage.Exec(ctx, tx, "mark events of reply", markReplyEvents, r.WorkspaceID, r.ProspectID, r.ID.String(),
		r.Interest, r.Automatic)
}

const setInterest = `UPDATE prospects SET interest = $3 WHERE workspace_id = $1 AND id = $2`

// Without a mark on this reply, the prospect's interest is that of the latest other reply.
const unsetInterest = `
UPDATE prospects SET interest = (SELECT r.interest FROM replies r
	WHERE r.workspace_id = $1 AND r.prospect_id = $2 AND r.interest IS NOT NULL ORDER BY r.received_at DESC, r.id DESC LIMIT 1)
WHERE workspace_id = $1 AND id = $2`

// followMark records the interest that a person set: the interest_marked event, and what the prospect
// shows.
func (b *Inbox) followMark(ctx context.Context, tx pgx.Tx, r, before *outreach.Reply) error {
	if r.Interest == nil && before.Interest != nil {
		return storage.Exec(ctx, tx, "unset interest", unsetInterest, r.WorkspaceID, r.ProspectID)
	}
	if storage.SameValue(r.Interest, before.Interest) {
		return nil
	}
	event, err := b.outbox.EventOf(ctx, tx, r.WorkspaceID, *r.ProspectID, r.CampaignID, outreach.EventInterestMarked)
	if err != nil {
		return err
	}
	event.Interest = r.Interest
	event.Metadata = outreach.InterestMarkedMetadata{ReplyID: r.ID, Interest: *r.Interest}
	if err := b.outbox.Record(ctx, tx, event); err != nil {
		return err
	}
	return storage.Exec(ctx, tx, "set interest", setInterest, r.WorkspaceID, r.ProspectID, r.Interest)
}

const setRaised = `UPDATE replies SET raised = true WHERE workspace_id = $1 AND id = $2 AND NOT raised`

const setPositive = `UPDATE replies SET positive_at = $3 WHERE workspace_id = $1 AND id = $2 AND positive_at IS NULL`

// followReply raises the events of a reply that were not raised yet: replied with its consequences,
// unless the reply is automatic, and positive_reply when the reply is first positive. It may be
// called again.
func (b *Inbox) followReply(ctx context.Context, tx pgx.Tx, r *outreach.Reply) error {
	if r.Automatic {
		return nil
	}
	raise, err := changed(ctx, tx, setRaised, r.WorkspaceID, r.ID)
	if err != nil {
		return err
	}
	event, err := b.outbox.EventOf(ctx, tx, r.WorkspaceID, *r.ProspectID, r.CampaignID, outreach.EventReplied)
	if err != nil {
		return err
	}
	event.Interest = r.Interest
	event.Metadata = outreach.RepliedMetadata{ReplyID: r.ID, From: r.From}
	if raise {
		if err := b.outbox.Record(ctx, tx, event); err != nil {
			return err
		}
		if err := b.stopOn(ctx, tx, r); err != nil {
			return err
		}
	}
	if r.Interest == nil || *r.Interest != outreach.InterestPositive {
		return nil
	}
	first, err := changed(ctx, tx, setPositive, r.WorkspaceID, r.ID, event.OccurredAt)
	if err != nil || !first {
		return err
	}
	return b.tellPositive(ctx, tx, event, r)
}

// stopsCompanies reports whether a campaign of workspace $1 stops whole companies.
const stopsCompanies = `EXISTS (SELECT FROM campaigns k WHERE k.workspace_id = $1 AND k.stop_company_on_reply)`

// stopOn is stopOnReply for one reply.
func (b *Inbox) stopOn(ctx context.Context, tx pgx.Tx, r *outreach.Reply) error {
	var company bool
	if err := tx.QueryRow(ctx, `SELECT `+stopsCompanies, r.WorkspaceID).Scan(&company); err != nil {
		return fmt.Errorf("read whether a campaign stops companies: %w", err)
	}
	var c replyColumns
	c.add(r, true, nil)
	c.back = append(c.back, *r.ProspectID)
	return b.stopOnReply(ctx, tx, r.WorkspaceID, r.ReceivedAt, &c, company)
}

// tellPositive queues the positive_reply deliveries: a replied payload under the reply's id, at the
// time of the mark (docs/reference.md#events). No event is stored for it.
func (b *Inbox) tellPositive(ctx context.Context, tx pgx.Tx, event outreach.Event, r *outreach.Reply) error {
	args, err := b.positiveArgs(event, r)
	if err != nil {
		return err
	}
	return storage.Exec(ctx, tx, "queue deliveries of positive reply", outbox.QueueDeliveries, args...)
}

// positiveArgs returns the arguments of outbox.QueueDeliveries for a positive reply.
func (b *Inbox) positiveArgs(event outreach.Event, r *outreach.Reply) ([]any, error) {
	event.ID = r.ID
	return b.outbox.DeliveryArgs(outreach.OnPositiveReply, event)
}

// changed runs an update of one reply and reports whether it changed the reply.
func changed(ctx context.Context, tx pgx.Tx, sql string, args ...any) (bool, error) {
	tag, err := tx.Exec(ctx, sql, args...)
	if err != nil {
		return false, fmt.Errorf("mark reply: %w", err)
	}
	return tag.RowsAffected() == 1, nil
}

const noteReplied = `
UPDATE prospects p SET replied_at = coalesce(p.replied_at, $3), last_replied_at = greatest(p.last_replied_at, $3),
	interest = coalesce(one.interest, p.interest)
FROM unnest($2::uuid[], $4::text[]) one(id, interest)
WHERE p.workspace_id = $1 AND p.id = one.id`

// A snoozed conversation returns to the inbox when its prospect writes again.
const wakeReplies = `
UPDATE replies SET snoozed_until = NULL WHERE workspace_id = $1 AND prospect_id = ANY($2) AND snoozed_until IS NOT NULL`

// Replying ends the prospect's enrollments in campaigns with stop_on_reply. What sending.RestoreReplied
// needs is kept: the hold, and whether the enrollment was paused.
const stopReplied = `
UPDATE enrollments e SET status = $5, stop_reason = CASE WHEN e.status = 'paused' THEN $7::text ELSE $6::text END,
	next_step = NULL, next_send_at = NULL
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) one(prospect_id, message_id, campaign_id), campaigns c
WHERE e.workspace_id = $1 AND e.prospect_id = one.prospect_id AND ` + sending.Endable + `
	AND c.workspace_id = $1 AND c.id = e.campaign_id AND (c.stop_on_reply OR c.id = one.campaign_id AND c.stop_company_on_reply)`

// Colleagues have addresses with the same registrable domain, free mail providers excepted. Their
// enrollments end in campaigns with stop_company_on_reply, whatever campaign the reply came in. It
// is a separate statement because few campaigns have that setting.
const stopColleagues = `
UPDATE enrollments e` + endColleagues + `
FROM unnest($2::uuid[]) one(prospect_id)
	CROSS JOIN LATERAL (SELECT p.id FROM prospects p WHERE p.workspace_id = $1 AND p.id <> one.prospect_id
		AND p.company_id = ANY(ARRAY(SELECT k.id FROM companies k WHERE k.workspace_id = $1 AND k.site = (
			SELECT own.site FROM companies own WHERE own.workspace_id = $1 AND own.id = (
				SELECT me.company_id FROM prospects me WHERE me.workspace_id = $1 AND me.id = one.prospect_id)))) OFFSET 0) p` +
	inStoppingCampaigns

// planByIndex makes the transaction plan statements by index, also where the planner knows nothing of
// the tables yet. Run it before those that end the enrollments of colleagues.
const planByIndex = `
SELECT set_config(method, 'off', true)
FROM unnest(ARRAY['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin']) method`

const endColleagues = ` SET status = $3, stop_reason = CASE WHEN e.status = 'paused' THEN $5::text ELSE $4::text END,
	next_step = NULL, next_send_at = NULL`

// Each OFFSET 0 fixes the order of the joins, from the replies to the enrollments: a plan that was made
// while the tables were empty would join all companies with each other (planByIndex).
const inStoppingCampaigns = `
	CROSS JOIN LATERAL (SELECT x.id FROM enrollments x WHERE x.workspace_id = $1 AND x.prospect_id = p.id
		AND x.status IN ('active', 'held', 'paused') AND x.campaign_id = ANY(ARRAY(
			SELECT c.id FROM campaigns c WHERE c.workspace_id = $1 AND c.stop_company_on_reply)) OFFSET 0) x
WHERE e.workspace_id = $1 AND e.id = x.id AND e.status IN ('active', 'held', 'paused')
RETURNING e.prospect_id`

// A person who writes is back: their absence ends, unless they told of one after this reply.
const endAbsences = `
UPDATE enrollments e SET ` + storage.EndHold + `
FROM unnest($2::uuid[]) one(prospect_id)
WHERE e.workspace_id = $1 AND e.prospect_id = one.prospect_id AND e.status IN ('held', 'paused') AND e.hold_kind = 'absence'
	AND NOT EXISTS (SELECT FROM replies r
		WHERE r.workspace_id = $1 AND r.prospect_id = one.prospect_id AND r.automatic AND r.received_at > $3)`

// stopOnReply applies the consequences of replies to prospects and their enrollments. Each prospect
// replied once at the given time. company reports whether a campaign of theirs may stop whole
// companies.
func (b *Inbox) stopOnReply(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, at time.Time, c *replyColumns, company bool) error {
	batch := &pgx.Batch{}
	batch.Queue(wakeReplies, workspace, c.prospects)
	batch.Queue(noteReplied, workspace, c.prospects, at, c.interests)
	end, paused := outreach.EndReplied.Ending(), outreach.EndRepliedPaused.Ending()
	batch.Queue(stopReplied, workspace, c.prospects, c.messages, c.campaigns, end.Status, end.Reason, paused.Reason)
	people := slices.Clone(c.prospects)
	if company {
		end, paused := outreach.EndColleagueReplied.Ending(), outreach.EndColleaguePaused.Ending()
		batch.Queue(planByIndex)
		batch.Queue(stopColleagues, workspace, c.prospects, end.Status, end.Reason, paused.Reason).Query(func(rows pgx.Rows) error {
			stopped, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
			people = append(people, stopped...)
			return err
		})
	}
	back := false
	batch.Queue(endAbsences, workspace, c.back, at).Exec(func(tag pgconn.CommandTag) error {
		back = tag.RowsAffected() > 0
		return nil
	})
	var late []lateReply
	batch.Queue(selectDeleted, workspace, c.prospects, c.messages, c.campaigns, c.interests).Query(func(rows pgx.Rows) (err error) {
		late, err = pgx.CollectRows(rows, pgx.RowToStructByPos[lateReply])
		return err
	})
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("stop enrollments on reply: %w", err)
	}
	if back {
		if err := storage.Wake(ctx, tx, workspace); err != nil {
			return err
		}
	}
	if len(late) > 0 {
		if err := b.takeLate(ctx, tx, workspace, at, late, company); err != nil {
			return err
		}
	}
	return afterStop(ctx, tx, workspace, people)
}

// afterStop derives what follows from the enrollments of prospects after some of them were ended.
func afterStop(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, prospects []uuid.UUID) error {
	if err := storage.WakeBound(ctx, tx, workspace, prospects); err != nil {
		return err
	}
	return storage.RefreshStatuses(ctx, tx, workspace, prospects)
}
