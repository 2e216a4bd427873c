package mail

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"outreach"
)

var envelope = Envelope{From: testUser, To: "bob@example.org"}

const rawMessage = "Subject: Hello\r\nMessage-ID: <1@example.com>\r\n\r\nHi\r\n.\r\n..dots\r\nbye\r\n"

func TestSendEveryKindOfConnection(t *testing.T) {
	t.Parallel()
	for _, security := range []outreach.Security{outreach.SecurityTLS, outreach.SecurityStartTLS, outreach.SecurityNone} {
		for _, mechanism := range []string{"PLAIN", "LOGIN"} {
			t.Run(string(security)+" "+mechanism, func(t *testing.T) {
				t.Parallel()
				server := &submission{mechanism: mechanism}
				config := SMTPConfig{Server: server.start(t, security), Network: loopback()}
				commits := 0
				out, err := Send(t.Context(), config, envelope, []byte(rawMessage), func(context.Context) error {
					if n := len(server.messages()); n != 0 {
						t.Errorf("%d messages accepted before the commit", n)
					}
					commits++
					return nil
				})
				if err != nil || out.Status != StatusAccepted || out.Code != 250 || !strings.HasPrefix(out.Text, "250 ") {
					t.Fatalf("outcome %+v, error %v", out, err)
				}
				if diff := cmp.Diff([]string{rawMessage}, server.messages()); diff != "" || commits != 1 {
					t.Fatalf("%d commits; accepted (-want +got):\n%s", commits, diff)
				}
			})
		}
	}
}

func TestSendOutcomes(t *testing.T) {
	t.Parallel()
	gone := &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
	busy := &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: "greylisted,\nlater"}
	refuse := func(err error) func(string) error { return func(string) error { return err } }
	tests := []struct {
		name    string
		server  *submission
		env     Envelope
		want    Outcome
		commits int
	}{
		{"recipient refused", &submission{onRcpt: refuse(gone)}, envelope,
			Outcome{Status: StatusRefused, Command: "RCPT", Code: 550, Enhanced: "5.1.1", Text: "550 5.1.1 no such user",
				Recipient: "bob@example.org"}, 0},
		{"one of several refused", &submission{onRcpt: func(to string) error {
			if to == "cc@example.org" {
				return gone
			}
			return nil
		}}, Envelope{From: testUser, To: "bob@example.org", Cc: []string{"cc@example.org"}},
			Outcome{Status: StatusRefused, Command: "RCPT", Code: 550, Enhanced: "5.1.1", Text: "550 5.1.1 no such user",
				Recipient: "cc@example.org"}, 0},
		{"recipient deferred", &submission{onRcpt: refuse(busy)}, envelope,
			Outcome{Status: StatusDeferred, Command: "RCPT", Code: 451, Enhanced: "4.7.1", Text: "451 4.7.1 greylisted, later",
				Recipient: "bob@example.org"}, 0},
		{"message refused", &submission{onData: func(int) error { return gone }}, envelope,
			Outcome{Status: StatusRefused, Command: ".", Code: 550, Enhanced: "5.1.1", Text: "550 5.1.1 no such user"}, 1},
		{"message deferred", &submission{onData: func(int) error { return busy }}, envelope,
			Outcome{Status: StatusDeferred, Command: ".", Code: 451, Enhanced: "4.7.1", Text: "451 4.7.1 greylisted, later"}, 1},
		{"recipient with a command in it", &submission{}, Envelope{From: testUser, To: "x@y.z>\r\nRCPT TO:<evil@y.z"},
			Outcome{Status: StatusRefused, Command: "RCPT", Code: 553, Enhanced: "5.1.3", Recipient: "x@y.z>\r\nRCPT TO:<evil@y.z"}, 0},
		{"recipient with a parameter in it", &submission{}, Envelope{From: testUser, To: "x@y.z> NOTIFY=NEVER"},
			Outcome{Status: StatusRefused, Command: "RCPT", Code: 553, Enhanced: "5.1.3", Recipient: "x@y.z> NOTIFY=NEVER"}, 0},
		{"no SMTPUTF8", &submission{}, Envelope{From: testUser, To: "jürgen@example.org"},
			Outcome{Status: StatusRefused, Command: "MAIL", Code: 553, Enhanced: "5.6.7",
				Text: "553 5.6.7 the server does not accept addresses with non-ASCII characters (SMTPUTF8)"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config := SMTPConfig{Server: test.server.start(t, outreach.SecurityNone), Network: loopback()}
			commits := 0
			out, err := Send(t.Context(), config, test.env, []byte(rawMessage), func(context.Context) error { commits++; return nil })
			if err != nil {
				t.Fatal(err)
			}
			if test.want.Text == "" {
				out.Text = ""
			}
			if diff := cmp.Diff(test.want, out); diff != "" || commits != test.commits {
				t.Fatalf("%d commits, want %d; outcome (-want +got):\n%s", commits, test.commits, diff)
			}
			if n := len(test.server.messages()); n != 0 {
				t.Fatalf("the server accepted %d messages", n)
			}
		})
	}
}

