package storage_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/devstack/testdb"
	jobqueue "outreach/jobs/queue"
	"outreach/storage"
	"outreach/storage/stores"
)

// queueStage is a database with the queue in it, and a second way in for what
// the store has no method for.
type queueStage struct {
	*stores.Stores
	sql *pgxpool.Pool
	ctx context.Context
}

func newQueueStage(t *testing.T) *queueStage {
	t.Helper()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	must(t, err)
	db, err := stores.Open(t.Context(), storage.Config{
		URL: url, Keyring: ring,
	}, func(e outreach.Event) ([]byte, error) { return []byte(`{"type":"` + string(e.Type) + `"}`), nil })
	must(t, err)
	t.Cleanup(db.Close)
	sql, err := pgxpool.New(t.Context(), url)
	must(t, err)
	t.Cleanup(sql.Close)
	return &queueStage{Stores: db, sql: sql, ctx: t.Context()}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (s *queueStage) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := s.sql.Exec(s.ctx, sql, args...)
	must(t, err)
}

func (s *queueStage) workspace(t *testing.T) uuid.UUID {
	id := uuid.Must(uuid.NewV7())
	s.exec(t, `INSERT INTO workspaces (id, name) VALUES ($1, 'w')`, id)
	return id
}

func (s *queueStage) subscription(t *testing.T, workspace uuid.UUID, url string) outreach.Subscription {
	made, err := s.CreateSubscription(s.ctx, outreach.Subscription{
		WorkspaceID: workspace, URL: url, Events: []outreach.SubscriptionEvent{outreach.OnSent}, Enabled: true,
	}, "whsec_test")
	must(t, err)
	return made.Subscription
}

// queue adds n due deliveries of a subscription, one after the other.
func (s *queueStage) queue(t *testing.T, sub outreach.Subscription, n int) {
	s.exec(t, `
		INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
			next_attempt_at, created_at)
		SELECT uuid_v7(), $1, $2, 'sent', gen_random_uuid(), 'sent', $3, url_host($3), '{}',
			clock_timestamp() - interval '1 minute', clock_timestamp()
		FROM generate_series(1, $4)`, sub.WorkspaceID, sub.ID, sub.URL, n)
}

var roomy = jobqueue.Admission{Total: 1000, PerWorkspace: 1000, PerHost: 1000, PerWorkspaceHost: 1000, HandoutTTL: time.Minute}

func (s *queueStage) handOut(t *testing.T, a jobqueue.Admission) jobqueue.Handout {
	t.Helper()
	out, err := s.HandOut(s.ctx, a)
	must(t, err)
	return out
}

func (s *queueStage) begin(t *testing.T, tasks ...jobqueue.Handed) []jobqueue.Attempt {
	t.Helper()
	attempts, err := s.BeginAttempts(s.ctx, tasks, 30*time.Second)
	must(t, err)
	return attempts
}

// beginOne queues, hands out and begins a single delivery.
func (s *queueStage) beginOne(t *testing.T, sub outreach.Subscription) (jobqueue.Handed, jobqueue.Attempt) {
	t.Helper()
	s.queue(t, sub, 1)
	out := s.handOut(t, roomy)
	if len(out.Handed) != 1 {
		t.Fatalf("handed out %d, want 1", len(out.Handed))
	}
	attempt := s.begin(t, out.Handed...)[0]
	if attempt.Verdict != jobqueue.Begun {
		t.Fatalf("verdict %s", attempt.Verdict)
	}
	return out.Handed[0], attempt
}

var quick = jobqueue.Pace{RetryDelay: 0, HandoutTTL: time.Minute}

func (s *queueStage) finish(t *testing.T, attempt jobqueue.AttemptKey, status int, words string, pace jobqueue.Pace) jobqueue.Recorded {
	t.Helper()
	answer := jobqueue.Answer{Duration: 5 * time.Millisecond}
	if status != 0 {
		answer.HTTPStatus = &status
	}
	if words != "" {
		answer.Error = &words
	}
	recorded, err := s.FinishAttempts(s.ctx, []jobqueue.Result{{AttemptKey: attempt, Answer: answer}}, pace)
	must(t, err)
	return recorded[0]
}

