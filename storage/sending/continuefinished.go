package sending

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// continueSize is how many finished enrollments one transaction reads.
const continueSize = 1000

// Finished enrollments that have a step left, oldest first, read from the index of the campaign
// after ($4, $5).
var selectFinished = `
SELECT ` + haltedColumns.SQL + ` FROM enrollments e
WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND e.status = 'finished' AND e.last_step_id IS DISTINCT FROM $3
	AND (e.created_at, e.id) > ($4, $5)
ORDER BY e.created_at, e.id LIMIT $6`

// ContinueFinished continues the finished enrollments of an active or completed campaign with the
// steps placed after their last one. Enrollments with an obstacle stay finished. Repeating it
// changes nothing.
//
// Each batch is a transaction. If the process dies between two batches, the next call continues
// there.
func (l *Ledger) ContinueFinished(ctx context.Context, workspace, campaign uuid.UUID) (outreach.CampaignContinuation, error) {
	return l.walkFinished(ctx, finishedWalk{ledger: l, workspace: workspace, campaign: campaign, write: true})
}

// FinishedContinuation returns what ContinueFinished would do.
func (l *Ledger) FinishedContinuation(ctx context.Context, workspace, campaign uuid.UUID) (outreach.CampaignContinuation, error) {
	return l.walkFinished(ctx, finishedWalk{ledger: l, workspace: workspace, campaign: campaign})
}

func (l *Ledger) walkFinished(ctx context.Context, w finishedWalk) (out outreach.CampaignContinuation, err error) {
	if err := w.run(ctx); err != nil {
		return out, err
	}
	w.out.Campaign, err = l.db.Campaign(ctx, w.workspace, w.campaign)
	return w.out, err
}

// finishedWalk reads the finished enrollments of a campaign in batches.
type finishedWalk struct {
	ledger              *Ledger
	workspace, campaign uuid.UUID
	write               bool
	after               halted // start of the next batch
	out                 outreach.CampaignContinuation
}

func (w *finishedWalk) run(ctx context.Context) error {
	for {
		var more bool
		step := func(q storage.Querier, tx pgx.Tx) (err error) {
			before := *w
			before.out.Steps = slices.Clone(w.out.Steps)
			if more, err = w.batch(ctx, q, tx); err != nil {
				*w = before // the transaction may run again
			}
			return err
		}
		var err error
		if w.write {
			err = w.ledger.db.Tx(ctx, func(tx pgx.Tx) error { return step(tx, tx) })
		} else {
			err = storage.DomainError(step(w.ledger.db.Pool(), nil))
		}
		if err != nil || !more {
			return err
		}
	}
}

// batch judges the next finished enrollments and, with a transaction, continues them. It reports
// whether there may be more. The locks keep the campaign from being archived or edited, and replies
// and unsubscribes from being recorded, between judgement and write.
func (w *finishedWalk) batch(ctx context.Context, q storage.Querier, tx pgx.Tx) (more bool, err error) {
	if tx != nil {
		if err := storage.Exec(ctx, tx, "lock campaign", lockCampaignState, w.workspace, w.campaign); err != nil {
			return false, err
		}
	}
	g := &goingOn{ledger: w.ledger, now: w.ledger.db.Now()}
	if g.campaign, err = storage.Campaigns.One(ctx, q, w.workspace, w.campaign); err != nil {
		return false, err
	}
	if err := g.campaign.CanContinueFinished(); err != nil {
		return false, err
	}
	if len(g.campaign.Steps) == 0 {
		return false, nil
	}
	last := g.campaign.Steps[len(g.campaign.Steps)-1].ID
	list, err := haltedColumns.Query(ctx, q, selectFinished, w.workspace, w.campaign, last, w.after.created, w.after.id, continueSize)
	if err != nil {
		return false, fmt.Errorf("list finished enrollments: %w", err)
	}
	if len(list) == 0 {
		return false, nil
	}
	w.after = list[len(list)-1]
	more = len(list) == continueSize
	if tx != nil {
		if list, err = w.lock(ctx, tx, list); err != nil {
			return false, err
		}
	}
	c, err := w.judge(ctx, q, g, list)
	if err != nil || tx == nil {
		return more, err
	}
	return more, g.write(ctx, tx, c)
}

const lockCampaignState = `SELECT FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR KEY SHARE`

var lockFinished = `
SELECT ` + haltedColumns.SQL + ` FROM enrollments e
WHERE e.workspace_id = $1 AND e.id = ANY($2) AND e.status = 'finished' ORDER BY e.id FOR UPDATE`

// lock locks prospects and enrollments, and returns those that are still finished.
func (w *finishedWalk) lock(ctx context.Context, tx pgx.Tx, list []halted) ([]halted, error) {
	ids, people := make([]uuid.UUID, len(list)), make([]uuid.UUID, len(list))
	for i := range list {
		ids[i], people[i] = list[i].id, list[i].prospect
	}
	if _, err := lockProspects(ctx, tx, w.workspace, people); err != nil {
		return nil, err
	}
	list, err := haltedColumns.Query(ctx, tx, lockFinished, w.workspace, ids)
	if err != nil {
		return nil, fmt.Errorf("lock finished enrollments: %w", err)
	}
	return list, nil
}

// judge counts the enrollments that continue and those with an obstacle, and returns the former.
func (w *finishedWalk) judge(ctx context.Context, q storage.Querier, g *goingOn, list []halted) (c continued, err error) {
	c, refused, err := g.judge(ctx, q, list)
	w.out.Refused += refused
	w.out.Continued += len(c.enrollments)
	for _, next := range c.next {
		w.count(next)
	}
	return c, err
}

// judge returns the enrollments that have a step left and no obstacle, and how many have one. A reply
// counts where it would keep the next step from being sent.
func (g *goingOn) judge(ctx context.Context, q storage.Querier, list []halted) (c continued, refused int, err error) {
	people := make([]uuid.UUID, len(list))
	for i := range list {
		people[i] = list[i].prospect
	}
	found, err := standings(ctx, q, g.campaign.WorkspaceID, people)
	if err != nil {
		return c, 0, err
	}
	for i := range list {
		h := &list[i]
		if _, _, left := g.campaign.After(h.progress); !left {
			continue
		}
		standing, known := found[h.prospect]
		next, due := g.next(h, standing, known, g.campaign.StopOnReply && !h.forced, g.campaign.StopCompanyOnReply && !h.forced)
		if next.Refusal != nil {
			refused++
			continue
		}
		c.next = append(c.next, next)
		c.enrollments, c.prospects = append(c.enrollments, h.id), append(c.prospects, h.prospect)
		c.steps, c.due = append(c.steps, *next.Step), append(c.due, due)
	}
	return c, refused, nil
}

// count adds one enrollment to the count of its next step.
func (w *finishedWalk) count(next outreach.Continuation) {
	at, found := slices.BinarySearchFunc(w.out.Steps, *next.Step,
		func(s outreach.ContinuedStep, step int) int { return cmp.Compare(s.Step, step) })
	if !found {
		w.out.Steps = slices.Insert(w.out.Steps, at, outreach.ContinuedStep{Step: *next.Step})
	}
	s := &w.out.Steps[at]
	s.People++
	if s.NextSendAt == nil || next.NextSendAt != nil && next.NextSendAt.Before(*s.NextSendAt) {
		s.NextSendAt = next.NextSendAt
	}
}