func TestSendMapsDomainOfEnvelope(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	server := &submission{onRcpt: func(to string) error { got <- to; return nil }}
	config := SMTPConfig{Server: server.start(t, outreach.SecurityNone), Network: loopback()}
	out, err := Send(t.Context(), config, Envelope{From: testUser, To: "bob@bücher.example"}, []byte(rawMessage),
		func(context.Context) error { return nil })
	if err != nil || out.Status != StatusAccepted {
		t.Fatal(out, err)
	}
	if to := <-got; to != "bob@xn--bcher-kva.example" {
		t.Fatalf("recipient %q", to)
	}
}

// A failing commit, or a context that ended, must leave the server without the
// message: no dot, no QUIT that would write it.
func TestSendDropsWhenCommitFails(t *testing.T) {
	t.Parallel()
	for _, security := range []outreach.Security{outreach.SecurityNone, outreach.SecurityTLS} {
		for _, name := range []string{"error", "cancelled", "panic"} {
			t.Run(string(security)+" "+name, func(t *testing.T) {
				t.Parallel()
				server := &submission{}
				config := SMTPConfig{Server: server.start(t, security), Network: loopback()}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				broken := errors.New("database away")
				c, err := DialSMTP(ctx, config)
				if err != nil {
					t.Fatal(err)
				}
				var out Outcome
				func() {
					defer func() { _ = recover() }()
					out, err = c.Send(ctx, envelope, []byte(rawMessage), func(context.Context) error {
						switch name {
						case "cancelled":
							cancel()
							return nil
						case "panic":
							panic(name)
						}
						return broken
					})
				}()
				c.Close()
				if name != "panic" && (out.Status != StatusNotSent || out.Command != "commit" || err == nil) {
					t.Fatalf("outcome %+v, error %v", out, err)
				}
				if name == "error" && !errors.Is(err, broken) {
					t.Fatalf("error %v", err)
				}
				// The server is asked once more, so it has seen the end of the
				// connection before it is counted.
				if err := CheckSMTP(t.Context(), config); err != nil {
					t.Fatal(err)
				}
				if n := len(server.messages()); n != 0 {
					t.Fatalf("the server accepted %d messages", n)
				}
			})
		}
	}
}

// cutter forwards SMTP to a server and cuts the connection at one point.
type cutter struct {
	target string
	at     string // command, or "." for the final dot
	after  bool   // the server still gets it, and its answer is lost
	cuts   atomic.Int32
}

func (c *cutter) serve(client net.Conn) {
	server, err := net.Dial("tcp", c.target)
	if err != nil {
		return
	}
	defer server.Close()
	replies := bufio.NewReader(server)
	answer := func(out io.Writer) bool {
		for {
			line, err := replies.ReadString('\n')
			if err != nil {
				return false
			}
			_, _ = io.WriteString(out, line)
			if len(line) > 3 && line[3] == ' ' {
				return true
			}
		}
	}
	if c.at == "greeting" {
		c.cuts.Add(1)
		return
	}
	lines, body := bufio.NewReader(client), false
	for ok := answer(client); ok; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		word := strings.ToUpper(strings.Fields(line + " -")[0])
		dot := body && line == ".\r\n"
		if body && !dot {
			if c.at == "body" {
				c.cuts.Add(1)
				return
			}
			_, _ = io.WriteString(server, line)
			continue
		}
		if hit := c.at == "." && dot || c.at == word && !body; hit {
			c.cuts.Add(1)
			if c.after {
				_, _ = io.WriteString(server, line)
				answer(io.Discard)
			}
			return
		}
		_, _ = io.WriteString(server, line)
		body = false
		if ok = answer(client); ok && word == "DATA" && !dot {
			body = true
		}
	}
}

