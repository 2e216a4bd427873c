package jobs

import (
	"sync"

	"github.com/google/uuid"

	"outreach/jobs/carry"
)

// caps bounds the attempts of this process in all, per host, per workspace and per
// workspace at one host. The scan admits only so many first attempts; retries
// come by asynq's schedule and in any number, so a host which failed fast and then
// hangs is stopped here.
type caps struct {
	bounds carry.Admission

	mu          sync.Mutex
	inAll       int
	inHost      map[string]int
	inWorkspace map[uuid.UUID]int
	inLane      map[lane]int
}

type lane struct {
	workspace uuid.UUID
	host      string
}

func newCaps(bounds carry.Admission) *caps {
	return &caps{bounds: bounds, inHost: map[string]int{}, inWorkspace: map[uuid.UUID]int{}, inLane: map[lane]int{}}
}

// enter counts a task, unless there is no room for it. leave ends that.
func (c *caps) enter(h carry.Handed) (leave func(), admitted bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := lane{h.WorkspaceID, h.Host}
	if c.inAll >= c.bounds.Total || c.inLane[l] >= c.bounds.PerLane || c.inHost[h.Host] >= c.bounds.PerHost ||
		c.inWorkspace[h.WorkspaceID] >= c.bounds.PerWorkspace {
		return nil, false
	}
	c.inAll++
	c.inLane[l]++
	c.inHost[h.Host]++
	c.inWorkspace[h.WorkspaceID]++
	return func() { c.leave(l) }, true
}

func (c *caps) leave(l lane) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inAll--
	countDown(c.inLane, l)
	countDown(c.inHost, l.host)
	countDown(c.inWorkspace, l.workspace)
}

// countDown deletes a key whose count is zero: there are ever new hosts.
func countDown[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}
