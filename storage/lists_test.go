package storage_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// listCase is one list with the filters that it knows. run asks for a page with
// those filters for which on says so; their values are those of fill.
type listCase struct {
	name    string
	filters []string
	run     func(s *stage, on func(string) bool, page outreach.Page) error
	// not names filters that are known to need more than their index (issue 3).
	not map[string]string
}

func given[T any](on func(string) bool, name string, value T) *T {
	if on(name) {
		return &value
	}
	return nil
}

func words(on func(string) bool, all ...string) []string {
	if on("search") {
		return all
	}
	return nil
}

func ran[T any](_ outreach.Rows[T], err error) error { return err }

// id is the id that fill gives to the nth row of a kind.
func id(kind byte, n int) uuid.UUID {
	return uuid.MustParse(fmt.Sprintf("%08x-0000-7000-8000-%012x", uint32(kind)<<24, n))
}

var since = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)

var everyList = []listCase{
	{name: "prospects", filters: []string{"status", "email", "campaign", "company", "since", "search"},
		not: map[string]string{"campaign": "looks each row up in enrollments", "search": "for people, over the page order"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListProspects(s.ctx, s.ws, outreach.ProspectFilter{
				Status: given(on, "status", outreach.ProspectReplied), Email: given(on, "email", "p7@c7.test"),
				CampaignID: given(on, "campaign", id('c', 3)), CompanyID: given(on, "company", id('o', 7)),
				CreatedSince: given(on, "since", since), Search: given(on, "search", "p77"),
			}, page))
		}},
	{name: "enrollments", filters: []string{"campaign", "prospect", "status", "search"},
		not: map[string]string{"search": "sorts the people found: TestSearchOfPeopleGoesByItsIndex"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListEnrollments(s.ctx, s.ws, outreach.EnrollmentFilter{
				CampaignID: given(on, "campaign", id('c', 3)), ProspectID: given(on, "prospect", id('p', 7)),
				Status: given(on, "status", outreach.EnrollmentFinished), Search: words(on, "p77"),
			}, page))
		}},
	{name: "campaigns", filters: []string{"status", "since", "search"}, not: map[string]string{"search": "over the names of the workspace"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListCampaigns(s.ctx, s.ws, outreach.CampaignFilter{Status: given(on, "status", outreach.CampaignPaused),
				CreatedSince: given(on, "since", since), Search: given(on, "search", "paign 77")}, page))
		}},
	{name: "companies", filters: []string{"search"}, not: map[string]string{"search": "over the names of the workspace"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListCompanies(s.ctx, s.ws, outreach.CompanyFilter{Search: given(on, "search", "pany 77")}, page))
		}},
	{name: "offers", filters: []string{"status", "since"}, run: func(s *stage, on func(string) bool, page outreach.Page) error {
		return ran(s.ListOffers(s.ctx, s.ws, outreach.OfferFilter{
			Status: given(on, "status", outreach.OfferRead), CreatedSince: given(on, "since", since)}, page))
	}},
	{name: "snippets", run: func(s *stage, _ func(string) bool, page outreach.Page) error {
		return ran(s.ListSnippets(s.ctx, s.ws, page))
	}},
	{name: "sending domains", run: func(s *stage, _ func(string) bool, page outreach.Page) error {
		return ran(s.ListSendingDomains(s.ctx, s.ws, page))
	}},
	{name: "messages", filters: []string{"campaign", "prospect", "mailbox", "step", "status", "since"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListMessages(s.ctx, s.ws, outreach.MessageFilter{
				CampaignID: given(on, "campaign", id('c', 3)), ProspectID: given(on, "prospect", id('p', 7)),
				MailboxID: given(on, "mailbox", id('m', 1)),
				Step:      given(on, "step", 2), Status: given(on, "status", outreach.MessageBounced), Since: given(on, "since", since),
			}, page))
		}},
	{name: "replies",
		filters: []string{"campaign", "prospect", "mailbox", "interest", "automatic", "since", "done", "assigned",
			"snoozed"}, run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{
				CampaignID: given(on, "campaign", id('c', 3)), ProspectID: given(on, "prospect", id('p', 7)),
				MailboxID: given(on, "mailbox", id('m', 1)),
				Interest:  given(on, "interest", outreach.InterestPositive), Automatic: given(on, "automatic", true),
				Since: given(on, "since", since), Done: given(on, "done", false),
				AssignedTo: given(on, "assigned", id('z', 1)), Snoozed: given(on, "snoozed", true),
			}, page))
		}},
	{name: "suppressions", filters: []string{"reason", "email", "domain", "since"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListSuppressions(s.ctx, s.ws, outreach.SuppressionFilter{
				Reason: given(on, "reason", outreach.SuppressedBounced), Email: given(on, "email", "s7@c7.test"),
				Domain: given(on, "domain", "d7.test"), CreatedSince: given(on, "since", since),
			}, page))
		}},
	{name: "subscriptions", run: func(s *stage, _ func(string) bool, page outreach.Page) error {
		return ran(s.ListSubscriptions(s.ctx, s.ws, page))
	}},
	{name: "deliveries", filters: []string{"subscription", "type", "status", "since"},
		run: func(s *stage, on func(string) bool, page outreach.Page) error {
			return ran(s.ListDeliveries(s.ctx, s.ws, outreach.DeliveryFilter{
				SubscriptionID: given(on, "subscription", id('s', 1)), Type: given(on, "type", outreach.EventClicked),
				Status: given(on, "status", outreach.DeliveryFailed), Since: given(on, "since", since),
			}, page))
		}},
	{name: "history", run: func(s *stage, _ func(string) bool, page outreach.Page) error {
		return ran(s.ListHistory(s.ctx, s.ws, id('p', 7), page))
	}},
	{name: "mailboxes", run: func(s *stage, _ func(string) bool, _ outreach.Page) error {
		_, err := s.ListMailboxes(s.ctx, s.ws)
		return err
	}},
}