func TestSendCutAtEveryCommand(t *testing.T) {
	t.Parallel()
	type want struct {
		status   Status
		accepted int
	}
	for _, at := range []string{"greeting", "EHLO", "AUTH", "MAIL", "RCPT", "DATA", "body", "."} {
		for _, after := range []bool{false, true} {
			expect := want{StatusNotSent, 0}
			switch {
			case at == "." && after:
				expect = want{StatusUnknown, 1}
			case at == ".":
				expect = want{StatusUnknown, 0}
			case at == "body":
				// The dot goes out to a connection whose end may not have
				// been noticed yet; never may it count as sent.
				expect = want{"", 0}
			}
			t.Run(fmt.Sprintf("%s after=%v", at, after), func(t *testing.T) {
				t.Parallel()
				server := &submission{}
				target := server.start(t, outreach.SecurityNone)
				proxy := &cutter{target: fmt.Sprintf("127.0.0.1:%d", target.Port), at: at, after: after}
				config := SMTPConfig{Server: rude(t, proxy.serve), Network: loopback()}
				commits := 0
				out, err := Send(t.Context(), config, envelope, []byte(rawMessage), func(context.Context) error { commits++; return nil })
				if expect.status == "" && (out.Status == StatusNotSent || out.Status == StatusUnknown) {
					expect.status = out.Status
				}
				if err == nil || out.Status != expect.status || proxy.cuts.Load() != 1 {
					t.Fatalf("outcome %+v, error %v, %d cuts", out, err, proxy.cuts.Load())
				}
				if n := len(server.messages()); n != expect.accepted {
					t.Fatalf("the server accepted %d messages, want %d", n, expect.accepted)
				}
				if committed := at == "." || at == "body"; !committed && commits != 0 {
					t.Fatalf("%d commits for a message that did not get that far", commits)
				}
				if out.Status == StatusNotSent {
					again, err := Send(t.Context(), SMTPConfig{Server: target, Network: loopback()}, envelope, []byte(rawMessage),
						func(context.Context) error { return nil })
					if err != nil || again.Status != StatusAccepted || len(server.messages()) != 1 {
						t.Fatalf("second attempt %+v, %v, %d messages", again, err, len(server.messages()))
					}
				}
			})
		}
	}
}

// When the connection is known to be gone before the dot could be written, the
// message is not unknown.
func TestSendConnectionGoneAtTheDot(t *testing.T) {
	t.Parallel()
	server := &submission{}
	config := SMTPConfig{Server: server.start(t, outreach.SecurityTLS), Network: loopback()}
	c, err := DialSMTP(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	out, err := c.Send(t.Context(), envelope, []byte(rawMessage), func(context.Context) error { return c.wire.Close() })
	if err == nil || out.Status != StatusNotSent || out.Command != "." || len(server.messages()) != 0 {
		t.Fatalf("outcome %+v, error %v", out, err)
	}
}

func TestSendUnexpectedAnswers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		answer string
		want   Status
	}{
		{"250 2.0.0 ok", StatusAccepted},
		{"251 will forward", StatusAccepted},
		{"354 go on", StatusUnknown},
		{"hello?", StatusUnknown},
		{"250-" + strings.Repeat("x", 3000), StatusUnknown},
		{"421 4.3.2 shutting down", StatusDeferred},
		{"554 5.7.1 spam", StatusRefused},
	}
	for _, test := range tests {
		t.Run(shorten(test.answer[:min(20, len(test.answer))]), func(t *testing.T) {
			t.Parallel()
			config := SMTPConfig{Server: rude(t, scripted(test.answer)), Network: loopback()}
			config.Server.Username = ""
			out, err := Send(t.Context(), config, envelope, []byte(rawMessage), func(context.Context) error { return nil })
			if out.Status != test.want {
				t.Fatalf("outcome %+v, error %v, want %s", out, err, test.want)
			}
		})
	}
}

// scripted is a server without login that ends every message with one answer.
func scripted(last string) func(net.Conn) {
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		_, _ = io.WriteString(conn, "220 hi\r\n")
		body := false
		for {
			line, err := in.ReadString('\n')
			switch {
			case err != nil:
				return
			case body && line == ".\r\n":
				body = false
				_, _ = io.WriteString(conn, last+"\r\n")
			case body:
			case strings.HasPrefix(line, "DATA"):
				body = true
				_, _ = io.WriteString(conn, "354 go\r\n")
			default:
				_, _ = io.WriteString(conn, "250 ok\r\n")
			}
		}
	}
}