func TestHandOutGivesNoDeliveryToTwo(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test/x")
	s.queue(t, sub, 2000)
	some := roomy
	some.Total, some.PerWorkspace, some.PerHost, some.PerWorkspaceHost = 2000, 2000, 2000, 2000
	var mu sync.Mutex
	seen := map[uuid.UUID]int{}
	var scanners sync.WaitGroup
	for range 4 {
		scanners.Go(func() {
			out, err := s.HandOut(s.ctx, some)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			for _, h := range out.Handed {
				seen[h.ID]++
			}
		})
	}
	scanners.Wait()
	for range 3 { // rows that a scanner skipped are the next one's
		for _, h := range s.handOut(t, some).Handed {
			seen[h.ID]++
		}
	}
	if len(seen) != 2000 {
		t.Errorf("%d deliveries were handed out, want all 2000", len(seen))
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("delivery %s was handed out %d times", id, n)
		}
	}
}

func TestHandOutKeepsItsBounds(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	one, two := s.workspace(t), s.workspace(t)
	for _, sub := range []outreach.Subscription{
		s.subscription(t, one, "https://shared.test/1"), s.subscription(t, one, "https://shared.test/2"),
		s.subscription(t, one, "https://own.test"), s.subscription(t, two, "https://SHARED.test/3"),
	} {
		s.queue(t, sub, 50)
	}
	bounds := jobqueue.Admission{Total: 30, PerWorkspace: 20, PerHost: 14, PerWorkspaceHost: 9, HandoutTTL: time.Minute}
	out := s.handOut(t, bounds)
	workspaces, hosts, pairs := map[uuid.UUID]int{}, map[string]int{}, map[string]int{}
	for _, h := range out.Handed {
		workspaces[h.WorkspaceID]++
		hosts[h.Host]++
		pairs[h.WorkspaceID.String()+h.Host]++
	}
	want := map[string]int{"shared.test": 14, "own.test": 9}
	if diff := cmp.Diff(want, hosts); diff != "" {
		t.Errorf("by host (-want +got):\n%s", diff)
	}
	if workspaces[one] != 16 || workspaces[two] != 7 || !out.Left {
		t.Errorf("workspaces got %v, left %v", workspaces, out.Left)
	}
	if again := s.handOut(t, bounds); len(again.Handed) != 0 || !again.Left {
		t.Errorf("what is in hand does not count: %d more, left %v", len(again.Handed), again.Left)
	}
	bounds.Total = 25
	s.exec(t, `UPDATE deliveries SET handed_until = NULL`)
	if again := s.handOut(t, bounds); len(again.Handed) != 23 {
		t.Errorf("handed out %d, want 23 within the bounds of hosts", len(again.Handed))
	}
	bounds.Total = 5
	s.exec(t, `UPDATE deliveries SET handed_until = NULL`)
	if again := s.handOut(t, bounds); len(again.Handed) != 5 {
		t.Errorf("handed out %d, want the total of 5", len(again.Handed))
	}
}

func TestHandOutServesTheLeastServedFirst(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	big, small := s.workspace(t), s.workspace(t)
	s.queue(t, s.subscription(t, big, "https://big.test"), 100)
	tight := jobqueue.Admission{Total: 40, PerWorkspace: 100, PerHost: 100, PerWorkspaceHost: 100, HandoutTTL: time.Minute}
	s.handOut(t, tight) // fills everything with the big one's
	s.queue(t, s.subscription(t, small, "https://small.test"), 3)
	tight.Total = 45
	got := map[uuid.UUID]int{}
	for _, h := range s.handOut(t, tight).Handed {
		got[h.WorkspaceID]++
	}
	if diff := cmp.Diff(map[uuid.UUID]int{small: 3, big: 2}, got); diff != "" {
		t.Errorf("room for five went to (-want +got):\n%s", diff)
	}
}

