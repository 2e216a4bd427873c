package storage_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/storage"
)

// Statements on many rows go by the ids that they are given, or by the queue,
// whatever the tables were like when they were planned: empty, full but unknown to
// the planner, or known. Every other index would be read from end to end.
func TestPlansOfGroups(t *testing.T) {
	t.Parallel()
	conn := freshConn(t)
	run := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	run(readSources(t).constantOf(t, "storage.setPlanning"))
	checkPlans(t, conn)
	run(fillForPlans)
	checkPlans(t, conn)
	run("ANALYZE")
	checkPlans(t, conn)
}

// freshConn is a connection to an empty database.
func freshConn(t *testing.T) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// linesOf runs what answers in lines of text.
func linesOf(t *testing.T, conn *pgx.Conn, sql string, args ...any) []string {
	t.Helper()
	rows, err := conn.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return lines
}

// One workspace has all rows, so that its id selects nothing.
const fillForPlans = `
INSERT INTO workspaces (id, name) VALUES ('00000000-0000-7000-8000-000000000001', 'W');
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens)
	SELECT '00000000-0000-7000-8000-000000000002', id, 'C', 'active', 'UTC', '{mon}', '00:00', '23:59', true, false,
		true, false FROM workspaces;
INSERT INTO prospects (id, workspace_id, email, email_key) SELECT uuid_v7(), '00000000-0000-7000-8000-000000000001',
	i || '@x.test', i || '@x.test' FROM generate_series(1, 3000) i;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
SELECT uuid_v7(), workspace_id, '00000000-0000-7000-8000-000000000002', id, 1, now() FROM prospects;
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status)
	SELECT uuid_v7(), workspace_id, id, prospect_id, id, id, 1, 1, 'r', 's', 'b', id::text, 'sent' FROM enrollments;
INSERT INTO suppressions (id, workspace_id, email, email_key, reason)
SELECT uuid_v7(), workspace_id, email, email_key, 'manual' FROM prospects;
INSERT INTO subscriptions (id, workspace_id, url, events, secret) SELECT '00000000-0000-7000-8000-000000000003', id,
	'https://h.test', '{sent}', '' FROM workspaces;
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
	SELECT uuid_v7(), workspace_id, '00000000-0000-7000-8000-000000000003', 'sent', id, 'sent', 'https://h.test',
		'h.test', '{}', now() FROM prospects`

// goodIndexes are those by which a statement may find rows of the large tables.
var goodIndexes = []string{
	"messages_pkey", "messages_once", "messages_open", "enrollments_pkey", "enrollments_due", "enrollments_prospect",
	"prospects_pkey", "suppressions_email", "suppressions_domain", "deliveries_pkey",
	"messages_mailbox", "messages_prospect",
	"messages_campaign", "enrollments_waiting", "enrollments_held", "enrollments_gap",
	"enrollments_workspace_id_campaign_id_prospect_id_key", "campaigns_pkey",
}

// What was sent to an address is found by the messages to its prospect and by
// unknown messages, which are few, also where the planner knows nothing
// of the table: every other index holds all of the workspace's.
func TestMatchingGoesByProspect(t *testing.T) {
	t.Parallel()
	conn := freshConn(t)
	if _, err := conn.Exec(t.Context(), fillForPlans); err != nil {
		t.Fatal(err)
	}
	lines := linesOf(t, conn,
		"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+readSources(t).constantOf(t, "inbound.matchAddresses"),
		"00000000-0000-7000-8000-000000000001",
		[]string{"1@x.test", "2@x.test"}, "00000000-0000-7000-8000-000000000004")
	for _, line := range lines {
		if strings.Contains(line, "Rows Removed by Filter") && !strings.HasSuffix(line, ": 1") {
			t.Fatalf("messages to a prospect are looked for by\n%s", strings.Join(lines, "\n"))
		}
	}
}

