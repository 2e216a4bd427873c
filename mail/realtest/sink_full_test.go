//go:build full

package realtest

import (
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// sink is the server behind Postfix: it refuses by the name of the recipient,
// after Postfix has taken the message from us.
type sink struct{ to string }

// startSink returns its port.
func startSink(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &sink{}, nil }))
	server.Domain, server.EnableSMTPUTF8 = "remote.example", true
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(listener) })
	t.Cleanup(func() { _ = server.Close(); running.Wait() })
	return listener.Addr().(*net.TCPAddr).Port
}

func (*sink) Mail(string, *smtp.MailOptions) error { return nil }

func (s *sink) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	switch name, _, _ := strings.Cut(to, "@"); name {
	case "gone":
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such person here"}
	case "full":
		return &smtp.SMTPError{Code: 452, EnhancedCode: smtp.EnhancedCode{4, 2, 2}, Message: "the mailbox is full"}
	}
	return nil
}

func (s *sink) Data(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	if strings.HasPrefix(s.to, "spam@") {
		return &smtp.SMTPError{Code: 554, EnhancedCode: smtp.EnhancedCode{5, 7, 1}, Message: "message refused as spam"}
	}
	return nil
}

func (s *sink) Reset()      { s.to = "" }
func (*sink) Logout() error { return nil }
