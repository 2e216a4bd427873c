package storage

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"outreach"
)

// snapshots caches, for each workspace that was asked recently, the ids of its companies by
// temperature. A snapshot is kept twenty times as long as it took to compute, so that snapshots
// cost at most a twentieth of a processor.
type snapshots struct {
	mu     sync.Mutex
	kept   map[uuid.UUID]*snapshot
	flight singleflight.Group
}

type snapshot struct {
	hot, warm, cold []uuid.UUID // newest first, like the list
	until           time.Time
}

func (s *snapshot) by(t outreach.Temperature) []uuid.UUID {
	switch t {
	case outreach.TemperatureHot:
		return s.hot
	case outreach.TemperatureWarm:
		return s.warm
	}
	return s.cold
}

// of returns the snapshot of a workspace. Callers that come while it is computed share it.
func (s *snapshots) of(ctx context.Context, db *DB, workspace uuid.UUID) (*snapshot, error) {
	now := time.Now()
	s.mu.Lock()
	kept := s.kept[workspace]
	s.mu.Unlock()
	if kept != nil && now.Before(kept.until) {
		return kept, nil
	}
	made, err, _ := s.flight.Do(workspace.String(), func() (any, error) {
		fresh, err := db.takeTemperatures(context.WithoutCancel(ctx), workspace)
		if err == nil {
			fresh.until = time.Now().Add(20 * time.Since(now))
			s.keep(workspace, fresh)
		}
		return fresh, err
	})
	if err != nil {
		return nil, err
	}
	return made.(*snapshot), nil
}

// keep stores a snapshot and removes expired ones.
func (s *snapshots) keep(workspace uuid.UUID, fresh *snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[uuid.UUID]*snapshot{}
	}
	maps.DeleteFunc(s.kept, func(_ uuid.UUID, old *snapshot) bool { return time.Now().After(old.until) })
	s.kept[workspace] = fresh
}

// companySignals is a company of a snapshot.
type companySignals struct {
	id      uuid.UUID
	engaged bool
	signals outreach.Signals
}

var companySignalColumns = NewColumns(func(c *companySignals) []Column {
	return append([]Column{{"c.id", &c.id}, {"t.company_id IS NOT NULL", &c.engaged}}, signalColumns(&c.signals)...)
})

var takeTemperatures = `
SELECT ` + companySignalColumns.SQL + `
FROM companies c
LEFT JOIN (SELECT ev.company_id, ` + engagementColumns + ` FROM events ev
	WHERE ev.workspace_id = $1 AND ` + engaged + ` GROUP BY ev.company_id) t ON t.company_id = c.id
WHERE c.workspace_id = $1
ORDER BY c.created_at DESC, c.id DESC`

func (db *DB) takeTemperatures(ctx context.Context, workspace uuid.UUID) (*snapshot, error) {
	var out snapshot
	add := func(c *companySignals) { out.add(c.id, c.engaged, c.signals) }
	if err := companySignalColumns.QueryEach(ctx, db.pool, add, takeTemperatures, workspace); err != nil {
		return nil, err
	}
	return &out, nil
}

func (s *snapshot) add(id uuid.UUID, engaged bool, signals outreach.Signals) {
	temperature := outreach.TemperatureCold
	if engaged {
		temperature, _ = signals.Temperature()
	}
	switch temperature {
	case outreach.TemperatureHot:
		s.hot = append(s.hot, id)
	case outreach.TemperatureWarm:
		s.warm = append(s.warm, id)
	default:
		s.cold = append(s.cold, id)
	}
}
