package storage

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var sendingDomains = List[outreach.SendingDomain]{
	Reads: NewColumns(func(d *outreach.SendingDomain) []Column {
		return []Column{
			{"d.id", &d.ID},
			{"d.workspace_id", &d.WorkspaceID},
			{"d.domain", &d.Domain},
			{"d.state", &d.State},
			{"d.mx", &d.MX},
			{"d.spf", &d.SPF},
			{"d.dkim", &d.DKIM},
			{"d.dmarc", &d.DMARC},
			{"d.dmarc_policy", &d.DMARCPolicy},
			{"d.failing_since", &d.FailingSince},
			{"d.checked_at", &d.CheckedAt},
			{"d.created_at", &d.CreatedAt},
		}
	}),
	From: "sending_domains d WHERE d.workspace_id = $1",
	At:   "d.created_at", ID: "d.id",
	Key: func(d *outreach.SendingDomain) outreach.Key { return outreach.Key{At: d.CreatedAt, ID: d.ID} },
}

// ListSendingDomains returns one page, newest first.
func (db *DB) ListSendingDomains(ctx context.Context, workspace uuid.UUID,
	page outreach.Page) (outreach.Rows[outreach.SendingDomain], error) {
	return sendingDomains.Fetch(ctx, db.pool, InWorkspace(workspace), page)
}

// SendingDomain returns one sending domain.
func (db *DB) SendingDomain(ctx context.Context, workspace, id uuid.UUID) (outreach.SendingDomain, error) {
	return sendingDomains.One(ctx, db.pool, workspace, id)
}

// An existing domain is due for a check again and is locked until the transaction ends, so that
// dropSendingDomain waits.
const keepDomain = `
INSERT INTO sending_domains (workspace_id, id, domain, state, mx, spf, dkim, dmarc, check_at, created_at)
VALUES (@workspace, @id, @domain, @state, @mx, @spf, @dkim, @dmarc, @now, @now)
ON CONFLICT (workspace_id, domain) DO UPDATE SET check_at = excluded.check_at`

// keepSendingDomain stores the domain of an address as a sending domain that is due for a check.
func (db *DB) keepSendingDomain(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, email string) error {
	d := outreach.NewSendingDomain(workspace, outreach.EmailDomain(email))
	return Exec(ctx, tx, "keep sending domain", keepDomain, pgx.NamedArgs{
		"workspace": workspace, "id": NewID(), "domain": d.Domain, "state": d.State,
		"mx": d.MX, "spf": d.SPF, "dkim": d.DKIM, "dmarc": d.DMARC, "now": db.Now(),
	})
}

const lockDomain = `SELECT FROM sending_domains WHERE workspace_id = $1 AND domain = $2 FOR UPDATE`

const dropDomain = `
DELETE FROM sending_domains
WHERE workspace_id = $1 AND domain = $2
	AND NOT EXISTS (SELECT FROM mailboxes m WHERE m.workspace_id = $1 AND split_part(m.email_key, '@', -1) = $2)`

// dropSendingDomain deletes the domain of an address, unless another mailbox has it. It locks
// first: if two processes delete the last two mailboxes, the second one sees the delete of the
// first.
func dropSendingDomain(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, email string) error {
	domain := outreach.EmailDomain(email)
	for _, sql := range []string{lockDomain, dropDomain} {
		if err := Exec(ctx, tx, "drop sending domain", sql, workspace, domain); err != nil {
			return err
		}
	}
	return nil
}

// moveSendingDomain updates the sending domains after a change of a mailbox.
func (db *DB) moveSendingDomain(ctx context.Context, tx pgx.Tx, before, after outreach.Mailbox) error {
	moved := outreach.EmailDomain(before.Email) != outreach.EmailDomain(after.Email)
	if !moved && before.Provider == after.Provider && before.SMTP.Host == after.SMTP.Host {
		return nil
	}
	if err := db.keepSendingDomain(ctx, tx, after.WorkspaceID, after.Email); err != nil || !moved {
		return err
	}
	return dropSendingDomain(ctx, tx, before.WorkspaceID, before.Email)
}

const selectDomainSenders = `
SELECT DISTINCT m.provider, m.smtp_host FROM mailboxes m
WHERE m.workspace_id = $1 AND split_part(m.email_key, '@', -1) = $2`

// DomainQuestion returns the inputs of a check of a sending domain.
func (db *DB) DomainQuestion(ctx context.Context, workspace, id uuid.UUID) (q outreach.DomainQuestion, err error) {
	d, err := db.SendingDomain(ctx, workspace, id)
	if err != nil {
		return q, err
	}
	q = outreach.DomainQuestion{WorkspaceID: workspace, ID: id, Domain: d.Domain}
	q.Senders, err = Collect(ctx, db.pool, "read senders of domain", pgx.RowToStructByPos[outreach.DomainSender],
		selectDomainSenders, workspace, d.Domain)
	return q, err
}

const noteDomain = `
UPDATE sending_domains
SET state = @state, mx = @mx, spf = @spf, dmarc = @dmarc, dmarc_policy = @policy, failing_since = @failing,
	checked_at = @now, check_at = @next
WHERE workspace_id = @workspace AND id = @id`

// NoteDomainCheck records a check. The next one is due a day later.
func (db *DB) NoteDomainCheck(ctx context.Context, workspace, id uuid.UUID,
	check outreach.DomainCheck) (d outreach.SendingDomain, err error) {
	now := db.Now()
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if d, err = sendingDomains.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		d.Note(check, now)
		return ExecOne(ctx, tx, "note check of domain", noteDomain, pgx.NamedArgs{
			"workspace": workspace, "id": id, "state": d.State, "mx": d.MX, "spf": d.SPF, "dmarc": d.DMARC,
			"policy": d.DMARCPolicy, "failing": d.FailingSince, "now": now, "next": now.Add(outreach.DomainCheckInterval),
		})
	})
	return d, err
}

const selectDueDomains = `
SELECT d.workspace_id, d.id FROM sending_domains d
WHERE d.check_at <= $1
ORDER BY d.check_at LIMIT $2`

const leaseDomain = `
UPDATE sending_domains SET check_at = $4
WHERE workspace_id = $1 AND id = $2 AND check_at <= $3`

// LeaseDomains leases up to most domains that are due for a check, each to one process. If the
// process dies before NoteDomainCheck, they are due again after five minutes.
func (db *DB) LeaseDomains(ctx context.Context, most int) ([]outreach.DomainQuestion, error) {
	now := db.Now()
	due, err := db.MailboxRefs(ctx, "list due domains", selectDueDomains, now, most)
	if err != nil {
		return nil, err
	}
	var leased []outreach.DomainQuestion
	for _, ref := range due {
		tag, err := db.pool.Exec(ctx, leaseDomain, ref.WorkspaceID, ref.ID, now, now.Add(outreach.DomainCheckLease))
		if err != nil {
			return leased, fmt.Errorf("lease domain: %w", err)
		}
		if tag.RowsAffected() == 0 {
			continue // another process leased it
		}
		q, err := db.DomainQuestion(ctx, ref.WorkspaceID, ref.ID)
		if outreach.CodeOf(err) == outreach.CodeNotFound {
			continue // its last mailbox was deleted
		}
		if err != nil {
			return leased, err
		}
		leased = append(leased, q)
	}
	return leased, nil
}
