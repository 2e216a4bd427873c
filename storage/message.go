package storage

import (
	"context"
	"fmt"
	"outreach"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// shown leaves out what has not been handed to a server yet, and an unknown that
// a person settled as not sent: its step goes out again as a new message.
const shown = `m.status IN ('sent', 'bounced', 'unknown')`

// Messages reads the columns of messages that lists show.
var Messages = List[outreach.Message]{
	Columns: `m.id, m.workspace_id, m.campaign_id, m.prospect_id, m.mailbox_id, m.enrollment_id, m.step, m.subject, m.message_id,
		m.status, m.smtp_response, m.sent_at, m.body_text`,
	From: "messages m WHERE m.workspace_id = $1 AND " + shown,
	At:   "m.sent_at", ID: "m.id",
	Scan: scanMessage,
	Key:  func(m *outreach.Message) outreach.Key { return outreach.Key{At: m.SentAt, ID: m.ID} },
}

func scanMessage(row pgx.CollectableRow) (m outreach.Message, err error) {
	err = row.Scan(&m.ID, &m.WorkspaceID, &m.CampaignID, &m.ProspectID, &m.MailboxID, &m.EnrollmentID, &m.Step, &m.Subject, &m.MessageID,
		&m.Status, &m.SMTPResponse, &m.SentAt, &m.Text)
	return m, err
}

// ListMessages gives one page, newest first by the time of sending.
func (db *DB) ListMessages(ctx context.Context, workspace uuid.UUID, filter outreach.MessageFilter, page outreach.Page) (outreach.Rows[outreach.Message], error) {
	f := InWorkspace(workspace)
	Where(f, "m.campaign_id = ?", filter.CampaignID)
	Where(f, "m.prospect_id = ?", filter.ProspectID)
	Where(f, "m.mailbox_id = ?", filter.MailboxID)
	Where(f, "m.step = ?", filter.Step)
	Where(f, "m.status = ?", filter.Status)
	Where(f, "m.sent_at >= ?", filter.Since)
	rows, err := Messages.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, fmt.Errorf("list messages: %w", err)
	}
	return rows, nil
}

// Message gives one message that was handed to a server.
func (db *DB) Message(ctx context.Context, workspace, id uuid.UUID) (outreach.Message, error) {
	return Messages.One(ctx, db.pool, workspace, id)
}
