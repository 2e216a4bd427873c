package testkit_test

import (
	"net"
	"sync"
	"testing"
	"time"

	"outreach/internal/testkit"
)

func TestReservedAddressCanBeUsedAgainAndAgain(t *testing.T) {
	t.Parallel()
	addr := testkit.ReserveAddr(t)
	for range 100 {
		listener, err := net.Listen("tcp", addr)
		testkit.NoError(t, err)
		client, err := net.Dial("tcp", addr)
		testkit.NoError(t, err)
		server, err := listener.Accept()
		testkit.NoError(t, err)
		testkit.NoError(t, server.Close())
		testkit.NoError(t, client.Close())
		testkit.NoError(t, listener.Close())
	}
}

func TestReservedAddressesDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 200 {
		addr := testkit.ReserveAddr(t)
		if seen[addr] {
			t.Errorf("%s was reserved twice", addr)
		}
		seen[addr] = true
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	clock := testkit.NewClock(start)
	clock.Advance(time.Hour)
	testkit.Equal(t, "time after an hour", clock.Now(), start.Add(time.Hour))
	clock.Set(start)
	testkit.Equal(t, "time after Set", clock.Now(), start)
}

func TestEventuallyWaits(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	looks := 0
	look := func() int {
		mu.Lock()
		defer mu.Unlock()
		looks++
		return looks
	}
	testkit.Eventually(t, "three looks", func() bool { return look() >= 3 })
}
