package storage_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// chance is a workspace in which anything happens in any order.
type chance struct {
	*stage
	*rand.Rand
	boxes       []outreach.Mailbox
	campaigns   []outreach.Campaign
	enrollments []outreach.Enrollment
	claimed     []*outreach.Outgoing
	committed   []*outreach.Outgoing
	all         []*outreach.Outgoing
	away        map[uuid.UUID]time.Time // by enrollment, as far as no person has said otherwise
	log         []string
}

// TestByChance lets chance play: whatever comes in whatever order, what is written
// down stays true. A failure tells what came before it.
func TestByChance(t *testing.T) {
	t.Parallel()
	chances(t, 1, 4)
}

func chances(t *testing.T, from, to uint64) {
	t.Helper()
	for seed := from; seed < to; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newChance(t, seed)
			for range 300 {
				c.move()
				c.look()
			}
		})
	}
}

func newChance(t *testing.T, seed uint64) *chance {
	t.Helper()
	s := newStage(t)
	c := &chance{stage: s, Rand: rand.New(rand.NewPCG(seed, 1)), away: map[uuid.UUID]time.Time{}}
	c.boxes = []outreach.Mailbox{s.mailbox("a@acme.test"), s.mailbox("b@acme.test")}
	for _, box := range c.boxes {
		c.campaigns = append(c.campaigns, s.campaign("C", box, steps(0, 60, 60)...))
	}
	for i := range 8 {
		p := s.prospect(fmt.Sprintf("p%d@x.test", i))
		for _, campaign := range c.campaigns {
			c.enrollments = append(c.enrollments, s.enroll(campaign, p))
		}
	}
	return c
}

// moves are what may happen, by how often it does.
var moves = []struct {
	weight int
	name   string
	do     func(c *chance) error
}{
	{40, "claim", (*chance).claimNext}, {30, "commit", (*chance).commitNext}, {30, "settle", (*chance).settleNext},
	{8, "away", (*chance).noteAbsence}, {3, "bounce", (*chance).report}, {1, "reply", (*chance).answer},
	{2, "mark reply", (*chance).markReply},
	{12, "pause", func(c *chance) error {
		_, err := c.PauseEnrollment(c.ctx, c.ws, oneOf(c, c.enrollments).ID)
		return err
	}},
	{16, "resume", (*chance).resume},
	{1, "stop", func(c *chance) error { _, err := c.StopEnrollment(c.ctx, c.ws, oneOf(c, c.enrollments).ID); return err }},
	{2, "restart", (*chance).restart}, {5, "resolve", (*chance).resolve},
	{2, "pause mailbox", func(c *chance) error { _, err := c.PauseMailbox(c.ctx, c.ws, oneOf(c, c.boxes).ID); return err }},
	{4, "resume mailbox", func(c *chance) error { _, err := c.ResumeMailbox(c.ctx, c.ws, oneOf(c, c.boxes).ID); return err }},
	{2, "check mailbox", func(c *chance) error { _, err := c.NoteCheck(c.ctx, c.ws, oneOf(c, c.boxes).ID, nil); return err }},
	{2, "pause campaign", func(c *chance) error { _, err := c.PauseCampaign(c.ctx, c.ws, oneOf(c, c.campaigns).ID); return err }},
	{6, "activate campaign", func(c *chance) error { _, err := c.ActivateCampaign(c.ctx, c.ws, oneOf(c, c.campaigns).ID); return err }},
	{2, "other mailboxes", (*chance).otherMailboxes}, {2, "processes die", (*chance).die}, {8, "time", (*chance).time},
}

// move lets one thing happen; what the rules refuse does not.
func (c *chance) move() {
	c.t.Helper()
	sum := 0
	for _, m := range moves {
		sum += m.weight
	}
	at := c.IntN(sum)
	for _, m := range moves {
		if at -= m.weight; at >= 0 {
			continue
		}
		err := m.do(c)
		c.log = append(c.log, fmt.Sprintf("%s: %v", m.name, err))
		if err != nil && outreach.CodeOf(err) == "" && !strings.Contains(err.Error(), "withdrawn") {
			c.fail("%v", err)
		}
		return
	}
}

func oneOf[T any](c *chance, list []T) T { return list[c.IntN(len(list))] }

// taken removes one of the list, nil when it is empty.
func taken(c *chance, list *[]*outreach.Outgoing) *outreach.Outgoing {
	if len(*list) == 0 {
		return nil
	}
	i := c.IntN(len(*list))
	out := (*list)[i]
	*list = slices.Delete(slices.Clone(*list), i, i+1)
	return out
}

func (c *chance) claimNext() error {
	out, err := c.ClaimSend(c.ctx, oneOf(c, c.boxes), "me", plainCompose)
	if out != nil {
		c.claimed, c.all = append(c.claimed, out), append(c.all, out)
	}
	return err
}

