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

var situationColumns = storage.NewColumns(func(s *situation) []storage.Column {
	return []storage.Column{
		{SQL: "c.id", To: &s.campaign},
		{SQL: "held.waiting", To: &s.held},
		{SQL: "held.away", To: &s.away},
		{SQL: "held.back", To: &s.back},
		{SQL: "off.count", To: &s.off},
		{SQL: "off.at", To: &s.again},
		{SQL: "(SELECT i.sending_off FROM installation i)", To: &s.installation.Off},
		{SQL: `
EXISTS (SELECT FROM messages l WHERE l.workspace_id = $1 AND l.mailbox_id = ANY(c.mailbox_ids)
	AND l.status = 'claimed' AND l.campaign_id = c.id AND ` + inFlight + `)`, To: &s.onItsWay},
	}
})

var selectWaiting = `
SELECT ` + situationColumns.SQL + `
FROM campaigns c
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE e.hold_until IS NULL) AS waiting, count(e.hold_until) AS away, min(e.hold_until) AS back
	FROM enrollments e WHERE e.workspace_id = $1 AND e.campaign_id = c.id AND e.status = 'held') held
CROSS JOIN LATERAL (SELECT count(*) AS count, min(l.lease_until) AS at FROM messages l
	WHERE l.workspace_id = $1 AND l.mailbox_id = ANY(c.mailbox_ids) AND l.status = 'claimed' AND l.campaign_id = c.id
		AND l.committed_at IS NULL AND l.holder IS NULL) off
WHERE c.workspace_id = $1 AND c.id = ANY($2)`

// situation holds what decides about not_sending_reason of an active campaign.
type situation struct {
	campaign   uuid.UUID
	held, away int        // held until a person acts; out of office until a date
	back       *time.Time // when the first absence ends
	off        int        // messages deferred by a server
	again      *time.Time // when the first of them is tried again
	onItsWay   bool       // a message is in progress
	removed    int        // people who wait for a step that was removed, if no other person waits for a step
	// installation holds whether the installation sends mail.
	installation outreach.SendingState
	cause        *outreach.Slot
	boxes        []outreach.Mailbox
	senders      []*sender
	queues       []outreach.Queue
	rivals       []outreach.Rival // queues of other campaigns on the same mailboxes
	served       map[uuid.UUID]map[outreach.Line]time.Time
}

// selectSharing reads the active ones of campaigns $2 and those that share a mailbox with them, whose
// follow-ups take places too.
var selectSharing = storage.Campaigns.Select() + ` AND c.status = 'active' AND (c.id = ANY($2) OR c.mailbox_ids && coalesce((
	SELECT array_agg(box) FROM campaigns o CROSS JOIN LATERAL unnest(o.mailbox_ids) box
	WHERE o.workspace_id = $1 AND o.id = ANY($2) AND o.status = 'active'), '{}'))`

// Reasons returns not_sending_reason of active campaigns, from the same schedule as claims. A
// campaign that is missing in the result sends: a message is in progress, or the next claim is at
// most two minutes away.
func (l *Ledger) Reasons(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	situations, err := l.look(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	reasons := map[uuid.UUID]string{}
	for id, s := range situations {
		if reason := s.reason(l.db.Now()); reason != "" {
			reasons[id] = reason
		}
	}
	return reasons, nil
}

// look returns the situations of those of some campaigns that are active.
func (l *Ledger) look(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]*situation, error) {
	found, err := storage.Campaigns.Query(ctx, l.db.Pool(), selectSharing, workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("read campaigns: %w", err)
	}
	var active, sharing []*outreach.Campaign
	for i := range found {
		sharing = append(sharing, &found[i])
		if slices.Contains(ids, found[i].ID) {
			active = append(active, &found[i])
		}
	}
	if len(active) == 0 {
		return nil, nil
	}
	return l.situations(ctx, workspace, active, sharing)
}

