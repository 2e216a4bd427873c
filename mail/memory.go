package mail

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Memory limits how many bytes from IMAP servers all sessions of a process hold together. Each
// session has an owner, and one owner gets at most a share, so that its servers cannot use all of
// it. It is safe for concurrent use; a nil Memory has no limit.
type Memory struct {
	share    int64
	patience time.Duration

	mu    sync.Mutex
	free  int64
	held  map[string]int64 // by owner
	freed chan struct{}    // closed at the next release
}

// ErrBusy reports that a session waited too long for memory. It says nothing about the server: the
// same call may succeed later.
var ErrBusy = errors.New("mail: too much mail is being read at the moment")

// memoryPatience is how long a session waits for memory.
const memoryPatience = 15 * time.Second

// NewMemory returns a Memory of total bytes, of which one owner gets at most two
// thirds.
func NewMemory(total int64) *Memory {
	return &Memory{share: total - total/3, patience: memoryPatience, free: total, held: map[string]int64{}, freed: make(chan struct{})}
}

// take reserves n bytes for an owner. It waits until they are free.
func (m *Memory) take(ctx context.Context, owner string, n int64) error {
	if m == nil {
		return nil
	}
	timer := time.NewTimer(m.patience)
	defer timer.Stop()
	for {
		freed, ok := m.tryTake(owner, n)
		if ok {
			return nil
		}
		select {
		case <-freed:
		case <-timer.C:
			return ErrBusy
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// tryTake reserves n bytes, or returns a channel that is closed when some are
// released.
func (m *Memory) tryTake(owner string, n int64) (freed <-chan struct{}, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n > m.free || m.held[owner]+n > m.share {
		return m.freed, false
	}
	m.free -= n
	m.held[owner] += n
	return nil, true
}

// release returns n bytes of an owner.
func (m *Memory) release(owner string, n int64) {
	if m == nil || n == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.free += n
	if m.held[owner] -= n; m.held[owner] == 0 {
		delete(m.held, owner)
	}
	close(m.freed)
	m.freed = make(chan struct{})
}

// holding is the memory that one session holds. It grows while the session reads from its
// connection.
type holding struct {
	memory *Memory
	owner  string
	ended  context.Context // the session's
	end    context.CancelFunc

	mu    sync.Mutex
	used  int64 // bytes read since the last release
	taken int64
}

func newHolding(memory *Memory, owner string) *holding {
	h := &holding{memory: memory, owner: owner}
	h.ended, h.end = context.WithCancel(context.Background())
	return h
}

// holdingStep is how much a session reserves at a time.
const holdingStep = 256 << 10

// use counts n bytes that were read and reserves memory for them.
func (h *holding) use(n int64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.used += n
	if err := h.ended.Err(); err != nil {
		return err
	}
	for h.used > h.taken {
		if err := h.memory.take(h.ended, h.owner, holdingStep); err != nil {
			return err
		}
		h.taken += holdingStep
	}
	return nil
}

// release returns all memory of the session.
func (h *holding) release() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.memory.release(h.owner, h.taken)
	h.used, h.taken = 0, 0
}

// close releases the memory of the session and stops it from waiting for more.
func (h *holding) close() {
	h.end()
	h.release()
}
