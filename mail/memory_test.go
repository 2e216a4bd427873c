package mail

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestMemoryKeepsAShareForOthers(t *testing.T) {
	t.Parallel()
	m := NewMemory(300)
	m.patience = 10 * time.Millisecond
	if err := m.take(t.Context(), "a", 200); err != nil {
		t.Fatal(err)
	}
	if err := m.take(t.Context(), "a", 1); !errors.Is(err, ErrBusy) {
		t.Fatalf("beyond its share: %v, want ErrBusy", err)
	}
	if err := m.take(t.Context(), "b", 100); err != nil {
		t.Fatalf("another owner: %v", err)
	}
	if err := m.take(t.Context(), "c", 1); !errors.Is(err, ErrBusy) {
		t.Fatalf("beyond the total: %v, want ErrBusy", err)
	}
	m.release("b", 100)
	m.release("a", 200)
	if m.free != 300 || len(m.held) != 0 {
		t.Fatalf("free %d, held %v", m.free, m.held)
	}
}

func TestMemoryWaitsForARelease(t *testing.T) {
	t.Parallel()
	m := NewMemory(300)
	if err := m.take(t.Context(), "a", 200); err != nil {
		t.Fatal(err)
	}
	taken := make(chan error)
	go func() { taken <- m.take(t.Context(), "a", 200) }()
	select {
	case err := <-taken:
		t.Fatalf("took more than its share: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	m.release("a", 200)
	if err := <-taken; err != nil {
		t.Fatal(err)
	}
}

// greedy lists small messages and then sends each with a body of size bytes.
func greedy(size int, hold <-chan struct{}) func(net.Conn) {
	answers := imapScript(script(map[string]string{
		"UID FETCH 5:6 (UID INTER": fmt.Sprintf("* 1 FETCH (UID 5 BODY[] {%d}\r\n%s)\r\n", size, strings.Repeat("x", size)),
	}))
	return func(conn net.Conn) {
		answers(conn)
		<-hold
	}
}

// Many mailboxes whose servers send much at once, and then hang, hold no more than
// the process has for them, and another owner is read meanwhile.
func TestReadingIsBoundedForTheProcess(t *testing.T) {
	t.Parallel()
	const total = 12 << 20
	memory := NewMemory(total)
	memory.patience = 200 * time.Millisecond
	hold := make(chan struct{})
	server := rude(t, greedy(3<<20, hold))
	network := loopback()
	network.Timeouts.Data = 3 * time.Second
	config := IMAPConfig{Server: server, Network: network, Memory: memory, Owner: "hostile"}

	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			_, err := fetch(t.Context(), config, FolderInbox, Position{7, 4}, Limits{MaxSize: 4 << 20}, (&gather{}).handle)
			if err == nil {
				t.Error("a server that hangs was read")
			}
		})
	}
	honest := IMAPConfig{Server: rude(t, imapScript(script(nil))), Network: loopback(), Memory: memory, Owner: "honest"}
	var g gather
	if _, err := fetch(t.Context(), honest, FolderInbox, Position{7, 4}, Limits{}, g.handle); err != nil || len(g.raws) != 2 {
		t.Errorf("another owner's mailbox: %v, %d messages", err, len(g.raws))
	}
	memory.mu.Lock()
	hostile, free := memory.held["hostile"], memory.free
	memory.mu.Unlock()
	if hostile > total-total/3 || free < 0 {
		t.Errorf("hostile mailboxes hold %d of %d bytes, %d are free", hostile, total, free)
	}
	close(hold)
	all.Wait()
	if memory.free != total || len(memory.held) != 0 {
		t.Errorf("%d of %d bytes are free at the end, held by %v", memory.free, total, memory.held)
	}
}

// A mailbox that cannot be read because memory is used up gets no error.
func TestMemoryOfABusyProcessIsNoFaultOfTheServer(t *testing.T) {
	t.Parallel()
	memory := NewMemory(3 << 20)
	memory.patience = 20 * time.Millisecond
	if err := memory.take(t.Context(), "other", 2<<20); err != nil {
		t.Fatal(err)
	}
	if err := memory.take(t.Context(), "another", 1<<20); err != nil {
		t.Fatal(err)
	}
	config := IMAPConfig{Server: rude(t, imapScript(script(nil))), Network: loopback(), Memory: memory, Owner: "me"}
	if _, err := OpenMailbox(t.Context(), config); !errors.Is(err, ErrBusy) {
		t.Fatalf("OpenMailbox returned %v, want ErrBusy", err)
	}
}
