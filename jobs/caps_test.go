package jobs

import (
	"testing"

	"github.com/google/uuid"

	"outreach/jobs/queue"
)

func TestCapsCountHostsAndWorkspaces(t *testing.T) {
	t.Parallel()
	c := newCaps(queue.Admission{Total: 6, PerHost: 3, PerWorkspace: 3, PerLane: 2})
	one, two := uuid.New(), uuid.New()
	enter := func(workspace uuid.UUID, host string, want bool) func() {
		t.Helper()
		leave, admitted := c.enter(queue.Handed{WorkspaceID: workspace, Host: host})
		if admitted != want {
			t.Errorf("%s: admitted %v, want %v", host, admitted, want)
		}
		return leave
	}
	leave := enter(one, "a", true)
	enter(one, "a", true)
	enter(one, "a", false) // a workspace has its share of a host
	enter(two, "a", true)
	enter(two, "a", false) // the host is full, for every workspace
	last := enter(one, "b", true)
	enter(one, "c", false) // the workspace is full, at every host
	enter(two, "c", true)
	leave()
	enter(two, "a", true)
	last()
	enter(one, "a", false)
	enter(one, "c", true)
	if len(c.inLane) != 4 || len(c.inHost) != 2 {
		t.Errorf("empty entries are kept: %v, %v", c.inLane, c.inHost)
	}
}
