package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/bench/data"
)

// keyset is one list with one filter at most, and how to ask the store for a page
// of it. table and where count what it holds.
type keyset struct {
	name, table, at, where string
	run                    func(s *stage, page outreach.Page) error
}

func ran[T any](_ outreach.Rows[T], err error) error { return err }

// id is that of the nth row of a kind, as fill.sql makes them.
func id(kind byte, n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%02x000000-0000-7000-8000-%012x", kind, n))
}

func prospects(name, where string, filter outreach.ProspectFilter) keyset {
	return keyset{"prospects" + name, "prospects", "created_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListProspects(context.Background(), data.Workspace, filter, page))
	}}
}

func enrollments(name, where string, filter outreach.EnrollmentFilter) keyset {
	return keyset{"enrollments" + name, "enrollments", "created_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListEnrollments(context.Background(), data.Workspace, filter, page))
	}}
}

func messages(name, where string, filter outreach.MessageFilter) keyset {
	return keyset{"messages" + name, "messages", "sent_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListMessages(context.Background(), data.Workspace, filter, page))
	}}
}

func replies(name, where string, filter outreach.ReplyFilter) keyset {
	return keyset{"replies" + name, "replies", "received_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListReplies(context.Background(), data.Workspace, filter, page))
	}}
}

func suppressions(name, where string, filter outreach.SuppressionFilter) keyset {
	return keyset{"suppressions" + name, "suppressions", "created_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListSuppressions(context.Background(), data.Workspace, filter, page))
	}}
}

func deliveries(name, where string, filter outreach.DeliveryFilter) keyset {
	return keyset{"deliveries" + name, "deliveries", "created_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListDeliveries(context.Background(), data.Workspace, filter, page))
	}}
}

func campaigns(name, where string, filter outreach.CampaignFilter) keyset {
	return keyset{"campaigns" + name, "campaigns", "created_at", where, func(s *stage, page outreach.Page) error {
		return ran(s.db.ListCampaigns(context.Background(), data.Workspace, filter, page))
	}}
}

