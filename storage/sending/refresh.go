package sending

import (
	"context"
	"fmt"
	"outreach"
	"outreach/storage"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

const wakeHeld = `
UPDATE enrollments SET ` + storage.EndHold + `, next_send_at = greatest(next_send_at, $1)
WHERE hold_until <= $1`

// A campaign that everybody has been through is completed; one that nobody was
// ever added to waits. Each look is one row of an index: a join would read all
// enrollments each minute.
const completeCampaigns = `
UPDATE campaigns c SET status = 'completed', not_sending_reason = NULL
WHERE c.status = 'active' AND CASE
	WHEN (SELECT true FROM enrollments e WHERE e.campaign_id = c.id AND e.status = 'active' ORDER BY e.next_send_at LIMIT 1) THEN false
	WHEN (SELECT true FROM enrollments e WHERE e.campaign_id = c.id AND e.status IN ('held', 'paused') ORDER BY e.campaign_id, e.status LIMIT 1) THEN false
	ELSE (SELECT true FROM enrollments e WHERE e.campaign_id = c.id ORDER BY e.prospect_id LIMIT 1) END`

// Somebody may have been added in the very moment in which a campaign completed.
// One look into the index of what is due for each completed campaign.
const reopenCampaigns = `
UPDATE campaigns c SET status = 'active' WHERE c.status = 'completed'
	AND (SELECT true FROM enrollments e WHERE e.campaign_id = c.id AND e.status = 'active' ORDER BY e.next_send_at LIMIT 1)`

// RefreshCampaigns tends all active campaigns: holds that are over end, finished
// campaigns complete, and each of the others says why it sends nothing, if so.
// Repeating it, or dying in it, changes nothing. Its looks into what is due and
// what was sent are planned as statements of groups are: a plan that was made
// while these tables were small would read them from end to end, each minute.
func (l *Ledger) RefreshCampaigns(ctx context.Context) error {
	if _, err := l.db.Groups().Exec(ctx, wakeHeld, l.db.Now()); err != nil {
		return fmt.Errorf("wake held enrollments: %w", err)
	}
	if _, err := l.db.Groups().Exec(ctx, completeCampaigns); err != nil {
		return fmt.Errorf("complete campaigns: %w", err)
	}
	if _, err := l.db.Groups().Exec(ctx, reopenCampaigns); err != nil {
		return fmt.Errorf("reopen campaigns: %w", err)
	}
	return l.explainCampaigns(ctx)
}

const selectSituations = `
SELECT c.id, c.workspace_id, c.timezone, c.send_days, c.send_from, c.send_until, c.not_sending_reason,
	c.daily_new_limit, c.new_on, c.new_count,
	(SELECT min(e.next_send_at) FROM enrollments e WHERE e.campaign_id = c.id AND e.status = 'active'),
	coalesce((SELECT true FROM messages m WHERE m.workspace_id = c.workspace_id AND m.campaign_id = c.id AND m.status IN ('sent', 'bounced', 'unknown')
		AND m.sent_at > $1::timestamptz - interval '2 minutes' ORDER BY m.sent_at DESC LIMIT 1), false),
	held.waiting, held.away, held.back, off.count, off.at, box.chosen, box.connected, box.ready, box.fault
FROM campaigns c
CROSS JOIN LATERAL (SELECT count(*) AS chosen, count(*) FILTER (WHERE m.status = 'connected') AS connected,
		count(*) FILTER (WHERE m.status = 'connected' AND m.daily_limit > 0
			AND (m.sent_on IS DISTINCT FROM ($1::timestamptz AT TIME ZONE 'UTC')::date OR m.sent_count < m.daily_limit)) AS ready,
		min(m.email || ': ' || coalesce(m.last_error, m.status)) FILTER (WHERE m.status <> 'connected') AS fault
	FROM mailboxes m WHERE m.workspace_id = c.workspace_id AND m.id = ANY(c.mailbox_ids)) box
CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE e.hold_until IS NULL) AS waiting, count(e.hold_until) AS away, min(e.hold_until) AS back
	FROM enrollments e WHERE e.campaign_id = c.id AND e.status = 'held') held
CROSS JOIN LATERAL (SELECT count(*) AS count, min(l.lease_until) AS at FROM messages l
	WHERE l.mailbox_id = ANY(c.mailbox_ids) AND l.status = 'claimed' AND l.campaign_id = c.id AND l.committed_at IS NULL AND l.holder IS NULL) off
WHERE c.status = 'active'`

// situation is what decides about the sentence that a campaign shows.
type situation struct {
	campaign                    outreach.Campaign
	newOn                       *time.Time // the campaign's day that newCount is of
	newCount                    int
	next                        *time.Time
	sending                     bool
	held, away                  int        // held until a person acts, or out of office until a date
	back                        *time.Time // when the first of those away is back
	off                         int        // messages that a server put off
	again                       *time.Time // when the first of them is tried again
	mailboxes, connected, ready int
	fault                       *string
}

const setReason = `UPDATE campaigns SET not_sending_reason = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'active'`

func (l *Ledger) explainCampaigns(ctx context.Context) error {
	now := l.db.Now()
	rows, err := l.db.Groups().Query(ctx, selectSituations, now)
	if err != nil {
		return fmt.Errorf("look at campaigns: %w", err)
	}
	all, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s situation, err error) {
		c := &s.campaign
		err = row.Scan(&c.ID, &c.WorkspaceID, &c.Timezone, &c.SendDays, &c.SendFrom, &c.SendUntil, &c.NotSendingReason,
			&c.DailyNewLimit, &s.newOn, &s.newCount, &s.next, &s.sending, &s.held, &s.away, &s.back, &s.off, &s.again, &s.mailboxes, &s.connected, &s.ready, &s.fault)
		return s, err
	})
	if err != nil {
		return fmt.Errorf("look at campaigns: %w", err)
	}
	for i := range all {
		c := &all[i].campaign
		if reason := all[i].reason(now); !storage.SameValue(reason, c.NotSendingReason) {
			if err := l.setReason(ctx, c.WorkspaceID, c.ID, reason); err != nil {
				return err
			}
		}
	}
	return nil
}

