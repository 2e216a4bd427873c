package tracking

import (
	"context"
	"log/slog"
	"time"

	"outreach/tracking/hit"
)

const (
	// judgeLimit is how many clicks one transaction judges.
	judgeLimit = 256
	// slack is the longest time from a click's arrival to its commit.
	slack = time.Second
	// Each round looks at the clicks of the last minute, which are nearly always all that are
	// not judged. Each thirtieth looks at those of the last hour, which a process that died or a
	// database that was unavailable may have left. The first of a process looks at all.
	recent, lookBack, rest = time.Minute, time.Hour, 30
	// After this many rounds without a click to judge, only each thirtieth runs.
	restless = 10
)

// judge decides about stored clicks. They are not judged at once: that several links of a message are
// followed together is only seen after the first of them, and an event that was delivered to a
// webhook cannot be withdrawn. The visitor is redirected at once.
type judge struct {
	site   *Site
	rounds int
	idle   int
	seen   int64
	whole  bool // the first round of the process is done
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
	rule := hit.Rule{Now: now, Since: j.since(now), Window: window, Slack: slack, Repeat: repeat, Limit: judgeLimit}
	if err := j.judgeAll(ctx, rule); err != nil && ctx.Err() == nil {
		j.site.Logger.LogAttrs(ctx, slog.LevelError, "clicks could not be judged", slog.Any("error", err))
		j.rounds = -1 // the next round looks further back
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