func TestHandOutLeavesWhatIsNotDueOrInProgress(t *testing.T) {
	t.Parallel()
	for name, edit := range map[string]string{
		"due later":       `next_attempt_at = clock_timestamp() + interval '1 hour'`,
		"in a task":       `handed_until = clock_timestamp() + interval '1 hour'`,
		"being attempted": `lease_until = clock_timestamp() + interval '1 hour'`,
		"delivered":       `status = 'delivered', next_attempt_at = NULL`,
		"a test":          `next_attempt_at = NULL`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newQueueStage(t)
			s.queue(t, s.subscription(t, s.workspace(t), "https://a.test"), 1)
			s.exec(t, `UPDATE deliveries SET `+edit)
			if out := s.handOut(t, roomy); len(out.Handed) != 0 || out.Left {
				t.Errorf("handed out %v, left %v", out.Handed, out.Left)
			}
		})
	}
}

func TestHandOutAgainOnlyAfterItExpires(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	s.queue(t, s.subscription(t, s.workspace(t), "https://a.test"), 1)
	first := s.handOut(t, roomy)
	if again := s.handOut(t, roomy); len(again.Handed) != 0 {
		t.Fatalf("handed out twice: %v", again.Handed)
	}
	s.exec(t, `UPDATE deliveries SET handed_until = clock_timestamp()`)
	second := s.handOut(t, roomy)
	if len(second.Handed) != 1 || second.Handed[0].Generation != first.Handed[0].Generation+1 {
		t.Fatalf("after it expired: %v after %v", second.Handed, first.Handed)
	}
	attempts := s.begin(t, first.Handed[0])
	if attempts[0].Verdict != jobqueue.Stale {
		t.Errorf("the older task is %s", attempts[0].Verdict)
	}
	until := roomy
	until.Until = first.At.Add(-time.Hour)
	s.exec(t, `UPDATE deliveries SET handed_until = NULL`)
	if late := s.handOut(t, until); len(late.Handed) != 0 {
		t.Errorf("what fell due after the bound was handed out: %v", late.Handed)
	}
}

func TestBeginJudgesUnderTheRow(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		edit string
		want jobqueue.Verdict
	}{
		"due":           {`error = NULL`, jobqueue.Begun},
		"settled":       {`status = 'failed'`, jobqueue.Stale},
		"later task":    {`generation = generation + 1`, jobqueue.Stale},
		"attempted":     {`lease_until = clock_timestamp() + interval '20 s'`, jobqueue.Busy},
		"lease is over": {`lease_until = clock_timestamp() - interval '1 s'`, jobqueue.Begun},
		"not due":       {`next_attempt_at = clock_timestamp() + interval '20 s'`, jobqueue.Early},
		"unscheduled":   {`next_attempt_at = NULL`, jobqueue.Stale},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newQueueStage(t)
			s.queue(t, s.subscription(t, s.workspace(t), "https://a.test"), 1)
			handed := s.handOut(t, roomy).Handed[0]
			s.exec(t, `UPDATE deliveries SET `+c.edit)
			attempt := s.begin(t, handed)[0]
			if attempt.Verdict != c.want {
				t.Fatalf("verdict %s, want %s", attempt.Verdict, c.want)
			}
			if wait := attempt.Wait; (c.want == jobqueue.Early) != (wait > 0) || wait > 20*time.Second {
				t.Errorf("wait of %s", wait)
			}
			if c.want == jobqueue.Begun && (attempt.Number != 1 || attempt.Secret != "whsec_test" || string(attempt.Body) != "{}") {
				t.Errorf("attempt %+v", attempt)
			}
		})
	}
}

func TestBeginTwiceInOneCall(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	s.queue(t, s.subscription(t, s.workspace(t), "https://a.test"), 1)
	handed := s.handOut(t, roomy).Handed[0]
	gone := jobqueue.Handed{ID: uuid.Must(uuid.NewV7()), Generation: 1}
	var verdicts []jobqueue.Verdict
	for _, a := range s.begin(t, handed, gone, handed) {
		verdicts = append(verdicts, a.Verdict)
	}
	if diff := cmp.Diff([]jobqueue.Verdict{jobqueue.Begun, jobqueue.Stale, jobqueue.Busy}, verdicts); diff != "" {
		t.Errorf("verdicts (-want +got):\n%s", diff)
	}
}

