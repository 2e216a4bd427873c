//go:build full

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"outreach/internal/testkit"
	"outreach/storage"
)

// buildNext builds the program as of the next release: with its version and its migration.
func buildNext(t *testing.T, version string) string {
	t.Helper()
	file, err := filepath.Abs(nextMigration)
	testkit.NoError(t, err)
	folder, err := filepath.Abs("../../storage/migrations")
	testkit.NoError(t, err)
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(folder, "00003_next.sql"): file}})
	testkit.NoError(t, err)
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600))
	binary := filepath.Join(dir, "outreach")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", filepath.Join(dir, "overlay.json"),
		"-ldflags", "-X outreach/storage.program="+version, "-o", binary, ".")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, said)
	}
	return binary
}

// An upgrade without downtime and the way back: the next release migrates beside this one,
// both work on the same data, the next one goes on alone, and this one works again when its
// binary is put back.
func TestUpgradeAndRollback(t *testing.T) {
	t.Parallel()
	next := buildNext(t, "0.3.0")
	s := newStage(t)
	if said, err := s.runBinary(next, "version"); err != nil || said != "0.3.0\n" {
		t.Fatalf("the next release says it is %q (%v)", said, err)
	}
	if said, err := s.runBinary(next, "serve"); err == nil || !strings.Contains(said, storage.ErrSchemaOlder.Error()) {
		t.Errorf("the next release on the schema before its migration: %v, %s", err, said)
	}
	worker, api := s.spawn("worker"), s.spawn("api")
	s.untilReady()
	campaign, _ := s.slice()
	s.reaches(campaign, "before@customer.example")

	if said, err := s.runBinary(next, "migrate"); err != nil {
		t.Fatalf("migrate: %v\n%s", err, said)
	}
	s.reaches(campaign, "migrated@customer.example")

	old, here := s.base, s.vars["OUTREACH_ADDR"]
	s.vars["OUTREACH_ADDR"] = testkit.ReserveAddr(t)
	s.base = "http://" + s.vars["OUTREACH_ADDR"]
	nextAPI, nextWorker := s.spawnAs(next, "api", s.log), s.spawnAs(next, "worker", s.log)
	s.untilReady()
	s.reaches(campaign, "beside@customer.example")
	s.base = old
	s.reaches(campaign, "still@customer.example")

	worker.stop()
	api.stop()
	s.base = "http://" + s.vars["OUTREACH_ADDR"]
	s.reaches(campaign, "alone@customer.example")

	nextWorker.stop()
	nextAPI.stop()
	s.base, s.vars["OUTREACH_ADDR"] = old, here
	if said, err := s.runBinary(os.Args[0], "migrate"); err != nil {
		t.Errorf("migrate of this release: %v\n%s", err, said)
	}
	s.spawn("worker")
	s.spawn("api")
	s.untilReady()
	s.reaches(campaign, "back@customer.example")
	s.checkNothingLost(6)

	s.applied(4, "0.3.0") // the release after next no longer runs beside this one
	if said, err := s.runBinary(os.Args[0], "migrate"); err == nil || !strings.Contains(said, "needs outreach 0.3.0 or newer") {
		t.Errorf("this release after the migration after next: %v, %s", err, said)
	}
	if said, err := s.runBinary(next, "migrate"); err != nil {
		t.Errorf("the next release after the migration after it: %v, %s", err, said)
	}
}
