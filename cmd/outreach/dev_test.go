package main

import (
	"context"
	"encoding/json"
	"net"
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
)

// develop starts `outreach dev` as a process and reads its dev.json.
func develop(t *testing.T, dir string, args ...string) (*process, devFile) {
	t.Helper()
	_ = os.Remove(filepath.Join(dir, "dev.json"))
	command := exec.CommandContext(context.Background(), os.Args[0],
		append([]string{"dev", "--addr", "127.0.0.1:0", "--data", dir}, args...)...)
	command.Env = append(os.Environ(), asProgram+"=1")
	command.Stderr = t.Output()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{command, make(chan struct{})}
	go func() { _ = command.Wait(); close(p.ended) }()
	t.Cleanup(func() {
		p.stop()
		left(t, dir) // else the folder would be removed under a server that is still stopping
	})
	var file devFile
	wait := stage{t: t}
	wait.eventually(90*time.Second, "dev.json and ready", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "dev.json"))
		if err != nil || json.Unmarshal(text, &file) != nil {
			return false
		}
		response, err := http.Get(file.BaseURL + "/readyz")
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	return p, file
}

// stop asks the program to end, and waits.
func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM) // it may have ended
	<-p.ended
}

// The development stack keeps its data over a restart, however it ended, works
// beside a copy of itself and with the usual ports taken, and leaves nothing
// running.
func TestDev(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:5432", "127.0.0.1:6379"} {
		if listener, err := net.Listen("tcp", address); err == nil {
			defer listener.Close()
		}
	}
	dir := t.TempDir()
	first, before := develop(t, dir, "--no-demo")
	other, _ := develop(t, t.TempDir(), "--no-demo")
	s := &stage{t: t, base: before.BaseURL, token: before.APIToken, client: http.DefaultClient}
	s.call(http.StatusCreated, http.MethodPost, "/mailboxes", before.Mailbox)
	s.call(http.StatusCreated, http.MethodPost, "/prospects", object{"email": "kept@customer.example"})
	s.call(http.StatusCreated, http.MethodPost, "/subscriptions", object{"url": before.ReceiverURL, "events": []string{"sent"}})

	s.checkOpenings(before)

	first.kill()
	left(t, dir)

	second, after := develop(t, dir, "--no-demo")
	if after.APIToken != before.APIToken || after.ReceiverURL != before.ReceiverURL || after.Mailbox != before.Mailbox ||
		after.SecretKey != before.SecretKey {
		t.Errorf("after a restart dev.json is %+v, before it was %+v", after, before)
	}
	s.base = after.BaseURL
	if rows := s.list("/prospects"); len(rows) != 1 || rows[0]["email"] != "kept@customer.example" {
		t.Errorf("after a restart the prospects are %v", rows)
	}
	s.schemaOfAnotherBuild(after.DatabaseURL)
	for _, p := range []*process{second, other} {
		p.stop()
		if !p.command.ProcessState.Success() {
			t.Errorf("after SIGTERM the program ended with %s", p.command.ProcessState)
		}
	}
	left(t, dir)
	refused := exec.Command(os.Args[0], "dev", "--addr", "127.0.0.1:0", "--data", dir)
	refused.Env = append(os.Environ(), asProgram+"=1")
	if said, err := refused.CombinedOutput(); err == nil ||
		!strings.Contains(string(said), dir+" was created by another build") || strings.Contains(string(said), "SQLSTATE") {
		t.Errorf("on the data of another build: %v, %s", err, said)
	}
	left(t, dir)
}

// A database that DATABASE_URL names is left alone if it holds the data of a service or another program.
func TestDevLeavesOtherDatabasesAlone(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, change := range []string{
		"SELECT 1", // the database of a service
		"DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE orders (id int)",
	} {
		s.execute(s.vars["DATABASE_URL"], change)
		dir := t.TempDir()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // else it serves
		defer cancel()
		started := exec.CommandContext(ctx, os.Args[0], "dev", "--addr", "127.0.0.1:0", "--data", dir, "--no-demo")
		started.Env = append(os.Environ(), asProgram+"=1", "DATABASE_URL="+s.vars["DATABASE_URL"], "REDIS_URL="+s.vars["REDIS_URL"])
		said, err := started.CombinedOutput()
		if err == nil || !strings.Contains(string(said), "DATABASE_URL names a database that holds other data") {
			t.Errorf("after %q: %v, %s", change, err, said)
		}
		left(t, dir)
	}
}

func (s *stage) schemaOfAnotherBuild(url string) {
	s.t.Helper()
	s.execute(url, "UPDATE goose_db_version SET hash = 'other' WHERE version_id = 1")
}

