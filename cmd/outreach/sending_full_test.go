//go:build full

package main

import (
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"outreach/devstack"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/jobs"
)

// A dump is taken, mail is sent, and the dump is restored: into a new database, or into
// the same one. Nothing is sent again until `outreach sending on`.
func TestRestoreSendsNothing(t *testing.T) {
	t.Parallel()
	const people = 5
	for name, k := range map[string]struct {
		anew   bool
		reason string
	}{
		"new database":  {true, "not the database that mail was sent from before"},
		"same database": {false, fmt.Sprintf("%d messages that were sent are missing", people)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.vars["OUTREACH_METRICS_ADDR"] = testkit.ReserveAddr(t)
			first := s.spawn("api,worker")
			s.untilReady()
			campaign, _ := s.slice()
			s.enrollUntilThere(campaign, "first@customer.example")
			s.eventually(time.Minute, "a first mail leaves", func() bool { return len(s.mail.Received()) == 1 })
			first.kill()

			api := s.spawn("api")
			s.untilReady()
			for i := range people {
				s.enrollUntilThere(campaign, fmt.Sprintf("p%d@customer.example", i))
			}
			api.kill()
			dump := filepath.Join(t.TempDir(), "outreach.dump")
			s.postgres("pg_dump", "--format=custom", "--file="+dump, s.vars["DATABASE_URL"])

			worker := s.spawn("api,worker")
			s.eventually(time.Minute, "all mails leave", func() bool { return len(s.mail.Received()) == 1+people })
			s.untilReady()
			s.eventually(time.Minute, "all messages are settled", func() bool { return len(s.list("/messages?status=sent")) == 1+people })
			s.eventually(time.Minute, "the counts are in Redis", func() bool { return s.marks() == 1+people })
			worker.kill()

			s.restore(dump, k.anew)
			s.spawn("api,worker")
			s.untilReady()
			s.eventually(time.Minute, "/readyz says why sending is off", func() bool {
				_, text := readiness(t, s.base)
				return strings.Contains(text, k.reason) && strings.Contains(text, "outreach sending on")
			})
			s.ticks(5)
			testkit.Equal(t, "mails while sending is off", len(s.mail.Received()), 1+people)
			status := s.shell(t, "sending", "status", "--json")
			if status["sending"] != "off" || !strings.Contains(status["reason"], k.reason) {
				t.Errorf("status is %v", status)
			}
			s.shell(t, "sending", "on", "--json")
			s.eventually(time.Minute, "the restored database sends what it holds as due",
				func() bool { return len(s.mail.Received()) == 1+2*people })
		})
	}
}

// postgres runs a client program of Postgres.
func (s *stage) postgres(program string, args ...string) {
	s.t.Helper()
	folder := devstack.FindPostgres(s.t.Context(), devstack.PostgresConfig{})
	if out, err := exec.CommandContext(s.t.Context(), filepath.Join(folder, program), args...).CombinedOutput(); err != nil {
		s.t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// restore replaces the database of the stage by what a dump holds.
func (s *stage) restore(dump string, anew bool) {
	s.t.Helper()
	s.store.Close()
	if anew {
		s.vars["DATABASE_URL"] = testdb.New(s.t, testdb.Template{Key: "empty", Build: emptyDatabase})
	} else {
		s.postgres("psql", "--quiet", "--command=DROP SCHEMA public CASCADE; CREATE SCHEMA public", s.vars["DATABASE_URL"])
	}
	s.postgres("pg_restore", "--no-owner", "--dbname="+s.vars["DATABASE_URL"], dump)
}

// marks counts the commits that Redis knows of.
func (s *stage) marks() (n int64) {
	s.t.Helper()
	option, err := jobs.ParseRedis(s.vars["REDIS_URL"])
	testkit.NoError(s.t, err)
	client := option.MakeRedisClient().(redis.UniversalClient)
	defer client.Close()
	var epoch uuid.UUID
	db, err := pgx.Connect(s.t.Context(), s.vars["DATABASE_URL"])
	testkit.NoError(s.t, err)
	defer db.Close(s.t.Context())
	testkit.NoError(s.t, db.QueryRow(s.t.Context(), "SELECT epoch FROM installation").Scan(&epoch))
	testkit.NoError(s.t, ledgerMarks{client}.Each(s.t.Context(), epoch, func(counts map[uuid.UUID]int64) error {
		for _, count := range counts {
			n += count
		}
		return nil
	}))
	return n
}

var scansTotal = regexp.MustCompile(`(?m)^outreach_webhook_scans_total (\d+)`)

// ticks waits until the process has scanned n times. Mail is looked for as often.
func (s *stage) ticks(n int) {
	s.t.Helper()
	s.eventually(time.Minute, "the worker has worked", func() bool {
		response, err := http.Get("http://" + s.vars["OUTREACH_METRICS_ADDR"] + "/metrics")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		found := scansTotal.FindSubmatch(text)
		if found == nil {
			return false
		}
		scans, _ := strconv.Atoi(string(found[1]))
		return scans >= n
	})
}