// Who waits in a campaign is counted from the indexes of those who wait, so that people who have ended
// and those of other campaigns are not read.
func TestWaitingPeopleGoByQueue(t *testing.T) {
	t.Parallel()
	conn := freshConn(t)
	for _, sql := range []string{fillForPlans, fillWaiting, "ANALYZE enrollments"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	plan := strings.Join(linesOf(t, conn,
		"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+readSources(t).constantOf(t, "storage.selectWaitingSteps"),
		"00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"), "\n")
	if !strings.Contains(plan, "enrollments_due") || !strings.Contains(plan, "enrollments_waiting") || removed.MatchString(plan) {
		t.Errorf("300 active and 30 paused people of 18000 are counted by\n%s", plan)
	}
}

// Six campaigns with 3,000 people each: 300 are active, 30 are paused, the others have finished.
const fillWaiting = `
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens)
	SELECT uuid_v7(), w.id, i::text, 'active', 'UTC', '{mon}', '00:00', '23:59', true, false, true, false
	FROM workspaces w, generate_series(1, 5) i;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
	SELECT uuid_v7(), p.workspace_id, c.id, p.id, 1, now() FROM campaigns c, prospects p WHERE c.name <> 'C';
UPDATE enrollments e SET status = CASE WHEN n % 100 = 1 THEN 'paused' ELSE 'finished' END, next_step = CASE WHEN n % 100 = 1 THEN 1 END
	FROM (SELECT id, row_number() OVER (PARTITION BY campaign_id ORDER BY id) AS n FROM enrollments) r
	WHERE r.id = e.id AND n % 10 > 0`

// Colleagues are found from the one who replied on, by index, also where the statement was planned on
// empty tables: what it reads depends on their number alone.
func TestColleaguesGoByCompany(t *testing.T) {
	t.Parallel()
	for name, whose := range map[string]string{
		"inbound.stopColleagues":          "('%s', '{00000000-0000-7000-8000-000000000009}', 'replied', 'a', 'b')",
		"inbound.stopColleaguesOfAddress": "('%s', '{1@1.test}', 'replied', 'a', 'b', '{1.test}')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, sources := freshConn(t), readSources(t)
			run := func(sql string) {
				t.Helper()
				if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
					t.Fatalf("%s: %v", sql, err)
				}
			}
			execute := "EXECUTE one " + fmt.Sprintf(whose, "00000000-0000-7000-8000-000000000001")
			run("BEGIN")
			run(sources.constantOf(t, "inbound.planOnce"))
			run(sources.constantOf(t, "inbound.planByIndex"))
			run("PREPARE one AS " + sources.constantOf(t, name))
			run(execute)
			run(fillColleagues)
			lines := linesOf(t, conn, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) "+execute, pgx.QueryExecModeSimpleProtocol)
			plan := strings.Join(lines, "\n")
			for _, rows := range actualRows.FindAllStringSubmatch(plan, -1) {
				if !slices.Contains([]string{"0", "1", "7"}, rows[1]) {
					t.Errorf("a node reads %s rows, more than there are colleagues", rows[1])
				}
			}
			if t.Failed() || removed.MatchString(plan) {
				t.Fatalf("colleagues are looked for by\n%s", plan)
			}
		})
	}
}

var (
	actualRows = regexp.MustCompile(`actual rows=(\d+)`)
	removed    = regexp.MustCompile(`Rows Removed by (Join )?Filter: ([2-9]|\d\d)`)
)

// 300 companies with eight people each. One of the first company replied: seven are colleagues.
const fillColleagues = `
INSERT INTO workspaces (id, name) VALUES ('00000000-0000-7000-8000-000000000001', 'W');
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens)
	SELECT '00000000-0000-7000-8000-000000000002', id, 'C', 'active', 'UTC', '{mon}', '00:00', '23:59', true, true,
		true, false FROM workspaces;
INSERT INTO companies (id, workspace_id, name, name_key, domain, site) SELECT uuid_v7(), id, i, i, i || '.test', i || '.test'
	FROM workspaces, generate_series(1, 300) i;
INSERT INTO prospects (id, workspace_id, email, email_key, company_id)
	SELECT CASE WHEN i = 1 AND c.name = '1' THEN '00000000-0000-7000-8000-000000000009' ELSE uuid_v7() END, c.workspace_id,
		i || '@' || c.domain, i || '@' || c.domain, c.id FROM companies c, generate_series(1, 8) i;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, next_step, next_send_at)
SELECT uuid_v7(), workspace_id, '00000000-0000-7000-8000-000000000002', id, 1, now() FROM prospects`

// Writing to a prospect notes when, and writes to no index of prospects where the
// status stays.
func TestContactsAreHeapOnly(t *testing.T) {
	t.Parallel()
	conn := freshConn(t)
	for _, sql := range []string{fillForPlans, "UPDATE prospects SET status = 'in_sequence'", "VACUUM FULL prospects"} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	updates := func() (all, heapOnly int) {
		t.Helper()
		err := tx.QueryRow(t.Context(), "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = "+
			"'prospects'").Scan(&all, &heapOnly)
		if err != nil {
			t.Fatal(err)
		}
		return all, heapOnly
	}
	var ids []string
	var at []time.Time
	err = tx.QueryRow(t.Context(), `SELECT array_agg(id::text ORDER BY id), array_agg(now())
		FROM prospects WHERE right(id::text, 1) = '0'`).Scan(&ids, &at)
	if err != nil {
		t.Fatal(err)
	}
	allBefore, before := updates()
	if _, err := tx.Exec(t.Context(), readSources(t).constantOf(t, "sending.noteContacts"),
		"00000000-0000-7000-8000-000000000001", ids, at); err != nil {
		t.Fatal(err)
	}
	all, heapOnly := updates()
	if all, heapOnly = all-allBefore, heapOnly-before; all < 100 || heapOnly < all*9/10 {
		t.Errorf("%d of %d updates touched no index", heapOnly, all)
	}
}

