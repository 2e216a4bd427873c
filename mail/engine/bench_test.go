package engine_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/sandbox"
)

const benchBoxes = 50

// benchCampaign makes a campaign of one step over all the mailboxes.
func (w *world) benchCampaign() (boxes []outreach.Mailbox, c outreach.Campaign) {
	for i := range benchBoxes {
		boxes = append(boxes, w.mailbox(fmt.Sprintf("me%d@acme.test", i), nil))
	}
	c = w.campaign(func(c *outreach.Campaign) {
		c.Steps = []outreach.Step{{Subject: new("Hello {{ first_name }}"), BodyHTML: new("<p>Hello {{ first_name }}, " + filler + "</p>")}}
	}, boxes...)
	return boxes, c
}

// crowd enrolls n people, as the API would in longer time.
func (w *world) crowd(c outreach.Campaign, n int) {
	w.exec(`WITH p AS (
		INSERT INTO prospects (id, workspace_id, email, email_key, first_name, status)
		SELECT uuid_v7(), $1, 'p' || i || '@away.test', 'p' || i || '@away.test', 'Ada', 'in_sequence' FROM generate_series(1, $3) i RETURNING id
	) INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
	SELECT uuid_v7(), $1, $2, id, 1, clock_timestamp() - interval '1 hour' FROM p`, w.ws, c.ID, n)
	w.exec(`ANALYZE prospects, enrollments`)
}

// BenchmarkSend compares a campaign over 50 mailboxes with bare loops of the same
// client on the same server, which send a message of the same making: ratio is the
// former's rate over that of as many loops at once, each on its connection;
// ratio-one over that of a single loop on one; ratio-dial over that of as many
// loops that open a connection for each message. One operation is one message.
// Ticks come far more often than in life. postgres-µs is the CPU time of Postgres.
func BenchmarkSend(b *testing.B) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	w.mail = lean(b)
	boxes, c := w.benchCampaign()
	w.crowd(c, b.N)
	w.exec(`UPDATE mailboxes SET receive_at = now() + interval '1 day'`) // no mailbox is read meanwhile
	raw := w.rawMessage(boxes[0], c)
	bare, one, dialled := bareLoop(b, boxes, b.N, raw, true), bareLoop(b, boxes[:1], (b.N+3)/4, raw, true),
		bareLoop(b, boxes, (b.N+3)/4, raw, false)
	before, peak := heapNow(), watchHeap(b.Context())
	postgres := testdb.BackendTime(b, w.url)
	b.ResetTimer()
	ticks := w.sendAll(b.N)
	b.StopTimer()
	postgres = testdb.BackendTime(b, w.url) - postgres
	b.ReportMetric(float64(postgres.Microseconds())/float64(b.N), "postgres-µs/message")
	most, after := peak(), heapNow()
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "messages/s")
	b.ReportMetric(bare, "bare/s")
	b.ReportMetric(rate/bare, "ratio")
	b.ReportMetric(rate/one, "ratio-one")
	b.ReportMetric(rate/dialled, "ratio-dial")
	b.ReportMetric((after-before)/float64(b.N), "heap-B/message")
	b.ReportMetric(max(most-after, 0)/(1<<20), "heap-MB-at-work")
	b.ReportMetric(ticks[len(ticks)*99/100].Seconds()*1e3, "ms/tick-p99")
}

// sendAll runs the engine until n messages are settled, and returns the lengths of
// its ticks in their order.
func (w *world) sendAll(n int) (ticks []time.Duration) {
	w.t.Helper()
	ctx, stop := context.WithCancel(w.ctx)
	defer stop()
	var left atomic.Int64
	left.Store(int64(n))
	config := configOf(w.t, w.Stores, w.secret, w.clock.Now)
	config.SendInterval, config.ReceiveInterval = 100*time.Millisecond, time.Hour
	config.Hooks.Settled = func(outreach.SendKind) {
		if left.Add(-1) == 0 {
			stop()
		}
	}
	config.Hooks.Ticked = func(loop string, _, took time.Duration) {
		if loop == "send" {
			ticks = append(ticks, took)
		}
	}
	must(w.t, engine.New(config).Run(ctx))
	want := []string{fmt.Sprintf("sent %d", n)}
	if diff := cmp.Diff(want, rows[string](w, `SELECT status || ' ' || count(*) FROM messages GROUP BY status`)); diff != "" {
		w.t.Fatalf("messages (-want +got):\n%s", diff)
	}
	slices.Sort(ticks)
	return ticks
}

