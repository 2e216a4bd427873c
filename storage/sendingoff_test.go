package storage_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// marks are counts that outlive the processes of a test, as those in Redis do.
type marks struct {
	mu     sync.Mutex
	counts map[uuid.UUID]map[uuid.UUID]int64
	away   bool
}

func newMarks() *marks { return &marks{counts: map[uuid.UUID]map[uuid.UUID]int64{}} }

var errAway = errors.New("redis is away")

func (m *marks) Raise(_ context.Context, epoch uuid.UUID, counts map[uuid.UUID]int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return errAway
	}
	if m.counts[epoch] == nil {
		m.counts[epoch] = map[uuid.UUID]int64{}
	}
	for workspace, count := range counts {
		m.counts[epoch][workspace] = max(m.counts[epoch][workspace], count)
	}
	return nil
}

func (m *marks) Each(_ context.Context, epoch uuid.UUID, compare func(map[uuid.UUID]int64) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.away {
		return errAway
	}
	return compare(m.counts[epoch])
}

func (m *marks) setAway(away bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.away = away
}

// sum counts what the marks have been told.
func (m *marks) sum() (n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, epoch := range m.counts {
		for _, count := range epoch {
			n += count
		}
	}
	return n
}

// guarded is a scene with one message sent and four people that are due, whose process
// guards what it sends from now on. stop ends the guard.
func guarded(t *testing.T, m *marks) (s *scene, stop func()) {
	t.Helper()
	s = newStage(t).scene()
	for _, email := range []string{"b@x.test", "c@x.test", "d@x.test", "e@x.test"} {
		s.enroll(s.c, s.prospect(email))
	}
	return s, s.guard(m)
}

// guard watches until stop is called, or the test ends.
func (s *stage) guard(m *marks) (stop func()) {
	s.t.Helper()
	store := s.Stores
	store.Guard(m)
	ctx, cancel := context.WithCancel(s.ctx)
	ended := make(chan error, 1)
	go func() { ended <- store.GuardSending(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		must(s.t, <-ended)
	})
	s.t.Cleanup(stop)
	return stop
}

// sends reports whether the mailbox of the scene can send a step.
func (s *scene) sends() bool {
	out := s.claim(s.box)
	if out == nil {
		return false
	}
	must(s.t, s.CommitMessage(s.ctx, out.Ref(), "me"))
	must(s.t, s.SettleMessage(s.ctx, out.Ref(), "me", outreach.SendResult{Kind: outreach.SendSent}))
	return true
}

// until waits for a condition.
func (s *stage) until(what string, ok func() bool) {
	s.t.Helper()
	deadline := time.After(time.Minute)
	for !ok() {
		select {
		case <-deadline:
			s.t.Fatalf("waited in vain until %s", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *stage) off() string {
	s.t.Helper()
	state := got(s.SendingState(s.ctx))(s.t)
	if state.Off == nil {
		return ""
	}
	return *state.Off
}

func TestSendingOffStopsStepsAndAnswers(t *testing.T) {
	t.Parallel()
	s := newStage(t).talk()
	s.enroll(s.c, s.prospect("b@x.test"))
	s.answer(s.text("Hi"))
	s.clock.Advance(time.Minute)
	must(t, s.TurnSendingOff(s.ctx, outreach.OffByShell))
	must(t, s.TurnSendingOff(s.ctx, "another reason"))
	if off := s.off(); off != outreach.OffByShell {
		t.Errorf("sending is off because %q, want the first reason", off)
	}
	if out := s.claim(s.box); out != nil {
		t.Errorf("a step to %s was claimed while sending is off", out.Recipient)
	}
	if due := s.due(); len(due) > 0 {
		t.Errorf("%d answers were claimed while sending is off", len(due))
	}
	reason := got(s.Campaign(s.ctx, s.ws, s.c.ID))(t).NotSendingReason
	if reason == nil || !strings.Contains(*reason, "outreach sending on") {
		t.Errorf("not_sending_reason is %v, want the command that goes on", reason)
	}
	must(t, s.TurnSendingOn(s.ctx))
	if out := s.claim(s.box); out == nil {
		t.Error("no step was claimed after sending went on")
	}
	if due := s.due(); len(due) != 1 {
		t.Errorf("%d answers were claimed after sending went on, want 1", len(due))
	}
}

// A guarded process claims nothing before it has compared the database.
func TestNothingIsClaimedBeforeTheDatabaseIsCompared(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.enroll(s.c, s.prospect("b@x.test"))
	m := newMarks()
	s.Guard(m)
	if s.Claims() || s.sends() || len(got(s.Senders(s.ctx))(t)) > 0 {
		t.Error("a step was claimed before the first look")
	}
	s.guard(m)
	s.until("a step is sent", s.sends)
	same(t, "claims", s.Claims(), true)
}

func TestSendingGoesOffWhenTheDatabaseLostCommits(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]bool{"seen by this process": false, "seen by a process that is gone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMarks()
			s, stop := guarded(t, m)
			s.until("a step is sent", s.sends)
			s.until("two steps are sent", s.sends)
			s.until("the counts are kept", func() bool { return m.sum() == 3 })
			if restart {
				stop()
				s.open()
			}
			s.exec(`UPDATE ledger_counts SET commits = commits - 1`)
			if restart {
				s.guard(m)
			}
			s.until("sending is off", func() bool { return s.off() != "" })
			if off := s.off(); off != outreach.OffLedgerBehind(1) {
				t.Errorf("sending is off because %q", off)
			}
			if s.sends() {
				t.Error("a step was sent while sending is off")
			}
			must(t, s.TurnSendingOn(s.ctx))
			s.until("sending goes on", s.sends)
			if off := s.off(); off != "" {
				t.Errorf("sending went off again because %q", off)
			}
		})
	}
}

// The commit itself notices that the count is lower than it was, before any look does.
func TestCommitNoticesLostCommits(t *testing.T) {
	t.Parallel()
	s, _ := guarded(t, newMarks())
	s.until("a step is sent", s.sends)
	var out *outreach.Outgoing
	s.until("a step is claimed", func() bool { out = s.claim(s.box); return out != nil })
	s.exec(`UPDATE ledger_counts SET commits = 0`)
	if err := s.CommitMessage(s.ctx, out.Ref(), "me"); err == nil {
		t.Error("commit 2 passed although the database has lost two")
	}
	if off := s.off(); off != outreach.OffLedgerBehind(2) {
		t.Errorf("sending is off because %q", off)
	}
}

func TestSendingGoesOffOnAnotherDatabase(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	s.enroll(s.c, s.prospect("b@x.test"))
	s.exec(`UPDATE installation SET source = '1/1'`)
	s.guard(newMarks())
	s.until("sending is off", func() bool { return s.off() == outreach.OffDatabaseReplaced })
	if s.sends() {
		t.Error("a step was sent from another database")
	}
	must(t, s.TurnSendingOn(s.ctx))
	s.until("sending goes on", s.sends)
}

// Without Redis mail goes on; what Redis knows is compared once it is back.
func TestGuardWithoutRedis(t *testing.T) {
	t.Parallel()
	m := newMarks()
	m.setAway(true)
	s, _ := guarded(t, m)
	s.until("a step is sent", s.sends)
	epoch := ask[uuid.UUID](s.stage, `SELECT epoch FROM installation`)
	m.mu.Lock()
	m.counts[epoch] = map[uuid.UUID]int64{s.ws: 7}
	m.mu.Unlock()
	m.setAway(false)
	s.until("sending is off", func() bool { return s.off() == outreach.OffLedgerBehind(5) })
}
