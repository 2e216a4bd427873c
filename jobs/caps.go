package jobs

import (
	"sync"

	"github.com/google/uuid"

	"outreach/jobs/queue"
)

// caps limits the attempts of this process in all, per host, per workspace and per workspace at one
// host. The scan limits first attempts over all processes, so one process may exceed its share. Retries
// come on asynq's schedule in any number, and each process limits them to its own share: they stop
// if a host that failed quickly begins to hang.
type caps struct {
	own queue.Admission
	all func() queue.Admission // of all live processes

	mu              sync.Mutex
	inAll           int
	inHost          map[string]int
	inWorkspace     map[uuid.UUID]int
	inWorkspaceHost map[queue.WorkspaceHost]int
}

func newCaps(own queue.Admission, all func() queue.Admission) *caps {
	return &caps{own: own, all: all, inHost: map[string]int{}, inWorkspace: map[uuid.UUID]int{},
		inWorkspaceHost: map[queue.WorkspaceHost]int{}}
}

// enter counts a task if there is room. The caller calls leave when the task ends; leave is nil if
// there is no room.
func (c *caps) enter(h queue.Handed, retry bool) (leave func(), admitted bool) {
	bounds := c.own
	if !retry {
		bounds = c.all()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := queue.WorkspaceHost{WorkspaceID: h.WorkspaceID, Host: h.Host}
	if c.inAll >= c.own.Total || c.inWorkspaceHost[at] >= bounds.PerWorkspaceHost || c.inHost[h.Host] >= bounds.PerHost ||
		c.inWorkspace[h.WorkspaceID] >= bounds.PerWorkspace {
		return nil, false
	}
	c.inAll++
	c.inWorkspaceHost[at]++
	c.inHost[h.Host]++
	c.inWorkspace[h.WorkspaceID]++
	return func() { c.leave(at) }, true
}

func (c *caps) leave(at queue.WorkspaceHost) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inAll--
	countDown(c.inWorkspaceHost, at)
	countDown(c.inHost, at.Host)
	countDown(c.inWorkspace, at.WorkspaceID)
}

// countDown deletes a key whose count is zero, because new hosts keep coming.
func countDown[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}
