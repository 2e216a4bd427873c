package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/internal/testkit"
	"outreach/storage"
)

// nextMigration is a migration of a release to come, as a file of package storage.
const nextMigration = "../../storage/testdata/next/00003_next.sql"

// sql runs statements on the stage's database.
func (s *stage) sql(text string) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.vars["DATABASE_URL"])
	testkit.NoError(s.t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(s.t.Context())) }()
	_, err = conn.PgConn().Exec(s.t.Context(), text).ReadAll()
	testkit.NoError(s.t, err)
}

// applied notes a migration of a release to come as applied.
func (s *stage) applied(version int, oldest string) {
	s.t.Helper()
	s.sql(fmt.Sprintf(`INSERT INTO goose_db_version (version_id, is_applied, hash, oldest_program, applied_by)
		VALUES (%d, true, 'next', '%s', '%s')`, version, oldest, oldest))
}

// runBinary runs a command of a binary with the stage's environment, and returns what it prints.
func (s *stage) runBinary(binary string, args ...string) (string, error) {
	s.t.Helper()
	command := exec.CommandContext(s.t.Context(), binary, args...)
	command.Env = append(os.Environ(), asProgram+"=1") // which only the binary of tests reads
	for name, value := range s.vars {
		command.Env = append(command.Env, name+"="+value)
	}
	said, err := command.CombinedOutput()
	return string(said), err
}

// reaches enrolls a prospect and waits for the mail and its webhook.
func (s *stage) reaches(campaign, email string) {
	s.t.Helper()
	hooks := len(s.receiver.Received())
	s.enrollUntilThere(campaign, email)
	s.eventually(time.Minute, "a mail to "+email+" and its webhook", func() bool {
		if len(s.receiver.Received()) <= hooks {
			return false
		}
		for _, message := range s.mail.Received() {
			if message.To == email {
				return true
			}
		}
		return false
	})
}

// The program works while the next release's migration is applied, after it, and when it
// is started on it. What that release stores in words of its own is shown by these words,
// and left alone.
func TestSliceOnNewerSchema(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	worker := s.spawn("worker")
	api := s.spawn("api")
	s.untilReady()
	campaign, _ := s.slice()
	s.reaches(campaign, "before@customer.example")
	text, err := os.ReadFile(nextMigration)
	testkit.NoError(t, err)
	s.sql(string(text))
	s.applied(3, "0.1.0")
	s.reaches(campaign, "after@customer.example")
	worker.kill()
	api.kill()
	s.sql(`UPDATE enrollments SET status = 'nurturing' WHERE prospect_id = (SELECT id FROM prospects WHERE email LIKE 'before@%');
		INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id)
		SELECT gen_random_uuid(), workspace_id, 'called', now(), id FROM prospects WHERE email LIKE 'before@%';
		UPDATE subscriptions SET events = events || '{called}';
		INSERT INTO leases (name, holder, expires_at) VALUES ('digest', 'newer', now() + interval '1 hour')`)
	s.spawn("worker")
	s.spawn("api")
	s.untilReady()
	s.reaches(campaign, "restarted@customer.example")
	s.client = &http.Client{Timeout: time.Minute} // the OpenAPI document of this release does not have the words
	states := map[any]int{}
	for _, row := range s.list("/enrollments") {
		states[row["status"]]++
	}
	if states["nurturing"] != 1 || states["active"] != 2 {
		t.Errorf("enrollments are %v", states)
	}
	if events := toText(s.list("/subscriptions")[0]["events"]); events != `["sent","called"]` {
		t.Errorf("the subscription wants %s", events)
	}
	if mails := len(s.mail.Received()); mails != 3 {
		t.Errorf("%d mails left, want 3", mails)
	}
	s.sql(`DO $$ BEGIN ASSERT (SELECT holder = 'newer' FROM leases WHERE name = 'digest'), 'a lease of another name was taken'; END $$`)
}

// A migration that this program is too old for ends it, and it does not start again. Both
// say which versions do not fit, and what to do.
func TestTooOldForTheSchema(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	running := s.spawnLogging("api,worker", s.log)
	s.untilReady()
	s.applied(3, "9.8.7")
	s.eventually(time.Minute, "the program ends", func() bool {
		select {
		case <-running.ended:
			return true
		default:
			return false
		}
	})
	refused, err := s.runBinary(os.Args[0], "serve", "--migrate")
	if err == nil {
		t.Error("it starts again")
	}
	want := "this is outreach " + storage.Program() + ", and the database schema needs outreach 9.8.7 or newer"
	for what, said := range map[string]string{"the running one": s.log.String(), "the started one": refused} {
		if !strings.Contains(said, want) || !strings.Contains(said, "start outreach 9.8.7 or newer") {
			t.Errorf("%s said %q", what, said)
		}
	}
	if code := running.command.ProcessState.ExitCode(); code != 1 {
		t.Errorf("it ended with code %d", code)
	}
}

func TestVersionCommand(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	testkit.NoError(t, dispatch(t.Context(), environment{stdout: &out}, []string{"version"}))
	if out.String() != storage.Program()+"\n" {
		t.Errorf("printed %q", out.String())
	}
}