func TestConnCarriesSeveralMessages(t *testing.T) {
	t.Parallel()
	server := &submission{onRcpt: func(to string) error {
		if strings.HasPrefix(to, "gone") {
			return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no"}
		}
		return nil
	}}
	named := loopback()
	named.HelloName = "example.com"
	c, err := DialSMTP(t.Context(), SMTPConfig{Server: server.start(t, outreach.SecurityStartTLS), Network: named})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var got []Status
	for _, to := range []string{"a@x.org", "gone@x.org", "bad\r\n@x.org", "b@x.org"} {
		out, err := c.Send(t.Context(), Envelope{From: testUser, To: to}, []byte(rawMessage), func(context.Context) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, out.Status)
	}
	want := []Status{StatusAccepted, StatusRefused, StatusRefused, StatusAccepted}
	if diff := cmp.Diff(want, got); diff != "" || len(server.messages()) != 2 {
		t.Fatalf("%d messages; (-want +got):\n%s", len(server.messages()), diff)
	}
}

// After an accepted message nothing is left to clear (RFC 5321 4.1.1.4), so the next one begins with
// MAIL. After any other end RSET comes first, if the server had begun a transaction.
func TestConnSendsNoCommandInVain(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"<gone@x.org>": "550 5.1.1 no", "<never@y.org>": "550 5.7.1 not you"}
	commands := make(chan string, 100)
	server := rude(t, recorded(commands, func(_, line string) (string, bool) {
		for part, answer := range answers {
			if strings.Contains(line, part) {
				return answer, true
			}
		}
		return "", true
	}))
	server.Username = ""
	c, err := DialSMTP(t.Context(), SMTPConfig{Server: server, Network: loopback()})
	if err != nil {
		t.Fatal(err)
	}
	full, afresh := "MAIL RCPT DATA .", "RSET EHLO MAIL RCPT DATA ."
	for _, one := range []struct {
		env    Envelope
		status Status
		want   string
	}{
		{Envelope{From: testUser, To: "a@x.org"}, StatusAccepted, "EHLO " + full},
		{Envelope{From: testUser, To: "b@x.org"}, StatusAccepted, full},
		{Envelope{From: testUser, To: "gone@x.org"}, StatusRefused, "MAIL RCPT"},
		{Envelope{From: testUser, To: "c@x.org"}, StatusAccepted, afresh},
		{Envelope{From: "never@y.org", To: "d@x.org"}, StatusRefused, "MAIL"},
		{Envelope{From: testUser, To: "e@x.org"}, StatusAccepted, afresh},
		{Envelope{From: testUser, To: "bad\r\n@x.org"}, StatusRefused, "MAIL"},
		{Envelope{From: testUser, To: "f@x.org"}, StatusAccepted, afresh},
		{Envelope{From: "bad\r\n@y.org", To: "g@x.org"}, StatusRefused, ""},
		{Envelope{From: testUser, To: "h@x.org"}, StatusAccepted, full},
	} {
		out, err := c.Send(t.Context(), one.env, []byte(rawMessage), func(context.Context) error { return nil })
		var got []string
		for len(commands) > 0 {
			got = append(got, <-commands)
		}
		if err != nil || out.Status != one.status || strings.Join(got, " ") != one.want {
			t.Errorf("%s: %s (%v) with the commands %v, want %s with %s", one.env.To, out.Status, err, got, one.status, one.want)
		}
	}
	c.Close()
	if last := <-commands; last != "QUIT" {
		t.Errorf("closed with %s", last)
	}
}

// recorded is a server without login that records each command before it answers with the text of
// answer, or with success if that is empty. It closes the connection unless answer returns stay.
func recorded(commands chan<- string, answer func(command, line string) (said string, stay bool)) func(net.Conn) {
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		_, _ = io.WriteString(conn, "220 hi\r\n")
		for body := false; ; {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			if body && line != ".\r\n" {
				continue
			}
			command := strings.Fields(line)[0]
			body = command == "DATA"
			said, stay := answer(command, line)
			switch {
			case said != "":
			case body:
				said = "354 go"
			default:
				said = "250 ok"
			}
			commands <- command
			if _, err := io.WriteString(conn, said+"\r\n"); err != nil || !stay {
				return
			}
		}
	}
}