var longAgo = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// keysets leaves out filters that hold a handful of rows (email, domain,
// prospect_id), which have no page far from the first.
var keysets = []keyset{
	prospects("", "true", outreach.ProspectFilter{}),
	prospects("?status", "status = 'finished'", outreach.ProspectFilter{Status: new(outreach.ProspectFinished)}),
	prospects("?created_since", "true", outreach.ProspectFilter{CreatedSince: &longAgo}),
	enrollments("", "true", outreach.EnrollmentFilter{}),
	enrollments("?campaign_id", "campaign_id = '63000000-0000-7000-8000-000000000003'",
		outreach.EnrollmentFilter{CampaignID: new(id('c', 3))}),
	enrollments("?status", "status = 'finished'", outreach.EnrollmentFilter{Status: new(outreach.EnrollmentFinished)}),
	campaigns("", "true", outreach.CampaignFilter{}),
	campaigns("?status", "status = 'paused'", outreach.CampaignFilter{Status: new(outreach.CampaignPaused)}),
	campaigns("?created_since", "true", outreach.CampaignFilter{CreatedSince: &longAgo}),
	messages("", "true", outreach.MessageFilter{}),
	messages("?campaign_id", "campaign_id = '63000000-0000-7000-8000-000000000003'", outreach.MessageFilter{CampaignID: new(id('c', 3))}),
	messages("?mailbox_id", "mailbox_id = '6d000000-0000-7000-8000-000000000003'", outreach.MessageFilter{MailboxID: new(id('m', 3))}),
	messages("?step", "step = 2", outreach.MessageFilter{Step: new(2)}),
	messages("?status", "status = 'bounced'", outreach.MessageFilter{Status: new(outreach.MessageBounced)}),
	messages("?since", "true", outreach.MessageFilter{Since: &longAgo}),
	replies("", "true", outreach.ReplyFilter{}),
	replies("?campaign_id", "campaign_id = '63000000-0000-7000-8000-000000000003'", outreach.ReplyFilter{CampaignID: new(id('c', 3))}),
	replies("?mailbox_id", "mailbox_id = '6d000000-0000-7000-8000-000000000003'", outreach.ReplyFilter{MailboxID: new(id('m', 3))}),
	replies("?interest", "interest = 'positive'", outreach.ReplyFilter{Interest: new(outreach.InterestPositive)}),
	replies("?automatic", "automatic", outreach.ReplyFilter{Automatic: new(true)}),
	replies("?since", "true", outreach.ReplyFilter{Since: &longAgo}),
	suppressions("", "true", outreach.SuppressionFilter{}),
	suppressions("?reason", "reason = 'bounced'", outreach.SuppressionFilter{Reason: new(outreach.SuppressedBounced)}),
	suppressions("?created_since", "true", outreach.SuppressionFilter{CreatedSince: &longAgo}),
	{"subscriptions", "subscriptions", "created_at", "true", func(s *stage, page outreach.Page) error {
		return ran(s.db.ListSubscriptions(context.Background(), data.Workspace, page))
	}},
	deliveries("", "true", outreach.DeliveryFilter{}),
	deliveries("?subscription_id", "subscription_id = '73000000-0000-7000-8000-000000000003'",
		outreach.DeliveryFilter{SubscriptionID: new(id('s', 3))}),
	deliveries("?type", "type = 'clicked'", outreach.DeliveryFilter{Type: new(outreach.EventClicked)}),
	deliveries("?status", "status = 'failed'", outreach.DeliveryFilter{Status: new(outreach.DeliveryFailed)}),
	deliveries("?since", "true", outreach.DeliveryFilter{Since: &longAgo}),
	{"offers", "offers", "created_at", "true", func(s *stage, page outreach.Page) error {
		return ran(s.db.ListOffers(context.Background(), data.Workspace, outreach.OfferFilter{}, page))
	}},
	{"offers?created_since", "offers", "created_at", "true", func(s *stage, page outreach.Page) error {
		return ran(s.db.ListOffers(context.Background(), data.Workspace, outreach.OfferFilter{CreatedSince: &longAgo}, page))
	}},
	{"companies", "companies", "created_at", "true", func(s *stage, page outreach.Page) error {
		return ran(s.db.ListCompanies(context.Background(), data.Workspace, outreach.CompanyFilter{}, page))
	}},
	prospects("?campaign_id", "EXISTS (SELECT FROM enrollments e WHERE e.campaign_id = "+
		"'63000000-0000-7000-8000-000000000003' AND e.prospect_id = t.id)", outreach.ProspectFilter{CampaignID: new(id('c', 3))}),
}

const (
	pageSize = 50
	deepPage = 10_000
)