// A key that was taken from the ring is our fault: no attempt can be made, and
// none is counted.
func TestBeginWithoutTheSecretSaysSo(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	s.exec(t, `UPDATE subscriptions SET secret = 'sealed by nobody'`)
	handed, attempt := s.beginOne(t, sub)
	if attempt.Err == nil || attempt.Secret != "" {
		t.Fatalf("attempt %+v", attempt)
	}
	d, err := s.Delivery(s.ctx, sub.WorkspaceID, handed.ID)
	must(t, err)
	if d.Attempts != 0 || d.Status != outreach.DeliveryQueued {
		t.Errorf("delivery %+v", d)
	}
}

func TestThirdFailureIsTheLast(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	handed, attempt := s.beginOne(t, sub)
	for number := 1; number <= 3; number++ {
		if attempt.Number != number {
			t.Fatalf("attempt %d has number %d", number, attempt.Number)
		}
		recorded := s.finish(t, attempt.AttemptKey, 503, "http 503", quick)
		want := outreach.DeliveryQueued
		if number == 3 {
			want = outreach.DeliveryFailed
		}
		if recorded.Lost || recorded.Status != want {
			t.Fatalf("after attempt %d: %+v", number, recorded)
		}
		if again := s.finish(t, attempt.AttemptKey, 200, "", quick); again != recorded {
			t.Errorf("said again, attempt %d is %+v", number, again)
		}
		if number < 3 {
			attempt = s.begin(t, handed)[0]
		}
	}
	if verdict := s.begin(t, handed)[0].Verdict; verdict != jobqueue.Stale {
		t.Errorf("a fourth attempt is %s", verdict)
	}
	d, err := s.Delivery(s.ctx, sub.WorkspaceID, handed.ID)
	must(t, err)
	if d.Attempts != 3 || *d.HTTPStatus != 503 || *d.Error != "http 503" || d.NextAttemptAt != nil || d.DeliveredAt != nil {
		t.Errorf("in the log: %+v", d)
	}
	kept, err := s.Subscription(s.ctx, sub.WorkspaceID, sub.ID)
	must(t, err)
	if !kept.Enabled {
		t.Error("the subscription was disabled")
	}
	attempts, err := s.AttemptsOf(s.ctx, sub.WorkspaceID, []uuid.UUID{handed.ID})
	must(t, err)
	log := attempts[handed.ID]
	five, status, words := 5, 503, "http 503"
	var want []outreach.Attempt
	for number := 1; number <= 3; number++ {
		want = append(want, outreach.Attempt{Number: number, DurationMs: &five, HTTPStatus: &status, Error: &words})
	}
	if diff := cmp.Diff(want, log, cmpopts.IgnoreFields(outreach.Attempt{}, "StartedAt")); diff != "" {
		t.Errorf("attempt log (-want +got):\n%s", diff)
	}
}

func TestSuccessSettles(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	handed, attempt := s.beginOne(t, sub)
	if r := s.finish(t, attempt.AttemptKey, 204, "", quick); r.Status != outreach.DeliveryDelivered {
		t.Fatalf("recorded %+v", r)
	}
	d, err := s.Delivery(s.ctx, sub.WorkspaceID, handed.ID)
	must(t, err)
	if d.Attempts != 1 || *d.HTTPStatus != 204 || d.Error != nil || d.DeliveredAt == nil || d.NextAttemptAt != nil {
		t.Errorf("in the log: %+v", d)
	}
}

