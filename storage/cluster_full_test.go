//go:build full

package storage_test

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/devstack/testdb"
	jobqueue "outreach/jobs/queue"
	"outreach/storage"
	"outreach/storage/distribute"
)

// A filled database of one server is distributed and goes on where it stood: what is
// due is sent, replies and webhooks follow, workspaces stay apart, and each statement
// runs on one server.
func TestCitus(t *testing.T) {
	t.Parallel()
	url, installed := testdb.StartCitus(t)
	if !installed {
		return
	}
	must(t, storage.Migrate(t.Context(), url))
	before := stageAt(t, url).scene()
	scene := *before
	before.Close()
	before.sql.Close()
	began := time.Now()
	must(t, distribute.Run(t.Context(), url, slog.New(slog.DiscardHandler)))
	t.Logf("distributed in %s", time.Since(began).Round(time.Second))
	must(t, distribute.Run(t.Context(), url, slog.New(slog.DiscardHandler))) // again changes nothing
	s := before.stage
	s.open()
	scene.stage = s
	same(t, "servers with rows", rows[int](s, `SELECT count(DISTINCT nodeport)::int FROM citus_shards`)[0] >= 2, true)

	t.Run("goes on", func(t *testing.T) { scene.goesOn(t) })
	t.Run("statements", func(t *testing.T) { explainAll(t, url) })
	t.Run("filters", func(t *testing.T) { s.room(t).runFilters(t) })
	t.Run("isolation", func(t *testing.T) {
		checkApart(t, s.room(t).scene())
	})
	t.Run("partitions", func(t *testing.T) {
		later := time.Now().AddDate(1, 0, 0)
		room := s.room(t)
		must(t, room.EnsurePartitions(t.Context(), later))
		same(t, "weeks ahead", got(room.PartitionsAhead(t.Context(), later))(t), storage.PartitionWeeks)
		room.storeEventAt(t, later)
		same(t, "servers with the partition", rows[int](room, `SELECT count(DISTINCT nodeport)::int FROM citus_shards
			WHERE table_name::text LIKE 'events_' || to_char($1::timestamptz, 'IYYY"w"IW')`, later)[0], 2)
	})
	t.Run("webhooks", func(t *testing.T) { s.room(t).thousandWebhooks(t) })
}

// goesOn sends the second step, ingests a reply, and stops.
func (s *scene) goesOn(t *testing.T) {
	s.t, s.ctx = t, t.Context()
	s.clock.Advance(2 * time.Hour)
	second := s.send(s.box)
	same(t, "recipient of the second step", second.Recipient, "ann@x.test")
	bob := s.enroll(s.c, s.prospect("bob@x.test"))
	out := s.send(s.box)
	same(t, "recipient of the first step", out.Recipient, "bob@x.test")
	s.replyTo(s.box, "bob@x.test", out, nil)
	same(t, "who replied", s.enrollment(bob).Status, outreach.EnrollmentReplied)
	must(t, s.RefreshCampaigns(s.ctx))
	same(t, "deliveries", len(s.queued()) >= 4, true)
}

// thousandWebhooks queues 1,000 deliveries in two workspaces and has each attempted
// once.
func (s *stage) thousandWebhooks(t *testing.T) {
	other := s.room(t)
	for _, workspace := range []*stage{s, other} {
		sub := workspace.subscribe(outreach.OnSent)
		workspace.exec(`
			INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
			SELECT gen_random_uuid(), $1, $2, 'sent', gen_random_uuid(), 'sent', 'https://h.test', 'h.test', '{}', now() - interval '1 minute'
			FROM generate_series(1, 500)`, workspace.ws, sub.ID)
	}
	bounds := jobqueue.Admission{Total: 400, PerWorkspace: 400, PerHost: 400, PerWorkspaceHost: 400, HandoutTTL: time.Minute}
	begun, recorded := map[string]int{}, 0
	for {
		out := got(s.HandOut(s.ctx, bounds))(t)
		if len(out.Handed) == 0 {
			break
		}
		var results []jobqueue.Result
		for _, attempt := range got(s.BeginAttempts(s.ctx, out.Handed, time.Minute))(t) {
			same(t, "verdict", attempt.Verdict, jobqueue.Begun)
			if attempt.WorkspaceID == s.ws || attempt.WorkspaceID == other.ws {
				begun[attempt.ID.String()]++
			}
			results = append(results, jobqueue.Result{AttemptKey: attempt.AttemptKey, Answer: jobqueue.Answer{HTTPStatus: new(200)}})
		}
		for _, r := range got(s.FinishAttempts(s.ctx, results, jobqueue.Pace{RetryDelay: time.Minute, HandoutTTL: time.Minute}))(t) {
			same(t, "recorded", r.Status, outreach.DeliveryDelivered)
			recorded++
		}
	}
	if len(begun) != 1000 || recorded < 1000 {
		t.Errorf("%d deliveries were attempted and %d recorded, want 1000", len(begun), recorded)
	}
}

