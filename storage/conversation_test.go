package storage_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// openReplies returns how many replies a filter shows of those that are not done.
func (s *stage) openReplies(filter outreach.ReplyFilter) int {
	s.t.Helper()
	filter.Done = ptr(false)
	return len(got(s.ListReplies(s.ctx, s.ws, filter, outreach.Page{Limit: 50}))(s.t).Rows)
}

// A conversation is assigned as a whole, and what comes later is assigned like it. A
// member who leaves has nothing assigned.
func TestConversationsAreAssigned(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	first := s.replyTo(s.box, s.p.Email, s.out, nil)
	second := s.replyTo(s.box, s.p.Email, s.out, nil)
	ann := got(s.AddUser(s.ctx, s.ws, "ann@own.test", "hash", outreach.RoleMember, false))(t)
	same(t, "unassigned", s.openReplies(outreach.ReplyFilter{Unassigned: true}), 2)
	same(t, "assigned to", *got(s.AssignConversation(s.ctx, s.ws, first.ID, &ann))(t).AssignedTo, ann)
	same(t, "of Ann", s.openReplies(outreach.ReplyFilter{AssignedTo: &ann}), 2)
	third := s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "the next reply", *got(s.Reply(s.ctx, s.ws, third.ID))(t).AssignedTo, ann)
	other := s.room(t)
	stranger := got(s.AddUser(s.ctx, other.ws, "eve@x.test", "hash", outreach.RoleMember, false))(t)
	if _, err := s.AssignConversation(s.ctx, s.ws, second.ID, &stranger); outreach.CodeOf(err) != outreach.CodeUnknownReference {
		t.Errorf("assigned to a member of another workspace: %v", err)
	}
	must(t, s.RemoveMember(s.ctx, s.ws, ann))
	same(t, "unassigned again", s.openReplies(outreach.ReplyFilter{Unassigned: true}), 3)
}

// A snoozed conversation is back at its time, or when its prospect writes.
func TestConversationsAreSnoozed(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	reply := s.replyTo(s.box, s.p.Email, s.out, nil)
	shown := func() int { return s.openReplies(outreach.ReplyFilter{Snoozed: ptr(false)}) }
	snoozed := func() int { return s.openReplies(outreach.ReplyFilter{Snoozed: ptr(true)}) }
	got(s.SnoozeConversation(s.ctx, s.ws, reply.ID, ptr(s.clock.now().Add(time.Hour))))(t)
	same(t, "shown", shown(), 0)
	same(t, "snoozed", snoozed(), 1)
	same(t, "waiting", got(s.WaitingReplies(s.ctx, s.ws))(t), 0)
	s.clock.pass(time.Hour)
	same(t, "shown at its time", shown(), 1)
	same(t, "waiting at its time", got(s.WaitingReplies(s.ctx, s.ws))(t), 1)
	got(s.SnoozeConversation(s.ctx, s.ws, reply.ID, nil))(t)
	s.clock.pass(1000 * time.Hour)
	same(t, "shown before a reply", shown(), 0)
	s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "shown after a reply", shown(), 2)
	got(s.SnoozeConversation(s.ctx, s.ws, reply.ID, nil))(t)
	got(s.WakeConversation(s.ctx, s.ws, reply.ID))(t)
	same(t, "shown once woken", shown(), 2)
	if _, err := s.SnoozeConversation(s.ctx, s.ws, reply.ID, ptr(s.clock.now())); outreach.CodeOf(err) != outreach.CodeValidation {
		t.Errorf("snoozed until now: %v", err)
	}
}

// Several replies are done at once, those of the workspace alone.
func TestRepliesAreDoneTogether(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	reply := s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "of another workspace", got(s.MarkRepliesDone(s.ctx, s.room(t).ws, []uuid.UUID{reply.ID}, true))(t), 0)
	same(t, "done", got(s.MarkRepliesDone(s.ctx, s.ws, []uuid.UUID{reply.ID, uuid.New()}, true))(t), 1)
	same(t, "open", s.openReplies(outreach.ReplyFilter{}), 0)
	if _, err := s.MarkRepliesDone(s.ctx, s.ws, make([]uuid.UUID, outreach.MaxDoneAtOnce+1),
		true); outreach.CodeOf(err) != outreach.CodeValidation {
		t.Errorf("101 at once: %v", err)
	}
}
