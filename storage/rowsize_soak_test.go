//go:build soak

package storage_test

import "testing"

// typicalRows holds 100,000 rows of each table that grows with use: $1 is the workspace, $2 now. A mail has
// 900 characters and 60 different words, a reply 400 and 40; an event and its delivery are as the service writes them.
var typicalRows = []struct{ table, insert string }{
	{"prospects", `
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, job_title, timezone, custom_fields,
	last_contacted_at, created_at)
SELECT uuid_v7(), $1::uuid, e, e, 'Firstname', 'Lastname', 'Company ' || n % 5000, 'Head of Something', 'Europe/Berlin',
	'{"city": "Some city", "size": 120}', $2::timestamptz, $2::timestamptz - make_interval(mins => n)
FROM (SELECT n, 'first.last' || n || '@company' || n % 5000 || '.example' AS e FROM generate_series(1, 100000) n) rows`},
	{"enrollments", `
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, mailbox_id, next_step, next_send_at, last_step_id, last_step_at)
SELECT uuid_v7(), $1::uuid, (SELECT id FROM campaigns WHERE workspace_id = $1 LIMIT 1), uuid_v7(), uuid_v7(), 2,
	$2::timestamptz + make_interval(mins => n), uuid_v7(), $2::timestamptz FROM generate_series(1, 100000) n`},
	{"messages", `
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
	message_id, status, smtp_response, committed_at, sent_at, words)
SELECT uuid_v7(), $1::uuid, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 1, 1, 'first.last' || n || '@company.example',
	'A subject of forty characters or nearly', left(repeat(md5(n::text) || ' some text of a step ', 20), 900),
	'<' || md5(n::text) || '@mail.example>', 'sent', '250 2.0.0 Ok: queued as 4BQxyz', $2::timestamptz,
	$2::timestamptz - make_interval(mins => n), ' ' || (SELECT string_agg('w' || (n::bigint * 7919 + i * 104729) % 20011, ' ')
		FROM generate_series(1, 60) i) || ' '
FROM generate_series(1, 100000) n`},
	{"replies", `
INSERT INTO replies (id, workspace_id, prospect_id, campaign_id, mailbox_id, message_id, sender, subject, body_text, full_text, interest,
	interest_reason, automatic, header_id, thread, words, received_at)
SELECT uuid_v7(), $1::uuid, uuid_v7(), uuid_v7(), uuid_v7(), uuid_v7(), 'first.last' || n || '@company.example', 'Re: A subject',
	left(repeat(md5(n::text) || ' some text ', 20), 400), left(repeat(md5(n::text) || ' some text of a step ', 30), 1300), 'neutral',
	'nothing in it says more', false, '<' || md5(n::text) || '@their.example>', ARRAY['<' || md5((n + 1)::text) || '@mail.example>'],
	' ' || (SELECT string_agg('w' || (n::bigint * 7919 + i * 104729) % 20011, ' ') FROM generate_series(1, 40) i) || ' ',
	$2::timestamptz - make_interval(mins => n)
FROM generate_series(1, 100000) n`},
	{"events", `
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, metadata)
SELECT uuid_v7(), $1::uuid, 'sent', $2::timestamptz, uuid_v7(), 'first.last' || n || '@company.example', uuid_v7(), uuid_v7(),
	'Spring campaign', '{"step": 1, "subject": "A subject of forty characters or nearly", "mailbox": "anna@sender.example"}'
FROM generate_series(1, 100000) n`},
	{"deliveries", `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, status, attempts,
	http_status, delivered_at, attempt_started_at, created_at)
SELECT uuid_v7(), $1::uuid, uuid_v7(), 'sent', uuid_v7(), 'sent', 'https://hooks.customer.example/outreach/events',
	'hooks.customer.example', convert_to(left(repeat(md5(n::text), 20), 620), 'UTF8'), 'delivered', 1, 200, $2::timestamptz, NULL,
	$2::timestamptz FROM generate_series(1, 100000) n`},
	{"hits", `
INSERT INTO hits (id, workspace_id, kind, message_id, url, agent, address, fold, occurred_at)
SELECT uuid_v7(), $1::uuid, 'click', uuid_v7(), 'https://www.sender.example/a-page-that-the-mail-links-to',
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36', '203.0.113.7',
	decode(md5(n::text), 'hex'), $2::timestamptz FROM generate_series(1, 100000) n`},
}

// How many bytes a row takes on the disk, with its part of the indexes.
func TestSoakRowSizes(t *testing.T) {
	s := newStage(t)
	s.campaign("C", s.mailbox("me@sender.example"), steps(0)...)
	for _, rows := range typicalRows {
		before := s.sizes(t, rows.table)
		s.exec(rows.insert, s.ws, s.clock.Now())
		after := s.sizes(t, rows.table)
		table, indexes := (after[0]-before[0])/100_000, (after[1]-before[1])/100_000
		t.Logf("%-12s %5d bytes a row, of which %4d in the table, %4d in indexes", rows.table, table+indexes, table, indexes)
		if table < 50 || indexes < 20 {
			t.Errorf("%s: %d and %d bytes a row, so it was not filled", rows.table, table, indexes)
		}
	}
}

// sizes returns the bytes of a table with what lies beside it, and of its indexes. The partitions of a table count.
func (s *stage) sizes(t *testing.T, table string) (sizes [2]int) {
	t.Helper()
	must(t, s.sql.QueryRow(s.ctx, `
SELECT sum(pg_table_size(relid)), sum(pg_indexes_size(relid))
FROM (SELECT $1::regclass AS relid
	UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass) parts`, table).Scan(&sizes[0], &sizes[1]))
	return sizes
}