func (s *stage) runFilters(t *testing.T) {
	for _, list := range everyList {
		for mask := range 1 << len(list.filters) {
			s.said.take()
			if err := list.run(s, list.chosen(mask), outreach.Page{Limit: 50}); err != nil {
				t.Fatalf("%s: %v", list.name, err)
			}
			said := s.said.take()[0]
			plan := strings.Join(rows[string](s, "EXPLAIN "+said.sql, said.args...), "\n")
			for _, tasks := range taskCount.FindAllStringSubmatch(plan, -1) {
				if tasks[1] != "1" {
					t.Errorf("%s runs as %s tasks:\n%s", list.name, tasks[1], said.sql)
				}
			}
		}
	}
}

var taskCount = regexp.MustCompile(`Task Count: (\d+)`)

// severalTasks are the statements that look for rows of any workspace, or look after
// all, by file and the beginning of their text.
var severalTasks = []string{
	"connection.go SELECT c.id", "sendingdomain.go SELECT d.workspace_id", "idempotency.go DELETE", "reseal.go",
	"subscription.go SELECT id, secret",
	"inbound/reading.go WITH busy", "inbound/tracking.go SELECT h.id", "inbound/tracking.go SELECT", "outbox/handout.go SELECT DISTINCT",
	"outbox/queue.go SELECT workspace_id, id", "outbox/queue.go WITH clock", "sending/answerledger.go SELECT one.workspace_id",
	"sending/answersettle.go SELECT workspace_id, id", "sending/placement.go SELECT", "sending/refresh.go SELECT", "sending/senders.go SELECT",
	"sending/settle.go SELECT workspace_id, id",
}

// onlyPlain are statements that a cluster never runs.
var onlyPlain = []string{"outbox/handout.go WITH RECURSIVE"}

func listed(list []string, where, sql string) bool {
	text := name(where) + " " + strings.TrimSpace(sql)
	return slices.ContainsFunc(list, func(one string) bool { return strings.HasPrefix(text, one) })
}

// explainAll fails for each statement that is planned for more than one server and
// is not listed.
func explainAll(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	explained := 0
	for where, sql := range statementsOf(t) {
		sql, _, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), conn, sql, nil)
		must(t, err)
		if strings.HasPrefix(strings.TrimSpace(sql), "SET ") || listed(onlyPlain, where, sql) {
			continue
		}
		lines, err := explainWithSamples(t, conn, sql)
		if err != nil {
			t.Errorf("%s: %v\n%s", where, err, sql)
			continue
		}
		explained++
		for _, tasks := range taskCount.FindAllStringSubmatch(lines, -1) {
			if tasks[1] != "1" && !listed(severalTasks, where, sql) {
				t.Errorf("%s runs as %s tasks:\n%s", where, tasks[1], sql)
			}
		}
	}
	t.Logf("%d statements explained", explained)
}

// samples are values of the types that parameters have.
var samples = map[string]string{
	"uuid": "0199f3c0-aa10-7b1d-8c3e-66f0d2b41c77", "int4": "1", "int8": "1", "int2": "1", "float8": "1", "bool": "true", "date": "2026-11-20",
	"timestamptz": "2026-11-20 12:00+00", "interval": "1s", "jsonb": "{}", "bytea": "", "text": "2026-11-20",
}

func explainWithSamples(t *testing.T, conn *pgx.Conn, sql string) (string, error) {
	t.Helper()
	prepared, err := conn.Prepare(t.Context(), "", sql)
	if err != nil {
		return "", err
	}
	filled := parameter.ReplaceAllStringFunc(sql, func(p string) string {
		n, _ := strconv.Atoi(p[1:])
		kind := "text"
		if known, ok := conn.TypeMap().TypeForOID(prepared.ParamOIDs[n-1]); ok {
			kind = known.Name
		}
		if element, array := strings.CutPrefix(kind, "_"); array {
			return "ARRAY['" + samples[element] + "']::" + element + "[]"
		}
		return "'" + samples[kind] + "'::" + kind
	})
	rows, err := conn.Query(t.Context(), "EXPLAIN "+filled, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return "", err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return strings.Join(lines, "\n"), err
}
