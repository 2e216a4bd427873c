package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// place begins a placement check of a new mailbox.
func (s *scene) place(email string) outreach.PlacementCheck {
	s.t.Helper()
	return got(s.CreatePlacementCheck(s.ctx,
		outreach.PlacementCheck{WorkspaceID: s.ws, MailboxID: s.mailbox(email).ID, ToMailboxID: s.box.ID}))(s.t)
}

// placements claims up to most checks, and returns their ids.
func (s *scene) placements(most int) (ids []uuid.UUID) {
	s.t.Helper()
	for _, c := range got(s.ClaimPlacementChecks(s.ctx, most))(s.t) {
		ids = append(ids, c.ID)
	}
	return ids
}

// A mail that may have been sent is looked for while sending is off, also when others
// have waited longer.
func TestSendingOffStopsPlacementMails(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	sent := s.place("sent@acme.test")
	same(t, "claimed", s.placements(1), []uuid.UUID{sent.ID})
	waits := s.place("waits@acme.test")
	s.clock.Advance(outreach.PlacementLease)
	must(t, s.CommitPlacement(s.ctx, sent.Ref(), s.Now()))
	must(t, s.TurnSendingOff(s.ctx, outreach.OffByShell))
	same(t, "claimed while sending is off", s.placements(1), []uuid.UUID{sent.ID})
	same(t, "claimed next while sending is off", s.placements(1), nil)
	must(t, s.TurnSendingOn(s.ctx))
	same(t, "claimed after sending went on", s.placements(1), []uuid.UUID{waits.ID})
}

// A mail that went out late is looked for as long as any other.
func TestPlacementMailThatWaitedIsLookedFor(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	c := s.place("late@acme.test")
	s.clock.Advance(24 * time.Hour)
	must(t, s.CommitPlacement(s.ctx, c.Ref(), s.Now()))
	s.clock.Advance(outreach.PlacementLimit - time.Second)
	c = got(s.NotePlacement(s.ctx, c.Ref(), outreach.PlacementResult{}))(t)
	same(t, "status in time", c.Status, outreach.PlacementWaiting)
	s.clock.Advance(time.Second)
	c = got(s.NotePlacement(s.ctx, c.Ref(), outreach.PlacementResult{}))(t)
	same(t, "status at the end", c.Status, outreach.PlacementMissing)
}

// A guarded process sends no placement mail before it has compared the database.
func TestNoPlacementMailBeforeTheDatabaseIsCompared(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	c := s.place("first@acme.test")
	m := newMarks()
	s.Guard(m)
	same(t, "claimed before the first look", s.placements(1), nil)
	s.guard(m)
	var ids []uuid.UUID
	s.until("the check is claimed", func() bool { ids = s.placements(1); return len(ids) > 0 })
	same(t, "claimed", ids, []uuid.UUID{c.ID})
}
