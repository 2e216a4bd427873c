package inbound

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
	"outreach/tracking/hit"
)

// hitID returns an id of version 7 with the milliseconds of t. Hits are compared with older ones by
// their primary key, without an index on time.
func hitID(t time.Time) uuid.UUID {
	id := storage.NewID()
	copy(id[:6], binary.BigEndian.AppendUint64(nil, uint64(t.UnixMilli()))[2:])
	return id
}

// hitFloor is below every id that hitID returns at t or later.
func hitFloor(t time.Time) (id uuid.UUID) {
	if !t.IsZero() {
		copy(id[:6], binary.BigEndian.AppendUint64(nil, uint64(t.UnixMilli()))[2:])
	}
	return id
}

// askedHosts returns the tracking domains that the host of a request may mean: the host as it is,
// and without its port.
const askedHosts = `ARRAY[h.host, regexp_replace(h.host, ':[0-9]+$', '')]`

// onHost matches the host of tracking domain d.
const onHost = `d.status = 'verified' AND d.host = ANY(` + askedHosts + `)`

const insertClicks = `
INSERT INTO hits (id, workspace_id, kind, message_id, url, agent, address, scanner, occurred_at, fold)
SELECT h.id, $1, 'click', m.id, h.url, nullif(h.agent, ''), nullif(h.address, ''), h.scanner, h.at, h.fold
FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bytea[])
	AS h (id, message_id, host, url, agent, address, scanner, at, fold)
JOIN messages m ON m.workspace_id = $1 AND m.id = h.message_id
JOIN tracking_domains d ON d.workspace_id = $1 AND (` + onHost + ` OR ` + servedHost + `)
ON CONFLICT (workspace_id, fold) DO UPDATE SET count = hits.count + 1
RETURNING fold`

// servedHost matches a host that was once domain d and is not the domain of another workspace now.
const servedHost = `d.served_hosts && ` + askedHosts + `
	AND NOT EXISTS (SELECT FROM tracking_domains o WHERE o.status = 'verified' AND o.host = ANY(` + askedHosts + `))`

// RecordClicks stores clicks in one statement. It reports for each, in order, whether its message
// belongs to the workspace whose present or former tracking domain the request used; other clicks
// are not stored. If the process dies before it returns, the visitor got no answer; if it dies
// after it, any process judges the clicks later.
//
// A click that repeats another of the same client within a minute is counted as that one.
func (b *Inbox) RecordClicks(ctx context.Context, clicks []hit.Click) ([]bool, error) {
	kept := map[string]bool{}
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(clicks, func(c hit.Click) uuid.UUID { return c.Message.WorkspaceID }) {
		var c clickColumns
		for _, click := range some {
			c.add(click, foldOf(click))
		}
		batch.Queue(insertClicks, workspace, c.ids, c.messages, c.hosts, c.urls, c.agents, c.addresses, c.scanners, c.at,
			c.folds).Query(func(rows pgx.Rows) error {
			stored, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
			for _, fold := range stored {
				kept[string(fold)] = true
			}
			return err
		})
	}
	if err := b.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return nil, fmt.Errorf("insert clicks: %w", err)
	}
	known := make([]bool, len(clicks))
	for i := range clicks {
		known[i] = kept[string(foldOf(clicks[i]).column())]
	}
	return known, nil
}

func foldOf(c hit.Click) clickFold {
	return clickFold{string(foldKey(c.Message.ID, c.URL, c.Visitor)), c.Host}
}

// clickFold is the key of clicks that count as one. Clicks on different hosts have different keys,
// because a click on a foreign host is not stored.
type clickFold struct{ key, host string }

func (f clickFold) column() []byte {
	sum := sha256.Sum256([]byte(f.key + f.host))
	return sum[:16]
}

// clickColumns holds the clicks of one statement as columns, without repetitions.
type clickColumns struct {
	ids, messages                            []uuid.UUID
	hosts, urls, agents, addresses, scanners []string
	at                                       []time.Time
	folds                                    [][]byte
	seen                                     map[clickFold]bool
}

