package engine

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/panics"
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

	running *share.Shares[uuid.UUID] // one part for each workspace
}

// leastPreview is what the smallest preview costs: reading the clock of the processor, and waiting
// in line, are not measured.
const leastPreview = 100 * time.Microsecond

// run does work for a workspace: after its other previews, at a low priority, and taking the time
// that it uses from that of the workspace. It returns when the work is done, and CodeRateLimited
// without doing it when the workspace has used perMinute. 0 means no limit.
func (p *previewTime) run(ctx context.Context, workspace uuid.UUID, perMinute time.Duration, work func() error) error {
	if perMinute <= 0 {
		return work()
	}
	p.once.Do(func() {
		p.used.rate, p.used.burst = perMinute.Seconds()/60, perMinute.Seconds()
		p.running = share.New[uuid.UUID](1)
	})
	leave, err := p.running.Take(ctx, workspace, 1)
	if err != nil {
		return err
	}
	defer leave()
	if !p.used.has(workspace, time.Now()) {
		return outreach.Errorf(outreach.CodeRateLimited, "The workspace has used its time for previews and checks of "+
			"templates in this minute; try again in a few seconds.")
	}
	measure := processorTime
	if p.meter != nil {
		measure = p.meter
	}
	return atLowPriority(func() error {
		stop := measure()
		defer func() { p.used.spend(workspace, time.Now(), max(stop(), leastPreview).Seconds()) }()
		return work()
	})
}

// atLowPriority does work on a thread of its own, to which the system gives the processor when other
// threads leave it. A panic is returned as *panics.Error.
func atLowPriority(work func() error) error {
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // and no unlock: the thread, which stays slow, ends with the goroutine
		lowerPriority()
		done <- panics.Catch(work)
	}()
	return <-done
}
