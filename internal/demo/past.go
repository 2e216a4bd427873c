package demo

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"outreach"
	"outreach/storage/sending"
	"outreach/storage/stores"
	"outreach/tracking/hit"
)

// days is the length of the past.
const days = 28

// Past is what WritePast needs. All fields are required.
type Past struct {
	// Open opens the database with a clock.
	Open      func(now func() time.Time) (*stores.Stores, error)
	Workspace uuid.UUID
	Host      string // of tracked links
	Compose   func(context.Context, outreach.Draft) (outreach.Composed, error)
	// SMTP and IMAP are the servers of the mailboxes. No connection is opened to them.
	SMTP, IMAP outreach.MailServer
}

// history writes the past with the code of the service, whose clock it moves. The answers of the
// servers and of the people are those of fates.
type history struct {
	*stores.Stores
	Past
	clock     atomic.Int64
	boxes     []outreach.Mailbox
	campaigns []outreach.Campaign
	people    []uuid.UUID
	enrolled  []int                      // of each campaign
	composed  map[uuid.UUID]composedStep // by message
	fates     map[string]fate
	arrivals  []arrival
	opens     []hit.Opens
	texts     map[string]int
}

// arrival is what a person does some time after a message.
type arrival struct {
	at  time.Time
	act func(ctx context.Context) error
}

// WritePast writes four weeks that end a minute ago. It runs before the service does, which would send
// what is due in the past. If it is interrupted, the rest stays unwritten.
func WritePast(ctx context.Context, past Past) (err error) {
	h := &history{Past: past, composed: map[uuid.UUID]composedStep{}, fates: map[string]fate{}, texts: map[string]int{}}
	now := time.Now().UTC()
	start := now.Truncate(24*time.Hour).AddDate(0, 0, -days)
	h.set(start)
	if h.Stores, err = past.Open(h.now); err != nil {
		return err
	}
	defer h.Close()
	if err := h.prepare(ctx); err != nil {
		return err
	}
	if err := h.play(ctx, start, now.Add(-time.Minute)); err != nil {
		return err
	}
	h.set(now)
	return h.leave(ctx)
}

// composedStep is what is needed to answer a message.
type composedStep struct {
	step    int
	subject string
}

func (h *history) now() time.Time   { return time.Unix(0, h.clock.Load()).UTC() }
func (h *history) set(at time.Time) { h.clock.Store(at.UnixNano()) }

func (h *history) compose(d outreach.Draft) (outreach.Composed, error) {
	out, err := h.Compose(context.Background(), d)
	h.composed[d.ID] = composedStep{d.Number, out.Subject}
	return out, err
}

// prepare creates the mailboxes, people and campaigns.
func (h *history) prepare(ctx context.Context) error {
	for _, sender := range senders {
		m := outreach.NewMailbox()
		m.WorkspaceID, m.Email, m.DisplayName = h.Workspace, sender.address, new(sender.name)
		m.SMTP, m.IMAP = h.SMTP, h.IMAP
		m.SMTP.Username, m.IMAP.Username = sender.address, sender.address
		m.DailyLimit, m.MinGapSeconds = 30, 600
		m, err := h.CreateMailbox(ctx, m)
		if err != nil {
			return fmt.Errorf("create mailbox: %w", err)
		}
		h.boxes = append(h.boxes, m)
	}
	elements := make([]outreach.BulkElement, 0, pastPeople)
	for i := range pastPeople {
		var person outreach.Prospect
		setPerson(&person, i)
		h.fates[person.Email] = fates[i%len(fates)]
		elements = append(elements, outreach.BulkElement{Change: func(p *outreach.Prospect) { setPerson(p, i) }})
	}
	results, err := h.BulkProspects(ctx, h.Workspace, elements, outreach.BulkMode{})
	if err != nil {
		return fmt.Errorf("create prospects: %w", err)
	}
	for _, result := range results {
		if result.ProspectID == nil {
			return fmt.Errorf("create prospect %d: %v", result.Index, result.Errors)
		}
		h.people = append(h.people, *result.ProspectID)
	}
	for _, plan := range pastCampaigns {
		c := outreach.NewCampaign()
		c.WorkspaceID, c.Name, c.Steps, c.Timezone = h.Workspace, plan.name, plan.steps, "Europe/Berlin"
		c.TrackOpens = true
		for _, box := range plan.boxes {
			c.MailboxIDs = append(c.MailboxIDs, h.boxes[box].ID)
		}
		c, err := h.CreateCampaign(ctx, c)
		if err == nil {
			c, err = h.ActivateCampaign(ctx, h.Workspace, c.ID)
		}
		if err != nil {
			return fmt.Errorf("create campaign: %w", err)
		}
		h.campaigns = append(h.campaigns, c)
	}
	h.enrolled = make([]int, len(h.campaigns))
	return nil
}

