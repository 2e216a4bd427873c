package rest_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"
)

// listing describes one list to the suite: how a row gets into it, and which
// rows its filters keep. Rows are numbered; what varies, varies by the number.
type listing struct {
	path, at string
	table    string
	insert   func(s *stage, ws, id uuid.UUID, at time.Time, i int)
	filters  []filter
	since    string // the name of its date filter, "" without one
	thin     string // a filter that is applied after the fetch (docs/reference.md#offers)
}

// filter is one parameter with a value, and whether it keeps row i.
type filter struct {
	name  string
	value func(s *stage, ws uuid.UUID) string
	keep  func(i int) bool
}

func constant(name, value string, keep func(int) bool) filter {
	return filter{name, func(*stage, uuid.UUID) string { return value }, keep}
}

// of filters by an id that every second row has.
func of(name, kind string) filter {
	return filter{name, func(s *stage, ws uuid.UUID) string { return s.some(kind, ws, 0).String() }, even}
}

func even(i int) bool             { return i%2 == 0 }
func fifth(i int) bool            { return i%5 == 0 }
func third(i int) bool            { return i%3 == 0 }
func only(n int) func(i int) bool { return func(i int) bool { return i == n } }

func pick[T any](i int, values ...T) T { return values[i%len(values)] }

// some returns the first or the second row of a kind that others lead to.
func (s *stage) some(kind string, ws uuid.UUID, i int) uuid.UUID {
	key := kind + ws.String()
	for len(s.keepList[key]) < 2 {
		id := uuid.New()
		switch kind {
		case "campaign":
			insertCampaign(s, ws, id, time.Now(), 0)
		case "company":
			insertCompany(s, ws, id, time.Now(), 1)
		case "subscription":
			insertSubscription(s, ws, id, time.Now(), 0)
		case "prospect":
			s.exec(`INSERT INTO prospects (id, workspace_id, email, email_key, words) VALUES ($1, $2, $3, $3, ' anna keller ')`, id, ws, id.String())
		}
		s.keepList[key] = append(s.keepList[key], id)
	}
	return s.keepList[key][i%2]
}

func insertCampaign(s *stage, ws, id uuid.UUID, at time.Time, i int) {
	s.exec(`
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens, created_at)
		VALUES ($1, $2, 'A', $3, 'UTC', '{mon}', '09:00', '17:00', true, false, true, false, $4)`, id, ws,
		pick(i, "paused", "draft", "archived"), at)
}

// insertCompany makes every third company warm by a click of an hour ago.
func insertCompany(s *stage, ws, id uuid.UUID, at time.Time, i int) {
	s.exec(`INSERT INTO companies (id, workspace_id, name, name_key, created_at) VALUES ($1, $2, 'C', $3, $4)`, id, ws, id.String(), at)
	if third(i) {
		s.exec(`
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, company_id, metadata)
VALUES ($1, $2, 'clicked', now() - interval '1 hour', $1, $3, '{}')`, uuid.New(), ws, id)
	}
}

func insertSubscription(s *stage, ws, id uuid.UUID, at time.Time, _ int) {
	s.exec(`
INSERT INTO subscriptions (id, workspace_id, url, events, secret, created_at)
VALUES ($1, $2, 'https://hooks.example.com/', '{replied}', '\x00', $3)`, id, ws, at)
}