// chosen returns the subset of filters that the bits of mask choose.
func (l listCase) chosen(mask int) func(string) bool {
	return func(name string) bool {
		for i, filter := range l.filters {
			if filter == name {
				return mask&(1<<i) != 0
			}
		}
		panic("unknown filter " + name)
	}
}

var middle = outreach.Page{Limit: 50, After: &outreach.Key{At: since.AddDate(0, 2, 0), ID: uuid.Max}}

// Every text that a list can put together is one that Postgres runs, and no two
// combinations share one.
func TestEveryCombinationOfFilters(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, list := range everyList {
		texts := map[string]bool{}
		for mask := range 1 << len(list.filters) {
			for _, page := range []outreach.Page{{Limit: 50}, middle} {
				s.said.take()
				must(t, list.run(s, list.chosen(mask), page))
				texts[s.said.take()[0].sql] = true
			}
		}
		want := 2 << len(list.filters)
		switch list.name {
		case "offers": // its status is applied after the page
			want /= 2
		case "mailboxes": // never paginated
			want = 1
		}
		if len(texts) != want {
			t.Errorf("%s: %d texts, want %d", list.name, len(texts), want)
		}
	}
}

// fill makes a workspace of the size at which plans matter, and another beside it
// so that the workspace alone selects.
const fill = `
INSERT INTO companies (id, workspace_id, name, name_key, domain, created_at)
	SELECT make_id('o', n), ws(n), 'Company ' || n, 'company ' || n, 'c' || n || '.test', at(n) FROM generate_series(1, 5000) n;
INSERT INTO prospects (id, workspace_id, email, email_key, words, company_id, status, created_at)
	SELECT make_id('p', n), ws(n), 'p' || n || '@c' || n % 5000 || '.test', 'p' || n || '@c' || n % 5000 || '.test',
		' p' || n || ' c' || n % 5000 || ' test ',
		make_id('o', CASE WHEN n < 100 THEN n ELSE 100 + n % 4898 END),
		(ARRAY['new', 'in_sequence', 'replied', 'finished'])[1 + n % 4], at(n) FROM generate_series(1, 20000) n;
INSERT INTO mailboxes (id, workspace_id, email, email_key, smtp_host, smtp_port, smtp_username, smtp_password,
	smtp_security, imap_host, imap_port,
		imap_username, imap_password, imap_security, daily_limit, min_gap_seconds)
	SELECT make_id('m', n), ws(n), 'm' || n, 'm' || n, 'h', 1, 'u', '', 'tls', 'h', 1, 'u', '', 'tls', 50, 0 FROM generate_series(1, 40) n;
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens, created_at)
	SELECT make_id('c', n), ws(n), 'Campaign ' || n,
		(ARRAY['draft', 'active', 'paused', 'completed', 'archived'])[1 + n % 5], 'UTC', '{mon}', '09:00', '17:00', true,
			false, true, false, at(n)
	FROM generate_series(1, 4000) n;
INSERT INTO enrollments (id, workspace_id, campaign_id, prospect_id, status, created_at)
	SELECT make_id('e', n), ws(n),
		make_id('c', CASE WHEN n % 2 = 1 OR n < 100 THEN 1 + n % 5 ELSE 100 + 2 * (n % 5) END), make_id('p', n),
			(ARRAY['active', 'finished', 'replied', 'paused'])[1 + n % 4], at(n) FROM generate_series(1, 10000) n;
INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
	subject, body_text, message_id, status, sent_at)
	SELECT make_id('g', n), ws(n), make_id('c', 1 + n % 5), make_id('p', n), make_id('m', 1 + n % 5), make_id('e', n),
		1, 1 + n % 5, 'r', 's', 'b', '<' || n || '>',
		(ARRAY['sent', 'sent', 'sent', 'bounced'])[1 + n % 4], at(n) FROM generate_series(1, 10000) n;
INSERT INTO replies (id, workspace_id, prospect_id, campaign_id, mailbox_id, sender, body_text, interest, automatic, done, received_at)
	SELECT make_id('r', n), ws(n), make_id('p', n), make_id('c', 1 + n % 5), make_id('m', 1 + n % 5), 'f', 't',
		(ARRAY['positive', 'neutral', 'negative', NULL])[1 + n % 4],
		n % 10 = 0, n % 3 > 0, at(n) FROM generate_series(1, 10000) n;
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, company_id, campaign_id)
	SELECT make_id('v', n), ws(n), (ARRAY['sent', 'sent', 'clicked', 'replied'])[1 + n % 4],
		now() - make_interval(mins => n), make_id('p', 1 + n % 20), make_id('o', 1 + n % 5000), make_id('c', 1 + n % 5)
	FROM generate_series(1, 20000) n;
INSERT INTO suppressions (id, workspace_id, email, email_key, domain, reason, created_at)
	SELECT make_id('u', n), ws(n), CASE WHEN n % 2 = 1 THEN 's' || n || '@c' || n || '.test' END, CASE
		WHEN n % 2 = 1 THEN 's' || n || '@c' || n || '.test' END,
		CASE WHEN n % 2 = 0 THEN 'd' || n || '.test'
			END, (ARRAY['manual', 'unsubscribed', 'bounced', 'complaint'])[1 + n % 4], at(n) FROM generate_series(1, 10000) n;
INSERT INTO subscriptions (id, workspace_id, url, events, secret, created_at)
	SELECT make_id('s', n), ws(n), 'https://h.test', '{sent}', '', at(n) FROM generate_series(1, 2000) n;
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, status, created_at)
	SELECT make_id('d', n), ws(n), make_id('s', CASE WHEN n % 2 = 1 OR n < 100 THEN 1 ELSE 100 END + n % 20), 'sent',
		make_id('v', n), (ARRAY['sent', 'clicked', 'replied', 'bounced'])[1 + n % 4], 'https://h.test', 'h.test', '{}',
		(ARRAY['delivered', 'delivered', 'delivered', 'failed'])[1 + n % 4], at(n) FROM generate_series(1, 10000) n;
INSERT INTO snippets (workspace_id, id, name, body_text, created_at)
	SELECT ws(n), make_id('n', n), 'Snippet ' || n, 'T', at(n) FROM generate_series(1, 10000) n;
INSERT INTO sending_domains (workspace_id, id, domain, state, mx, spf, dkim, dmarc, check_at, created_at)
	SELECT ws(n), make_id('k', n), 'd' || n || '.test', 'unknown', '{}', '{}', '{}', '{}', at(n), at(n) FROM generate_series(1, 10000) n;
INSERT INTO offers (id, workspace_id, title, visit_count, created_at)
	SELECT make_id('f', n), ws(n), 'Offer ' || n, n % 2, at(n) FROM generate_series(1, 10000) n;
`

