package inbound

import (
	"context"
	"fmt"
	"outreach"
	"outreach/storage"
	"outreach/storage/sending"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// origin is what a received message answers: ours, its prospect, its campaign.
type origin struct {
	message  *sending.InFlight
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
	f, err := sending.LockInFlight(ctx, tx, *s.message)
	if err != nil {
		return nil, err
	}
	return &origin{message: &f, prospect: f.Prospect, campaign: &f.Campaign, byHeader: byHeader}, nil
}

func (b *Inbox) takeReply(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	o, err := match(ctx, tx, found, &in, in.From)
	if err != nil || o == nil {
		return err
	}
	r := outreach.Reply{WorkspaceID: box.WorkspaceID, ProspectID: o.prospect, CampaignID: o.campaign, MailboxID: box.ID,
		From: in.From, Subject: in.Subject, Text: in.Text, FullText: in.FullText, Interest: in.Interest, InterestReason: in.Reason,
		Automatic: in.Kind == outreach.ReceivedAutomatic}
	if o.message != nil {
		r.MessageID = &o.message.ID
	}
	if o.byHeader {
		if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
			return err
		}
	}
	if err := b.storeReply(ctx, tx, &r); err != nil {
		return err
	}
	if in.ReturnDate == nil || o.message == nil {
		return nil
	}
	zones, err := zonesOf(ctx, tx, o.message)
	if err != nil {
		return err
	}
	if h, ok := outOfOffice(*in.ReturnDate, zones, b.db.Now()); ok {
		return storage.HoldOne(ctx, tx, box.WorkspaceID, o.message.Enrollment, h)
	}
	return nil
}

func (b *Inbox) takeBounces(ctx context.Context, tx pgx.Tx, found subjects, in outreach.Received) error {
	for _, bounce := range in.Bounces {
		o, err := match(ctx, tx, found, &in, bounce.Address)
		if err != nil {
			return err
		}
		if o == nil || o.message == nil || o.message.Status == outreach.MessageBounced {
			continue // about nothing of ours, or the second report on one failure
		}
		if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
			return err
		}
		if err := b.ledger.ReportBounce(ctx, tx, *o.message, bounce, o.byHeader); err != nil {
			return err
		}
	}
	return nil
}

const markUnsubscribed = `UPDATE prospects SET unsubscribed_at = coalesce(unsubscribed_at, $3) WHERE workspace_id = $1 AND id = $2`

// takeComplaint suppresses whoever called a message spam; no event tells of it
// (contract, section 7).
func (b *Inbox) takeComplaint(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
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
		address, about = o.message.Recipient, &o.message.ID
		if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
			return err
		}
	}
	if _, err := tx.Exec(ctx, markUnsubscribed, box.WorkspaceID, o.prospect, b.db.Now()); err != nil {
		return fmt.Errorf("mark prospect unsubscribed: %w", err)
	}
	if _, err := tx.Exec(ctx, sending.EndAll, box.WorkspaceID, o.prospect, about, outreach.EnrollmentUnsubscribed, "the prospect complained"); err != nil {
		return fmt.Errorf("end enrollments: %w", err)
	}
	if _, _, err := b.db.Suppress(ctx, tx, outreach.Suppression{WorkspaceID: box.WorkspaceID, Email: &address, Reason: outreach.SuppressedComplaint}); err != nil {
		return err
	}
	_, err = storage.RefreshStatus(ctx, tx, box.WorkspaceID, o.prospect)
	return err
}
