package rest

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// memory is an Idempotency that forgets with the process. Its clock stands still
// until it is set.
type memory struct {
	mu   sync.Mutex
	now  time.Time
	rows map[string]*memoryRow
}

type memoryRow struct {
	hash   string
	until  time.Time
	answer []byte
}

func newMemory() *memory {
	return &memory{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), rows: map[string]*memoryRow{}}
}

func (m *memory) Reserve(_ context.Context, workspace uuid.UUID, key string, hash []byte) (*outreach.KeyedRequest, []byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	row := m.rows[workspace.String()+key]
	switch {
	case row != nil && row.hash != string(hash):
		return nil, nil, outreach.Errorf(outreach.CodeIdempotencyReused, "This key was used for another request.")
	case row != nil && row.answer != nil:
		return nil, row.answer, nil
	case row != nil && m.now.Before(row.until):
		return nil, nil, outreach.Errorf(outreach.CodeIdempotencyRunning, "The first request under this key has not been answered yet.")
	}
	until := m.now.Add(outreach.IdempotencyLease)
	m.rows[workspace.String()+key] = &memoryRow{hash: string(hash), until: until}
	return &outreach.KeyedRequest{WorkspaceID: workspace, Key: key, Until: until}, nil, nil
}

func (m *memory) Finish(ctx context.Context, request *outreach.KeyedRequest, _ int, answer []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	row := m.rows[request.WorkspaceID.String()+request.Key]
	if row == nil || !row.until.Equal(request.Until) || row.answer != nil {
		return outreach.Errorf(outreach.CodeIdempotencyRunning, "Another process has taken this key over.")
	}
	row.answer = answer
	if open := request.Take(); open != nil {
		return open.Commit(ctx)
	}
	return nil
}

func (m *memory) Abandon(ctx context.Context, request *outreach.KeyedRequest) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if row := m.rows[request.WorkspaceID.String()+request.Key]; row != nil && row.until.Equal(request.Until) && row.answer == nil {
		delete(m.rows, request.WorkspaceID.String()+request.Key)
	}
	if open := request.Take(); open != nil {
		return open.Rollback(ctx)
	}
	return nil
}
