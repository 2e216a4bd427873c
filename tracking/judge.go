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
	// lookBack is how old a held click can be that a process which died has left;
	// the first round of each process looks at all.
	lookBack = time.Hour
	// slack is what a click may take from its arrival to its commit.
	slack = time.Second
	// After so many rounds without anything to judge, only each thirtieth looks.
	restless, rest = 10, 30
)

// judge decides about held clicks. Why they are held: that several links of a
// message are followed at once is seen only after the first of them, and an event
// that has been told to a webhook cannot be taken back. The visitor is redirected
// at once all the same.
type judge struct {
	site  *Site
	since time.Time
	seen  int64
	idle  int
}

func newJudge(s *Site) *judge { return &judge{site: s} }

func (j *judge) tick(ctx context.Context) {
	if started := j.site.clicks.started.Load(); started != j.seen {
		j.seen, j.idle = started, 0
	}
	if j.idle++; j.idle > restless && j.idle%rest != 0 {
		return
	}
	for {
		now := j.site.now()
		judged, err := j.site.Store.JudgeClicks(ctx, hit.Rule{
			Now: now, Since: j.since, Window: j.site.Window, Slack: slack, Repeat: j.site.Repeat, Limit: judgeLimit,
		})
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			j.site.Logger.LogAttrs(ctx, slog.LevelError, "clicks could not be judged", slog.Any("error", err))
			return
		case judged > 0:
			j.idle = 0
		}
		if judged < judgeLimit {
			j.since = now.Add(-lookBack)
			return
		}
	}
}
