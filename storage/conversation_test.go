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
	filter.Done = new(false)
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
	same(t, "changed", got(s.AssignConversations(s.ctx, s.ws, []uuid.UUID{first.ID}, &ann))(t), 2)
	same(t, "of Ann", s.openReplies(outreach.ReplyFilter{AssignedTo: &ann}), 2)
	third := s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "the next reply", *got(s.Reply(s.ctx, s.ws, third.ID))(t).AssignedTo, ann)
	other := s.room(t)
	stranger := got(s.AddUser(s.ctx, other.ws, "eve@x.test", "hash", outreach.RoleMember, false))(t)
	_, err := s.AssignConversations(s.ctx, s.ws, []uuid.UUID{second.ID}, &stranger)
	refused(t, err, outreach.CodeUnknownReference)
	must(t, s.RemoveMember(s.ctx, s.ws, ann))
	same(t, "unassigned again", s.openReplies(outreach.ReplyFilter{Unassigned: true}), 3)
}

// A snoozed conversation is back at its time, or when its prospect writes.
func TestConversationsAreSnoozed(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	reply := []uuid.UUID{s.replyTo(s.box, s.p.Email, s.out, nil).ID}
	shown := func() int { return s.openReplies(outreach.ReplyFilter{Snoozed: new(false)}) }
	snoozed := func() int { return s.openReplies(outreach.ReplyFilter{Snoozed: new(true)}) }
	got(s.SnoozeConversations(s.ctx, s.ws, reply, new(s.clock.Now().Add(time.Hour))))(t)
	same(t, "shown", shown(), 0)
	same(t, "snoozed", snoozed(), 1)
	same(t, "waiting", got(s.WaitingReplies(s.ctx, s.ws))(t), 0)
	s.clock.Advance(time.Hour)
	same(t, "shown at its time", shown(), 1)
	same(t, "waiting at its time", got(s.WaitingReplies(s.ctx, s.ws))(t), 1)
	got(s.SnoozeConversations(s.ctx, s.ws, reply, nil))(t)
	s.clock.Advance(1000 * time.Hour)
	same(t, "shown before a reply", shown(), 0)
	s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "shown after a reply", shown(), 2)
	got(s.SnoozeConversations(s.ctx, s.ws, reply, nil))(t)
	got(s.WakeConversations(s.ctx, s.ws, reply))(t)
	same(t, "shown once woken", shown(), 2)
	_, err := s.SnoozeConversations(s.ctx, s.ws, reply, new(s.clock.Now()))
	refused(t, err, outreach.CodeValidation)
}

// Several conversations are changed at once: the chosen ones, with the open replies of their people,
// and no others.
func TestConversationsAreChangedTogether(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	chosen := []uuid.UUID{s.replyTo(s.box, s.p.Email, s.out, nil).ID, uuid.New()}
	done := s.replyTo(s.box, s.p.Email, s.out, nil)
	same(t, "done", got(s.MarkRepliesDone(s.ctx, s.ws, []uuid.UUID{done.ID}, true))(t), 1)
	s.replyTo(s.box, s.p.Email, s.out, nil) // is of the conversation
	for _, name := range []string{"bob@x.test", "carl@x.test"} {
		s.enroll(s.c, s.prospect(name))
		reply := s.replyTo(s.box, name, s.send(s.box), nil)
		if name == "bob@x.test" {
			chosen = append(chosen, reply.ID)
		}
	}
	ann := got(s.AddUser(s.ctx, s.ws, "ann@own.test", "hash", outreach.RoleMember, false))(t)
	same(t, "assigned", got(s.AssignConversations(s.ctx, s.ws, chosen, &ann))(t), 3)
	same(t, "of Ann", s.openReplies(outreach.ReplyFilter{AssignedTo: &ann}), 3)
	same(t, "of nobody", s.openReplies(outreach.ReplyFilter{Unassigned: true}), 1)
	same(t, "snoozed", got(s.SnoozeConversations(s.ctx, s.ws, chosen, nil))(t), 3)
	same(t, "shown", s.openReplies(outreach.ReplyFilter{Snoozed: new(false)}), 1)
	same(t, "woken", got(s.WakeConversations(s.ctx, s.ws, chosen))(t), 3)
	same(t, "shown", s.openReplies(outreach.ReplyFilter{Snoozed: new(false)}), 4)
	same(t, "done alone", got(s.MarkRepliesDone(s.ctx, s.ws, chosen, true))(t), 2)
	same(t, "open", s.openReplies(outreach.ReplyFilter{}), 2)
	same(t, "opened again", got(s.MarkRepliesDone(s.ctx, s.ws, chosen, false))(t), 2)
	same(t, "open again", s.openReplies(outreach.ReplyFilter{}), 4)
	tooMany := make([]uuid.UUID, outreach.MaxRepliesAtOnce+1)
	for _, change := range []func() (int, error){
		func() (int, error) { return s.MarkRepliesDone(s.ctx, s.ws, tooMany, true) },
		func() (int, error) { return s.AssignConversations(s.ctx, s.ws, tooMany, nil) },
		func() (int, error) { return s.SnoozeConversations(s.ctx, s.ws, tooMany, nil) },
		func() (int, error) { return s.WakeConversations(s.ctx, s.ws, tooMany) },
	} {
		_, err := change()
		refused(t, err, outreach.CodeValidation)
	}
}