func (c *clickColumns) add(click hit.Click, fold clickFold) {
	if c.seen == nil {
		c.seen = map[clickFold]bool{}
	}
	if c.seen[fold] {
		return
	}
	c.seen[fold] = true
	c.ids, c.messages, c.at = append(c.ids, hitID(click.At)), append(c.messages, click.Message.ID), append(c.at, click.At)
	c.hosts, c.urls = append(c.hosts, click.Host), append(c.urls, click.URL)
	c.agents, c.addresses = append(c.agents, click.Agent), append(c.addresses, click.Address)
	c.scanners, c.folds = append(c.scanners, cmp.Or(click.Scanner, hit.Unjudged)), append(c.folds, fold.column())
}

// One process judges at a time, because the judgement of a repeated click depends on that of the
// first. A second process skips its turn.
const lockJudgement = `SELECT pg_try_advisory_xact_lock(7243002)`

// The click that this one repeats is usually older. It is newer if this one was judged later.
var selectUnjudged = `
SELECT ` + unjudgedColumns.SQL + `
FROM hits h JOIN messages m ON m.workspace_id = h.workspace_id AND m.id = h.message_id
WHERE h.occurred_at >= $1 AND h.kind = 'click' AND h.scanner = '` + hit.Unjudged + `' AND h.occurred_at <= $2
ORDER BY h.occurred_at, h.id LIMIT $5`

const markJudged = `
UPDATE hits SET scanner = j.scanner FROM unnest($2::uuid[], $3::text[]) AS j (id, scanner) WHERE hits.workspace_id = $1 AND hits.id = j.id`

const noteClicked = `UPDATE messages SET clicked = true WHERE workspace_id = $1 AND id = ANY($2) AND NOT clicked`

type storedClick struct {
	id, workspace, message, prospect, campaign uuid.UUID
	url, header                                string
	at                                         time.Time
	together, repeated                         bool
}

var unjudgedColumns = storage.NewColumns(func(c *storedClick) []storage.Column {
	return []storage.Column{
		{SQL: "h.id", To: &c.id},
		{SQL: "h.workspace_id", To: &c.workspace},
		{SQL: "h.message_id", To: &c.message},
		{SQL: "h.url", To: &c.url},
		{SQL: "h.occurred_at", To: &c.at},
		{SQL: "m.prospect_id", To: &c.prospect},
		{SQL: "m.campaign_id", To: &c.campaign},
		{SQL: "m.message_id", To: &c.header},
		{SQL: `
EXISTS (SELECT FROM hits o WHERE o.workspace_id = h.workspace_id AND o.message_id = h.message_id AND o.kind = 'click' AND o.url <> h.url
			AND o.occurred_at BETWEEN h.occurred_at - $3::interval AND h.occurred_at + $3)`, To: &c.together},
		{SQL: `
EXISTS (SELECT FROM hits o WHERE o.workspace_id = h.workspace_id AND o.message_id = h.message_id AND o.kind = 'click'
	AND o.url = h.url AND o.scanner IS NULL
			AND o.occurred_at > h.occurred_at - $4::interval AND o.occurred_at < h.occurred_at + $4)`, To: &c.repeated},
	}
})

// JudgeClicks judges stored clicks whose time has come, oldest first, at most rule.Limit, raises the
// clicked events of people, and returns the number of judged clicks. Marks, events and deliveries
// are one transaction: if the process dies in it, the clicks stay unjudged; if it dies after it, each
// event was raised once.
func (b *Inbox) JudgeClicks(ctx context.Context, rule hit.Rule) (judged int, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		var mine bool
		if err := tx.QueryRow(ctx, lockJudgement).Scan(&mine); err != nil || !mine {
			return err
		}
		clicks, err := unjudgedColumns.Query(ctx, tx, selectUnjudged, rule.Since, rule.Now.Add(-rule.Window-rule.Slack), rule.Window,
			rule.Repeat, rule.Limit)
		if err != nil {
			return fmt.Errorf("find unjudged clicks: %w", err)
		}
		judged = len(clicks)
		return b.settleClicks(ctx, tx, clicks, rule.Repeat)
	})
	return judged, err
}