// play moves the clock through the working days. Each day has two rounds of sending, which end when
// no mailbox has anything to send. So few claims find nothing, and the start stays short.
func (h *history) play(ctx context.Context, start, end time.Time) error {
	for date, day := start, 0; date.Before(end); date = date.AddDate(0, 0, 1) {
		if date.Weekday() == time.Saturday || date.Weekday() == time.Sunday {
			continue
		}
		h.set(date.Add(6 * time.Hour))
		if err := h.enrollDay(ctx, day); err != nil {
			return err
		}
		day++
		for _, hour := range []time.Duration{8 * time.Hour, 13 * time.Hour} {
			h.set(date.Add(hour + time.Duration(date.Day()%13)*time.Minute))
			if err := h.round(ctx, end); err != nil {
				return err
			}
		}
	}
	return nil
}

// roundSends bounds the messages of a mailbox in one round.
const roundSends = 12

// round sends until no mailbox has anything to send, and then lets the people act.
func (h *history) round(ctx context.Context, end time.Time) error {
	for range roundSends {
		if h.now().After(end) {
			return nil
		}
		sent, err := h.send(ctx)
		if err != nil {
			return err
		}
		if sent == 0 {
			break
		}
		h.set(h.now().Add(15 * time.Minute))
	}
	if opens := h.opens; len(opens) > 0 {
		h.opens = nil
		if err := h.AddOpens(ctx, opens); err != nil {
			return err
		}
	}
	return h.arrive(ctx)
}

// enrollDay enrolls the people of one working day, the first being 0.
func (h *history) enrollDay(ctx context.Context, day int) error {
	for i, plan := range pastCampaigns {
		n := min(plan.daily, plan.people-h.enrolled[i])
		if day < plan.from || n <= 0 {
			continue
		}
		first := plan.first + h.enrolled[i]
		h.enrolled[i] += n
		_, err := h.BulkEnroll(ctx, outreach.BulkEnrollRequest{WorkspaceID: h.Workspace, CampaignID: h.campaigns[i].ID,
			ProspectIDs: h.people[first : first+n]})
		if err != nil {
			return fmt.Errorf("enroll: %w", err)
		}
	}
	return h.RefreshCampaigns(ctx)
}

// arrive does what people have done until now.
func (h *history) arrive(ctx context.Context) error {
	later := h.arrivals[:0]
	for _, a := range h.arrivals {
		if a.at.After(h.now()) {
			later = append(later, a)
			continue
		}
		if err := a.act(ctx); err != nil {
			return err
		}
	}
	h.arrivals = later
	return nil
}

// send sends one message of each mailbox that has one, and returns their number.
func (h *history) send(ctx context.Context) (int, error) {
	claimed, err := h.ClaimSends(ctx, h.boxes, "history", h.compose)
	if err != nil {
		return 0, fmt.Errorf("claim: %w", err)
	}
	group, running := errgroup.WithContext(ctx)
	sent := 0
	for i, out := range claimed {
		if out == nil {
			continue
		}
		sent++
		fate := h.fates[out.Recipient].at(h.composed[out.ID].step)
		group.Go(func() error { return h.settle(running, out, fate) })
		if fate != fateBounce && fate != fateLost && out.ID[15]%5 < 2 {
			h.opens = append(h.opens, hit.Opens{Message: out.Ref(), Day: h.now().Truncate(24 * time.Hour), Count: 1})
		}
		if follow := h.follow(h.boxes[i], out, fate); follow != nil {
			h.arrivals = append(h.arrivals, arrival{h.now().Add(90 * time.Minute), follow})
		}
	}
	return sent, group.Wait()
}

func (h *history) settle(ctx context.Context, out *outreach.Outgoing, fate string) error {
	if err := h.CommitMessage(ctx, out.Ref(), "history"); err != nil {
		if errors.Is(err, sending.ErrWithdrawn) {
			return nil
		}
		return fmt.Errorf("commit: %w", err)
	}
	result := outreach.SendResult{Kind: outreach.SendSent, Response: "250 2.0.0 Queued"}
	switch fate {
	case fateBounce:
		result = outreach.SendResult{Kind: outreach.SendRefused, Fault: outreach.FaultRecipient,
			Response: "550 5.1.1 No such mailbox"}
	case fateLost:
		result = outreach.SendResult{Kind: outreach.SendUnknown, Response: "The connection ended before the server answered."}
	}
	if err := h.SettleMessage(ctx, out.Ref(), "history", result); err != nil {
		return fmt.Errorf("settle: %w", err)
	}
	return nil
}
