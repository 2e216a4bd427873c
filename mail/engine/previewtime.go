package engine

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// previewTime bounds the processor time that the previews, and the checks of templates, of each
// workspace use in a minute. One of a workspace runs at a time in a process: many that begin
// together would begin before any of them has used its time.
type previewTime struct {
	used budget // in seconds
	once sync.Once

	// meter measures one preview; processorTime if it is nil.
	meter func() (stop func() time.Duration)

	mu    sync.Mutex
	doors map[uuid.UUID]*door
}

// door lets one preview of a workspace in.
type door struct {
	free  chan struct{} // holds a value while no preview runs
	users int           // previews that run or wait
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
	p.once.Do(func() { p.used.rate, p.used.burst = perMinute.Seconds()/60, perMinute.Seconds() })
	leave, err := p.enter(ctx, workspace)
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

// enter waits until no preview of a workspace runs, or ctx ends.
func (p *previewTime) enter(ctx context.Context, workspace uuid.UUID) (leave func(), err error) {
	d := p.door(workspace)
	select {
	case <-d.free:
		return func() {
			d.free <- struct{}{}
			p.close(workspace, d)
		}, nil
	case <-ctx.Done():
		p.close(workspace, d)
		return nil, ctx.Err()
	}
}

func (p *previewTime) door(workspace uuid.UUID) *door {
	p.mu.Lock()
	defer p.mu.Unlock()
	d := p.doors[workspace]
	if d == nil {
		d = &door{free: make(chan struct{}, 1)}
		d.free <- struct{}{}
		if p.doors == nil {
			p.doors = map[uuid.UUID]*door{}
		}
		p.doors[workspace] = d
	}
	d.users++
	return d
}

// close removes a door without users.
func (p *previewTime) close(workspace uuid.UUID, d *door) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d.users--; d.users == 0 {
		delete(p.doors, workspace)
	}
}
