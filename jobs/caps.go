package jobs

import (
	"sync"

	"github.com/google/uuid"

	"outreach/jobs/carry"
)

// caps bounds the attempts of this process per host and per workspace. The scan
// admits only so many first attempts; retries come by asynq's schedule and in
// any number, so that a host which failed fast and then hangs is stopped here.
type caps struct {
	mu                    sync.Mutex
	perHost, perWorkspace int
	inHost                map[string]int
	inWorkspace           map[uuid.UUID]int
}

func newCaps(perHost, perWorkspace int) *caps {
	return &caps{perHost: perHost, perWorkspace: perWorkspace, inHost: map[string]int{}, inWorkspace: map[uuid.UUID]int{}}
}

// enter counts a task in, unless its host or workspace is full.
func (c *caps) enter(h carry.Handed) (leave func(), admitted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inHost[h.Host] >= c.perHost || c.inWorkspace[h.WorkspaceID] >= c.perWorkspace {
		return nil, false
	}
	c.inHost[h.Host]++
	c.inWorkspace[h.WorkspaceID]++
	return func() { c.leave(h) }, true
}

func (c *caps) leave(h carry.Handed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.inHost[h.Host]--; c.inHost[h.Host] == 0 {
		delete(c.inHost, h.Host)
	}
	if c.inWorkspace[h.WorkspaceID]--; c.inWorkspace[h.WorkspaceID] == 0 {
		delete(c.inWorkspace, h.WorkspaceID)
	}
}