// After a server has closed an idle session, with an answer or without, the next attempt ends and has
// sent nothing.
func TestConnGoneBetweenMessages(t *testing.T) {
	t.Parallel()
	for name, farewell := range map[string]string{"silently": "", "with a word": "\r\n421 4.4.2 idle for too long"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := rude(t, recorded(make(chan string, 100), func(command, _ string) (string, bool) {
				if command == "." {
					return "250 ok" + farewell, false
				}
				return "", true
			}))
			server.Username = ""
			c, err := DialSMTP(t.Context(), SMTPConfig{Server: server, Network: loopback()})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			second := Outcome{Status: StatusNotSent, Command: "MAIL", Text: "connection closed by the server"}
			if farewell != "" {
				second = Outcome{Status: StatusDeferred, Command: "MAIL", Code: 421, Enhanced: "4.4.2", Text: "421 4.4.2 idle for too long"}
			}
			third := Outcome{Status: StatusNotSent, Command: "connect", Text: "connection closed"}
			for i, want := range []Outcome{{Status: StatusAccepted, Command: ".", Code: 250, Text: "250 ok"}, second, third} {
				out, _ := c.Send(t.Context(), envelope, []byte(rawMessage), func(context.Context) error { return nil })
				if diff := cmp.Diff(want, out); diff != "" {
					t.Fatalf("message %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

func TestSendHangingServer(t *testing.T) {
	t.Parallel()
	short := loopback()
	short.Timeouts = Timeouts{Connect: 200 * time.Millisecond, Command: 200 * time.Millisecond,
		Data: 200 * time.Millisecond, Answer: 200 * time.Millisecond}
	t.Run("at the greeting", func(t *testing.T) {
		t.Parallel()
		server := rude(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
		out, err := Send(t.Context(), SMTPConfig{Server: server, Network: short}, envelope, []byte(rawMessage), nil)
		if out.Status != StatusNotSent || reasonOf(t, err, KindTimeout) != "timeout" {
			t.Fatalf("%+v, %v", out, err)
		}
	})
	t.Run("while the message is written", func(t *testing.T) {
		t.Parallel()
		server := rude(t, func(conn net.Conn) {
			in := bufio.NewReader(conn)
			_, _ = io.WriteString(conn, "220 hi\r\n")
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if strings.HasPrefix(line, "DATA") {
					_, _ = io.WriteString(conn, "354 go\r\n")
					<-t.Context().Done() // reads no more
					return
				}
				_, _ = io.WriteString(conn, "250 ok\r\n")
			}
		})
		server.Username = ""
		huge := []byte("Subject: x\r\n\r\n" + strings.Repeat(strings.Repeat("x", 98)+"\r\n", 200_000))
		out, err := Send(t.Context(), SMTPConfig{Server: server, Network: short}, envelope, huge, func(context.Context) error {
			t.Error("committed a message that is not out")
			return nil
		})
		if out.Status != StatusNotSent || reasonOf(t, err, KindTimeout) != "timeout" {
			t.Fatalf("%+v, %v", out, err)
		}
	})
	t.Run("after the dot", func(t *testing.T) {
		t.Parallel()
		server := &submission{}
		proxy := &cutter{target: fmt.Sprintf("127.0.0.1:%d", server.start(t, outreach.SecurityNone).Port)}
		silent := rude(t, func(conn net.Conn) {
			proxy.serve(struct{ net.Conn }{&deaf{Conn: conn}})
		})
		out, err := Send(t.Context(), SMTPConfig{Server: silent, Network: short}, envelope, []byte(rawMessage),
			func(context.Context) error { return nil })
		if out.Status != StatusUnknown || reasonOf(t, err, KindTimeout) != "timeout" || len(server.messages()) != 1 {
			t.Fatalf("%+v, %v, %d messages", out, err, len(server.messages()))
		}
	})
	t.Run("floods", func(t *testing.T) {
		t.Parallel()
		server := rude(t, func(conn net.Conn) {
			_, _ = io.WriteString(conn, "220 hi\r\n")
			for {
				if _, err := io.WriteString(conn, "250-and more\r\n"); err != nil {
					return
				}
			}
		})
		_, err := Send(t.Context(), SMTPConfig{Server: server, Network: loopback()}, envelope, []byte(rawMessage), nil)
		if reason := reasonOf(t, err, KindProtocol); reason != "the server sent too much" {
			t.Fatal(reason)
		}
	})
}

// deaf passes on everything but the answer to the final dot.
type deaf struct {
	net.Conn
	data bool
}

func (d *deaf) Write(p []byte) (int, error) {
	if d.data {
		return len(p), nil
	}
	d.data = bytes.HasPrefix(p, []byte("354"))
	return d.Conn.Write(p)
}
