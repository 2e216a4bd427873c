//go:build full

package main

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/storage"
)

// The primary dies, or its machine hangs, while people are enrolled and mail leaves. Its
// synchronous standby is promoted. Nothing is lost, nothing is sent twice, and both processes
// go on without a restart.
func TestPrimaryDies(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "frozen": syscall.SIGSTOP} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			primaryDies(t, signal, 60)
		})
	}
}

func primaryDies(t *testing.T, signal syscall.Signal, people int) {
	s := newStage(t)
	group := testdb.NewPostgresGroup(t)
	primary := group.Add("primary", "max_connections = 200")
	standby := group.AddStandby("standby", primary)
	primary.Set("synchronous_standby_names = 'standby'")
	primary.Reload()
	untilSynchronous(t, primary)
	s.vars["DATABASE_URL"] = fmt.Sprintf("postgres://postgres@%s,%s/postgres?target_session_attrs=read-write", primary.Host, standby.Host)
	testkit.NoError(t, storage.Migrate(t.Context(), s.vars["DATABASE_URL"]))
	var err error
	s.config, err = loadConfig(s.vars)
	testkit.NoError(t, err)
	s.makeWorkspace()
	s.spawn("api")
	s.spawn("worker")
	s.untilReady()
	campaign, _ := s.slice()
	s.enrollAll(campaign, "before", people/2)
	primary.Fail(signal)
	standby.Promote()
	promoted, before := time.Now(), len(s.mail.Received())
	s.enrollAll(campaign, "after", 1)
	written := time.Since(promoted)
	s.eventually(time.Minute, "mail leaves again", func() bool { return len(s.mail.Received()) > before })
	t.Logf("after the promotion: first write %s, first mail %s", written.Round(time.Millisecond), time.Since(promoted).Round(time.Millisecond))
	s.enrollAll(campaign, "later", people-people/2-1)
	s.checkNothingLost(people)
}

func untilSynchronous(t *testing.T, primary *testdb.PostgresNode) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), primary.URL())
	testkit.NoError(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	testkit.Eventually(t, "the standby is synchronous", func() bool {
		var state string
		err := conn.QueryRow(t.Context(), `SELECT sync_state FROM pg_stat_replication`).Scan(&state)
		return err == nil && state == "sync"
	})
}

// enrollAll enrolls people over REST, and repeats each call until it is answered.
func (s *stage) enrollAll(campaign, name string, people int) {
	s.t.Helper()
	for i := range people {
		s.enrollUntilThere(campaign, fmt.Sprintf("%s%d@%s.example", name, i, name))
	}
}
