package sending

import (
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// An id that another message has too, a constant of the server for example, identifies none.
const setNamed = `
UPDATE messages m SET named_id = one.header FROM unnest($2::uuid[], $3::text[]) one(id, header)
WHERE m.workspace_id = $1 AND m.id = one.id AND m.message_id <> one.header
	AND NOT EXISTS (SELECT FROM messages o WHERE o.workspace_id = $1 AND o.message_id = one.header)
	AND NOT EXISTS (SELECT FROM messages o WHERE o.workspace_id = $1 AND o.named_id = one.header)`

// queueNamed adds a statement that stores the Message-IDs that servers named when they accepted messages. The
// rows of these messages are locked.
func queueNamed(batch *pgx.Batch, workspace uuid.UUID, calls []settling) {
	var ids []uuid.UUID
	var headers []string
	for _, call := range calls {
		if named := call.result.NamedID; named != "" && !slices.Contains(headers, named) {
			ids, headers = append(ids, call.ID), append(headers, named)
		}
	}
	if len(ids) > 0 {
		batch.Queue(setNamed, workspace, ids, headers)
	}
}

// Most copies change nothing: they have our Message-ID, and it is known that they were sent.
const selectNews = `
SELECT m.id FROM unnest($2::uuid[], $3::text[]) one(id, header) JOIN messages m ON m.workspace_id = $1 AND m.id = one.id
WHERE m.kind IN ('step', 'answer') AND NOT m.external AND (m.status IN ('unknown', 'not_sent')
	OR m.message_id <> one.header AND m.named_id IS DISTINCT FROM one.header AND m.filed_id IS NULL)`

const setFiled = `
UPDATE messages m SET filed_id = one.header FROM unnest($2::uuid[], $3::text[]) one(id, header)
WHERE m.workspace_id = $1 AND m.id = one.id AND one.header <> '' AND m.message_id <> one.header
	AND m.named_id IS DISTINCT FROM one.header AND m.filed_id IS NULL
	AND NOT EXISTS (SELECT FROM messages o WHERE o.workspace_id = $1 AND o.message_id = one.header)
	AND NOT EXISTS (SELECT FROM messages o WHERE o.workspace_id = $1 AND o.filed_id = one.header)`

// NoteCopies records copies of messages that were found in a Sent folder: it stores the Message-ID
// that the provider gave a message, and settles an unknown message as sent. A message that is still
// in progress is left to its sender; if that dies, the stored id proves the message. Copies of
// messages of other workspaces are ignored.
func (l *Ledger) NoteCopies(ctx context.Context, workspace uuid.UUID, copies []outreach.SentCopy) error {
	var ids []uuid.UUID
	var headers []string
	for _, c := range copies {
		header := c.MessageID
		if slices.Contains(headers, header) {
			header = "" // an id of several messages identifies none but the first
		}
		if c.Message.WorkspaceID == workspace {
			ids, headers = append(ids, c.Message.ID), append(headers, header)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	news, err := storage.Values[uuid.UUID](ctx, l.db.Pool(), "look up copies", selectNews, workspace, ids, headers)
	if err != nil || len(news) == 0 {
		return err
	}
	return l.db.Tx(ctx, func(tx pgx.Tx) error {
		locked, err := lockInFlight(ctx, tx, workspace, slices.Compact(storage.InOrder(news)))
		if err != nil {
			return err
		}
		if err := storage.Exec(ctx, tx, "note filed ids", setFiled, workspace, ids, headers); err != nil {
			return err
		}
		for i := range locked {
			f := &locked[i]
			if f.Status != outreach.MessageUnknown && f.Status != outreach.MessageNotSent {
				continue
			}
			if err := l.Prove(ctx, tx, f); err != nil {
				return err
			}
		}
		return nil
	})
}
