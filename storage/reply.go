package storage

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Replies holds the columns of replies.
var Replies = List[outreach.Reply]{
	Reads: NewColumns(func(r *outreach.Reply) []Column {
		return []Column{
			{"r.id", &r.ID},
			{"r.workspace_id", &r.WorkspaceID},
			{"r.prospect_id", &r.ProspectID},
			{"r.campaign_id", &r.CampaignID},
			{"r.mailbox_id", &r.MailboxID},
			{"r.message_id", &r.MessageID},
			{"r.sender", &r.From},
			{"r.subject", &r.Subject},
			{"r.body_text", &r.Text},
			{"coalesce(r.full_text, r.body_text)", &r.FullText},
			{"r.interest", &r.Interest},
			{"r.interest_reason", &r.InterestReason},
			{"r.automatic", &r.Automatic},
			{"r.received_at", &r.ReceivedAt},
			{"r.done", &r.Done},
			{"r.assigned_to", &r.AssignedTo},
			{"r.snoozed_until", &r.SnoozedUntil},
			{"coalesce(r.header_id, '')", &r.Header.ID},
			{"r.thread", &r.Header.Thread},
			{"coalesce(r.reply_to, '')", &r.Header.ReplyTo},
			{"coalesce(r.read_in, r.mailbox_id)", &r.ReadIn},
			{"r.attachments", &r.Attachments},
		}
	}),
	From: "replies r WHERE r.workspace_id = $1",
	At:   "r.received_at", ID: "r.id",
	Key: func(r *outreach.Reply) outreach.Key { return outreach.Key{At: r.ReceivedAt, ID: r.ID} },
}

// ListReplies returns one page, newest first by the time of receipt.
func (db *DB) ListReplies(ctx context.Context, workspace uuid.UUID, filter outreach.ReplyFilter,
	page outreach.Page) (outreach.Rows[outreach.Reply], error) {
	f := InWorkspace(workspace)
	Where(f, "r.campaign_id = ?", filter.CampaignID)
	Where(f, "r.prospect_id = ?", filter.ProspectID)
	Where(f, "r.mailbox_id = ?", filter.MailboxID)
	Where(f, "r.interest = ?", filter.Interest)
	Where(f, "r.automatic = ?", filter.Automatic)
	Where(f, "r.received_at >= ?", filter.Since)
	if filter.Unmatched {
		f.always("NOT r.done AND r.prospect_id IS NULL")
	} else {
		f.always("r.prospect_id IS NOT NULL")
	}
	Where(f, "r.done = ?", filter.Done)
	Where(f, "r.assigned_to = ?", filter.AssignedTo)
	if filter.Unassigned {
		f.always("r.assigned_to IS NULL")
	}
	if filter.Snoozed != nil && *filter.Snoozed {
		f.add("r.snoozed_until > ?", db.Now())
	} else if filter.Snoozed != nil {
		f.add("(r.snoozed_until IS NULL OR r.snoozed_until <= ?)", db.Now())
	}
	if len(filter.Search) == 0 {
		return Replies.Fetch(ctx, db.pool, f, page)
	}
	return Replies.Search(ctx, db.pool, f, page, filter.Search)
}

// Reply returns one reply.
func (db *DB) Reply(ctx context.Context, workspace, id uuid.UUID) (outreach.Reply, error) {
	return Replies.One(ctx, db.pool, workspace, id)
}

const selectNewestReply = `SELECT r.id FROM replies r WHERE r.workspace_id = $1 ORDER BY r.received_at DESC, r.id DESC LIMIT 1`

// NewestReply returns the id of the last reply that a workspace received, or uuid.Nil. It reads one
// entry of an index.
func (db *DB) NewestReply(ctx context.Context, workspace uuid.UUID) (id uuid.UUID, err error) {
	err = db.pool.QueryRow(ctx, selectNewestReply, workspace).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, nil
	}
	if err != nil {
		return uuid.Nil, fmt.Errorf("read newest reply: %w", err)
	}
	return id, nil
}

// SetReplyDone sets whether a reply of a workspace is done.
const SetReplyDone = `UPDATE replies SET done = $3, snoozed_until = NULL WHERE workspace_id = $1 AND id = $2`