func (c *chance) commitNext() error {
	out := taken(c, &c.claimed)
	if out == nil {
		return nil
	}
	if err := c.CommitMessage(c.ctx, out.Ref(), "me"); err != nil {
		return err
	}
	c.committed = append(c.committed, out)
	to := ask[uuid.UUID](c.stage, `SELECT enrollment_id FROM messages WHERE id = $1`, out.ID)
	if until, away := c.away[to]; away && until.After(c.clock.Now()) {
		c.fail("%v is written to and away until %v", to, until)
	}
	return nil
}

func (c *chance) settleNext() error {
	out := taken(c, &c.committed)
	if out == nil {
		return nil
	}
	return c.SettleMessage(c.ctx, out.Ref(), "me", oneOf(c, []outreach.SendResult{sentOK, sentOK, sentOK, lostAnswer, blocked,
		{Kind: outreach.SendRefused, Fault: outreach.FaultTransient, Response: "552"}, {Kind: outreach.SendDeferred, Response: "451"}}))
}

// receive takes something in that is about one of the messages, and may name it.
func (c *chance) receive(kind outreach.ReceivedKind, change func(*outreach.Received, *outreach.Outgoing)) error {
	if len(c.all) == 0 {
		return nil
	}
	out := oneOf(c, c.all)
	in := c.received(c.boxes[0], kind, out.Recipient, out)
	if c.IntN(3) == 0 {
		in.References = nil
	}
	change(&in, out)
	_, err := c.Ingest(c.ctx, oneOf(c, c.boxes), []outreach.Received{in}, inboxAt(1))
	return err
}

func (c *chance) noteAbsence() error {
	return c.receive(outreach.ReceivedAutomatic, func(in *outreach.Received, _ *outreach.Outgoing) {
		in.ReturnDate = new(c.clock.Now().AddDate(0, 0, c.IntN(9)))
	})
}

func (c *chance) report() error {
	fault := oneOf(c,
		[]outreach.Fault{outreach.FaultSender, outreach.FaultSender, outreach.FaultTransient, outreach.FaultTransient, outreach.FaultRecipient})
	return c.receive(outreach.ReceivedBounce, func(in *outreach.Received, out *outreach.Outgoing) {
		in.Bounces = []outreach.Bounce{{Address: out.Recipient, Fault: fault, Error: "550"}}
	})
}

func (c *chance) answer() error {
	return c.receive(outreach.ReceivedReply, func(*outreach.Received, *outreach.Outgoing) {})
}

// markReply marks a reply as automatic, or removes the mark.
func (c *chance) markReply() error {
	replies := rows[uuid.UUID](c.stage, `SELECT id FROM replies WHERE workspace_id = $1 ORDER BY id`, c.ws)
	if len(replies) == 0 {
		return nil
	}
	_, err := c.UpdateReply(c.ctx, c.ws, oneOf(c, replies), func(r *outreach.Reply) { r.Automatic = !r.Automatic })
	return err
}

// resuming a held enrollment states that the person is not away.
func (c *chance) resume() error {
	e := c.enrollment(oneOf(c, c.enrollments))
	_, err := c.ResumeEnrollment(c.ctx, c.ws, e.ID, false)
	if err == nil && e.Status == outreach.EnrollmentHeld {
		delete(c.away, e.ID)
	}
	return err
}

func (c *chance) restart() error {
	e := oneOf(c, c.enrollments)
	_, err := c.Enroll(c.ctx,
		outreach.EnrollRequest{WorkspaceID: c.ws, CampaignID: e.CampaignID, ProspectID: &e.ProspectID, Restart: true, Force: true})
	return err
}

func (c *chance) resolve() error {
	unknown := rows[uuid.UUID](c.stage, `SELECT id FROM messages WHERE status = 'unknown'`)
	if len(unknown) == 0 {
		return nil
	}
	_, err := c.ResolveMessage(c.ctx, c.ws, oneOf(c, unknown),
		oneOf(c, []outreach.Resolution{outreach.ResolvedSent, outreach.ResolvedNotSent}))
	return err
}

func (c *chance) otherMailboxes() error {
	boxes := oneOf(c, [][]uuid.UUID{{c.boxes[0].ID}, {c.boxes[1].ID}, {c.boxes[0].ID, c.boxes[1].ID}})
	_, err := c.UpdateCampaign(c.ctx, c.ws, oneOf(c, c.campaigns).ID, func(campaign *outreach.Campaign) { campaign.MailboxIDs = boxes })
	return err
}

