package inbound

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/storage/outbox"
	"outreach/storage/sending"
)

// answer is a reply to one of our messages, automatic or not, with its consequences.
type answer struct {
	subject
	in      *outreach.Received
	f       sending.InFlight
	reply   outreach.Reply
	event   outreach.Event
	zones   zones
	company bool // the campaign stops for the whole company
}

// answered is what is read of the message that a reply answers.
type answered struct {
	message sending.InFlight
	event   outreach.Event
	zones   zones
	company bool
}

var answeredColumns = storage.NewColumns(func(a *answered) []storage.Column {
	return []storage.Column{
		{SQL: "m.kind <> 'step'", To: &a.message.Answer}, // a kind that a newer program has added is not a step
		{SQL: "m.id", To: &a.message.ID},
		{SQL: "m.workspace_id", To: &a.message.Workspace},
		{SQL: "m.campaign_id", To: sending.OrZero(&a.message.Campaign)},
		{SQL: "m.prospect_id", To: &a.message.Prospect},
		{SQL: "m.enrollment_id", To: sending.OrZero(&a.message.Enrollment)},
		{SQL: "m.status", To: &a.message.Status},
		{SQL: "p.email", To: &a.event.ProspectEmail},
		{SQL: "p.company_id", To: &a.event.CompanyID},
		{SQL: "c.name", To: &a.event.CampaignName},
		{SQL: "coalesce(p.timezone, '')", To: &a.zones.prospect},
		{SQL: "coalesce(c.timezone, '')", To: &a.zones.campaign},
		{SQL: stopsCompanies, To: &a.company},
	}
})

// lockAnswered locks messages in the order of their ids, like the statements of package sending.
var lockAnswered = `
SELECT ` + answeredColumns.SQL + `
FROM messages m LEFT JOIN prospects p ON p.workspace_id = $1 AND p.id = m.prospect_id
	LEFT JOIN campaigns c ON c.workspace_id = $1 AND c.id = m.campaign_id
WHERE m.workspace_id = $1 AND m.id = ANY($2) ORDER BY m.id FOR UPDATE OF m`

// takeAnswers is takeReply for several replies, each about another prospect. It returns those that
// also settle an unknown message, and those that opt out.
func (b *Inbox) takeAnswers(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, all []answer) (rest []*outreach.Received, err error) {
	if len(all) == 0 {
		return nil, nil
	}
	if err := lockAnswers(ctx, tx, box.WorkspaceID, all); err != nil {
		return nil, err
	}
	w := answerWriter{db: b, box: box, now: b.db.Now()}
	for i := range all {
		if all[i].f.ID == uuid.Nil || all[i].f.Provable() || all[i].in.OptOut {
			rest = append(rest, all[i].in)
			continue
		}
		if err := w.add(&all[i]); err != nil {
			return nil, err
		}
	}
	if len(w.replies.ids) == 0 {
		return rest, nil
	}
	return rest, w.write(ctx, tx)
}

func lockAnswers(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, all []answer) error {
	ids, of := make([]uuid.UUID, len(all)), make(map[uuid.UUID]*answer, len(all))
	for i := range all {
		ids[i] = *all[i].message
		of[ids[i]] = &all[i]
	}
	err := answeredColumns.QueryEach(ctx, tx, func(a *answered) {
		to := of[a.message.ID]
		to.f, to.event, to.zones, to.company = a.message, a.event, a.zones, a.company
	}, lockAnswered, workspace, ids)
	if err != nil {
		return fmt.Errorf("lock answered messages: %w", err)
	}
	return nil
}

// answerWriter collects the consequences of replies, so that a few statements store all of them.
type answerWriter struct {
	db      *Inbox
	box     outreach.Mailbox
	now     time.Time
	replies replyColumns
	raised  replyColumns // those that are not automatic
	company bool         // a campaign of those stops for the whole company
	events  outbox.EventColumns
	rest    pgx.Batch // statements that only some of them need
}

func (w *answerWriter) add(a *answer) error {
	a.reply = outreach.Reply{ID: storage.NewID(), WorkspaceID: w.box.WorkspaceID, ProspectID: &a.f.Prospect,
		CampaignID: a.f.CampaignID(), MailboxID: w.box.ID,
		MessageID: &a.f.ID, From: a.in.From, Subject: a.in.Subject, Text: a.in.Text, FullText: a.in.FullText,
		Interest: a.in.Interest, InterestReason: a.in.Reason,
		Automatic: a.in.Kind == outreach.ReceivedAutomatic, ReceivedAt: w.now, Header: a.in.Header, Attachments: a.in.Attachments}
	r := &a.reply
	raised := !r.Automatic
	positive := raised && r.Interest != nil && *r.Interest == outreach.InterestPositive
	var positiveAt *time.Time
	if positive {
		positiveAt = &w.now
	}
	w.replies.add(r, raised, positiveAt)
	if raised {
		if err := w.raise(a, positive); err != nil {
			return err
		}
	}
	if a.in.ReturnDate == nil {
		return nil
	}
	if h, ok := outOfOffice(*a.in.ReturnDate, a.zones, w.now); ok {
		w.rest.Queue(storage.HoldProspect, a.f.Workspace, a.f.Prospect, h.Kind, h.Reason, h.Until)
		w.rest.Queue(storage.WakeSenders, a.f.Workspace, []uuid.UUID{a.f.Prospect})
	}
	return nil
}

// raise adds the replied event, and positive_reply if the reply is positive.
func (w *answerWriter) raise(a *answer, positive bool) error {
	r, e := &a.reply, &a.event
	e.ID, e.WorkspaceID, e.Type, e.OccurredAt, e.ProspectID, e.CampaignID = storage.NewID(), r.WorkspaceID,
		outreach.EventReplied, w.now, r.ProspectID, r.CampaignID
	e.Interest, e.Metadata = r.Interest, outreach.RepliedMetadata{ReplyID: r.ID, From: r.From}
	w.raised.add(r, true, nil)
	if a.in.ReturnDate == nil {
		w.raised.back = append(w.raised.back, *r.ProspectID)
	}
	w.company = w.company || a.company
	if err := w.events.Add(w.db.outbox, *e); err != nil {
		return err
	}
	if !positive {
		return nil
	}
	args, err := w.db.positiveArgs(*e, r)
	if err == nil {
		w.rest.Queue(outbox.QueueDeliveries, args...)
	}
	return err
}

// write stores all that was added. Events come before deliveries of positive replies, so that the
// log shows them in this order.
func (w *answerWriter) write(ctx context.Context, tx pgx.Tx) error {
	batch := &pgx.Batch{}
	batch.Queue(insertReplies, w.replies.args(w.box.WorkspaceID, w.box.ID, w.now)...)
	batch.Queue(outbox.RecordMany, w.events.Args(w.box.WorkspaceID)...)
	batch.QueuedQueries = append(batch.QueuedQueries, w.rest.QueuedQueries...)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("ingest answers: %w", err)
	}
	if len(w.raised.ids) == 0 {
		return nil
	}
	return w.db.stopOnReply(ctx, tx, w.box.WorkspaceID, w.now, &w.raised, w.company)
}
