package sending

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// What a claim found lasts for a second from when it was read, however often claims begin there.
func TestHeadsLast(t *testing.T) {
	t.Parallel()
	var h heads
	workspace, campaign, start := uuid.New(), uuid.New(), time.Now()
	found := func(after time.Duration) (memory *headsOf, at string) {
		memory, known := h.of(workspace, start.Add(after))
		if b, ok := known[campaign]; ok {
			return memory, b.heads[0].zone
		}
		return memory, ""
	}
	want := func(after time.Duration, zone string) *headsOf {
		t.Helper()
		memory, got := found(after)
		if got != zone {
			t.Errorf("after %s claims begin in zone %q, want %q", after, got, zone)
		}
		return memory
	}
	memory := want(0, "")
	h.note(workspace, memory, headsOf{campaign: {heads: []head{{zone: "one"}}}}, start)
	want(headsLast, "one")
	_, known := h.of(workspace, start.Add(headsLast/2))
	known[campaign] = begin{heads: []head{{zone: "two"}}, until: known[campaign].until}
	h.note(workspace, memory, known, start.Add(headsLast/2))
	want(headsLast, "two")
	want(headsLast+1, "")
}

// Nothing that a claim found before a wake was taken is remembered after it, whether the claim began
// before the wake or while it was taken, and such a claim is told so.
func TestHeadsAreForgotten(t *testing.T) {
	t.Parallel()
	var h heads
	workspace, campaign, now := uuid.New(), uuid.New(), time.Now()
	found := headsOf{campaign: {}}
	remembered := func(want int) {
		t.Helper()
		if _, known := h.of(workspace, now); len(known) != want {
			t.Errorf("%d campaigns are remembered, want %d", len(known), want)
		}
	}
	before, _ := h.of(workspace, now)
	h.note(workspace, before, found, now)
	remembered(1)
	if !h.holds(workspace, before) {
		t.Error("the memory is forgotten without a wake")
	}

	taken := h.wake(workspace)
	remembered(0)
	if h.holds(workspace, before) {
		t.Error("a claim that began before the wake goes by what was remembered")
	}
	h.note(workspace, before, found, now)
	during, _ := h.of(workspace, now)
	h.note(workspace, during, found, now)
	remembered(0)
	taken()
	h.note(workspace, before, found, now)
	h.note(workspace, during, found, now)
	remembered(0)

	after, _ := h.of(workspace, now)
	h.note(workspace, after, found, now)
	remembered(1)
}

// Two wakes that are taken at the same time, by a tick and by a look for senders: nothing is remembered
// before both are.
func TestHeadsWaitForEachWake(t *testing.T) {
	t.Parallel()
	var h heads
	workspace, now := uuid.New(), time.Now()
	first, second := h.wake(workspace), h.wake(workspace)
	first()
	memory, _ := h.of(workspace, now)
	h.note(workspace, memory, headsOf{uuid.New(): {}}, now)
	if _, known := h.of(workspace, now); len(known) > 0 {
		t.Error("heads are remembered while a wake is taken")
	}
	second()
	if len(h.waking) > 0 {
		t.Errorf("%d wakes are left", len(h.waking))
	}
}

func TestHeadsAreBounded(t *testing.T) {
	t.Parallel()
	var h heads
	now := time.Now()
	for range mostWorkspaces + 10 {
		workspace := uuid.New()
		memory, _ := h.of(workspace, now)
		h.note(workspace, memory, headsOf{uuid.New(): {}}, now)
	}
	if len(h.all) > mostWorkspaces {
		t.Errorf("%d workspaces are remembered", len(h.all))
	}
	workspace := uuid.New()
	memory, _ := h.of(workspace, now)
	for range 2 * mostHeads {
		h.note(workspace, memory, headsOf{uuid.New(): {heads: make([]head, 1)}}, now)
	}
	if n := len(*memory); n > mostHeads {
		t.Errorf("%d campaigns of one workspace are remembered", n)
	}
}