func (c *chance) die() error {
	c.exec(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE lease_until IS NOT NULL`)
	_, err := c.SweepSteps(c.ctx)
	return err
}

func (c *chance) time() error {
	c.clock.Advance(time.Duration(c.IntN(12)) * time.Hour)
	return c.RefreshCampaigns(c.ctx)
}

// lies are what must not be found, whatever happened.
const lies = `
SELECT 'held without a reason' FROM enrollments WHERE status = 'held' AND (hold_kind IS NULL OR hold_reason IS NULL)
UNION ALL SELECT 'a hold on one that is ' || status FROM enrollments
	WHERE status NOT IN ('held', 'paused') AND coalesce(stop_reason, '') NOT LIKE 'the address is suppressed%'
	AND coalesce(stop_reason, '') NOT LIKE '% replied%'
	AND (hold_kind IS NOT NULL OR hold_reason IS NOT NULL OR hold_until IS NOT NULL)
UNION ALL SELECT 'a next step of one that is ' || status FROM enrollments
	WHERE status NOT IN ('active', 'held', 'paused') AND (next_step IS NOT NULL OR next_send_at IS NOT NULL)
UNION ALL SELECT 'held for a mailbox that the campaign has not' FROM enrollments e JOIN campaigns c ON c.id = e.campaign_id
	WHERE e.hold_kind = 'sender' AND NOT coalesce(e.mailbox_id = ANY(c.mailbox_ids), false)
UNION ALL SELECT 'never due' FROM enrollments e WHERE e.status = 'active' AND e.next_send_at IS NULL
	AND NOT EXISTS (SELECT FROM messages m WHERE m.enrollment_id = e.id AND m.run = e.run AND m.step = e.next_step AND m.status = 'claimed')
UNION ALL SELECT 'past a step with an unknown outcome' FROM enrollments e JOIN messages m ON m.enrollment_id = e.id
	AND m.run = e.run AND m.status = 'unknown'
	WHERE e.status IN ('active', 'held', 'paused') AND e.next_step <> m.step
UNION ALL SELECT 'past a step that never went' FROM enrollments e CROSS JOIN LATERAL generate_series(1, e.next_step - 1) n
	WHERE e.status IN ('active', 'held', 'paused')
	AND NOT EXISTS (SELECT FROM messages m WHERE m.enrollment_id = e.id AND m.run = e.run AND m.step = n AND m.status IN ('sent', 'bounced'))
UNION ALL SELECT 'sent, and told ' || told.n || ' times' FROM messages m
	CROSS JOIN LATERAL (SELECT count(*) AS n FROM events e WHERE e.type = 'sent' AND e.metadata->>'messageId' = m.message_id) told
	WHERE m.status = 'sent' AND told.n <> 1 OR m.status IN ('claimed', 'unknown', 'not_sent') AND told.n > 0 OR told.n > 1
UNION ALL SELECT 'a campaign that is ' || c.status || ' and is not checked' FROM campaigns c
	CROSS JOIN LATERAL (SELECT count(*) AS n, count(*) FILTER (WHERE e.status = 'active') AS active,
		count(*) FILTER (WHERE e.status IN ('active', 'held', 'paused')) AS running FROM enrollments e WHERE e.campaign_id = c.id) e
	WHERE (c.status = 'active' AND e.n > 0 AND e.running = 0 OR c.status = 'completed' AND e.active > 0)
		AND NOT EXISTS (SELECT FROM sender_wakes w WHERE w.workspace_id = c.workspace_id)
UNION ALL SELECT 'status ' || p.status FROM prospects p WHERE p.status <> CASE WHEN p.unsubscribed_at IS NOT NULL THEN 'unsubscribed'
	WHEN p.bounced_at IS NOT NULL THEN 'bounced' WHEN p.replied_at IS NOT NULL THEN 'replied' ELSE (
		SELECT CASE WHEN bool_or(e.status IN ('active', 'held')) THEN 'in_sequence'
			WHEN bool_or(e.status = 'paused') THEN 'paused' ELSE 'finished' END
		FROM enrollments e WHERE e.prospect_id = p.id) END`

// countsTooFew finds mailboxes that have sent more since $1 than their bound.
const countsTooFew = `
SELECT m.email || ' sent ' || sent.n || ', its bound is ' || m.sent_bound FROM mailboxes m
CROSS JOIN LATERAL (SELECT count(*) AS n FROM messages l WHERE l.mailbox_id = m.id AND l.status IN ('sent', 'bounced', 'unknown')
	AND NOT l.external AND l.sent_at > $1) sent
WHERE m.sent_bound < sent.n`

// look fails when something is written down that is not true, and notes who is away.
func (c *chance) look() {
	c.t.Helper()
	found := append(rows[string](c.stage, lies), rows[string](c.stage, countsTooFew, c.clock.Now().Add(-24*time.Hour))...)
	if len(found) > 0 {
		c.fail("%q", found)
	}
	for _, e := range c.enrollments {
		switch now := c.enrollment(e); {
		case !now.Status.Running():
			delete(c.away, e.ID)
		case now.HoldUntil != nil:
			c.away[e.ID] = *now.HoldUntil
		}
	}
}

func (c *chance) fail(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s\nafter\n%s", fmt.Sprintf(format, args...), strings.Join(c.log[max(0, len(c.log)-40):], "\n"))
}