func (l *Ledger) situations(ctx context.Context, workspace uuid.UUID,
	active, sharing []*outreach.Campaign) (map[uuid.UUID]*situation, error) {
	q, now := l.db.Pool(), l.db.Now()
	var ids, boxes []uuid.UUID
	for _, c := range active {
		ids, boxes = append(ids, c.ID), append(boxes, c.MailboxIDs...)
	}
	of := map[uuid.UUID]*situation{}
	err := situationColumns.QueryEach(ctx, q, func(s *situation) { of[s.campaign] = new(*s) }, selectWaiting, workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("look at campaigns: %w", err)
	}
	mailboxes, err := storage.Mailboxes.Many(ctx, q, workspace, boxes)
	if err != nil {
		return nil, fmt.Errorf("read mailboxes: %w", err)
	}
	senders := map[uuid.UUID]*sender{}
	for _, box := range mailboxes {
		senders[box.ID] = &sender{Sender: outreach.Sender{Mailbox: box}}
	}
	if err := senderStates(ctx, q, workspace, senders, now); err != nil {
		return nil, err
	}
	queues, _, err := readQueues(ctx, q, workspace, sharing, senders, now, nil)
	if err != nil {
		return nil, err
	}
	if err := completeSenders(ctx, q, workspace, senders, queues, now); err != nil {
		return nil, err
	}
	all, err := readContest(ctx, l.db, workspace, queues, boxes, now)
	if err != nil {
		return nil, err
	}
	for _, c := range active {
		s := of[c.ID]
		if s == nil {
			continue // deleted meanwhile
		}
		s.queues = slices.DeleteFunc(slices.Clone(all.queues), func(q outreach.Queue) bool { return q.Campaign.ID != c.ID })
		s.rivals = slices.DeleteFunc(slices.Clone(all.rivals), func(r outreach.Rival) bool { return r.Campaign.ID == c.ID })
		s.removed, s.served = all.removed[c.ID], all.served
		for _, box := range c.MailboxIDs {
			if sender := senders[box]; sender != nil {
				s.boxes, s.senders = append(s.boxes, sender.Mailbox), append(s.senders, sender)
			}
		}
		s.cause = s.causeOf(s.queues, now)
	}
	return of, nil
}

// causeOf returns why nothing of some queues is sent, from the same schedule as claims.
func (s *situation) causeOf(queues []outreach.Queue, now time.Time) *outreach.Slot {
	var slots []outreach.Slot
	for _, sender := range s.senders {
		for _, slot := range sender.Schedule(now, queues, nil) {
			slots = append(slots, sender.Behind(slot, s.rivals, s.served[sender.Mailbox.ID]))
		}
	}
	return outreach.Cause(slots, now)
}

// reasonFor is reason for one person, whose enrollment e has a step left. It also reports whether the reason
// lasts until a person acts.
func (s *situation) reasonFor(c *outreach.Campaign, e *outreach.Enrollment, now time.Time) (reason string, lasts bool) {
	q := outreach.Queue{Campaign: c, Followup: *e.NextStep > 1, Timezone: e.Timezone, Due: *e.DueAt, First: e.ID,
		NewFull: slices.ContainsFunc(s.queues, func(q outreach.Queue) bool { return q.NewFull })}
	if e.MailboxID != nil {
		q.Mailbox = *e.MailboxID
	}
	one := situation{installation: s.installation, boxes: s.boxes, senders: s.senders, rivals: s.rivals, served: s.served}
	if one.cause = one.causeOf([]outreach.Queue{q}, now); one.cause == nil && len(s.boxes) > 0 {
		return "", false
	}
	return one.reason(now), one.cause == nil || one.cause.At.IsZero() || one.installation.Off != nil
}

// reason returns the text, or "" while the campaign sends.
func (s *situation) reason(now time.Time) string {
	soon := now.Add(outreach.Soon)
	switch {
	case s.onItsWay:
		return ""
	case s.installation.Off != nil:
		return *s.installation.Sentence()
	case len(s.boxes) == 0:
		return "No mailbox is connected to this campaign."
	case !slices.ContainsFunc(s.boxes, func(m outreach.Mailbox) bool { return m.Status == outreach.MailboxConnected }):
		slot := outreach.Slot{Mailbox: s.boxes[0], Waits: outreach.WaitsForMailbox}
		return "No mailbox can send: " + slot.Reason(now)
	case s.off > 0 && (s.cause == nil || s.cause.At.IsZero() || s.again.Before(s.cause.At)):
		if !s.again.After(soon) {
			return ""
		}
		if s.off == 1 {
			return fmt.Sprintf("1 message was deferred by its server and is tried again at %s.", outreach.FormatMoment(*s.again))
		}
		return fmt.Sprintf("%d messages were deferred by their servers, the first is tried again at %s.", s.off, outreach.FormatMoment(*s.again))
	case s.cause != nil && !s.cause.At.IsZero() && !s.cause.At.After(soon):
		return ""
	case s.cause != nil:
		return s.cause.Reason(now)
	case s.held > 0:
		return fmt.Sprintf("%s held and no other prospect is due.", people(s.held))
	case s.away == 1:
		return fmt.Sprintf("1 person is out of office until %s and no other prospect is due.", outreach.FormatMoment(*s.back))
	case s.away > 1:
		return fmt.Sprintf("%s out of office, the first until %s, and no other prospect is due.", people(s.away), outreach.FormatMoment(*s.back))
	case s.removed == 1:
		return "1 person waits for a step that was removed and no other prospect is due."
	case s.removed > 1:
		return fmt.Sprintf("%d people wait for a step that was removed and no other prospect is due.", s.removed)
	}
	return "No prospect is due."
}

func people(n int) string {
	if n == 1 {
		return "1 person is"
	}
	return fmt.Sprintf("%d people are", n)
}