func (l *Ledger) setReason(ctx context.Context, workspace, campaign uuid.UUID, reason *string) error {
	if _, err := l.db.Pool().Exec(ctx, setReason, workspace, campaign, reason); err != nil {
		return fmt.Errorf("note why nothing is sent: %w", err)
	}
	return nil
}

// reason says in one sentence why a campaign sends nothing; nil while it does,
// and for a moment after a message that only the next one's time follows.
func (s *situation) reason(now time.Time) *string {
	say := func(format string, args ...any) *string {
		text := fmt.Sprintf(format, args...)
		return &text
	}
	at := func(t time.Time) string { return t.UTC().Format("Mon 2 Jan 15:04 UTC") }
	opening := s.campaign.NextOpening(now, nil)
	switch {
	case s.mailboxes == 0:
		return say("No mailbox is connected to this campaign.")
	case s.connected == 0 && s.fault != nil:
		return say("No mailbox can send: %s.", *s.fault)
	case s.next != nil && s.ready == 0:
		return say("All mailboxes have reached their limit for today.")
	case s.next != nil && opening.After(now) && s.next.After(now):
		return say("Outside the sending window; next at %s.", at(later(opening, *s.next)))
	case s.next != nil && s.fullOfNew(now) && s.next.After(now):
		return say("The limit of new prospects for today is reached; next at %s.", at(*s.next))
	case s.sending:
		return nil
	case s.off == 1 && s.againFirst():
		return say("1 message was put off by its server and is tried again at %s.", at(*s.again))
	case s.off > 1 && s.againFirst():
		return say("%d messages were put off by their servers, the first is tried again at %s.", s.off, at(*s.again))
	case s.next == nil && s.held > 0:
		return say("%s held and nobody else is due.", people(s.held))
	case s.next == nil && s.away == 1:
		return say("1 person is out of office until %s and nobody else is due.", at(*s.back))
	case s.next == nil && s.away > 1:
		return say("%s out of office, the first until %s, and nobody else is due.", people(s.away), at(*s.back))
	case s.next == nil:
		return say("Nobody is due.")
	case s.next.After(now):
		return say("Nobody is due before %s.", at(*s.next))
	}
	return nil
}

// againFirst reports whether the next thing to happen is another try.
func (s *situation) againFirst() bool { return s.next == nil || s.again.Before(*s.next) }

// fullOfNew reports whether the campaign has begun with as many prospects on its
// present day as it may.
func (s *situation) fullOfNew(now time.Time) bool {
	c := &s.campaign
	return c.DailyNewLimit != nil && s.newOn != nil && s.newOn.Format(time.DateOnly) == c.Today(now) && s.newCount >= *c.DailyNewLimit
}

func people(n int) string {
	if n == 1 {
		return "1 person is"
	}
	return fmt.Sprintf("%d people are", n)
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
