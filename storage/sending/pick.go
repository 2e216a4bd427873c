package sending

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// want is the set of queues of a campaign in which a mailbox looks for an enrollment.
type want struct {
	box      uuid.UUID
	campaign *outreach.Campaign
	followup bool
	queues   []place
}

// place is the head of a queue whose people are bound to a mailbox, or to none.
type place struct {
	bound uuid.UUID // zero for none
	head
}

// due is a locked enrollment that is due.
type due struct {
	id, prospect uuid.UUID
	bound        uuid.UUID
	step, run    int
	forced       bool
	at           time.Time
}

var dueColumns = storage.NewColumns(func(d *due) []storage.Column {
	return []storage.Column{
		{SQL: "e.id", To: &d.id},
		{SQL: "e.prospect_id", To: &d.prospect},
		{SQL: "e.bound", To: &d.bound},
		{SQL: "e.next_step", To: &d.step},
		{SQL: "e.run", To: &d.run},
		{SQL: "e.forced", To: &d.forced},
		{SQL: "e.next_send_at", To: &d.at},
	}
})

// pick is a mailbox with the enrollments that it may write to, in order.
type pick struct {
	*claiming
	campaign *outreach.Campaign
	due      []due
}

// The lock skips rows that another transaction has locked, so that two claims cannot deadlock.
var selectDue = `
SELECT ` + dueColumns.SQL + `
FROM unnest($5::uuid[], $6::text[], $7::timestamptz[], $8::uuid[], $9::int[]) q(mailbox_id, timezone, at, first, most) CROSS JOIN LATERAL (
	SELECT e.id, e.prospect_id, coalesce(e.mailbox_id, '00000000-0000-0000-0000-000000000000') AS bound, e.next_step,
		e.run, e.forced, e.next_send_at
	FROM enrollments e
	WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND (e.next_step > 1) = $3 AND e.status = 'active'
		AND coalesce(e.mailbox_id, '00000000-0000-0000-0000-000000000000') = q.mailbox_id
		AND e.timezone = q.timezone AND e.next_send_at <= $4 AND ` + fromHead + ` AND ` + notOnItsWay + `
	ORDER BY e.next_send_at, e.id LIMIT q.most FOR UPDATE SKIP LOCKED) e
ORDER BY e.next_send_at, e.id`

// fetch locks up to size enrollments for each want and distributes them: no enrollment goes to two
// mailboxes. A want without an enrollment is left out.
func (b *claimTx) fetch(ctx context.Context, wants []want, size int) ([]pick, error) {
	type turn struct {
		campaign *outreach.Campaign
		followup bool
	}
	var turns []turn
	of := map[turn][]want{}
	for _, w := range wants {
		t := turn{w.campaign, w.followup}
		if of[t] == nil {
			turns = append(turns, t)
		}
		of[t] = append(of[t], w)
	}
	var picks []pick
	for _, t := range turns {
		some, size := of[t], size
		if limited := t.campaign.DailyNewLimit != nil || t.campaign.CompanyDailyLimit != nil; limited && !t.followup {
			left, err := b.newLeft(ctx, t.campaign)
			if err != nil {
				return nil, err
			}
			some = some[:min(len(some), left)] // each takes at most one place
			if len(some) == 0 {
				b.busy = true
				continue
			}
		}
		found, err := b.fetchTurn(ctx, some, size)
		if err != nil {
			return nil, err
		}
		picks = append(picks, found...)
	}
	return picks, nil
}

