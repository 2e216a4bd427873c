package engine

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/share"
)

// previewTime bounds the processor time that the previews, and the checks of templates, of each
// workspace use in a minute. One of a workspace runs at a time in a process: many that begin
// together would begin before any of them has used its time.
type previewTime struct {
	used budget // in seconds
	once sync.Once

	// meter measures one preview; processorTime if it is nil.
	meter func() (stop func() time.Duration)

	turns *share.Shares[uuid.UUID]
}

// leastPreview is what the smallest preview costs: reading the clock of the processor, and waiting
// in line, are not measured.
const leastPreview = 100 * time.Microsecond

// begin waits for the other previews of a workspace, and returns a function that takes the time
// until its call from that of the workspace. Both are called in one goroutine. It returns
// CodeRateLimited when the workspace has used perMinute. 0 means no limit.
func (p *previewTime) begin(ctx context.Context, workspace uuid.UUID, perMinute time.Duration) (done func(), err error) {
	if perMinute <= 0 {
		return func() {}, nil
	}
	p.once.Do(func() {
		p.used.rate, p.used.burst = perMinute.Seconds()/60, perMinute.Seconds()
		p.turns = share.New[uuid.UUID](1)
	})
	leave, err := p.turns.Take(ctx, workspace, 1)
	if err != nil {
		return nil, err
	}
	if !p.used.has(workspace, time.Now()) {
		leave()
		return nil, outreach.Errorf(outreach.CodeRateLimited, "The workspace has used its time for previews and checks of "+
			"templates in this minute; try again in a few seconds.")
	}
	measure := processorTime
	if p.meter != nil {
		measure = p.meter
	}
	stop := measure()
	return func() {
		p.used.spend(workspace, time.Now(), max(stop(), leastPreview).Seconds())
		leave()
	}, nil
}
