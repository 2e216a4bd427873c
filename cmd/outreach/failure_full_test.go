//go:build full

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/storage"
)

// failing is a stage with an API process, a worker, and an active campaign, on parts that
// the test makes fail.
type failing struct {
	*stage
	campaign  string
	people    int
	uncertain []string // people whose enrollment was not answered
}

// newFailing starts the processes on the stage's settings.
func newFailing(s *stage) *failing {
	s.t.Helper()
	s.spawn("api")
	s.spawn("worker")
	s.untilReady()
	f := &failing{stage: s}
	f.campaign, _ = s.slice()
	return f
}

// next returns the address of one more person.
func (f *failing) next() string {
	f.people++
	return fmt.Sprintf("p%d@customer%d.example", f.people, f.people)
}

// enroll enrolls more people, and repeats each call until it is answered.
func (f *failing) enroll(people int) {
	f.t.Helper()
	for range people {
		f.uncertain = append(f.uncertain, f.next())
	}
	for _, email := range f.uncertain {
		f.enrollUntilThere(f.campaign, email)
	}
	f.uncertain = nil
}

// untilSent waits until this many mails have left in all.
func (f *failing) untilSent(mails int) {
	f.t.Helper()
	f.eventually(time.Minute, fmt.Sprintf("%d mails have left", mails), func() bool { return len(f.mail.Received()) >= mails })
}

// refused enrolls people until the service cannot. Each call names another person, because one who is
// enrolled is answered for without a write. enroll repeats the calls that were not answered.
func (f *failing) refused() {
	f.t.Helper()
	f.eventually(time.Minute, "a request is refused", func() bool {
		email := f.next()
		status, _, err := f.try(http.MethodPost, "/enrollments", object{"campaign_id": f.campaign, "prospect": object{"email": email}})
		if err != nil || status != http.StatusCreated {
			f.uncertain = append(f.uncertain, email)
		}
		return err == nil && status >= http.StatusInternalServerError
	})
}

// onServer moves the stage to a Postgres of its own.
func (s *stage) onServer(url string) {
	s.t.Helper()
	s.vars["DATABASE_URL"] = url
	testkit.NoError(s.t, storage.Migrate(s.t.Context(), url))
	var err error
	s.config, err = loadConfig(s.vars)
	testkit.NoError(s.t, err)
	s.makeWorkspace()
}

// PgBouncer dies while mail leaves, and starts again.
func TestPgBouncerDies(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	bouncer := newPgBouncer(t, s.vars["DATABASE_URL"])
	s.vars["OUTREACH_MIGRATE_URL"], s.vars["DATABASE_URL"] = s.vars["DATABASE_URL"], bouncer.url
	s.vars["OUTREACH_DATABASE_POOLER"] = "transaction"
	f := newFailing(s)
	for range 3 {
		f.enroll(10)
		f.untilSent(f.people - 8)
		bouncer.kill()
		f.refused()
		bouncer.start()
	}
	f.enroll(10)
	f.checkNothingLost(f.people)
}

// Others take all connections of Postgres, those of the service included.
func TestNoConnectionIsLeft(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	server := testdb.NewPostgresGroup(t).Add("small", "max_connections = 40")
	s.vars["OUTREACH_DATABASE_CONNECTIONS"] = "4"
	s.onServer(server.URL())
	testdb.Exec(t, server.URL(), "CREATE ROLE intruder LOGIN")
	f := newFailing(s)
	f.enroll(20)
	f.untilSent(10)
	ended := make(chan struct{})
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		intrude(ctx, server)
	}()
	f.refused()
	stop()
	<-ended
	f.enroll(20)
	f.checkNothingLost(f.people)
}

