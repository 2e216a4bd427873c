package tracking_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// fromNth makes a request come from the nth client.
func fromNth(n int) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = fmt.Sprintf("198.51.100.%d:50000", n+1) }
}

// What one client can add to the database by asking again and again is one hit,
// one visit and one event a minute.
func TestRepeatedRequestsFold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "folding")
	m, o := s.message(t, h), s.makeOffer(t, h, asMade)
	for range 50 {
		wantStatus(t, s.get(s.links(h.host).Click(m, 0, target)), http.StatusFound)
		wantStatus(t, s.get(o.URL), http.StatusOK)
	}
	counts := func() [4]int {
		return [4]int{
			ask[int](t, s, `SELECT count(*) FROM hits WHERE kind = 'click'`), ask[int](t, s, `SELECT count(*) FROM hits WHERE kind = 'visit'`),
			ask[int](t, s, `SELECT count(*) FROM events WHERE type = 'offer_read'`), s.offerNow(t, o).VisitCount,
		}
	}
	if got, want := counts(), [4]int{1, 1, 1, 1}; got != want {
		t.Errorf("clicks, visits, events and visit count after 50 requests in a minute: %v, want %v", got, want)
	}
	if got := ask[int](t, s, `SELECT sum(count)::int FROM hits`); got != 100 {
		t.Errorf("%d requests are counted, want 100", got)
	}
	s.pass(time.Minute)
	wantStatus(t, s.get(s.links(h.host).Click(m, 0, target)), http.StatusFound)
	wantStatus(t, s.get(o.URL), http.StatusOK)
	if got, want := counts(), [4]int{2, 2, 2, 2}; got != want {
		t.Errorf("clicks, visits, events and visit count a minute later: %v, want %v", got, want)
	}
}

func TestClientsFoldByNetwork(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	o := s.makeOffer(t, s.house(t, "clients"), asMade)
	for i, test := range []struct {
		address string
		visits  int
	}{
		{"198.51.100.1:1", 1},
		{"198.51.100.1:2", 1}, // another port
		{"198.51.100.2:1", 2}, // another address
		{"[2001:db8:1:2::1]:1", 3},
		{"[2001:db8:1:2:ffff::9]:1", 3}, // the same 64 bits of network
		{"[2001:db8:1:3::1]:1", 4},
	} {
		wantStatus(t, s.get(o.URL, from(test.address)), http.StatusOK)
		if got := s.offerNow(t, o).VisitCount; got != test.visits {
			t.Errorf("%d visits after request %d from %s, want %d", got, i+1, test.address, test.visits)
		}
	}
}

// A click on another workspace's host does not count as the same click on the own.
func TestClicksOnForeignHostsDoNotFold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "own"), s.house(t, "other")
	m := s.message(t, h)
	wantStatus(t, s.get(s.links(h.host).Click(m, 0, target)), http.StatusFound)
	wantStatus(t, s.get(s.links(other.host).Click(m, 0, target)), http.StatusNotFound)
}

func TestHitsExpire(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "expiry")
	m, o := s.message(t, h), s.makeOffer(t, h, asMade)
	for range 3 {
		wantStatus(t, s.get(s.links(h.host).Click(m, 0, target)), http.StatusFound)
		wantStatus(t, s.get(o.URL), http.StatusOK)
		s.pass(24 * time.Hour)
	}
	wantStatus(t, s.send(http.MethodPost, s.links(h.host).Unsubscribe(m)), http.StatusOK)
	gone, err := s.ExpireHits(t.Context(), s.now().Add(-36*time.Hour))
	if err != nil || gone != 4 {
		t.Errorf("%d hits expired, %v; want the 4 of the first two days", gone, err)
	}
	if got := ask[int](t, s, `SELECT count(*) FROM hits`); got != 3 {
		t.Errorf("%d hits are left, want 3: the unsubscribe and those of the last day", got)
	}
	if got := s.offerNow(t, o).VisitCount; got != 3 {
		t.Errorf("the offer has %d visits, want 3 as before", got)
	}
}