// The helpers of fill: ids of a kind, times spread over a year. ws(n) stands for
// the tested workspace where n is odd or below a hundred.
const fillHelpers = `
INSERT INTO workspaces (id, name) VALUES ('00000000-0000-7000-8000-000000000002', 'beside');
CREATE FUNCTION make_id(kind text, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS
	$$ SELECT (lpad(to_hex(ascii(kind)), 2, '0') || '000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$;
CREATE FUNCTION at(n bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
	$$ SELECT '2026-01-01T00:00:00Z'::timestamptz + make_interval(mins => (n * 7919 % 500000)::int) $$;
`

// fillIn fills the stage's database; it is made once for all plans.
func (s *stage) fillIn() {
	s.t.Helper()
	s.exec(fillHelpers)
	mine := fmt.Sprintf("CASE WHEN n %% 2 = 1 OR n < 100 THEN '%s'::uuid ELSE '00000000-0000-7000-8000-000000000002'::uuid END", s.ws)
	s.exec(strings.ReplaceAll(fill, "ws(n)", mine))
	s.exec("ANALYZE")
}

// plan is EXPLAIN's tree as far as the test looks at it.
type plan struct {
	Node     string  `json:"Node Type"`
	Relation string  `json:"Relation Name"`
	Index    string  `json:"Index Name"`
	Rows     float64 `json:"Plan Rows"`
	Plans    []plan
}

