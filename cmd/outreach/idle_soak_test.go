//go:build soak

package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/internal/testkit"
)

// idleWorld makes n workspaces that have nothing to do for a day. Each has a connected mailbox, an active campaign,
// a completed one, an enrollment whose step is due tomorrow, and a delivery whose next attempt is tomorrow.
const idleWorld = `
CREATE TEMP TABLE idle AS SELECT i, uuid_v7() AS ws, uuid_v7() AS box, uuid_v7() AS campaign, uuid_v7() AS prospect, uuid_v7() AS sub
	FROM generate_series(1, %d) i;
INSERT INTO workspaces (id, name) SELECT ws, 'idle ' || i FROM idle;
INSERT INTO mailboxes (id, workspace_id, email, email_key, smtp_host, smtp_port, smtp_username, smtp_password, smtp_security,
	imap_host, imap_port, imap_username, imap_password, imap_security, daily_limit, min_gap_seconds, look_at, receive_at)
	SELECT box, ws, 'me@idle.test', 'me@idle.test', '127.0.0.1', 1, 'u', '', 'none', '127.0.0.1', 1, 'u', '', 'none', 50, 0,
		now() + interval '1 day', now() + interval '1 day' FROM idle;
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply, stop_company_on_reply,
	track_clicks, track_opens, mailbox_ids)
	SELECT campaign, ws, 'idle', 'active', 'UTC', ARRAY['monday'], '00:00', '23:59', true, false, false, false, ARRAY[box] FROM idle
	UNION ALL
	SELECT uuid_v7(), ws, 'over', 'completed', 'UTC', ARRAY['monday'], '00:00', '23:59', true, false, false, false, ARRAY[box] FROM idle;
INSERT INTO steps (id, workspace_id, campaign_id, position, delay_minutes, subject, body_text)
	SELECT uuid_v7(), ws, campaign, 1, 0, 'Hello', 'Hello' FROM idle;
INSERT INTO prospects (id, workspace_id, email, email_key, status)
	SELECT prospect, ws, 'p@idle.test', 'p@idle.test', 'in_sequence' FROM idle;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
	SELECT uuid_v7(), ws, campaign, prospect, 1, now() + interval '1 day' FROM idle;
INSERT INTO subscriptions (id, workspace_id, url, events, secret)
	SELECT sub, ws, 'https://host' || i || '.test/', '{sent}', '' FROM idle;
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
	SELECT uuid_v7(), ws, sub, 'sent', gen_random_uuid(), 'sent', 'https://host' || i || '.test/', 'host' || i || '.test', '{}',
		now() + interval '1 day' FROM idle;
ANALYZE;`

// idleMailboxes is how many mailboxes have nothing due.
const idleMailboxes = 100_000

// Beside 100,000 idle mailboxes one is served within its tick. An idle tick of a worker, which sends, looks for mail
// to read and scans for webhooks, costs Postgres at most 20 ms while no mailbox is due for reading. What it does
// each 2 s at any interval, such as asking whether sending is off, is not part of a tick.
func TestSoakIdle(t *testing.T) {
	s := newStage(t)
	s.setIntervals("1m")
	api := s.spawn("api")
	s.untilReady()
	campaign, _ := s.slice()
	s.sql(fmt.Sprintf(idleWorld, idleMailboxes))
	s.sql(`UPDATE mailboxes SET receive_at = now() + interval '1 day'`)
	s.sql(`VACUUM (ANALYZE)`)
	worker := s.spawn("worker")

	s.eventually(2*time.Minute, "the worker has looked at every mailbox", func() bool {
		return s.number(`SELECT count(*) FROM mailboxes WHERE look_at <= now()`) == 0
	})
	began := time.Now()
	s.call(http.StatusCreated, http.MethodPost, "/enrollments",
		object{"campaign_id": campaign, "prospect": object{"email": "due@customer.example"}})
	s.eventually(3*time.Minute, "the mail has left", func() bool {
		return s.number(`SELECT count(*) FROM messages WHERE status = 'sent'`) == 1
	})
	served := time.Since(began)
	t.Logf("served after %s (bound: a tick of 1m0s)", served.Round(10*time.Millisecond))
	if served > time.Minute+5*time.Second {
		t.Errorf("served after %s, want one minute at most", served)
	}
	s.eventually(2*time.Minute, "the webhook has left", func() bool { return len(s.receiver.Received()) == 1 })
	s.sql(`UPDATE mailboxes SET receive_at = now() + interval '1 day'`)
	api.kill()

	worker.kill()

	slow := s.idleMinute()
	s.setIntervals("5s")
	fast := s.idleMinute()
	tick := (fast - slow) / 11 // twelve ticks of each loop a minute instead of one
	t.Logf("an idle minute costs Postgres %s of CPU time at intervals of 1m0s, %s at intervals of 5s: %s a tick (bound: 20ms)",
		slow.Round(time.Millisecond/10), fast.Round(time.Millisecond/10), tick.Round(time.Millisecond/10))
	if tick > 20*time.Millisecond {
		t.Errorf("an idle tick costs Postgres %s, want 20ms at most", tick)
	}
}

// idleMinute returns what an idle minute of a worker costs Postgres, the mean of two, after its start.
func (s *stage) idleMinute() time.Duration {
	s.t.Helper()
	const minutes = 2
	worker := s.spawn("worker")
	<-time.After(90 * time.Second)
	before := testdb.BackendTime(s.t, s.vars["DATABASE_URL"])
	<-time.After(minutes * time.Minute)
	cost := (testdb.BackendTime(s.t, s.vars["DATABASE_URL"]) - before) / minutes
	worker.kill()
	return cost
}

// number returns the number that a query returns.
func (s *stage) number(query string) (n float64) {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.vars["DATABASE_URL"])
	testkit.NoError(s.t, err)
	defer func() { _ = conn.Close(s.t.Context()) }()
	testkit.NoError(s.t, conn.QueryRow(s.t.Context(), query).Scan(&n))
	return n
}

// setIntervals sets the intervals of sending, receiving and scanning for webhooks.
func (s *stage) setIntervals(interval string) {
	for _, name := range []string{"OUTREACH_SEND_INTERVAL", "OUTREACH_RECEIVE_INTERVAL", "OUTREACH_WEBHOOK_SCAN_INTERVAL"} {
		s.vars[name] = interval
	}
}