func TestRetryIsDueADelayAfterTheEnd(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	handed, attempt := s.beginOne(t, sub)
	s.finish(t, attempt.AttemptKey, 0, "timeout", jobqueue.Pace{RetryDelay: time.Minute, HandoutTTL: 30 * time.Second})
	early := s.begin(t, handed)[0]
	if early.Verdict != jobqueue.Early || early.Wait <= 0 || early.Wait > time.Minute {
		t.Errorf("before the delay: %s, wait %s", early.Verdict, early.Wait)
	}
	var delay, handedOut float64
	must(t, s.sql.QueryRow(s.ctx, `
SELECT extract(epoch FROM next_attempt_at - $2)::float8, extract(epoch FROM handed_until - next_attempt_at)::float8
		FROM deliveries WHERE id = $1`, handed.ID, attempt.StartedAt).Scan(&delay, &handedOut))
	if delay < 60 || handedOut != 30 {
		t.Errorf("due %.3f s after the start, handed out for %.0f s more", delay, handedOut)
	}
}

// A process that was away for longer than its lease finds its attempt repeated
// by another under the same number; its own result no longer counts.
func TestResultOfALostLeaseIsIgnored(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	handed, slow := s.beginOne(t, sub)
	s.exec(t, `UPDATE deliveries SET lease_until = clock_timestamp()`)
	repeat := s.begin(t, handed)[0]
	if repeat.Verdict != jobqueue.Begun || repeat.Number != slow.Number || !repeat.StartedAt.After(slow.StartedAt) {
		t.Fatalf("repeat %+v of %+v", repeat.AttemptKey, slow.AttemptKey)
	}
	if r := s.finish(t, slow.AttemptKey, 500, "http 500", quick); !r.Lost {
		t.Errorf("the lost attempt was recorded: %+v", r)
	}
	must(t, s.RenewLeases(s.ctx, []jobqueue.AttemptKey{slow.AttemptKey}, time.Hour))
	must(t, s.RenewLeases(s.ctx, []jobqueue.AttemptKey{repeat.AttemptKey}, 2*time.Minute))
	var left float64
	must(t, s.sql.QueryRow(s.ctx, `SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 FROM deliveries`).Scan(&left))
	if left < 90 || left > 120 {
		t.Errorf("the lease has %.0f s left, want that of the repeat", left)
	}
	if r := s.finish(t, repeat.AttemptKey, 200, "", quick); r.Status != outreach.DeliveryDelivered {
		t.Errorf("the repeat is %+v", r)
	}
	d, err := s.Delivery(s.ctx, sub.WorkspaceID, handed.ID)
	must(t, err)
	if d.Attempts != 1 {
		t.Errorf("%d attempts counted, want 1", d.Attempts)
	}
}

func TestGiveBackIsForTheNextScan(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	s.queue(t, s.subscription(t, s.workspace(t), "https://a.test"), 2)
	out := s.handOut(t, roomy)
	older := out.Handed[1]
	older.Generation--
	must(t, s.GiveBack(s.ctx, []jobqueue.Handed{out.Handed[0], older}))
	again := s.handOut(t, roomy)
	if len(again.Handed) != 1 || again.Handed[0].ID != out.Handed[0].ID {
		t.Errorf("after giving back %v: %v", out.Handed[0], again.Handed)
	}
}

func TestTestDelivery(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	workspace := s.workspace(t)
	sub := s.subscription(t, workspace, "https://a.test/hook")
	_, err := s.UpdateSubscription(s.ctx, workspace, sub.ID, func(s *outreach.Subscription) { s.Enabled = false })
	must(t, err)
	attempt, err := s.StartTest(s.ctx, workspace, sub.ID, time.Minute)
	must(t, err)
	if attempt.Host != "a.test" || attempt.Secret != "whsec_test" || string(attempt.Body) != `{"type":"test"}` {
		t.Errorf("attempt %+v", attempt)
	}
	if out := s.handOut(t, roomy); len(out.Handed) != 0 {
		t.Errorf("a scan took the test: %v", out.Handed)
	}
	if n, err := s.SettleTests(s.ctx); err != nil || n != 0 {
		t.Errorf("a running test was settled: %d, %v", n, err)
	}
	if r := s.finish(t, attempt.AttemptKey, 404, "http 404", quick); r.Status != outreach.DeliveryFailed {
		t.Errorf("one failure leaves the test %+v", r)
	}
	if _, err := s.StartTest(s.ctx, s.workspace(t), sub.ID, time.Minute); outreach.CodeOf(err) != outreach.CodeNotFound {
		t.Errorf("another workspace's test: %v", err)
	}
}