func (b *claimTx) fetchTurn(ctx context.Context, some []want, size int) ([]pick, error) {
	most := map[place]int{}
	var queues []place
	for _, w := range some {
		for _, q := range w.queues {
			if most[q] == 0 {
				queues = append(queues, q)
			}
			most[q] += size
		}
	}
	var bound, firsts []uuid.UUID
	var zones []string
	var ats []time.Time
	var counts []int
	for _, q := range queues {
		bound, zones, ats, firsts = append(bound, q.bound), append(zones, q.zone), append(ats, q.at), append(firsts, q.id)
		counts = append(counts, most[q])
	}
	found, err := dueColumns.Query(ctx, b.tx, selectDue, b.workspace, some[0].campaign.ID, some[0].followup, b.now,
		bound, zones, ats, firsts, counts)
	if err != nil {
		return nil, fmt.Errorf("list due enrollments: %w", err)
	}
	picks := make([]pick, len(some))
	for i, w := range some {
		picks[i] = pick{claiming: b.of[w.box], campaign: w.campaign}
	}
	for given := true; given && len(found) > 0; { // one enrollment each in turn
		given = false
		for i, w := range some {
			at := slices.IndexFunc(found, func(d due) bool { return d.bound == uuid.Nil || d.bound == w.box })
			if at >= 0 && len(picks[i].due) < size {
				picks[i].due, found, given = append(picks[i].due, found[at]), slices.Delete(found, at, at+1), true
			}
		}
	}
	picks = slices.DeleteFunc(picks, func(p pick) bool { return len(p.due) == 0 })
	b.busy = b.busy || len(picks) < len(some)
	return picks, nil
}

// The lock keeps two mailboxes from both taking the last place, that of a company too. The result is
// NULL for a campaign without a limit of new prospects.
const lockNew = `
SELECT CASE WHEN c.new_on = $3::date THEN c.daily_new_limit - c.new_count ELSE c.daily_new_limit END
FROM campaigns c WHERE c.workspace_id = $1 AND c.id = $2 FOR NO KEY UPDATE`

// newLeft returns how many new prospects a campaign may still begin with today.
func (b *claimTx) newLeft(ctx context.Context, c *outreach.Campaign) (int, error) {
	var left *int
	if err := b.tx.QueryRow(ctx, lockNew, b.workspace, c.ID, c.Today(b.now)).Scan(&left); err != nil {
		return 0, fmt.Errorf("look at limit of new prospects: %w", err)
	}
	if left == nil {
		return math.MaxInt, nil
	}
	return max(*left, 0), nil
}

// outcome is what one round of a batch has decided.
type outcome struct {
	claims []claim
	ends   []end
	waits  []wait
	holds  []due
	why    []string // reasons of the holds
}

// claim is a composed message for an enrollment.
type claim struct {
	pick
	due
	draft    outreach.Draft
	composed outreach.Composed
}

type end struct {
	due
	cause outreach.EndCause
}

type wait struct {
	due
	until   time.Time
	company bool // for the limit of a company
}

// settle decides about each enrollment of the picks and stores the outcome.
func (b *claimTx) settle(ctx context.Context, picks []pick) error {
	if len(picks) == 0 {
		return nil
	}
	people, contacts, threads := map[uuid.UUID]*person{}, map[contact]time.Time{}, map[uuid.UUID]thread{}
	batch := &pgx.Batch{}
	b.queuePeople(batch, picks, people)
	b.queueContacts(batch, picks, contacts)
	b.queueThreads(batch, picks, threads)
	if err := b.tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("lock and read prospects: %w", err)
	}
	if err := b.addDeleted(ctx, picks, people); err != nil {
		return err
	}
	if err := b.countCompanies(ctx, picks, people); err != nil {
		return err
	}
	var o outcome
	for _, p := range picks {
		for _, d := range p.due {
			done, err := b.decide(&o, p, d, people[d.prospect], contacts, threads[d.id])
			if err != nil {
				return err
			}
			if done {
				break
			}
		}
	}
	return b.write(ctx, &o)
}

