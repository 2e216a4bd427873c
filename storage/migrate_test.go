package storage_test

import (
	"testing"

	"outreach/storage"
)

// A look at the schema goes through the store's own connections, and there is
// none after one that found everything applied.
func TestCheckSchema(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.exec(`UPDATE goose_db_version SET version_id = -version_id WHERE version_id > 0`)
	if err := s.CheckSchema(s.ctx); err == nil {
		t.Error("an empty schema passes")
	}
	if err := storage.CheckSchema(s.ctx, s.url); err == nil {
		t.Error("an empty schema passes at the start")
	}
	s.exec(`UPDATE goose_db_version SET version_id = -version_id WHERE version_id < 0`)
	for _, asks := range []bool{true, false} {
		s.said.take()
		must(t, s.CheckSchema(s.ctx))
		if said := s.said.take(); (len(said) > 0) != asks {
			t.Errorf("statements %v, want some: %v", said, asks)
		}
	}
	must(t, storage.CheckSchema(s.ctx, s.url))
}
