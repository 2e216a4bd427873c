package sandbox

import (
	"context"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

func TestPersonaOf(t *testing.T) {
	t.Parallel()
	cases := map[string]persona{
		"reply@x.test": personaReply, "Reply@x.test": personaReply, "reply.ann@x.test": personaReply,
		"reply+1@x.test": personaReply, "reply99@x.test": personaReply, "no.reply@x.test": personaNo,
		"ooo@x.test": personaOOO, "bounce1@x.test": personaBounce, "dsn@x.test": personaDSN,
		"click.me@x.test": personaClick, "unsub@x.test": personaUnsub,
		"reply-1@x.test": personaSilent, "replying@x.test": personaSilent, "ann.reply@x.test": personaSilent,
		"1reply@x.test": personaSilent, "@x.test": personaSilent, "": personaSilent,
	}
	for address, want := range cases {
		if got := personaOf(address); got != want {
			t.Errorf("personaOf(%q) is %q, want %q", address, got, want)
		}
	}
}

func TestHeaderField(t *testing.T) {
	t.Parallel()
	raw := []byte("Subject: a\r\n folded\r\n\tvalue\r\nmessage-id : <1@x>\r\n\r\nReferences: <body@x>\r\n")
	for name, want := range map[string]string{"Subject": "a folded value", "Message-ID": "<1@x>", "References": ""} {
		if got := headerField(raw, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestHookLogForgetsTheOldest(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), hookLogFile)
	log, err := openHookLog(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxHooks + 5 {
		if _, err := log.add(ReceivedHook{DeliveryID: strconv.Itoa(i)}, func(ReceivedHook) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.close(); err != nil {
		t.Fatal(err)
	}
	again, err := openHookLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer again.close()
	for name, l := range map[string]*hookLog{"running": log, "reopened": again} {
		hooks := l.list()
		if len(hooks) != maxHooks || hooks[0].DeliveryID != "5" || len(l.attempts) != maxHooks {
			t.Errorf("%s: %d webhooks from %q on, %d counts", name, len(hooks), hooks[0].DeliveryID, len(l.attempts))
		}
	}
}

func TestAPortTakenByAnotherIsNamed(t *testing.T) {
	t.Parallel()
	listener, err := listenFresh()
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	kept := port
	ctx, cancel := context.WithTimeout(t.Context(), 2*portPatience)
	defer cancel()
	_, err = listenKept(ctx, &kept, "SMTP")
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(port)) || kept != port {
		t.Errorf("port is now %d, error %v", kept, err)
	}
}

// BenchmarkSMTP sends as a load test does: many accounts, a connection each.
func BenchmarkSMTP(b *testing.B) {
	for name, lean := range map[string]bool{"keeping": false, "discarding": true} {
		b.Run(name, func(b *testing.B) { benchmarkSMTP(b, lean) })
	}
}

func benchmarkSMTP(b *testing.B, lean bool) {
	server, err := StartMailServer(b.Context(), Config{Dir: b.TempDir(), DiscardBodies: lean})
	if err != nil {
		b.Fatal(err)
	}
	defer server.Close()
	const accounts = 50
	body := "Subject: hello\r\nMessage-ID: <1@x.test>\r\n\r\n" + strings.Repeat("some text of a message\r\n", 100)
	b.ResetTimer()
	var senders sync.WaitGroup
	for i := range accounts {
		senders.Go(func() {
			if err := sendMany(server, i, (b.N+accounts-1)/accounts, body); err != nil {
				b.Error(err)
			}
		})
	}
	senders.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
}

func sendMany(server *MailServer, account, n int, body string) error {
	login, err := server.AddMailbox(fmt.Sprintf("box%d@sandbox.test", account), "pw")
	if err != nil {
		return err
	}
	client, err := smtp.Dial(net.JoinHostPort(login.SMTP.Host, strconv.Itoa(login.SMTP.Port)))
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Auth(sasl.NewPlainClient("", login.Email, "pw")); err != nil {
		return err
	}
	for i := range n {
		if err := client.SendMail(login.Email, []string{fmt.Sprintf("p%d-%d@x.test", account, i)}, strings.NewReader(body)); err != nil {
			return err
		}
	}
	return nil
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"reply.anna@x.test": "Anna", "anna.keller@x.test": "Anna Keller", "reply+7@x.test": "Reply",
		"click.élodie.roux+a@x.test": "Élodie Roux", "reply1@x.test": "Reply1",
	} {
		if got := nameOf(address); got != want {
			t.Errorf("name of %s: got %q, want %q", address, got, want)
		}
	}
}