func (s *stage) explain(said statement) plan {
	s.t.Helper()
	var raw []byte
	must(s.t, s.sql.QueryRow(s.ctx, "EXPLAIN (FORMAT JSON) "+said.sql, said.args...).Scan(&raw))
	var out []struct{ Plan plan }
	must(s.t, json.Unmarshal(raw, &out))
	return out[0].Plan
}

// refuses names what a plan must not do: read a large table from end to end, or
// sort more than the one row that a unique key gives.
func (p plan) refuses(large []string) (why []string) {
	if p.Node == "Seq Scan" && slices.Contains(large, p.Relation) {
		why = append(why, "sequential scan of "+p.Relation)
	}
	if strings.Contains(p.Node, "Sort") && p.Rows > 1 {
		why = append(why, p.Node)
	}
	for _, below := range p.Plans {
		why = append(why, below.refuses(large)...)
	}
	return why
}

// A page of any list costs its own rows, wherever it lies: no list with at most
// one filter reads a large table from end to end or sorts.
func TestListsRunAlongTheirIndexes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.fillIn()
	large := rows[string](s, `
SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples > 1000 AND relname <> 'subscriptions'`) // of which a workspace has tens
	s.dailyWork(large)
	s.polled()
	for _, list := range everyList {
		if list.name == "mailboxes" {
			continue // a workspace has tens
		}
		for mask := range 1 << len(list.filters) {
			if mask&(mask-1) != 0 {
				continue // more than one filter
			}
			name := "none"
			for _, filter := range list.filters {
				if list.chosen(mask)(filter) {
					name = filter
				}
			}
			if _, known := list.not[name]; known {
				continue
			}
			later := middle
			if list.name == "history" { // its rows are those of the last weeks
				later.After = &outreach.Key{At: time.Now().AddDate(0, 0, -10), ID: uuid.Max}
			}
			for where, page := range map[string]outreach.Page{"first": {Limit: 50}, "middle": later} {
				s.said.take()
				must(t, list.run(s, list.chosen(mask), page))
				said := s.said.take()[0]
				if why := s.explain(said).refuses(large); len(why) > 0 {
					t.Errorf("%s by %s, %s page: %s\n%s", list.name, name, where, strings.Join(why, ", "), said.sql)
				}
			}
		}
	}
}

