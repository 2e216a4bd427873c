package tracking

import (
	"context"
	"log/slog"
	"time"

	"outreach/tracking/hit"
)

const (
	// judgeLimit is how many clicks are judged in one transaction.
	judgeLimit = 256
	// slack is what a click may take from its arrival to its commit.
	slack = time.Second
	// Each round looks at the clicks of the last minute, which are nearly always
	// all that are held; each thirtieth at those of an hour, which a process that
	// died or a database that was away may have left; the first of a process at all.
	recent, lookBack, rest = time.Minute, time.Hour, 30
	// After so many rounds without anything to judge, only each thirtieth is held.
	restless = 10
)

// judge decides about held clicks. Why they are held: that several links of a
// message are followed at once is seen only after the first of them, and an event
// that has been told to a webhook cannot be taken back. The visitor is redirected
// at once all the same.
type judge struct {
	site   *Site
	rounds int
	idle   int
	seen   int64
	whole  bool // everything has been looked at once
}

func (j *judge) tick(ctx context.Context) {
	if started := j.site.recorded.Load(); started != j.seen {
		j.seen, j.idle = started, 0
	}
	j.rounds++
	j.idle++
	if j.whole && j.idle > restless && j.rounds%rest != 0 {
		return
	}
	now := j.site.now()
	rule := hit.Rule{Now: now, Since: j.since(now), Window: j.site.Window, Slack: slack, Repeat: j.site.Repeat, Limit: judgeLimit}
	if err := j.judgeAll(ctx, rule); err != nil && ctx.Err() == nil {
		j.site.Logger.LogAttrs(ctx, slog.LevelError, "clicks could not be judged", slog.Any("error", err))
		j.rounds = -1 // the next looks further back
		return
	}
	j.whole = true
}

func (j *judge) since(now time.Time) time.Time {
	switch {
	case !j.whole:
		return time.Time{}
	case j.rounds%rest == 0:
		return now.Add(-lookBack)
	}
	return now.Add(-recent)
}

func (j *judge) judgeAll(ctx context.Context, rule hit.Rule) error {
	for {
		judged, err := j.site.Store.JudgeClicks(ctx, rule)
		if err != nil {
			return err
		}
		if judged > 0 {
			j.idle = 0
		}
		if judged < rule.Limit {
			return nil
		}
	}
}
