package engine

import (
	"testing"
	"testing/synctest"

	"github.com/google/uuid"

	"outreach"
)

// If many mailboxes of one workspace hang, those of another are served at once, and all are served in
// the end.
func TestWorkersStayFree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newWorkerPool(6)
		ours, theirs := uuid.New(), uuid.New()
		hang, served := make(chan struct{}), make(chan uuid.UUID, 100)
		serve := func(ref outreach.MailboxRef) bool {
			if ref.WorkspaceID == theirs {
				<-hang
			}
			served <- ref.WorkspaceID
			return false
		}
		of := func(workspace uuid.UUID, n int) (refs []outreach.MailboxRef) {
			for range n {
				refs = append(refs, outreach.MailboxRef{WorkspaceID: workspace, ID: uuid.New()})
			}
			return refs
		}
		c.add(of(theirs, 20), serve)
		synctest.Wait()
		if c.running != 4 {
			t.Errorf("%d hands are with one workspace, want 4 of 6", c.running)
		}
		c.add(of(ours, 10), serve)
		synctest.Wait()
		if len(served) != 10 {
			t.Errorf("%d mailboxes were served beside those that hang, want 10", len(served))
		}
		close(hang)
		c.wait()
		if len(served) != 30 || len(c.known) != 0 || len(c.served) != 0 {
			t.Errorf("%d mailboxes were served, want 30; left over: %v, %v", len(served), c.known, c.served)
		}
	})
}
