package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"outreach"
)

// shown leaves out messages that were not handed to a server yet, and unknown messages that a
// person resolved as not sent: their step is sent again as a new message.
const shown = `m.status IN ('sent', 'bounced', 'unknown')`

var messageColumns = NewColumns(func(m *outreach.Message) []Column {
	return []Column{
		{"m.id", &m.ID},
		{"m.workspace_id", &m.WorkspaceID},
		{"m.kind", &m.Kind},
		{"m.external", &m.External},
		{"m.campaign_id", &m.CampaignID},
		{"m.prospect_id", &m.ProspectID},
		{"m.mailbox_id", &m.MailboxID},
		{"m.enrollment_id", &m.EnrollmentID},
		{"m.step", &m.Step},
		{"m.reply_id", &m.ReplyID},
		{"m.recipient", &m.To},
		{"m.cc", &m.Cc},
		{"m.subject", &m.Subject},
		{"m.message_id", &m.MessageID},
		{"m.status", &m.Status},
		{"m.smtp_response", &m.SMTPResponse},
		{"m.send_at", &m.SendAt},
		{"m.sent_at", &m.SentAt},
		{"m.body_html", &m.BodyHTML},
		{"m.body_text", &m.Text},
	}
})

// Messages holds the columns of messages in lists.
var Messages = List[outreach.Message]{
	Reads: messageColumns,
	From:  "messages m WHERE m.workspace_id = $1 AND " + shown,
	At:    "m.sent_at", ID: "m.id",
	Key: func(m *outreach.Message) outreach.Key { return outreach.Key{At: *m.SentAt, ID: m.ID} },
}

// AnyMessage reads messages by id, scheduled answers included.
var AnyMessage = List[outreach.Message]{
	Reads: messageColumns,
	From:  "messages m WHERE m.workspace_id = $1 AND (" + shown + " OR m.kind = 'answer')",
	ID:    "m.id",
}

// ListMessages returns one page, newest first by the time of sending.
func (db *DB) ListMessages(ctx context.Context, workspace uuid.UUID, filter outreach.MessageFilter,
	page outreach.Page) (outreach.Rows[outreach.Message], error) {
	f := InWorkspace(workspace)
	Where(f, "m.campaign_id = ?", filter.CampaignID)
	Where(f, "m.prospect_id = ?", filter.ProspectID)
	Where(f, "m.mailbox_id = ?", filter.MailboxID)
	Where(f, "m.kind = ?", filter.Kind)
	Where(f, "m.step = ?", filter.Step)
	Where(f, "m.status = ?", filter.Status)
	Where(f, "m.sent_at >= ?", filter.Since)
	return Messages.Fetch(ctx, db.pool, f, page)
}

// Message returns one message: a step that was handed to a server, or an answer.
func (db *DB) Message(ctx context.Context, workspace, id uuid.UUID) (outreach.Message, error) {
	return AnyMessage.One(ctx, db.pool, workspace, id)
}

const maxWaiting = 20

var selectWaiting = "SELECT " + messageColumns.SQL + `
FROM messages m WHERE m.workspace_id = $1 AND m.prospect_id = $2 AND m.kind = 'answer' AND m.status = 'scheduled'
ORDER BY m.send_at, m.id LIMIT $3`

// WaitingAnswers returns the first scheduled answers to a prospect.
func (db *DB) WaitingAnswers(ctx context.Context, workspace, prospect uuid.UUID) ([]outreach.Message, error) {
	list, err := messageColumns.Query(ctx, db.pool, selectWaiting, workspace, prospect, maxWaiting)
	if err != nil {
		return nil, fmt.Errorf("list waiting answers: %w", err)
	}
	return list, nil
}
