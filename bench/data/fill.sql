SET session_replication_role = replica;
SET synchronous_commit = off;
SET maintenance_work_mem = '256MB';
CREATE FUNCTION bench_id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
	$$ SELECT (lpad(to_hex(ascii(kind)), 2, '0') || '000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
CREATE FUNCTION bench_at(n bigint, total bigint) RETURNS timestamptz LANGUAGE sql STABLE AS
	$$ SELECT date_trunc('minute', now()) - interval '1 year' + interval '1 year' * ((n * 7919 % total)::float8 / total) $$;
INSERT INTO workspaces (id, name) VALUES (:workspace, 'Bench');
INSERT INTO companies (id, workspace_id, name, name_key, domain, created_at)
	SELECT bench_id('o', n), :workspace, 'Company ' || n, 'company ' || n, 'c' || n || '.test',
		bench_at(n, greatest(:prospects / 20, 1)) FROM generate_series(1, greatest(:prospects / 20, 1)) n;
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, company_id, job_title,
	timezone, custom_fields, status, interest, last_contacted_at, created_at)
	SELECT bench_id('p', n), :workspace, 'p' || n || '@c' || 1 + n % greatest(:prospects / 20, 1) || '.test',
		'p' || n || '@c' || 1 + n % greatest(:prospects / 20, 1) || '.test', 'Ada' || n % 977, 'Lovelace' || n % 991,
		'Company ' || 1 + n % greatest(:prospects / 20, 1), bench_id('o', 1 + n % greatest(:prospects / 20, 1)),
			'Head of Engines', 'Europe/Paris', CASE WHEN n % 2 = 0 THEN '{"plan": "gold", "seats": 12}'::jsonb ELSE '{}' END,
		(ARRAY['new', 'in_sequence', 'replied', 'finished', 'finished'])[1 + n % 5], CASE
			WHEN n % 20 = 0 THEN 'positive' END, CASE WHEN n % 2 = 0 THEN now() - interval '1 day' END, bench_at(n, :prospects)
	FROM generate_series(1, :prospects) n;
INSERT INTO mailboxes (id, workspace_id, email, email_key, smtp_host, smtp_port, smtp_username, smtp_password,
	smtp_security, imap_host, imap_port, imap_username, imap_password, imap_security, daily_limit, min_gap_seconds, status)
	SELECT bench_id('m', n), :workspace, 'm' || n || '@bench.test', 'm' || n || '@bench.test', 'h', 1, 'u', '', 'tls',
		'h', 1, 'u', '', 'tls', 50, 0, 'paused' FROM generate_series(1, 20) n;
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens, created_at)
	SELECT bench_id('c', n), :workspace, 'Campaign ' || n,
		(ARRAY['draft', 'paused', 'completed', 'archived'])[1 + n % 4], 'UTC', '{mon}', '09:00', '17:00', true, false, true,
		false, bench_at(n, 2000) FROM generate_series(1, 2000) n;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status, created_at)
	SELECT bench_id('e', n), :workspace, bench_id('c', 1 + n % 5), bench_id('p', 2 * n),
		(ARRAY['finished', 'finished', 'replied', 'paused', 'stopped'])[1 + n % 5], bench_at(n, :prospects / 2)
		FROM generate_series(1, :prospects / 2) n;
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status, smtp_response, sent_at)
	SELECT bench_id('g', n), :workspace, bench_id('c', 1 + n % 5), bench_id('p', 2 * n), bench_id('m', 1 + n % 5),
		bench_id('e', n), 1, 1 + n % 3, 'p' || 2 * n || '@c.test', 'Hello Ada', repeat('Would a call suit you? ', 8),
		'<' || n || '@bench.test>',
		(ARRAY['sent', 'sent', 'sent', 'sent', 'bounced'])[1 + n % 5], '250 2.0.0 queued', bench_at(n, :prospects / 2)
		FROM generate_series(1, :prospects / 2) n;
INSERT INTO replies (id, workspace_id, prospect_id, campaign_id, mailbox_id, sender, subject, body_text, interest,
	automatic, done, received_at)
	SELECT bench_id('r', n), :workspace, bench_id('p', 2 * n), bench_id('c', 1 + n % 5), bench_id('m', 1 + n % 5),
		'p' || 2 * n || '@c.test', 'Re: Hello', repeat('Tell me more. ', 10),
		(ARRAY['positive', 'neutral', 'negative', NULL])[1 + n % 4], n % 5 = 0, n % 3 > 0, bench_at(n, :events / 20)
		FROM generate_series(1, :events / 20) n;
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id,
	campaign_name, interest, metadata)
	SELECT bench_id('v', n), :workspace, kind, at, bench_id('p', who), 'p' || who || '@c.test',
		bench_id('o', 1 + who % greatest(:prospects / 20, 1)), bench_id('c', 1 + n % 5), 'Campaign', CASE
		WHEN kind = 'replied' THEN (ARRAY['positive', 'neutral', 'negative'])[1 + n / 20 % 3] END, CASE
		WHEN kind = 'offer_read' THEN '{"again": true}'::jsonb ELSE '{}' END
	FROM (SELECT n, 1 + n * 7919 % :prospects AS who,
		(ARRAY['sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent', 'sent',
		'sent', 'clicked', 'clicked', 'replied', 'bounced', 'unsubscribed', 'offer_read'])[1 + n % 20] AS kind,
		now() - interval '4 days' + interval '3 days 23 hours' * (n::float8 / :events) AS at FROM generate_series(1::bigint, :events) n) e;
INSERT INTO suppressions (id, workspace_id, email, email_key, domain, reason, created_at)
	SELECT bench_id('u', n), :workspace, CASE WHEN n % 2 = 1 THEN 's' || n || '@gone.test' END, CASE
		WHEN n % 2 = 1 THEN 's' || n || '@gone.test' END, CASE WHEN n % 2 = 0 THEN 'd' || n || '.test' END,
		(ARRAY['manual', 'unsubscribed', 'bounced', 'complaint'])[1 + n % 4], bench_at(n, :prospects / 2)
		FROM generate_series(1, :prospects / 2) n;
INSERT INTO subscriptions (id, workspace_id, url, events, secret, enabled, created_at)
	SELECT bench_id('s', n), :workspace, 'https://hooks.test/', '{sent}', '', false, bench_at(n, 1000) FROM generate_series(1, 1000) n;
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
	status, attempts, created_at)
	SELECT bench_id('d', n), :workspace, bench_id('s', 1 + n % 20), 'sent', bench_id('v', n),
		(ARRAY['sent', 'clicked', 'replied', 'bounced'])[1 + n % 4], 'https://hooks.test/', 'hooks.test', '{}',
		(ARRAY['delivered', 'delivered', 'delivered', 'delivered', 'failed'])[1 + n % 5], 1, bench_at(n, :events / 4)
		FROM generate_series(1, :events / 4) n;
INSERT INTO offers (id, workspace_id, title, target_url, visit_count, created_at)
	SELECT bench_id('f', n), :workspace, 'Offer ' || n, 'https://offer.test/', n % 2, bench_at(n, :prospects / 10)
	FROM generate_series(1, :prospects / 10) n;
VACUUM (ANALYZE);
CREATE TABLE bench_filled AS SELECT :prospects::bigint AS prospects, :events::bigint AS events, :schema AS schema, now() AS filled_at;
RESET session_replication_role;
RESET synchronous_commit;
