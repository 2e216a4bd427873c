package sending

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// Messages that another process left claimed before commit 2, and messages that a server deferred:
// the oldest of each mailbox.
var selectLeft = `
SELECT DISTINCT ON (m.mailbox_id) ` + leftColumns.SQL + `
FROM messages m LEFT JOIN prospects p ON p.workspace_id = m.workspace_id AND p.id = m.prospect_id
WHERE m.workspace_id = $1 AND m.mailbox_id = ANY($2) AND m.kind = 'step' AND m.status = 'claimed' AND m.committed_at IS NULL
	AND m.lease_until < statement_timestamp()
ORDER BY m.mailbox_id, m.lease_until, m.id`

const takeOverMessage = `
UPDATE messages SET holder = $3, lease_until = statement_timestamp() + $4::interval, tries = tries + 1
WHERE workspace_id = $1 AND id = $2 RETURNING tries`

const postponeTakeOver = `
UPDATE messages SET holder = NULL, lease_until = statement_timestamp() + $3::interval WHERE workspace_id = $1 AND id = $2`

// takeOver assigns the messages that were left to their mailboxes. It withdraws a message that must
// not be sent any more. A message waits while its window is closed or its mailbox is at its limit.
func (b *claimTx) takeOver(ctx context.Context, left []leftMessage) error {
	for {
		left = slices.DeleteFunc(left, func(m leftMessage) bool {
			s := b.senders[m.mailbox]
			return s == nil || b.of[m.mailbox].out != nil || !takesOver(s)
		})
		if len(left) == 0 {
			return nil
		}
		b.heads = nil // a withdrawn message puts its enrollment back into the queue
		if err := completeSenders(ctx, b.tx, b.workspace, b.senders, nil, b.now); err != nil {
			return err
		}
		for i := range left {
			if err := b.takeOne(ctx, &left[i]); err != nil {
				return err
			}
		}
		var err error
		if err = senderStates(ctx, b.tx, b.workspace, b.senders, b.now); err != nil {
			return err
		}
		if left, err = leftColumns.Query(ctx, b.tx, selectLeft, b.workspace, b.boxes()); err != nil {
			return fmt.Errorf("look for messages that were left: %w", err)
		}
	}
}

// takesOver reports whether a mailbox sends what was left to it.
func takesOver(s *sender) bool {
	return s.Mailbox.Status == outreach.MailboxConnected && s.Mailbox.DailyLimit > 0
}

// leftMessage is a message that was left claimed.
type leftMessage struct {
	outreach.Outgoing
	campaign, mailbox uuid.UUID
	timezone          string
}

var leftColumns = storage.NewColumns(func(m *leftMessage) []storage.Column {
	return []storage.Column{
		{SQL: "m.workspace_id", To: &m.WorkspaceID},
		{SQL: "m.id", To: &m.ID},
		{SQL: "m.message_id", To: &m.MessageID},
		{SQL: "m.recipient", To: &m.Recipient},
		{SQL: "m.raw", To: &m.Raw},
		{SQL: "m.tries", To: &m.Tries},
		{SQL: "m.campaign_id", To: &m.campaign},
		{SQL: "m.mailbox_id", To: &m.mailbox},
		{SQL: "coalesce(p.timezone, '')", To: &m.timezone},
	}
})

func (b *claimTx) takeOne(ctx context.Context, m *leftMessage) error {
	if going, err := b.ledger.withdrawThose(ctx, b.tx, b.workspace, []uuid.UUID{m.ID}); err != nil || !going[m.ID] {
		return err
	}
	campaign, err := storage.Campaigns.One(ctx, b.tx, b.workspace, m.campaign)
	if err != nil {
		return err
	}
	// The message had a place before, so it is judged like a due follow-up.
	s := b.senders[m.mailbox]
	slot := s.Schedule(b.now, []outreach.Queue{{Campaign: &campaign, Followup: true, Mailbox: m.mailbox, Timezone: m.timezone}}, nil)[0]
	if slot.Waits != outreach.WaitsForNothing {
		return storage.Exec(ctx, b.tx, "postpone message", postponeTakeOver, b.workspace, m.ID,
			max(slot.At.Sub(b.now), time.Second))
	}
	c := b.of[m.mailbox]
	if err := b.tx.QueryRow(ctx, takeOverMessage, b.workspace, m.ID, c.holder, outreach.LeaseLength).Scan(&m.Tries); err != nil {
		return fmt.Errorf("take over message: %w", err)
	}
	c.out = &m.Outgoing
	return nil
}
