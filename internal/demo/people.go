package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/classify"
	"outreach/tracking/hit"
)

const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"

// follow returns what the recipient does later, nil if it is nothing.
func (h *history) follow(box outreach.Mailbox, out *outreach.Outgoing, fate string) func(context.Context) error {
	switch fate {
	case fatePositive, fateNeutral, fateNegative, fateAway:
		return func(ctx context.Context) error { return h.reply(ctx, box, out, fate) }
	case fateClick:
		return func(ctx context.Context) error { return h.click(ctx, out.Ref()) }
	case fateUnsubscribe:
		return func(ctx context.Context) error {
			return h.Unsubscribe(ctx, out.Ref(), hit.Visitor{Agent: browser, Address: "192.0.2.7", At: h.now()})
		}
	}
	return nil
}

func (h *history) reply(ctx context.Context, box outreach.Mailbox, out *outreach.Outgoing, fate string) error {
	texts := replyTexts[fate]
	text := texts[h.texts[fate]%len(texts)]
	h.texts[fate]++
	key := "<" + uuid.NewString() + "@" + outreach.EmailDomain(out.Recipient) + ">"
	in := outreach.Received{Key: key, Kind: outreach.ReceivedReply, At: h.now(), From: out.Recipient, Text: text,
		Subject:    new("Re: " + strings.TrimPrefix(h.composed[out.ID].subject, "Re: ")),
		References: []string{out.MessageID},
		Header:     outreach.ReplyHeader{ID: key, Thread: []string{out.MessageID}}}
	if fate == fateAway {
		in.Kind, in.Subject = outreach.ReceivedAutomatic, new("Out of office")
		in.ReturnDate = new(h.now().AddDate(0, 0, 6))
	} else if interest, reason := classify.Interest(text, *in.Subject); interest != "" {
		in.Interest, in.Reason = new(outreach.Interest(interest)), &reason
	}
	_, err := h.Ingest(ctx, box, []outreach.Received{in}, outreach.FolderPosition{Folder: "History", UIDValidity: 1, UID: 1})
	if err != nil {
		return fmt.Errorf("ingest a reply: %w", err)
	}
	return nil
}

func (h *history) click(ctx context.Context, message outreach.Ref) error {
	at := h.now()
	_, err := h.RecordClicks(ctx, []hit.Click{{Message: message, Host: h.Host, URL: linkedPage,
		Visitor: hit.Visitor{Agent: browser, Address: "192.0.2.7", At: at}}})
	if err != nil {
		return err
	}
	_, err = h.JudgeClicks(ctx, hit.Rule{Now: at.Add(time.Minute), Since: at.Add(-time.Minute), Window: 10 * time.Second,
		Slack: time.Second, Repeat: time.Hour, Limit: 100})
	return err
}

// leave sets the states that only a person sets: paused and stopped enrollments, a paused campaign
// and mailbox, replies that are done, snoozed and assigned.
func (h *history) leave(ctx context.Context) error {
	if err := h.haltSome(ctx); err != nil {
		return err
	}
	if _, err := h.PauseCampaign(ctx, h.Workspace, h.campaigns[len(h.campaigns)-1].ID); err != nil {
		return fmt.Errorf("pause campaign: %w", err)
	}
	if _, err := h.PauseMailbox(ctx, h.Workspace, h.boxes[len(h.boxes)-1].ID); err != nil {
		return fmt.Errorf("pause mailbox: %w", err)
	}
	return h.sortReplies(ctx)
}

// haltSome pauses two enrollments of the first campaign and stops one.
func (h *history) haltSome(ctx context.Context) error {
	campaign, status := h.campaigns[0].ID, outreach.EnrollmentActive
	rows, err := h.ListEnrollments(ctx, h.Workspace, outreach.EnrollmentFilter{CampaignID: &campaign, Status: &status},
		outreach.Page{Limit: 3})
	if err != nil {
		return fmt.Errorf("list enrollments: %w", err)
	}
	for i, e := range rows.Rows {
		halt := h.PauseEnrollment
		if i == 0 {
			halt = h.StopEnrollment
		}
		if _, err := halt(ctx, h.Workspace, e.ID); err != nil {
			return fmt.Errorf("halt an enrollment: %w", err)
		}
	}
	return nil
}

// sortReplies marks the replies older than a week as done, snoozes one reply and assigns one.
func (h *history) sortReplies(ctx context.Context) error {
	rows, err := h.ListReplies(ctx, h.Workspace, outreach.ReplyFilter{}, outreach.Page{Limit: 100})
	if err != nil {
		return fmt.Errorf("list replies: %w", err)
	}
	var done, open []uuid.UUID
	for _, r := range rows.Rows {
		if h.now().Sub(r.ReceivedAt) > 7*24*time.Hour {
			done = append(done, r.ID)
		} else if !r.Automatic {
			open = append(open, r.ID)
		}
	}
	if _, err := h.MarkRepliesDone(ctx, h.Workspace, done, true); err != nil {
		return fmt.Errorf("mark replies: %w", err)
	}
	members, err := h.Members(ctx, h.Workspace)
	if err != nil {
		return err
	}
	if len(open) < 3 || len(members) == 0 {
		return nil
	}
	if _, err := h.AssignConversations(ctx, h.Workspace, open[1:2], &members[0].ID); err != nil {
		return fmt.Errorf("assign a reply: %w", err)
	}
	_, err = h.SnoozeConversations(ctx, h.Workspace, open[2:3], new(h.now().AddDate(0, 0, 2)))
	if err != nil {
		return fmt.Errorf("snooze a reply: %w", err)
	}
	return nil
}