func TestInterruptedTestIsSettled(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	attempt, err := s.StartTest(s.ctx, sub.WorkspaceID, sub.ID, 0)
	must(t, err)
	if n, err := s.SettleTests(s.ctx); err != nil || n != 1 {
		t.Fatalf("settled %d, %v", n, err)
	}
	d, err := s.Delivery(s.ctx, sub.WorkspaceID, attempt.ID)
	must(t, err)
	attempts, err := s.AttemptsOf(s.ctx, sub.WorkspaceID, []uuid.UUID{attempt.ID})
	must(t, err)
	log := attempts[attempt.ID]
	if d.Status != outreach.DeliveryFailed || *d.Error != "interrupted" || len(log) != 1 || *log[0].Error != "interrupted" {
		t.Errorf("delivery %+v, log %+v", d, log)
	}
	if r := s.finish(t, attempt.AttemptKey, 200, "", quick); r.Status != outreach.DeliveryFailed {
		t.Errorf("a result after the end changed it: %+v", r)
	}
}

func TestQueueStatsCount(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	s.beginOne(t, sub)
	s.queue(t, sub, 3)
	one := roomy
	one.Total = 2
	s.handOut(t, one)
	stats, err := s.QueueStats(s.ctx)
	must(t, err)
	if stats.OldestDue < time.Minute {
		t.Errorf("the oldest has been due for %s", stats.OldestDue)
	}
	stats.OldestDue = 0
	if diff := cmp.Diff(jobqueue.Stats{Queued: 4, Due: 2, InFlight: 1}, stats); diff != "" {
		t.Errorf("stats (-want +got):\n%s", diff)
	}
}

func TestRetentionKeepsQueuedAndYoung(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	sub := s.subscription(t, s.workspace(t), "https://a.test")
	add := func(age time.Duration, status string) uuid.UUID {
		at := time.Now().Add(-age)
		id := idAt(at)
		s.exec(t, `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, status, created_at)
			VALUES ($1, $2, $3, 'sent', $1, 'sent', $4, url_host($4), '{}', $5, $6)`, id, sub.WorkspaceID, sub.ID, sub.URL, status, at)
		return id
	}
	day := 24 * time.Hour
	keep := []uuid.UUID{add(100*day, "queued"), add(89*day, "delivered"), add(time.Hour, "failed")}
	add(91*day, "delivered")
	add(400*day, "failed")
	gone, err := s.Retention(s.ctx, 90*day)
	must(t, err)
	rows, err := s.sql.Query(s.ctx, `SELECT id FROM deliveries ORDER BY created_at`)
	must(t, err)
	var left []uuid.UUID
	for rows.Next() {
		var id uuid.UUID
		must(t, rows.Scan(&id))
		left = append(left, id)
	}
	if diff := cmp.Diff(keep, left); diff != "" || gone != 2 {
		t.Errorf("%d went, left (-want +got):\n%s", gone, diff)
	}
}

func TestLeaseHasOneHolder(t *testing.T) {
	t.Parallel()
	s := newQueueStage(t)
	acquire := func(holder string, ttl time.Duration) bool {
		held, err := s.AcquireLease(s.ctx, "scan", holder, ttl)
		must(t, err)
		return held
	}
	var got []string
	note := func(what string, held bool) { got = append(got, fmt.Sprintf("%s %v", what, held)) }
	note("a takes", acquire("a", time.Minute))
	note("b waits", acquire("b", time.Minute))
	note("a renews", acquire("a", time.Minute))
	must(t, s.ReleaseLease(s.ctx, "scan", "b"))
	note("b waits still", acquire("b", time.Minute))
	must(t, s.ReleaseLease(s.ctx, "scan", "a"))
	note("b takes what is free", acquire("b", 0))
	note("a takes what has ended", acquire("a", time.Minute))
	want := []string{"a takes true", "b waits false", "a renews true", "b waits still false",
		"b takes what is free true", "a takes what has ended true"}
	if !slices.Equal(want, got) {
		t.Errorf("got %q", got)
	}
}