// dailyWork is what happens for every mail that goes out or comes in; none of its
// statements reads a large table from end to end.
func (s *stage) dailyWork(large []string) {
	s.t.Helper()
	s.said.take()
	x := s.scene()
	got(s.Senders(s.ctx))(s.t)
	x.replyTo(x.box, "ann@x.test", x.out, new(outreach.InterestPositive))
	got(s.UpdateReply(s.ctx, s.ws, x.lastReply().ID, func(r *outreach.Reply) { interest(r, outreach.InterestNegative) }))(s.t)
	bob := s.enroll(x.c, s.prospect("bob@x.test"))
	bounced := s.send(x.box)
	x.ingest(x.box, x.bounced(outreach.FaultRecipient, bounced, ""))
	s.enroll(x.c, s.prospect("eve@x.test"))
	x.ingest(x.box, s.received(x.box, outreach.ReceivedComplaint, "fbl@isp.test",
		s.sendWith(x.box, outreach.SendResult{Kind: outreach.SendUnknown})))
	_, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("carl@x.test")})
	must(s.t, err)
	s.bulkOne("dora@x.test")
	must(s.t, s.DeleteProspect(s.ctx, s.ws, bob.ProspectID))
	got(s.UpdateCampaign(s.ctx, s.ws, x.c.ID, func(c *outreach.Campaign) { c.Name = "Other" }))(s.t)
	got(s.SweepSteps(s.ctx))(s.t)
	got(s.Unknowns(s.ctx, x.box.Ref()))(s.t)
	s.enroll(x.c, s.prospect("fay@x.test"))
	s.copies(outreach.SentCopy{Message: s.sendWith(x.box, takenAs).Ref(), MessageID: "<filed@provider.test>"})
	got(s.CampaignStats(s.ctx, s.ws, x.c.ID, allFigures))(s.t)
	must(s.t, s.RefreshCampaigns(s.ctx))
	seen := map[string]bool{}
	for _, said := range s.said.take() {
		if !verb.MatchString(said.sql) || seen[said.sql] {
			continue // begin, commit
		}
		seen[said.sql] = true
		for _, why := range s.explain(said).refuses(large) {
			if strings.HasPrefix(why, "sequential") {
				s.t.Errorf("daily work: %s\n%s", why, said.sql)
			}
		}
	}
	if len(seen) < 40 {
		s.t.Errorf("daily work was only %d statements", len(seen))
	}
}

// polled is what open pages ask for all the time: in an inbox where little waits,
// it is counted in an index alone.
func (s *stage) polled() {
	s.t.Helper()
	s.exec(`UPDATE replies SET done = true WHERE id::text < 'e'`)
	s.exec("VACUUM ANALYZE replies")
	s.said.take()
	got(s.WaitingReplies(s.ctx, s.ws))(s.t)
	if p := s.explain(s.said.take()[0]); p.uses("replies_waiting") != "Index Only Scan" {
		s.t.Errorf("waiting replies are counted otherwise: %+v", p)
	}
}

// uses returns how a plan reads an index, empty if it does not.
func (p plan) uses(index string) string {
	if p.Index == index {
		return p.Node
	}
	for _, below := range p.Plans {
		if how := below.uses(index); how != "" {
			return how
		}
	}
	return ""
}

var verb = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// A walk meets every row once, newest first, whatever is filtered.
func TestWalkMeetsEveryRowOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	at := s.clock.Now()
	for i := range 23 {
		s.clock.Set(at.Add(time.Duration(i/5) * time.Second)) // several share an instant
		s.prospect(fmt.Sprintf("p%d@walk.test", i))
	}
	want := rows[uuid.UUID](s, `SELECT id FROM prospects ORDER BY created_at DESC, id DESC`)
	for _, limit := range []int{1, 4, 23, 100} {
		var met []uuid.UUID
		page := outreach.Page{Limit: limit}
		for {
			list := got(s.ListProspects(s.ctx, s.ws, outreach.ProspectFilter{}, page))(t)
			for _, p := range list.Rows {
				met = append(met, p.ID)
			}
			if !list.More {
				break
			}
			page.After = &list.Last
		}
		same(t, fmt.Sprintf("walk by %d", limit), met, want)
	}
}