// execute runs statements in the database at url.
func (s *stage) execute(url, statements string) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), url)
	if err != nil {
		s.t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(s.t.Context(), statements); err != nil {
		s.t.Fatal(err)
	}
}

// checkOpenings fails when more of this machine is open than the sandbox.
func (s *stage) checkOpenings(dev devFile) {
	s.t.Helper()
	for _, url := range []string{"https://127.0.0.1/", "https://localhost/", strings.Replace(dev.BaseURL, "http:", "https:", 1)} {
		out := s.call(http.StatusUnprocessableEntity, http.MethodPost, "/subscriptions", object{"url": url, "events": []string{"sent"}})
		if out["code"] != "url_not_allowed" {
			s.t.Errorf("%s: %v", url, out)
		}
	}
	elsewhere := dev.Mailbox
	elsewhere.IMAP.Port = elsewhere.SMTP.Port + 1
	if out := s.call(http.StatusUnprocessableEntity, http.MethodPost, "/mailboxes",
		elsewhere); !strings.Contains(toText(out), "its address is not allowed") {
		s.t.Errorf("another port: %v", out)
	}
	box := s.list("/mailboxes")[0]["id"].(string)
	if out := s.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+box,
		object{"smtp": nil}); !strings.Contains(toText(out), "smtp is required") {
		s.t.Errorf("a mailbox without SMTP: %v", out)
	}
	moved := object{"smtp": object{"host": "elsewhere.example"}, "imap": object{"host": dev.Mailbox.IMAP.Host}}
	if out := s.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+box,
		moved); toText(out["errors"]) != `[{"code":"required","detail":"password is required.","pointer":"/smtp/password"}]` {
		s.t.Errorf("a server that moved without its password: %v", out)
	}
	for _, path := range []string{"//prospects", "/./prospects"} {
		if out := s.call(http.StatusNotFound, http.MethodGet, path, nil); out["code"] != "not_found" {
			s.t.Errorf("%s: %v", path, out)
		}
	}
}

// left fails while a process still has the data folder among its words.
func left(t *testing.T, dir string) {
	t.Helper()
	wait := stage{t: t}
	wait.eventually(20*time.Second, "no process is left", func() bool {
		if _, err := os.Stat("/proc/self/cmdline"); err != nil {
			return true // no such folder on this system; devstack's own tests look there
		}
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, file := range files {
			text, _ := os.ReadFile(file)
			if strings.Contains(string(text), dir) {
				return false
			}
		}
		return true
	})
}

// The demo workspace shows every kind of event, by real SMTP, IMAP and HTTP.
func TestDemo(t *testing.T) {
	t.Parallel()
	_, dev := develop(t, t.TempDir())
	s := &stage{t: t, base: dev.BaseURL, token: dev.APIToken, client: http.DefaultClient}
	s.checkHistory()
	want := []string{"sent", "replied", "clicked", "bounced", "unsubscribed"}
	s.eventually(120*time.Second, "every event type was delivered", func() bool {
		for _, kind := range want {
			if len(s.list("/deliveries?limit=1&status=delivered&type="+kind)) == 0 {
				return false
			}
		}
		return true
	})
}

// checkHistory fails unless the workspace that has just started has four weeks behind it, in every
// state, and has told no receiver about them.
func (s *stage) checkHistory() {
	s.t.Helper()
	for _, status := range []outreach.EnrollmentStatus{"active", "held", "paused", "replied", "finished", "bounced", "unsubscribed",
		"stopped"} {
		if len(s.list("/enrollments?limit=1&status="+string(status))) == 0 {
			s.t.Errorf("no enrollment of the history is %s", status)
		}
	}
	for _, interest := range []string{"positive", "neutral", "negative"} {
		if len(s.list("/replies?limit=1&interest="+interest)) == 0 {
			s.t.Errorf("no reply of the history is %s", interest)
		}
	}
	now := time.Now().UTC()
	replies := s.list("/replies?limit=100")
	if oldest := replies[len(replies)-1]["received_at"].(string); oldest > now.AddDate(0, 0, -21).Format(time.RFC3339) {
		s.t.Errorf("the oldest reply came at %s", oldest)
	}
	for _, r := range replies {
		if subject, _ := r["subject"].(string); strings.Contains(subject, "{{") || strings.HasPrefix(subject, "Re: Re:") {
			s.t.Errorf("a reply has the subject %q", subject)
		}
	}
	for _, d := range s.list("/deliveries?limit=100") {
		if at := d["created_at"].(string); at < now.Add(-time.Hour).Format(time.RFC3339) {
			s.t.Errorf("the history was delivered at %s", at)
		}
	}
}