// BenchmarkPage compares page 10,000 of every list, or the last full page of a
// shorter one, with its first: at most 1.5 times its time in the database and 1.2
// times its buffers. prospects?campaign_id has figures of its own.
func BenchmarkPage(b *testing.B) {
	s := bigStage(b)
	for _, list := range keysets {
		b.Run(list.name, func(b *testing.B) {
			number, key := s.deep(b, list)
			first, deep := s.statement(b, list, outreach.Page{Limit: pageSize}), s.statement(b, list, outreach.Page{Limit: pageSize, After: &key})
			var a, z cost
			for b.Loop() {
				a, z = s.costs(b, first, deep)
			}
			b.ReportMetric(float64(number), "page")
			b.ReportMetric(a.milliseconds, "first-ms")
			b.ReportMetric(z.milliseconds, "deep-ms")
			b.ReportMetric(z.milliseconds/a.milliseconds, "ratio")
			b.ReportMetric(a.buffers, "first-buffers")
			b.ReportMetric(z.buffers, "deep-buffers")
			b.ReportMetric(z.buffers/a.buffers, "buffer-ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// deep returns the number of the page to compare with and the key before it.
func (s *stage) deep(tb testing.TB, list keyset) (number int, key outreach.Key) {
	ctx, rows := context.Background(), 0
	must(tb, s.sql.QueryRow(ctx,
		fmt.Sprintf("SELECT count(*) FROM %s t WHERE workspace_id = $1 AND %s", list.table, list.where), data.Workspace).Scan(&rows))
	number = min(deepPage, rows/pageSize-1)
	if number < 2 {
		tb.Fatalf("%s holds %d rows only", list.name, rows)
	}
	must(tb, s.sql.QueryRow(ctx, fmt.Sprintf("SELECT %[1]s, id FROM %[2]s t WHERE workspace_id = $1 AND %[3]s ORDER "+
		"BY %[1]s DESC, id DESC OFFSET $2 LIMIT 1", list.at, list.table, list.where),
		data.Workspace, (number-1)*pageSize-1).Scan(&key.At, &key.ID))
	return number, key
}

// statement is what the store sends for a page.
func (s *stage) statement(tb testing.TB, list keyset, page outreach.Page) pgx.TraceQueryStartData {
	return s.said.of(func() { must(tb, list.run(s, page)) })
}

// cost is what Postgres says of one execution.
type cost struct{ milliseconds, buffers float64 }

// costs executes both in turn and gives the least of each: what else the machine
// does only adds.
func (s *stage) costs(tb testing.TB, one, other pgx.TraceQueryStartData) (a, z cost) {
	a, z = s.explain(tb, one), s.explain(tb, other)
	for range 30 {
		a, z = a.least(s.explain(tb, one)), z.least(s.explain(tb, other))
	}
	return a, z
}

func (c cost) least(other cost) cost {
	return cost{min(c.milliseconds, other.milliseconds), min(c.buffers, other.buffers)}
}

func (s *stage) explain(tb testing.TB, said pgx.TraceQueryStartData) cost {
	tb.Helper()
	var raw []byte
	args := said.Args
	if !strings.Contains(said.SQL, "$1") {
		args = nil
	}
	must(tb, s.sql.QueryRow(context.Background(), "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) "+said.SQL, args...).Scan(&raw))
	var out []struct {
		Plan struct {
			Hit  float64 `json:"Shared Hit Blocks"`
			Read float64 `json:"Shared Read Blocks"`
		}
		Took float64 `json:"Execution Time"`
	}
	must(tb, json.Unmarshal(raw, &out))
	return cost{out[0].Took, out[0].Plan.Hit + out[0].Plan.Read}
}

// BenchmarkCompanies measures the unfiltered page in the database (at most 3 ms)
// and the filtered one, over REST, with its snapshot warm (at most 50 ms); cold is
// what making the snapshot takes, once for everybody. It says how many events lie
// in the seven days that count; the bounds are for 5,000,000.
func BenchmarkCompanies(b *testing.B) {
	s := bigStage(b)
	page := s.statement(b, keyset{name: "companies", run: func(s *stage, page outreach.Page) error {
		return ran(s.db.ListCompanies(context.Background(), data.Workspace, outreach.CompanyFilter{}, page))
	}}, outreach.Page{Limit: pageSize})
	began := time.Now()
	s.call(b, s.service, "/companies?temperature=warm&limit=50")
	cold := time.Since(began)
	var plain cost
	var warm []float64
	for b.Loop() {
		plain, _ = s.costs(b, page, page)
		for range 20 {
			began := time.Now()
			s.call(b, s.service, "/companies?temperature=warm&limit=50")
			warm = append(warm, float64(time.Since(began).Microseconds())/1000)
		}
	}
	b.ReportMetric(float64(s.eventsInWindow(b)), "events-in-window")
	b.ReportMetric(plain.milliseconds, "page-db-ms")
	b.ReportMetric(median(warm), "filtered-warm-ms")
	b.ReportMetric(float64(cold.Milliseconds()), "snapshot-ms")
	b.ReportMetric(0, "ns/op")
}

func (s *stage) eventsInWindow(tb testing.TB) (n int) {
	must(tb, s.sql.QueryRow(context.Background(), `
SELECT count(*) FROM events WHERE workspace_id = $1 AND occurred_at > now() - interval '7 days'`, data.Workspace).Scan(&n))
	return n
}