// queues are the indexes that single statements read the head of.
var queues = map[string][]string{
	"outbox.selectFronts":  {"deliveries_due", "deliveries_soon"},
	"sending.noteContacts": {"enrollments_status"}, // as good as any on an empty table
}

// inProgress are the indexes that hold only messages in progress: few, even of a whole workspace.
var inProgress = []string{"messages_open"}

// whole are the indexes in which a statement may read all rows of a workspace.
var whole = map[string][]string{"sending.completeCampaigns": {"enrollments_prospect"}} // one row, on an empty table

var (
	largeScan = regexp.MustCompile(`Seq Scan on (messages|enrollments|prospects|suppressions|deliveries) `)
	indexScan = regexp.MustCompile(`using (\w+) on (?:messages|enrollments|prospects|suppressions|deliveries) `)
	notDue    = regexp.MustCompile(`Index Cond: .*next_attempt_at <= c\.now`)
	parameter = regexp.MustCompile(`\$(\d+)`)
	// allQueues matches a scan of enrollments_due whose condition leaves out the kind of step.
	allQueues = regexp.MustCompile(`Index Cond: \(\(workspace_id = \S+ AND \(campaign_id = \S+ AND \(COALESCE`)
	// wholeWorkspace matches an index scan whose condition names the workspace alone.
	wholeWorkspace = regexp.MustCompile(indexScan.String() + `.*\n *Index Cond: \(workspace_id = [^ ()]+\)\n`)
)

func checkPlans(t *testing.T, conn *pgx.Conn) {
	t.Helper()
	sources := readSources(t)
	for _, name := range []string{
		"outbox.RecordMany", "outbox.selectFronts", "outbox.markHandedOut", "outbox.giveBack",
		"outbox.beginAttempts", "outbox.judgeRefused", "outbox.renewLeases", "outbox.finishAttempts",
		"outbox.recordedBefore",
		"sending.selectSenderStates", "sending.selectRecent", "sending.selectQueues", "sending.selectDue", "sending.selectContacts",
		"sending.selectThreads", "sending.lockMessages", "sending.lockCommitting", "sending.selectGoing",
		"sending.commitMessages", "sending.markSent", "sending.selectSentContext", "sending.advance",
		"sending.noteContacts", "sending.endAbsences", "sending.completeCampaigns", "sending.reopenCampaigns",
		"sending.selectLeft", "sending.waitEnrollments", "storage.WakeSenders", "sending.lookNow",
		"sending.sweepCommitting", "sending.selectBack", "storage.WakeEnded",
	} {
		sql := sources.constantOf(t, name)

		plan := planOf(t, conn, name, sql)
		if scan := largeScan.FindString(plan); scan != "" || strings.Contains(plan, "Bitmap") ||
			strings.Contains(plan, "Hash Join") || strings.Contains(plan, "hashed") {
			t.Errorf("%s reads a table from end to end (%s):\n%s", name, scan, plan)
		}
		for _, entered := range wholeWorkspace.FindAllStringSubmatch(plan+"\n", -1) {
			if !slices.Contains(inProgress, entered[1]) && !slices.Contains(whole[name], entered[1]) {
				t.Errorf("%s reads all rows of a workspace in %s:\n%s", name, entered[1], plan)
			}
		}
		if allQueues.MatchString(plan) {
			t.Errorf("%s reads the queues of first steps and of follow-ups:\n%s", name, plan)
		}
		if name == "outbox.selectFronts" && !notDue.MatchString(plan) {
			t.Errorf("%s reads what is not due:\n%s", name, plan)
		}
		for _, used := range indexScan.FindAllStringSubmatch(plan, -1) {
			if !slices.Contains(goodIndexes, used[1]) && !slices.Contains(queues[name], used[1]) {
				t.Errorf("%s goes by %s:\n%s", name, used[1], plan)
			}
		}
	}
}

// planOf returns the plan for any values.
func planOf(t *testing.T, conn *pgx.Conn, name, sql string) string {
	t.Helper()
	most, name := 0, name[strings.Index(name, ".")+1:]
	for _, p := range parameter.FindAllStringSubmatch(sql, -1) {
		var n int
		_, _ = fmt.Sscan(p[1], &n)
		most = max(most, n)
	}
	simple := pgx.QueryExecModeSimpleProtocol
	for _, command := range []string{"DEALLOCATE ALL", "PREPARE " + name + " AS " + sql} {
		if _, err := conn.Exec(t.Context(), command, simple); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	execute := "EXPLAIN EXECUTE " + name
	if most > 0 {
		execute += "(" + strings.TrimSuffix(strings.Repeat("NULL, ", most), ", ") + ")"
	}
	return strings.Join(linesOf(t, conn, execute, simple), "\n")
}
