package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"outreach"
	"outreach/storage"
)

// InFlight is a message between commit 1 and commit 3. Enrollment, run and step of an answer are
// zero; its campaign is zero if its reply has none.
type InFlight struct {
	Answer                                                 bool
	external                                               bool // written in another program
	ID, Workspace, Campaign, Prospect, mailbox, Enrollment uuid.UUID
	run, step                                              int
	Status                                                 outreach.MessageStatus
	Recipient, header                                      string
	holder                                                 *string
	tries                                                  int
	committed                                              *time.Time
}

var inFlightColumns = storage.NewColumns(func(f *InFlight) []storage.Column {
	return []storage.Column{
		{SQL: "m.kind = 'answer'", To: &f.Answer},
		{SQL: "m.external", To: &f.external},
		{SQL: "m.id", To: &f.ID},
		{SQL: "m.workspace_id", To: &f.Workspace},
		{SQL: "m.campaign_id", To: OrZero(&f.Campaign)},
		{SQL: "m.prospect_id", To: &f.Prospect},
		{SQL: "m.mailbox_id", To: &f.mailbox},
		{SQL: "m.enrollment_id", To: OrZero(&f.Enrollment)},
		{SQL: "coalesce(m.run, 0)", To: &f.run},
		{SQL: "coalesce(m.step, 0)", To: &f.step},
		{SQL: "CASE WHEN m.status IN ('claimed', 'scheduled') AND m.committed_at IS NOT NULL THEN 'committing' ELSE m.status END", To: &f.Status},
		{SQL: "m.recipient", To: &f.Recipient},
		{SQL: "m.message_id", To: &f.header},
		{SQL: "m.holder", To: &f.holder},
		{SQL: "m.tries", To: &f.tries},
		{SQL: "m.committed_at", To: &f.committed},
	}
})

var lockMessages = `
SELECT ` + inFlightColumns.SQL + ` FROM unnest($2::uuid[]) one(id) CROSS JOIN LATERAL (
	SELECT * FROM messages m WHERE m.workspace_id = $1 AND m.id = one.id AND m.kind IN ('step', 'answer') FOR UPDATE) m`

// lockInFlight locks messages of a workspace in the order of ids, which are sorted, and reads them.
// Deleted messages, and those of a kind that a newer program made, are missing.
func lockInFlight(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, ids []uuid.UUID) ([]InFlight, error) {
	all, err := inFlightColumns.Query(ctx, tx, lockMessages, workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("lock messages: %w", err)
	}
	return all, nil
}

// LockInFlight locks and reads one message. It returns ErrNotFound if it is deleted.
func LockInFlight(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) (InFlight, error) {
	all, err := lockInFlight(ctx, tx, workspace, []uuid.UUID{id})
	if err == nil && len(all) == 0 {
		err = outreach.ErrNotFound
	}
	if err != nil {
		return InFlight{}, storage.DomainError(err)
	}
	return all[0], nil
}

// OrZero returns a scan target that leaves id zero for NULL.
func OrZero(id *uuid.UUID) *zeronull.UUID { return (*zeronull.UUID)(id) }

// CampaignID returns the campaign, or nil if there is none.
func (f *InFlight) CampaignID() *uuid.UUID {
	if f.Campaign == uuid.Nil {
		return nil
	}
	return &f.Campaign
}

// open reports whether the message is not settled yet.
func (f InFlight) open() bool {
	return f.Status == outreach.MessageClaimed || f.Status == outreach.MessageCommitting || f.Status == outreach.MessageUnknown
}

// uncounted reports whether a message that now counts for the limit of its mailbox may be missing in
// sent_bound: commit 2 counts, but this one never reached it, or was resolved as not sent later.
func (f InFlight) uncounted() bool { return f.committed == nil || f.Status == outreach.MessageNotSent }

const countOne = `UPDATE mailboxes SET sent_bound = sent_bound + 1 WHERE workspace_id = $1 AND id = $2`

// Provable reports whether a reference to the message (a reply, a click, a report) changes what is
// known about it.
func (f InFlight) Provable() bool { return f.open() || f.Status == outreach.MessageNotSent }
