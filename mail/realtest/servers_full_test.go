//go:build full

package realtest

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"text/template"
	"time"

	"outreach"
	"outreach/internal/testkit"
)

const (
	password = "real-secret"
	// vmail owns the Maildirs; both servers work without a name for it.
	vmail = 5000
)

// servers is a Postfix and a Dovecot of the test's own: own directories, own
// ports on loopback, children of the test.
type servers struct {
	t    testing.TB
	Base string
	// Submission requires a login, MX accepts mail for the mailboxes, Sink is where
	// Postfix relays remote.example to. Submissions and IMAPS speak TLS from the
	// first byte, Submission and IMAP when they are asked to.
	Submission, MX, IMAP, Sink int
	Submissions, IMAPS         int
	roots                      *x509.CertPool // with the authority of their certificate
	Vmail                      int
	Password                   string
	Mailboxes                  []string
	dovecot                    *exec.Cmd
}

// startServers starts both, with the mailboxes named.
func startServers(t testing.TB, sinkPort int, mailboxes ...string) *servers {
	t.Helper()
	base, err := os.MkdirTemp("", "rt") //nolint:usetesting // short, for the sockets; t.TempDir is closed to the servers' users
	must(t, err)
	s := &servers{
		t: t, Base: base, Submission: freePort(t), MX: freePort(t), IMAP: freePort(t), Sink: sinkPort,
		Submissions: freePort(t), IMAPS: freePort(t),
		Vmail: vmail, Password: password, Mailboxes: mailboxes,
	}
	t.Cleanup(func() {
		if t.Failed() {
			s.showLogs()
		}
		_ = os.RemoveAll(base)
	})
	must(t, os.Chmod(base, 0o755))
	for _, dir := range []string{"postfix", "queue", "data", "dovecot", "mail"} {
		must(t, os.Mkdir(filepath.Join(base, dir), 0o755))
	}
	must(t, os.Chown(s.path("mail"), vmail, vmail))
	s.roots = s.writeCertificate()
	s.startDovecot()
	s.startPostfix()
	return s
}

func (s *servers) path(parts ...string) string {
	return filepath.Join(append([]string{s.Base}, parts...)...)
}

func (s *servers) write(name, text string) {
	s.t.Helper()
	var out bytes.Buffer
	must(s.t, template.Must(template.New(name).Parse(text)).Execute(&out, s))
	must(s.t, os.WriteFile(s.path(name), out.Bytes(), 0o644))
}

func (s *servers) startDovecot() {
	s.t.Helper()
	s.write("dovecot.conf", dovecotConf)
	s.write("users", "{{range .Mailboxes}}{{.}}:{PLAIN}{{$.Password}}\n{{end}}")
	s.dovecot = s.child("dovecot", "-F", "-c", s.path("dovecot.conf"))
	s.answers(s.IMAP)
}

func (s *servers) startPostfix() {
	s.t.Helper()
	s.write("postfix/main.cf", mainCf)
	s.write("postfix/master.cf", masterCf)
	s.write("postfix/mailboxes", mailboxMap)
	s.write("postfix/rules", rules)
	s.write("postfix/transport", "remote.example smtp:[127.0.0.1]:{{.Sink}}\n")
	s.write("postfix/copies", "{{range .Mailboxes}}{{.}} sent+{{.}}\n{{end}}")
	owner := s.run("stat", "-c", "%u", "/var/lib/postfix")
	uid, err := strconv.Atoi(strings.TrimSpace(owner))
	must(s.t, err)
	must(s.t, os.Chown(s.path("data"), uid, -1))
	s.run("postfix", "-c", s.path("postfix"), "check")
	s.child("/usr/lib/postfix/sbin/master", "-d", "-c", s.path("postfix"))
	s.answers(s.Submission)
	s.answers(s.MX)
}

// child runs a server until the test is over; it ends with the test's process,
// however that ends.
func (s *servers) child(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(s.t.Context()), name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
	cmd.Dir = s.Base
	out, err := os.OpenFile(s.path("out.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	must(s.t, err)
	cmd.Stdout, cmd.Stderr = out, out
	must(s.t, cmd.Start())
	s.t.Cleanup(func() { stop(cmd); _ = out.Close() })
	return cmd
}

// stop asks a server to end, and insists after a while.
func stop(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	insist := time.AfterFunc(10*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer insist.Stop()
	_ = cmd.Wait()
}

func (s *servers) run(name string, args ...string) string {
	s.t.Helper()
	out, err := exec.CommandContext(s.t.Context(), name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
	return string(out)
}

// answers waits for the greeting at a port.
func (s *servers) answers(port int) {
	s.t.Helper()
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.SetReadDeadline(deadline)
			_, err = conn.Read(make([]byte, 1))
			_ = conn.Close()
		}
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("no server at %s: %v", address, err)
		}
	}
}

func (s *servers) showLogs() {
	for _, name := range []string{"out.log", "mail.log", "dovecot.log"} {
		text, _ := os.ReadFile(s.path(name))
		s.t.Logf("%s:\n%s", name, text[max(0, len(text)-6000):])
	}
}

// smtp and imap are what a user would enter.
func (s *servers) smtp(email string) outreach.MailServer { return s.server(s.Submission, email) }
func (s *servers) imap(email string) outreach.MailServer { return s.server(s.IMAP, email) }

func (s *servers) server(port int, email string) outreach.MailServer {
	return outreach.MailServer{Host: "127.0.0.1", Port: port, Username: email, Password: password, Security: outreach.SecurityNone}
}

// messages reads the messages of a folder from the disk; the inbox is "".
func (s *servers) messages(email, folder string) (raw []string) {
	s.t.Helper()
	name, domain, _ := strings.Cut(email, "@")
	for _, state := range []string{"new", "cur"} {
		files, err := filepath.Glob(s.path("mail", domain, name, folder, state, "*"))
		must(s.t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if os.IsNotExist(err) { // moved from new to cur meanwhile
				return s.messages(email, folder)
			}
			must(s.t, err)
			raw = append(raw, string(text))
		}
	}
	return raw
}

// doveadm runs a command of Dovecot's own tool.
func (s *servers) doveadm(args ...string) string {
	s.t.Helper()
	return s.run("doveadm", append([]string{"-c", s.path("dovecot.conf")}, args...)...)
}

func freePort(t testing.TB) int {
	t.Helper()
	_, text, err := net.SplitHostPort(testkit.ReserveAddr(t))
	must(t, err)
	port, err := strconv.Atoi(text)
	must(t, err)
	return port
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func address(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }

// Folder is a mailbox's Maildir below the folder of all.
func (s *servers) Folder(email string) string {
	name, domain, _ := strings.Cut(email, "@")
	return domain + "/" + name
}