// decide adds the decision about one enrollment to the outcome. It reports whether the mailbox has
// its message.
func (b *claimTx) decide(o *outcome, p pick, d due, one *person, contacts map[contact]time.Time, t thread) (bool, error) {
	if d.step > len(p.campaign.Steps) {
		o.ends = append(o.ends, end{d, outreach.EndCompleted})
		return false, nil
	}
	if one == nil { // another transaction has locked it
		b.busy = true
		return false, nil
	}
	if one.deleted {
		o.ends = append(o.ends, end{d, outreach.EndProspectDeleted})
		return false, nil
	}
	if obstacle := one.standing.Obstacle(p.campaign.StopOnReply && !d.forced, false); obstacle != outreach.ObstacleNone {
		o.ends = append(o.ends, end{d, obstacle.Ends()})
		return false, nil
	}
	if campaign, now := b.written[d.prospect]; now && campaign != p.campaign.ID && b.gap > 0 {
		o.waits = append(o.waits, wait{due: d, until: b.now.Add(b.gap)})
		return false, nil
	}
	if until, near := contacts[contact{d.prospect, p.campaign.ID}]; near {
		o.waits = append(o.waits, wait{due: d, until: until})
		return false, nil
	}
	if b.companyFull(p.campaign, d, one) {
		o.waits = append(o.waits, wait{due: d, until: p.campaign.Tomorrow(b.now), company: true})
		return false, nil
	}
	draft := outreach.Draft{ID: storage.NewID(), Mailbox: p.box, Campaign: *p.campaign, Step: p.campaign.Steps[d.step-1],
		Number: d.step, Prospect: one.Prospect, Date: b.now, TrackingHost: b.host}
	t.into(&draft)
	composed, err := p.compose(draft)
	if held, ok := errors.AsType[*outreach.HoldError](err); ok {
		o.holds, o.why = append(o.holds, d), append(o.why, held.Reason)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("compose message: %w", err)
	}
	o.claims = append(o.claims, claim{p, d, draft, composed})
	b.written[d.prospect] = p.campaign.ID
	b.countBegun(p.campaign, d, one)
	return true, nil
}

// person is a locked prospect with what decides about it.
type person struct {
	outreach.Prospect
	standing outreach.Standing
	deleted  bool
}

var personColumns = storage.NewColumns(func(p *person) []storage.Column {
	return append(storage.Prospects.Reads.Of(&p.Prospect), standingColumns(&p.standing)...)
})

var lockPeople = `
SELECT ` + personColumns.SQL + ` FROM prospects p WHERE p.workspace_id = $1 AND p.id = ANY($2) FOR NO KEY UPDATE SKIP LOCKED`

// queuePeople adds a statement that locks and reads the prospects of the picks: a change of a
// prospect waits for the claim, and of two campaigns only one writes. Prospects that another
// transaction has locked are left out, so that two claims cannot deadlock.
func (b *claimTx) queuePeople(batch *pgx.Batch, picks []pick, people map[uuid.UUID]*person) {
	batch.Queue(lockPeople, b.workspace, prospectsOf(picks)).Query(func(rows pgx.Rows) error {
		return personColumns.Each(rows, func(p *person) { people[p.ID] = new(*p) })
	})
}

const selectPeople = `SELECT p.id FROM prospects p WHERE p.workspace_id = $1 AND p.id = ANY($2)`

// addDeleted adds the prospects of the picks that are deleted. One that is missing otherwise is locked.
func (b *claimTx) addDeleted(ctx context.Context, picks []pick, people map[uuid.UUID]*person) error {
	missing := slices.DeleteFunc(prospectsOf(picks), func(id uuid.UUID) bool { return people[id] != nil })
	if len(missing) == 0 {
		return nil
	}
	locked, err := storage.Values[uuid.UUID](ctx, b.tx, "look for prospects", selectPeople, b.workspace, missing)
	if err != nil {
		return err
	}
	for _, id := range missing {
		if !slices.Contains(locked, id) {
			people[id] = &person{deleted: true}
		}
	}
	return nil
}

func prospectsOf(picks []pick) (ids []uuid.UUID) {
	for _, p := range picks {
		for _, d := range p.due {
			ids = append(ids, d.prospect)
		}
	}
	return ids
}
