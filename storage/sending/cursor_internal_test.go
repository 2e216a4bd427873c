package sending

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

// Looks begin where the last one found somebody, for a second after one that
// began at the very first, and never where nobody was found.
func TestHeads(t *testing.T) {
	t.Parallel()
	var h heads
	campaign, start := uuid.New(), time.Now()
	one, two := mark{at: start.Add(-time.Hour), id: uuid.New()}, mark{at: start.Add(-time.Minute), id: uuid.New()}
	want := func(after time.Duration, id uuid.UUID) {
		t.Helper()
		if got := h.of(campaign, start.Add(after)); got.id != id {
			t.Errorf("after %s looks begin at %v, want %v", after, got.id, id)
		}
	}
	want(0, uuid.Nil)
	h.note(campaign, one, start)
	want(time.Second, one.id)
	h.note(campaign, two, start.Add(900*time.Millisecond)) // does not prolong it
	want(time.Second, two.id)
	want(time.Second+1, uuid.Nil)
	h.note(campaign, two, start.Add(2*time.Second))
	want(3*time.Second, two.id)
	h.note(campaign, mark{}, start.Add(2*time.Second))
	want(2*time.Second, uuid.Nil)
	for range 2 * maxHeads {
		h.note(uuid.New(), one, start)
	}
	if len(h.all) > maxHeads {
		t.Errorf("%d are remembered", len(h.all))
	}
}