// intrude ends the connections of others, and takes each that is free, until ctx ends.
func intrude(ctx context.Context, server *testdb.PostgresNode) {
	master, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return
	}
	held := []*pgx.Conn{master}
	defer func() {
		for _, conn := range held {
			_ = conn.Close(context.WithoutCancel(ctx))
		}
	}()
	for ctx.Err() == nil {
		_, _ = master.Exec(ctx, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE usename = 'postgres' AND backend_type = 'client backend' AND pid <> pg_backend_pid()`)
		for {
			conn, err := pgx.Connect(ctx, "postgres://intruder@"+server.Host+"/postgres")
			if err != nil {
				break
			}
			held = append(held, conn)
		}
	}
}

// The disk of Postgres is full while mail leaves, until there is room again.
func TestDiskIsFull(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("left out: a small disk is mounted by root alone")
		return
	}
	s := newStage(t)
	group := testdb.NewPostgresGroup(t)
	disk := group.SmallDisk("server", 250)
	server := group.Add("server", "max_wal_size = 64MB", "min_wal_size = 32MB")
	s.onServer(server.URL())
	f := newFailing(s)
	f.enroll(20)
	f.untilSent(10)
	disk.Fill()
	f.refused()
	disk.MakeRoom()
	server.StartAgain() // it stops when it cannot write its log
	f.enroll(20)
	f.checkNothingLost(f.people)
}

// A worker is frozen longer than its leases are, while another one works, and is woken then.
func TestWorkerIsFrozen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	first := s.spawn("worker")
	f := newFailing(s)
	f.enroll(30)
	f.untilSent(5)
	testkit.NoError(t, first.command.Process.Signal(syscall.SIGSTOP))
	frozen := time.Now()
	f.eventually(100*time.Second, "its leases have ended, and the other worker has done all that was due", func() bool {
		return time.Since(frozen) > outreach.LeaseLength &&
			len(f.list("/messages?status=sent&limit=100"))+len(f.list("/messages?status=unknown&limit=100")) == f.people
	})
	testkit.NoError(t, first.command.Process.Signal(syscall.SIGCONT))
	f.enroll(20)
	f.checkNothingLost(f.people)
}

// Two workers and two API processes work together whose clocks are five minutes apart.
func TestClocksApart(t *testing.T) {
	t.Parallel()
	ahead := buildAhead(t, 5*time.Minute)
	s := newStage(t)
	s.spawnAs(ahead, "worker", s.t.Output())
	f := newFailing(s)
	f.enroll(20)
	here := s.base
	s.vars["OUTREACH_ADDR"] = testkit.ReserveAddr(t)
	s.base = "http://" + s.vars["OUTREACH_ADDR"]
	s.spawnAs(ahead, "api", s.t.Output())
	s.untilReady()
	f.enroll(20)
	s.base = here
	f.checkNothingLost(f.people)
}

// buildAhead builds the program with a clock that is ahead of the machine's.
func buildAhead(t *testing.T, by time.Duration) string {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	testkit.NoError(t, err)
	original := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	text, err := os.ReadFile(original)
	testkit.NoError(t, err)
	read := []byte("func Now() Time {\n\tsec, nsec, mono := runtimeNow()\n")
	if !bytes.Contains(text, read) {
		t.Fatalf("%s reads the clock in another way now", original)
	}
	text = bytes.Replace(text, read, fmt.Appendf(nil, "%s\tsec += %d\n", read, int(by.Seconds())), 1)
	// The files stay at one place from run to run: Go's build cache knows a package by the paths of its files too.
	cache, err := os.UserCacheDir()
	testkit.NoError(t, err)
	place := filepath.Join(cache, "outreach", "clock-ahead")
	testkit.NoError(t, os.MkdirAll(place, 0o700))
	changed, overlay := filepath.Join(place, "time.go"), filepath.Join(place, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	testkit.NoError(t, err)
	replaceFile(t, changed, text)
	replaceFile(t, overlay, replace)
	binary := filepath.Join(t.TempDir(), "outreach")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay, "-o", binary, ".")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, said)
	}
	return binary
}

// replaceFile replaces the content of a file at once, so that no build that runs beside reads half of it.
func replaceFile(t *testing.T, path string, content []byte) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), filepath.Base(path))
	testkit.NoError(t, os.WriteFile(fresh, content, 0o600))
	testkit.NoError(t, os.Rename(fresh, path))
}
