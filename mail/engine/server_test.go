package engine_test

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"

	"outreach"
)

// script answers a command of an SMTP client; "" drops the connection. The final
// dot is the command ".", the greeting "connect". Connections and the commands of
// one kind within one are counted from 1.
type script func(connection, nth int, command string, line string) string

// fine is a server that takes everything.
func fine(_, _ int, command, _ string) string {
	switch command {
	case "connect":
		return "220 here"
	case "DATA":
		return "354 go on"
	}
	return "250 ok"
}

// at answers one command of its own, the rest as fine does.
func at(command, answer string) script {
	return func(c, n int, is, line string) string {
		if is == command {
			return answer
		}
		return fine(c, n, is, line)
	}
}

// smtpServer plays a script and keeps the recipients of what it took.
type smtpServer struct {
	outreach.MailServer
	mu    sync.Mutex
	taken []string
	open  []net.Conn
}

func (s *smtpServer) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.taken...)
}

// connections counts those that were ever opened.
func (s *smtpServer) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.open)
}

func startSMTP(t *testing.T, play script) *smtpServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := &smtpServer{MailServer: outreach.MailServer{Host: "127.0.0.1", Port: listener.Addr().(*net.TCPAddr).Port,
		Security: outreach.SecurityNone}}
	var running sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		s.mu.Lock()
		for _, conn := range s.open {
			conn.Close()
		}
		s.mu.Unlock()
		running.Wait()
	})
	running.Go(func() {
		for n := 1; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.mu.Lock()
			s.open = append(s.open, conn)
			s.mu.Unlock()
			running.Go(func() { s.talk(conn, n, play) })
		}
	})
	return s
}

func (s *smtpServer) talk(conn net.Conn, connection int, play script) {
	defer conn.Close()
	seen := map[string]int{}
	answer := ""
	say := func(command, line string) bool {
		seen[command]++
		if answer = play(connection, seen[command], command, line); answer == "" {
			return false
		}
		_, err := fmt.Fprintf(conn, "%s\r\n", answer)
		return err == nil
	}
	if !say("connect", "") {
		return
	}
	lines := bufio.NewScanner(conn)
	recipient := ""
	for lines.Scan() {
		line := lines.Text()
		command, _, _ := strings.Cut(strings.ToUpper(line), " ")
		if command == "RCPT" {
			recipient = strings.Trim(strings.TrimPrefix(line, "RCPT TO:"), "<>")
		}
		if !say(command, line) {
			return
		}
		if command == "DATA" && !strings.HasPrefix(answer, "4") && !strings.HasPrefix(answer, "5") {
			for lines.Scan() && lines.Text() != "." {
			}
			if lines.Text() != "." {
				return // the client left before the dot
			}
			s.mu.Lock()
			s.taken = append(s.taken, recipient)
			s.mu.Unlock()
			if !say(".", recipient) {
				return
			}
		}
	}
}
