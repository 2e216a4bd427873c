package inbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/sending"
)

// maxUnmatched bounds the unmatched replies of a workspace, because any stranger can send some.
const maxUnmatched = 1000

// unmatched reports whether a message is kept as unmatched: mail without a reference from a person
// at a company that was written to, or a complaint that shows no message of ours. It changes
// nothing until a person assigns it.
func (s subjects) unmatched(in *outreach.Received) bool {
	switch in.Kind {
	case outreach.ReceivedComplaint:
		return true
	case outreach.ReceivedReply:
		if s.fromOwn(in) || !in.At.IsZero() && in.At.Before(s.connected.Add(-mostApart)) {
			return false
		}
		return slices.ContainsFunc(domainsOf(in.From), func(domain string) bool {
			_, known := s.companies[domain]
			return known
		})
	}
	return false
}

// domainsOf returns the domain of an address and its parent domains, at most five. Addresses at
// free mail providers have none, because they show no company.
func domainsOf(address string) (domains []string) {
	domain := outreach.EmailDomain(address)
	for len(domains) < 5 && strings.Contains(domain, ".") {
		if outreach.IsFreeMail(domain) {
			break
		}
		domains = append(domains, domain)
		_, domain, _ = strings.Cut(domain, ".")
	}
	return domains
}

const insertUnmatched = `
INSERT INTO replies (id, workspace_id, mailbox_id, sender, subject, body_text, interest, interest_reason, automatic,
	received_at, full_text, opt_out, header_id, thread, reply_to, words, attachments)
SELECT $2::uuid, $1::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::text, $9::boolean, $10::timestamptz,
	nullif($12::text, $6), $13::boolean,
	nullif($14::text, ''), $15::text[], nullif($16::text, ''), $17::text, $18::jsonb
WHERE (SELECT count(*)
	FROM (SELECT FROM replies r WHERE r.workspace_id = $1 AND NOT r.done AND r.prospect_id IS NULL LIMIT $11) pile) < $11`

// keepUnmatched stores a message as an unmatched reply. An automatic reply that matches nothing is
// not stored.
func (b *Inbox) keepUnmatched(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, in *outreach.Received) error {
	reason, automatic := in.Reason, true
	switch in.Kind {
	case outreach.ReceivedReply:
		automatic = false
	case outreach.ReceivedBounce:
		reason = new("a bounce that does not show a message of ours")
	case outreach.ReceivedComplaint:
		reason = new("a complaint that does not show a message of ours")
	default:
		return nil
	}
	return storage.Exec(ctx, tx, "keep unmatched message", insertUnmatched, box.WorkspaceID, storage.NewID(), box.ID,
		in.From, in.Subject, in.Text,
		in.Interest, reason, automatic, b.db.Now(), maxUnmatched, cmp.Or(in.FullText, in.Text), in.OptOut,
		in.Header.ID, append([]string{}, in.Header.Thread...), in.Header.ReplyTo, wordsOf(in.From, in.Subject, in.Text),
		attachmentsOf(in.Attachments))
}

const selectContent = `SELECT m.subject, m.body_text FROM messages m WHERE m.workspace_id = $1 AND m.id = $2`

// believable reports whether a bounce without one of our Message-IDs may count for a message: it is
// authenticated, names the recipient's address, and quotes the message's subject or a line of its
// text.
func believable(ctx context.Context, tx pgx.Tx, in *outreach.Received, bounce *outreach.Bounce, f *sending.InFlight) (bool, error) {
	if !bounce.Vouched || !outreach.SameEmail(bounce.Address, f.Recipient) {
		return false, nil
	}
	var subject, text string
	if err := tx.QueryRow(ctx, selectContent, f.Workspace, f.ID).Scan(&subject, &text); err != nil {
		return false, fmt.Errorf("read message: %w", err)
	}
	return shows(in.Shown, subject, text), nil
}

// The shortest subject and line of text that identify a message.
const (
	shortestSubject = 4
	shortestLine    = 16
)

// shows reports whether a text quotes the subject of a message or a line of its text.
func shows(shown, subject, text string) bool {
	shown = outreach.FoldText(shown)
	if subject = outreach.FoldText(subject); len(subject) >= shortestSubject && strings.Contains(" "+shown+" ", " "+subject+" ") {
		return true
	}
	for line := range strings.Lines(text) {
		if line = outreach.FoldText(line); len(line) >= shortestLine && strings.Contains(shown, line) {
			return true
		}
	}
	return false
}

const selectLastMessage = `
SELECT m.id, m.campaign_id FROM messages m
WHERE m.workspace_id = $1 AND m.prospect_id = $2 AND m.status IN ('sent', 'bounced', 'unknown') AND NOT m.external
ORDER BY m.sent_at DESC, m.id DESC
LIMIT 1`

const lockProspect = `SELECT true FROM prospects WHERE workspace_id = $1 AND id = $2 FOR UPDATE`

const assignReply = `
UPDATE replies SET prospect_id = $3, campaign_id = $4, message_id = $5, done = false
WHERE workspace_id = $1 AND id = $2
RETURNING opt_out`

// AssignReply assigns an unmatched reply to a prospect, as an answer to the last message to it,
// with all consequences of a reply. An assigned report is shown in the conversation and changes
// nothing.
func (b *Inbox) AssignReply(ctx context.Context, workspace, id, prospect uuid.UUID) (r outreach.Reply, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		if r, err = storage.Replies.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		var there bool
		if err := tx.QueryRow(ctx, lockProspect, workspace, prospect).Scan(&there); errors.Is(err, pgx.ErrNoRows) {
			return storage.UnknownReference(outreach.At("prospect_id"))
		} else if err != nil {
			return fmt.Errorf("lock prospect: %w", err)
		}
		if r.ProspectID != nil {
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot assign: the reply is already assigned.")
		}
		r.ProspectID, r.Done = &prospect, false
		var message uuid.UUID
		var campaign *uuid.UUID
		switch err := tx.QueryRow(ctx, selectLastMessage, workspace, prospect).Scan(&message, &campaign); {
		case err == nil:
			r.MessageID, r.CampaignID = &message, campaign
		case !errors.Is(err, pgx.ErrNoRows):
			return fmt.Errorf("find last message: %w", err)
		}
		var optOut bool
		if err := tx.QueryRow(ctx, assignReply, workspace, id, r.ProspectID, r.CampaignID, r.MessageID).Scan(&optOut); err != nil {
			return fmt.Errorf("assign reply: %w", err)
		}
		if optOut {
			if err := b.optOut(ctx, tx, &r); err != nil {
				return err
			}
		}
		return b.followReply(ctx, tx, &r)
	})
	return r, err
}

const dismissReply = `UPDATE replies SET done = true WHERE workspace_id = $1 AND id = $2`

// DismissReply deletes an unmatched reply.
func (b *Inbox) DismissReply(ctx context.Context, workspace, id uuid.UUID) (r outreach.Reply, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		if r, err = storage.Replies.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		if r.ProspectID != nil {
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot dismiss: the reply is already assigned.")
		}
		r.Done = true
		return storage.ExecOne(ctx, tx, "dismiss reply", dismissReply, workspace, id)
	})
	return r, err
}
