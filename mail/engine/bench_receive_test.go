package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/mail"
	"outreach/mail/classify"
	"outreach/mail/engine"
)

// BenchmarkReceive compares reading a full inbox with fetching and parsing the
// same messages alone: ratio is the former's rate over the latter's. One
// operation is one message.
func BenchmarkReceive(b *testing.B) {
	b.Run("inbox", func(b *testing.B) { benchReceive(b, inboxMessage, answersOurs) })
	b.Run("small", func(b *testing.B) { benchReceive(b, smallMessage, func(i int) bool { return i%4 == 0 }) })
}

// BenchmarkReading reads 50 mailboxes that have nothing new, again and again. One operation is one
// reading; postgres-µs is the CPU time that Postgres spends on it.
func BenchmarkReading(b *testing.B) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	w.benchCampaign()
	store := &countedReadings{Store: w.Stores}
	reader := engine.New(configOf(b, store, w.secret, w.clock.Now))
	for range 3 { // where to go on is stored, statements are prepared
		reader.ReceiveOnce(w.ctx)
	}
	store.done.Store(0)
	before := testdb.BackendTime(b, w.url)
	b.ResetTimer()
	for store.done.Load() < int64(b.N) {
		reader.ReceiveOnce(w.ctx)
	}
	b.StopTimer()
	spent := testdb.BackendTime(b, w.url) - before
	b.ReportMetric(float64(spent.Microseconds())/float64(store.done.Load()), "postgres-µs")
}

// countedReadings counts the readings that ended well.
type countedReadings struct {
	engine.Store
	done atomic.Int64
}

func (s *countedReadings) DoneReading(ctx context.Context, workspace, mailbox uuid.UUID, holder string, failure *string) error {
	if failure == nil {
		s.done.Add(1)
	}
	return s.Store.DoneReading(ctx, workspace, mailbox, holder, failure)
}

// smallMessage is a line of text; every fourth answers ours. It is the worst case:
// next to nothing to fetch and parse, and as much to do.
func smallMessage(i int, box string, our sent) []byte {
	from, thread := fmt.Sprintf("s%d@strangers.test", i), ""
	if i%4 == 0 {
		from, thread = our.to, "In-Reply-To: "+our.id+"\r\n"
	}
	return fmt.Appendf(nil, "From: %s\r\nTo: %s\r\nMessage-ID: <in%d@away.test>\r\n%sSubject: Re: Hello\r\n\r\nThank "+
		"you, %s\r\n", from, box, i, thread, filler)
}

func benchReceive(b *testing.B, compose func(i int, box string, our sent) []byte, answers func(i int) bool) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	box := w.mailbox("me@acme.test", nil)
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello"), BodyText: new("Hello")}}
	}, box)
	w.crowd(c, max(b.N*2/5, 1))
	for range 3 {
		w.engine.SendOnce(w.ctx)
	}
	w.fillInbox(b, box, compose, b.N)
	box.IMAP.Password = "a secret"
	bare := bareRead(b, box, b.N)
	b.ResetTimer()
	w.engine.ReceiveOnce(w.ctx)
	b.StopTimer()
	if n := rows[int](w, `SELECT count(*)::int FROM incoming`)[0]; n != b.N {
		b.Fatalf("%d of %d messages were ingested", n, b.N)
	}
	want := 0
	for i := range b.N {
		if answers(i) {
			want++
		}
	}
	if n := rows[int](w, `SELECT count(*)::int FROM replies`)[0]; n != want {
		b.Fatalf("%d of %d replies were ingested", n, want)
	}
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "messages/s")
	b.ReportMetric(bare, "bare-messages/s")
	b.ReportMetric(rate/bare, "ratio")
}

// fillInbox delivers n messages.
func (w *world) fillInbox(b *testing.B, box outreach.Mailbox, compose func(int, string, sent) []byte, n int) {
	b.Helper()
	ids := rows[string](w, `SELECT message_id FROM messages ORDER BY recipient`)
	recipients := rows[string](w, `SELECT recipient FROM messages ORDER BY recipient`)
	conn, err := mail.DialSMTP(b.Context(), mail.SMTPConfig{Server: w.mail.Mailbox().SMTP, Network: loopback})
	must(b, err)
	defer conn.Close()
	for i := range n {
		at := i * 2 / 5 % len(ids)
		_, err := conn.Send(b.Context(), mail.Envelope{From: "x@away.test", To: box.Email}, compose(i, box.Email, sent{ids[at], recipients[at]}),
			func(context.Context) error { return nil })
		must(b, err)
	}
}

// bareRead returns the messages per second of fetching and parsing alone.
func bareRead(b *testing.B, box outreach.Mailbox, want int) float64 {
	b.Helper()
	began, n := time.Now(), 0
	for at, last := (mail.Position{}), -1; n != last; {
		last = n
		m, err := mail.OpenMailbox(b.Context(), mail.IMAPConfig{Server: box.IMAP, Network: loopback})
		must(b, err)
		at, err = m.Fetch(b.Context(), mail.FolderInbox, at, mail.Limits{Messages: 5000}, func(in mail.Incoming) error {
			n++
			_, err := classify.Read(bytes.NewReader(in.Raw))
			return err
		})
		m.Close()
		must(b, err)
	}
	if n != want {
		b.Fatalf("the bare reader read %d of %d messages", n, want)
	}
	return float64(n) / time.Since(began).Seconds()
}