// rawMessage is a message such as the engine makes.
func (w *world) rawMessage(box outreach.Mailbox, c outreach.Campaign) []byte {
	w.t.Helper()
	composer := engine.Composer{BaseURL: "http://127.0.0.1", Keyring: keyring(w.t, w.secret)}
	out, err := composer.Compose(w.t.Context(), outreach.Draft{ID: uuid.New(), Mailbox: box, Campaign: c, Step: c.Steps[0], Number: 1,
		Prospect: outreach.Prospect{Email: "p1@away.test", FirstName: new("Ada")}, Date: w.clock.Now()})
	must(w.t, err)
	return out.Raw
}

// heapNow is what is in use, in bytes.
func heapNow() float64 {
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	return float64(now.HeapAlloc)
}

// watchHeap looks at what each collection of garbage left until it is asked what
// the most was, in bytes.
func watchHeap(ctx context.Context) (peak func() float64) {
	ctx, stop := context.WithCancel(ctx)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	most := make(chan float64)
	go func() {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		var seen float64
		for {
			metrics.Read(live)
			seen = max(seen, float64(live[0].Value.Uint64()))
			select {
			case <-ctx.Done():
				most <- seen
				return
			case <-ticker.C:
			}
		}
	}()
	return func() float64 { stop(); return <-most }
}

const filler = "this is about what a person writes to another whom they have not met: a few lines, one question, " +
	"one link, and a name below it."

func lean(b *testing.B) *sandbox.MailServer {
	b.Helper()
	server, err := sandbox.StartMailServer(context.WithoutCancel(b.Context()), sandbox.Config{Dir: b.TempDir(), DiscardBodies: true})
	must(b, err)
	b.Cleanup(func() { _ = server.Close() })
	return server
}

// bareLoop returns the messages per second of the client alone, a loop for each of
// the mailboxes. A loop keeps its connection or opens one for each message.
func bareLoop(b *testing.B, boxes []outreach.Mailbox, n int, raw []byte, keep bool) float64 {
	b.Helper()
	began := time.Now()
	var all sync.WaitGroup
	for i, box := range boxes {
		box.SMTP.Password = "a secret" // stored mailboxes come without
		config := mail.SMTPConfig{Server: box.SMTP, Network: loopback}
		all.Go(func() {
			conn, err := mail.DialSMTP(b.Context(), config)
			if err != nil {
				b.Error(err)
				return
			}
			defer conn.Close()
			for j := i; j < n && err == nil; j += len(boxes) {
				to := mail.Envelope{From: box.Email, To: fmt.Sprintf("q%d@away.test", j)}
				if keep {
					_, err = conn.Send(b.Context(), to, raw, atOnce)
				} else {
					_, err = mail.Send(b.Context(), config, to, raw, atOnce)
				}
			}
			if err != nil {
				b.Error(err)
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

func atOnce(context.Context) error { return nil }

// BenchmarkCompose makes one message of a step that was seen before.
func BenchmarkCompose(b *testing.B) {
	composer := engine.Composer{BaseURL: "http://127.0.0.1", Keyring: keyring(b, base64.StdEncoding.EncodeToString(make([]byte, 32)))}
	draft := outreach.Draft{ID: uuid.New(), Mailbox: outreach.Mailbox{Email: "me@acme.test"}, Number: 1, Date: time.Now(),
		Step:     outreach.Step{Subject: new("Hello {{ first_name }}"), BodyHTML: new("<p>Hello {{ first_name }}, " + filler + "</p>")},
		Prospect: outreach.Prospect{Email: "p1@away.test", FirstName: new("Ada")}}
	for b.Loop() {
		_, err := composer.Compose(b.Context(), draft)
		must(b, err)
	}
}
