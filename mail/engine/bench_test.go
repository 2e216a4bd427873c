package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"outreach"
	"outreach/mail"
	"outreach/mail/classify"
	"outreach/sandbox"
)

const benchBoxes = 50

// crowd enrols n people, as the API would in longer time.
func (w *world) crowd(c outreach.Campaign, n int) {
	w.exec(`WITH p AS (
		INSERT INTO prospects (id, workspace_id, email, email_key, first_name, status)
		SELECT uuid_v7(), $1, 'p' || i || '@away.test', 'p' || i || '@away.test', 'Ada', 'in_sequence' FROM generate_series(1, $3) i RETURNING id
	) INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
	SELECT uuid_v7(), $1, $2, id, 1, clock_timestamp() - interval '1 hour' FROM p`, w.ws, c.ID, n)
	w.exec(`ANALYZE prospects, enrollments`)
}

// BenchmarkSend compares a campaign over 50 mailboxes with a bare loop of the
// same client over as many connections on the same server: ratio is the former's
// rate over the latter's. One operation is one message.
func BenchmarkSend(b *testing.B) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	w.mail = lean(b)
	var boxes []outreach.Mailbox
	for i := range benchBoxes {
		boxes = append(boxes, w.mailbox(fmt.Sprintf("me%d@acme.test", i), nil))
	}
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: ptr("Hello {{ first_name }}"), BodyHTML: ptr("<p>Hello {{ first_name }}, " + filler + "</p>")}}
	}, boxes...)
	w.crowd(c, b.N)
	bare := bareLoop(b, boxes, b.N)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	b.ResetTimer()
	for tries := 0; w.mail.ReceivedCount() < 2*b.N; tries++ {
		if w.engine.SendOnce(w.ctx); tries > 100 {
			b.Fatalf("only %d of %d arrived: %v", w.mail.ReceivedCount(), 2*b.N, rows[string](w, `SELECT status || coalesce(hold_reason, '') || coalesce(stop_reason, '') || ' ' || count(*) FROM enrollments GROUP BY status, hold_reason, stop_reason`))
		}
	}
	b.StopTimer()
	runtime.GC()
	runtime.ReadMemStats(&after)
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "messages/s")
	b.ReportMetric(rate/bare, "ratio")
	b.ReportMetric((float64(after.HeapAlloc)-float64(before.HeapAlloc))/float64(b.N), "heap-B/message")
}

const filler = "this is about what a person writes to another whom they have not met: a few lines, one question, one link, and a name below it."

func lean(b *testing.B) *sandbox.MailServer {
	b.Helper()
	server, err := sandbox.StartMailServer(context.WithoutCancel(b.Context()), sandbox.Config{Dir: b.TempDir(), DiscardBodies: true})
	must(b, err)
	b.Cleanup(func() { _ = server.Close() })
	return server
}

// bareLoop gives the messages per second of the client alone.
func bareLoop(b *testing.B, boxes []outreach.Mailbox, n int) float64 {
	b.Helper()
	began := time.Now()
	var all sync.WaitGroup
	for i, box := range boxes {
		box.SMTP.Password = "a secret" // stored mailboxes come without
		all.Go(func() {
			conn, err := mail.DialSMTP(b.Context(), mail.SMTPConfig{Server: box.SMTP, Network: loopback})
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			for j := i; j < n; j += len(boxes) {
				raw := fmt.Appendf(nil, "From: %s\r\nMessage-ID: <%d.%d@acme.test>\r\nSubject: Hello Ada\r\n\r\nHello Ada, %s\r\n", box.Email, i, j, filler)
				_, err := conn.Send(b.Context(), mail.Envelope{From: box.Email, To: fmt.Sprintf("q%d@away.test", j)}, raw, func(context.Context) error { return nil })
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

// BenchmarkReceive compares reading a full inbox with fetching and parsing it
// alone. One operation is one message, every fourth of them a reply to ours.
func BenchmarkReceive(b *testing.B) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	box := w.mailbox("me@acme.test", nil)
	c := w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: ptr("Hello"), BodyText: ptr("Hello")}}
	}, box)
	w.crowd(c, max(b.N/4, 1))
	for range 3 {
		w.engine.SendOnce(w.ctx)
	}
	ours := rows[string](w, `SELECT message_id FROM messages ORDER BY recipient`)
	w.fillInbox(b, box, ours, b.N)
	box.IMAP.Password = "a secret"
	bare := bareRead(b, box)
	b.ResetTimer()
	w.engine.ReceiveOnce(w.ctx)
	b.StopTimer()
	if n := rows[int](w, `SELECT count(*)::int FROM incoming`)[0]; n != b.N {
		b.Fatalf("%d of %d messages were taken in", n, b.N)
	}
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "messages/s")
	b.ReportMetric(rate/bare, "ratio")
}

// fillInbox delivers n messages, every fourth an answer.
func (w *world) fillInbox(b *testing.B, box outreach.Mailbox, ours []string, n int) {
	b.Helper()
	conn, err := mail.DialSMTP(b.Context(), mail.SMTPConfig{Server: w.mail.Mailbox().SMTP, Network: loopback})
	must(b, err)
	defer conn.Close()
	for i := range n {
		thread := ""
		if i%4 == 0 {
			thread = "In-Reply-To: " + ours[i/4%len(ours)] + "\r\n"
		}
		raw := fmt.Appendf(nil, "From: p%d@away.test\r\nTo: %s\r\nMessage-ID: <in%d@away.test>\r\n%sSubject: Re: Hello\r\n\r\nThank you, %s\r\n", i, box.Email, i, thread, filler)
		_, err := conn.Send(b.Context(), mail.Envelope{From: "x@away.test", To: box.Email}, raw, func(context.Context) error { return nil })
		must(b, err)
	}
}

// bareRead gives the messages per second of fetching and parsing alone.
func bareRead(b *testing.B, box outreach.Mailbox) float64 {
	b.Helper()
	began, n := time.Now(), 0
	for at, last := (mail.Position{}), -1; n != last; {
		last = n
		var err error
		at, err = mail.Fetch(b.Context(), mail.IMAPConfig{Server: box.IMAP, Network: loopback}, mail.FolderInbox, at, mail.Limits{}, func(in mail.Incoming) error {
			n++
			_, err := classify.Read(bytes.NewReader(in.Raw))
			return err
		})
		must(b, err)
	}
	return float64(n) / time.Since(began).Seconds()
}
