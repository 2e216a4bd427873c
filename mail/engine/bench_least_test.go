package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// BenchmarkSendLeast is what any ledger of three commits in Postgres can reach
// here: the loops of BenchmarkSend compose their messages and make the commits in
// groups, on tables with a primary key each and nothing else. No person is searched for,
// nothing is asked again before the dot, no list has an index; each mailbox claims
// many messages ahead, so that it never waits for commit 1. Its ratios are bounds
// of those that BenchmarkSend prints.
func BenchmarkSendLeast(b *testing.B) {
	w := newWorld(b, time.Now().UTC(), time.Millisecond)
	w.mail = lean(b)
	boxes, c := w.benchCampaign()
	raw := w.rawMessage(boxes[0], c)
	bare, one := bareLoop(b, boxes, b.N, raw, true), bareLoop(b, boxes[:1], (b.N+3)/4, raw, true)
	l := w.leastLedger(b.N)
	composer := &engine.Composer{BaseURL: "http://127.0.0.1", Keyring: keyring(b, w.secret)}
	b.ResetTimer()
	var all sync.WaitGroup
	for i, box := range boxes {
		box.SMTP.Password = "a secret"
		all.Go(func() { l.sendFrom(b, box, c, composer, i) })
	}
	all.Wait()
	b.StopTimer()
	if sent := rows[int](w, `
SELECT count(*)::int FROM least_messages m JOIN least_events USING (id) WHERE m.status = 'sent'`)[0]; sent != b.N {
		b.Fatalf("%d of %d messages were settled", sent, b.N)
	}
	rate := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(rate, "messages/s")
	b.ReportMetric(bare, "bare/s")
	b.ReportMetric(rate/bare, "ratio")
	b.ReportMetric(rate/one, "ratio-one")
}

// aheadOf is how many messages a mailbox claims at once in BenchmarkSendLeast.
const aheadOf = 20

// leastLedger is the ledger of BenchmarkSendLeast for enrollments 0 to n-1.
type leastLedger struct {
	w                        *world
	n                        int
	claims, commits, settles *leastGroup
}

// leastMessage is a row of it.
type leastMessage struct {
	id         uuid.UUID
	enrollment int
	recipient  string
	composed   outreach.Composed
}

func (w *world) leastLedger(n int) *leastLedger {
	w.exec(`
CREATE TABLE least_messages (id uuid PRIMARY KEY, workspace_id uuid, enrollment_id int, recipient text, subject text, body_text text,
		message_id text, raw bytea, status text, committed_at timestamptz, sent_at timestamptz) WITH (fillfactor = 70)`)
	w.exec(`CREATE TABLE least_events (id uuid PRIMARY KEY, workspace_id uuid, enrollment_id int, recipient text, ` +
		`metadata jsonb, occurred_at timestamptz)`)
	w.exec(`CREATE TABLE least_enrollments (id int PRIMARY KEY, next_step int) WITH (fillfactor = 70)`)
	w.exec(`INSERT INTO least_enrollments SELECT i, 1 FROM generate_series(0, $1 - 1) i`, n)
	w.exec(`ANALYZE least_enrollments`)
	return &leastLedger{w: w, n: n, claims: &leastGroup{run: w.leastClaim}, commits: &leastGroup{run: w.leastCommit},
		settles: &leastGroup{run: w.leastSettle}}
}

func (w *world) leastClaim(all []leastMessage) {
	var ids []uuid.UUID
	var enrollments []int
	var recipients, subjects, texts, headers []string
	var raws [][]byte
	for _, m := range all {
		ids, enrollments, recipients = append(ids, m.id), append(enrollments, m.enrollment), append(recipients, m.recipient)
		subjects, texts = append(subjects, m.composed.Subject), append(texts, m.composed.Text)
		headers, raws = append(headers, m.composed.MessageID), append(raws, m.composed.Raw)
	}
	w.exec(`INSERT INTO least_messages SELECT one.id, $1, one.enrollment, one.recipient, one.subject, one.body, one.header, one.raw, 'claimed'
		FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[])
			one(id, enrollment, recipient, subject, body, header, raw)`, w.ws, ids, enrollments, recipients, subjects, texts, headers, raws)
}

func (w *world) leastCommit(all []leastMessage) {
	w.exec(`UPDATE least_messages SET committed_at = $2 WHERE id = ANY($1)`, leastIDs(all), w.clock.Now())
}

func (w *world) leastSettle(all []leastMessage) {
	w.exec(`WITH m AS (
			UPDATE least_messages SET status = 'sent', sent_at = committed_at, raw = NULL WHERE id = ANY($1) RETURNING *
		), e AS (
			UPDATE least_enrollments e SET next_step = 2 FROM m WHERE e.id = m.enrollment_id
		)
		INSERT INTO least_events SELECT id, workspace_id, enrollment_id, recipient,
			jsonb_build_object('messageId', message_id), sent_at FROM m`, leastIDs(all))
}

func leastIDs(all []leastMessage) (ids []uuid.UUID) {
	for _, m := range all {
		ids = append(ids, m.id)
	}
	return ids
}

// sendFrom sends what one of the mailboxes has to send: every enrollment of its
// number, modulo theirs.
func (l *leastLedger) sendFrom(b *testing.B, box outreach.Mailbox, c outreach.Campaign, composer *engine.Composer, number int) {
	conn, err := mail.DialSMTP(b.Context(), mail.SMTPConfig{Server: box.SMTP, Network: loopback})
	if err != nil {
		b.Error(err)
		return
	}
	defer conn.Close()
	var settling sync.WaitGroup
	defer settling.Wait()
	for next := number; next < l.n; {
		var ahead []leastMessage
		for ; next < l.n && len(ahead) < aheadOf; next += benchBoxes {
			m := leastMessage{id: uuid.Must(uuid.NewV7()), enrollment: next, recipient: fmt.Sprintf("p%d@away.test", next)}
			m.composed, err = composer.Compose(b.Context(), outreach.Draft{ID: m.id, Mailbox: box, Campaign: c, Step: c.Steps[0], Number: 1,
				Prospect: outreach.Prospect{Email: m.recipient, FirstName: new("Ada")}, Date: l.w.clock.Now()})
			if err != nil {
				b.Error(err)
				return
			}
			ahead = append(ahead, m)
		}
		l.claims.do(ahead...)
		for _, m := range ahead {
			_, err := conn.Send(b.Context(), mail.Envelope{From: box.Email, To: m.recipient}, m.composed.Raw, func(context.Context) error {
				settling.Wait()
				l.commits.do(m)
				return nil
			})
			if err != nil {
				b.Error(err)
				return
			}
			settling.Go(func() { l.settles.do(m) })
		}
	}
}

// leastGroup runs what comes while it is at work together, as soon as it can.
type leastGroup struct {
	run func([]leastMessage)

	mu      sync.Mutex
	waiting []leastMessage
	ended   chan struct{} // closed when those who wait are done
	working bool
}

func (g *leastGroup) do(some ...leastMessage) {
	g.mu.Lock()
	if len(g.waiting) == 0 {
		g.ended = make(chan struct{})
	}
	g.waiting = append(g.waiting, some...)
	ended, first := g.ended, !g.working
	g.working = true
	g.mu.Unlock()
	if first {
		go g.work()
	}
	<-ended
}

func (g *leastGroup) work() {
	for {
		g.mu.Lock()
		some, ended := g.waiting, g.ended
		g.waiting = nil
		g.working = len(some) > 0
		g.mu.Unlock()
		if len(some) == 0 {
			return
		}
		g.run(some)
		close(ended)
	}
}
