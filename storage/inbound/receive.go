package inbound

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/tracking/hit"
)

// origin is what a received message answers: a message of ours, its prospect and its campaign.
type origin struct {
	message  *sending.InFlight
	prospect uuid.UUID
	campaign *uuid.UUID
	byID     bool // the message has one of our Message-IDs, which only a recipient can know
}

// match finds what a message is about and locks the message that it answers. It returns nil if the
// message matches nothing.
func match(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, found subjects, in *outreach.Received, address string) (*origin, error) {
	s, byID, ok := found.about(in, address)
	if !ok {
		return nil, nil
	}
	if s.message == nil {
		return &origin{prospect: s.prospect}, nil
	}
	f, err := sending.LockInFlight(ctx, tx, workspace, *s.message)
	if outreach.CodeOf(err) == outreach.CodeNotFound { // of a kind that a newer program has added
		return &origin{prospect: s.prospect}, nil
	}
	if err != nil {
		return nil, err
	}
	return &origin{message: &f, prospect: f.Prospect, campaign: f.CampaignID(), byID: byID}, nil
}

func (b *Inbox) takeReply(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	o, err := match(ctx, tx, box.WorkspaceID, found, &in, in.From)
	if err != nil {
		return err
	}
	if o == nil {
		return b.keepUnmatched(ctx, tx, box, &in)
	}
	r := outreach.Reply{WorkspaceID: box.WorkspaceID, ProspectID: &o.prospect, CampaignID: o.campaign, MailboxID: box.ID,
		From: in.From, Subject: in.Subject, Text: in.Text, FullText: in.FullText, Interest: in.Interest, InterestReason: in.Reason,
		Automatic: in.Kind == outreach.ReceivedAutomatic, Header: in.Header, Attachments: in.Attachments}
	if o.message != nil {
		r.MessageID = &o.message.ID
	}
	if o.byID {
		if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
			return err
		}
	}
	if in.OptOut && !r.Automatic {
		if err := b.optOut(ctx, tx, &r); err != nil {
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
		if err := storage.Exec(ctx, tx, "hold enrollments", storage.HoldProspect, box.WorkspaceID, o.message.Prospect, h.Kind, h.Reason,
			h.Until); err != nil {
			return err
		}
		return storage.WakeBound(ctx, tx, box.WorkspaceID, []uuid.UUID{o.message.Prospect})
	}
	return nil
}

// optOut unsubscribes a person who wrote that they want no more mail (docs/reference.md#interest).
// It runs before the consequences of every reply, which do not change ended enrollments. It raises
// no event besides replied.
func (b *Inbox) optOut(ctx context.Context, tx pgx.Tx, r *outreach.Reply) error {
	w := unsubscribing{workspace: r.WorkspaceID, prospect: *r.ProspectID, author: r.From, by: hit.Visitor{At: b.db.Now()}}
	if r.MessageID != nil {
		w.message = *r.MessageID
		if err := tx.QueryRow(ctx, selectRecipient, w.workspace, w.message).Scan(&w.recipient); err != nil {
			return fmt.Errorf("read recipient: %w", err)
		}
	}
	return b.unsubscribePeople(ctx, tx, &w, "the prospect asked to be left alone")
}

// takeBounces handles the recipients of a report. A report without one of our Message-IDs counts
// for at most one recipient. If it counts for none, it is kept as unmatched.
func (b *Inbox) takeBounces(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	matched, believed := false, false
	for _, bounce := range in.Bounces {
		o, err := match(ctx, tx, box.WorkspaceID, found, &in, bounce.Address)
		if err != nil {
			return err
		}
		if o == nil || o.message == nil {
			continue
		}
		if !o.byID {
			if believed {
				continue
			}
			if believed, err = believable(ctx, tx, &in, &bounce, o.message); err != nil {
				return err
			}
			if !believed {
				continue
			}
		}
		matched = true
		if o.message.Status == outreach.MessageBounced {
			continue // a second report about the same failure
		}
		if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
			return err
		}
		if err := b.ledger.ReportBounce(ctx, tx, *o.message, bounce, o.byID); err != nil {
			return err
		}
	}
	if matched {
		return nil
	}
	return b.keepUnmatched(ctx, tx, box, &in)
}

const markUnsubscribed = `UPDATE prospects SET unsubscribed_at = coalesce(unsubscribed_at, $3) WHERE workspace_id = $1 AND id = $2`

// takeComplaint suppresses the address of a prospect who reported a message as spam. It raises no
// event. A complaint without one of our Message-IDs is kept as unmatched.
func (b *Inbox) takeComplaint(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	address := ""
	if len(in.Bounces) > 0 {
		address = in.Bounces[0].Address
	}
	o, err := match(ctx, tx, box.WorkspaceID, found, &in, address)
	if err != nil {
		return err
	}
	if o == nil || !o.byID {
		return b.keepUnmatched(ctx, tx, box, &in)
	}
	address = o.message.Recipient
	if err := b.ledger.Prove(ctx, tx, o.message); err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "mark prospect unsubscribed", markUnsubscribed, box.WorkspaceID, o.prospect,
		b.db.Now()); err != nil {
		return err
	}
	end := outreach.EndComplained.Ending()
	if err := storage.Exec(ctx, tx, "end enrollments", sending.EndAll, box.WorkspaceID, o.prospect, o.message.ID,
		end.Status, end.Reason); err != nil {
		return err
	}
	if _, err := b.db.Suppress(ctx, tx,
		outreach.Suppression{WorkspaceID: box.WorkspaceID, Email: &address, Reason: outreach.SuppressedComplaint}); err != nil {
		return err
	}
	if err := storage.WakeBound(ctx, tx, box.WorkspaceID, []uuid.UUID{o.prospect}); err != nil {
		return err
	}
	if _, err := storage.RefreshStatus(ctx, tx, box.WorkspaceID, o.prospect); err != nil {
		return err
	}
	return b.ledger.Complained(ctx, tx, *o.message)
}
