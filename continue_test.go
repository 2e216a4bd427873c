package outreach

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestAfterIsTheStepPlacedAfterTheLastOneSent(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	sent := begun.Add(3 * time.Hour)
	c := Campaign{Steps: []Step{{ID: uuid.New(), DelayMinutes: 5}, {ID: uuid.New(), DelayMinutes: 60}, {ID: uuid.New(), DelayMinutes: 0}}}
	gone := uuid.New()
	for name, k := range map[string]struct {
		last   *uuid.UUID
		number int
		due    time.Time
	}{
		"nothing was sent":             {nil, 1, begun.Add(5 * time.Minute)},
		"the first step":               {&c.Steps[0].ID, 2, sent.Add(time.Hour)},
		"the second step":              {&c.Steps[1].ID, 3, sent},
		"all steps":                    {&c.Steps[2].ID, 0, sent},
		"a step that is there no more": {&gone, 0, sent},
	} {
		p := Progress{LastStepID: k.last, BegunAt: begun}
		if k.last != nil {
			p.LastStepAt = &sent
		}
		number, due, left := c.After(p)
		if number != k.number || !due.Equal(k.due) || left != (k.number > 0) {
			t.Errorf("%s: step %d at %s, left %v; want step %d at %s", name, number, due, left, k.number, k.due)
		}
	}
	if number, due, left := (&Campaign{}).After(Progress{BegunAt: begun}); number != 1 || !due.Equal(begun) || !left {
		t.Errorf("a draft without steps: step %d at %s, left %v; want step 1", number, due, left)
	}
}