var listings = []listing{
	{
		path: "/prospects", at: "created_at", table: "prospects", since: "created_since",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			email := fmt.Sprintf("Person%d@%s.example", i, ws)
			s.exec(`
INSERT INTO prospects (id, workspace_id, email, email_key, status, company_id, created_at) VALUES ($1, $2, $3, lower($3), $4, $5, $6)`,
				id, ws, email, pick(i, "new", "replied", "bounced"), s.some("company", ws, i), at)
			s.exec(`
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id)
VALUES ($1, $2, $3, $4)`, uuid.New(), ws, s.some("campaign", ws, i), id)
		},
		filters: []filter{constant("status", "new", third), of("campaign_id", "campaign"), of("company_id", "company"),
			{"email", func(_ *stage, ws uuid.UUID) string { return fmt.Sprintf("pERSON6@%s.example", ws) }, only(6)}},
	},
	{
		path: "/enrollments", at: "created_at", table: "enrollments",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			prospect := uuid.New()
			if i == 6 {
				prospect = s.some("prospect", ws, 0)
			}
			s.exec(`INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
				id, ws, s.some("campaign", ws, i), prospect, pick(i, "active", "finished", "held"), at)
		},
		filters: []filter{constant("status", "active", third), of("campaign_id", "campaign"),
			{"prospect_id", func(s *stage, ws uuid.UUID) string { return s.some("prospect", ws, 0).String() }, only(6)},
			constant("search", "kel ann", only(6))},
	},
	{
		path: "/campaigns", at: "created_at", table: "campaigns", since: "created_since", insert: insertCampaign,
		filters: []filter{constant("status", "paused", third)},
	},
	{
		path: "/probes", at: "created_at", table: "campaigns", since: "created_since", insert: insertCampaign,
		filters: []filter{constant("status", "paused", third)},
	},
	{
		path: "/companies", at: "created_at", table: "companies", insert: insertCompany,
		filters: []filter{constant("temperature", "warm", third)},
	},
	{
		path: "/offers", at: "created_at", table: "offers", since: "created_since", thin: "status",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			s.exec(`
INSERT INTO offers (id, workspace_id, title, target_url, visit_count, created_at)
VALUES ($1, $2, 'O', 'https://example.com', $3, $4)`, id, ws, pick(i, 1, 0, 0), at)
		},
		filters: []filter{constant("status", "read", third)},
	},
	{
		path: "/snippets", at: "created_at", table: "snippets",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, _ int) {
			s.exec(`INSERT INTO snippets (workspace_id, id, name, body_text, created_at) VALUES ($1, $2, $2::uuid::text, 'T', $3)`, ws, id, at)
		},
	},
	{
		path: "/sending_domains", at: "created_at", table: "sending_domains",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, _ int) {
			s.exec(`INSERT INTO sending_domains (workspace_id, id, domain, state, mx, spf, dkim, dmarc, check_at, created_at)
				VALUES ($1, $2, $2::uuid::text || '.test', 'unknown', $4, $4, $4, $4, 'infinity', $3)`, ws, id, at,
				map[string]any{"result": "unknown", "detail": "Not checked yet."})
		},
	},
	{
		path: "/messages", at: "sent_at", table: "messages", since: "since",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			kind, enrollment, step, reply := "step", &id, new(pick(i, 1, 2, 3)), (*uuid.UUID)(nil)
			if fifth(i) {
				kind, enrollment, step, reply = "answer", nil, nil, &id
			}
			s.exec(`
INSERT INTO messages (id, workspace_id, kind, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step,
	reply_id, send_at, recipient, subject, body_text, message_id, status, sent_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $12, 'a@b.example', 'S', 'T', $10, $11, $12)`,
				id, ws, kind, s.some("campaign", ws, i), s.some("prospect", ws, i), s.some("mailbox", ws, i), enrollment, step,
				reply, "<"+id.String()+"@x>",
				pick(i, "sent", "sent", "bounced", "unknown"), at)
		},
		filters: []filter{of("campaign_id", "campaign"), of("prospect_id", "prospect"), of("mailbox_id", "mailbox"),
			constant("kind", "answer", fifth),
			constant("step", "1", func(i int) bool { return third(i) && !fifth(i) }),
			constant("status", "bounced", func(i int) bool { return i%4 == 2 })},
	},
	{
		path: "/replies", at: "received_at", table: "replies", since: "since",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			s.exec(`
INSERT INTO replies (id, workspace_id, prospect_id, campaign_id, mailbox_id, sender, body_text, interest, automatic,
	received_at, words) VALUES ($1, $2, $3, $4, $5, 'a@b.example', 'T', $6, $7, $8, $9)`,
				id, ws, s.some("prospect", ws, i), s.some("campaign", ws, i), s.some("mailbox", ws, i),
				pick(i, "positive", "neutral", "negative"), even(i), at, pick(i, " one two ", " two ", " three "))
		},
		filters: []filter{of("campaign_id", "campaign"), of("prospect_id", "prospect"), of("mailbox_id", "mailbox"),
			constant("interest", "positive", third), constant("automatic", "true", even), constant("search", "TWÖ ONE", third)},
	},
	{
		path: "/suppressions", at: "created_at", table: "suppressions", since: "created_since",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			var email, domain *string
			address := fmt.Sprintf("gone%d@x.example", i)
			if name := fmt.Sprintf("x%d.example", i); i%5 == 0 {
				domain = &name
			} else {
				email = &address
			}
			s.exec(`
INSERT INTO suppressions (id, workspace_id, email, email_key, domain, reason, created_at)
VALUES ($1, $2, $3, $3, $4, $5, $6)`, id, ws, email, domain, pick(i, "manual", "bounced", "complaint"), at)
		},
		filters: []filter{constant("reason", "manual", third), constant("email", "Gone6@x.example", only(6)),
			constant("domain", "X5.example", only(5))},
	},
	{path: "/subscriptions", at: "created_at", table: "subscriptions", insert: insertSubscription},
	{
		path: "/deliveries", at: "created_at", table: "deliveries", since: "since",
		insert: func(s *stage, ws, id uuid.UUID, at time.Time, i int) {
			s.exec(`
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body,
	status, created_at) VALUES ($1, $2, $3, 'sent', $1, $4, 'https://hooks.example.com/', 'hooks.example.com', '{}', $5, $6)`,
				id, ws, s.some("subscription", ws, i), pick(i, "sent", "replied", "test"), pick(i, "delivered", "failed"), at)
		},
		filters: []filter{of("subscription_id", "subscription"), constant("type", "sent", third), constant("status", "delivered", even)},
	},
}
