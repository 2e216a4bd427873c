package jobs

import (
	"testing"

	"github.com/google/uuid"

	"outreach/jobs/queue"
)

func TestCapsCountHostsAndWorkspaces(t *testing.T) {
	t.Parallel()
	c := newCaps(queue.Admission{Total: 6, PerHost: 3, PerWorkspace: 3, PerWorkspaceHost: 2},
		func() queue.Admission {
			return queue.Admission{Total: 12, PerHost: 6, PerWorkspace: 6, PerWorkspaceHost: 4}
		})
	one, two := uuid.New(), uuid.New()
	enter := func(workspace uuid.UUID, host string, want bool) func() {
		t.Helper()
		leave, admitted := c.enter(queue.Handed{WorkspaceID: workspace, Host: host}, true)
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
	if len(c.inWorkspaceHost) != 4 || len(c.inHost) != 2 {
		t.Errorf("empty entries are kept: %v, %v", c.inWorkspaceHost, c.inHost)
	}
}

// Of three processes one may make all first attempts that the scan hands out, up to its slots.
func TestCapsLeaveFirstAttemptsToTheScan(t *testing.T) {
	t.Parallel()
	c := newCaps(Config{}.admission(8), func() queue.Admission { return Config{}.admission(24) })
	h := queue.Handed{WorkspaceID: uuid.New(), Host: "a"}
	for n := range 6 { // a quarter of 24
		if _, admitted := c.enter(h, false); !admitted {
			t.Fatalf("first attempt %d is not admitted", n+1)
		}
	}
	if _, admitted := c.enter(h, true); admitted {
		t.Error("a retry is admitted over the share of this process")
	}
	if _, admitted := c.enter(h, false); admitted {
		t.Error("a first attempt is admitted over the share of all processes")
	}
	other := queue.Handed{WorkspaceID: uuid.New(), Host: "b"}
	for range 2 {
		c.enter(other, false)
	}
	if _, admitted := c.enter(other, false); admitted {
		t.Error("an attempt is admitted over the slots of this process")
	}
}