func (b *Inbox) settleClicks(ctx context.Context, tx pgx.Tx, clicks []storedClick, repeat time.Duration) error {
	if len(clicks) == 0 {
		return nil
	}
	reasons, clicked := make(map[uuid.UUID]*string, len(clicks)), make(map[uuid.UUID][]uuid.UUID)
	together, last := hit.SeveralLinks, map[link]time.Time{}
	for _, c := range clicks {
		if c.together {
			reasons[c.id] = &together
			continue
		}
		here := link{c.message, c.url}
		before, again := last[here]
		last[here] = c.at
		if c.repeated || again && c.at.Sub(before) < repeat {
			continue
		}
		if err := b.recordClick(ctx, tx, c); err != nil {
			return err
		}
		clicked[c.workspace] = append(clicked[c.workspace], c.message)
	}
	for workspace, some := range storage.ByWorkspace(clicks, func(c storedClick) uuid.UUID { return c.workspace }) {
		ids, why := make([]uuid.UUID, len(some)), make([]*string, len(some))
		for i, c := range some {
			ids[i], why[i] = c.id, reasons[c.id]
		}
		if err := storage.Exec(ctx, tx, "mark judged clicks", markJudged, workspace, ids, why); err != nil {
			return err
		}
		if len(clicked[workspace]) == 0 {
			continue
		}
		if err := storage.Exec(ctx, tx, "note clicked messages", noteClicked, workspace,
			storage.InOrder(clicked[workspace])); err != nil {
			return err
		}
	}
	return nil
}

type link struct {
	message uuid.UUID
	url     string
}

func (b *Inbox) recordClick(ctx context.Context, tx pgx.Tx, c storedClick) error {
	event, err := b.outbox.EventOf(ctx, tx, c.workspace, c.prospect, &c.campaign, outreach.EventClicked)
	if err != nil {
		return err
	}
	event.OccurredAt = c.at
	event.Metadata = outreach.ClickedMetadata{URL: c.url, MessageID: c.header}
	return b.outbox.Record(ctx, tx, event)
}

const addOpens = `
INSERT INTO opens (workspace_id, campaign_id, day, count)
SELECT $1, m.campaign_id, o.day, sum(o.count)
FROM unnest($2::uuid[], $3::date[], $4::bigint[]) AS o (message_id, day, count)
JOIN messages m ON m.workspace_id = $1 AND m.id = o.message_id JOIN campaigns c ON c.workspace_id = $1 AND c.id = m.campaign_id
GROUP BY 2, 3 ORDER BY 2, 3
ON CONFLICT (workspace_id, campaign_id, day) DO UPDATE SET count = opens.count + excluded.count`

// AddOpens counts opens for the campaigns of their messages. Opens of deleted messages are not
// counted.
func (b *Inbox) AddOpens(ctx context.Context, opens []hit.Opens) error {
	batch := &pgx.Batch{}
	for workspace, some := range storage.ByWorkspace(opens, func(o hit.Opens) uuid.UUID { return o.Message.WorkspaceID }) {
		ids, days, counts := make([]uuid.UUID, len(some)), make([]time.Time, len(some)), make([]int64, len(some))
		for i, o := range some {
			ids[i], days[i], counts[i] = o.Message.ID, o.Day, o.Count
		}
		batch.Queue(addOpens, workspace, ids, days, counts)
	}
	if err := b.db.Pool().SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("add opens: %w", err)
	}
	return nil
}

// foreignHost matches a host that is the tracking domain of another workspace and not of the row's
// own. A host without a workspace matches nothing: old links on it still work.
func foreignHost(workspace string) string {
	domains := `FROM tracking_domains d, (SELECT $3::text AS host) h WHERE ` + onHost
	return `(EXISTS (SELECT ` + domains + ` AND d.workspace_id <> ` + workspace + `)
		AND NOT EXISTS (SELECT ` + domains + ` AND d.workspace_id = ` + workspace + `))`
}
