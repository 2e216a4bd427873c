//go:build soak

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/internal/testkit"
	"outreach/internal/testkit/chaos"
	"outreach/session"
)

// What a hostile tenant may make slower for an honest one: the slowest hundredth, beside it, over
// the slowest hundredth alone.
const maxTenantRatio = 1.5

// How long each of the six rounds takes, and the time between two people, and two requests, of the
// honest tenant.
const (
	tenantRound   = time.Minute
	tenantPeople  = 300 * time.Millisecond
	tenantRequest = 150 * time.Millisecond
)

// An honest tenant sends, is answered, gets webhooks and uses the API. A hostile tenant asks for more
// than its rates allow, renders templates without end, imports, sends a template of 1,800 tags, has
// mailboxes on servers that misbehave at every stage, and 20,000 webhooks to a server that hangs. The rounds alternate: alone,
// beside, beside, alone, alone, beside.
func TestSoakTenants(t *testing.T) {
	s := newStage(t)
	delete(s.vars, "OUTREACH_RATE_LIMIT")
	server := chaos.Start(t, uint64(time.Now().UnixNano()))
	s.spawnLogging("api", io.Discard)
	s.spawnLogging("worker", io.Discard)
	s.untilReady()
	campaign, _ := s.slice()
	subscription := s.list("/subscriptions")[0]
	s.call(http.StatusOK, http.MethodPatch, "/subscriptions/"+subscription["id"].(string), object{"events": []string{"sent", "replied"}})
	s.call(http.StatusOK, http.MethodPatch, "/mailboxes/"+s.list("/mailboxes")[0]["id"].(string), object{"daily_limit": 5000})
	hostile := s.newHostileTenant(server)

	alone, beside := &tenantTimes{}, &tenantTimes{}
	for round, with := range []bool{false, true, true, false, false, true} {
		if !with {
			s.honestRound(campaign, round, alone)
			continue
		}
		stop := hostile.begin()
		s.honestRound(campaign, round, beside)
		stop()
	}
	for _, one := range []struct {
		what          string
		alone, beside []time.Duration
	}{
		{"sent after enrolling", alone.sent, beside.sent},
		{"reply read after it came", alone.read, beside.read},
		{"webhook after sending", alone.hooked, beside.hooked},
		{"page of 50 over REST", alone.asked, beside.asked},
	} {
		before, now := quantile(one.alone, 0.99), quantile(one.beside, 0.99)
		ratio := float64(now) / float64(before)
		t.Logf("%s: alone p50 %s, p99 %s (%d); beside p50 %s, p99 %s (%d); p99 beside : alone %.2f", one.what,
			quantile(one.alone, 0.5), before, len(one.alone), quantile(one.beside, 0.5), now, len(one.beside), ratio)
		if ratio > maxTenantRatio {
			t.Errorf("%s: p99 is %.2f times as long beside a hostile tenant, want at most %.1f", one.what, ratio, maxTenantRatio)
		}
	}
	t.Logf("the hostile tenant's answers by status: %v", hostile.answers)
	t.Log(server.Summary())
}

// tenantTimes are how long the honest tenant waited.
type tenantTimes struct{ sent, read, hooked, asked []time.Duration }

// honestRound enrolls people and asks for pages for the length of a round, and adds the times.
func (s *stage) honestRound(campaign string, round int, times *tenantTimes) {
	s.t.Helper()
	until := time.Now().Add(tenantRound)
	var asking sync.WaitGroup
	asking.Go(func() {
		for ; time.Now().Before(until); <-time.After(tenantRequest) {
			began := time.Now()
			status, _, err := s.try(http.MethodGet, "/prospects?limit=50", nil)
			if err != nil || status != http.StatusOK {
				s.t.Errorf("a page answered %d, %v", status, err)
				return
			}
			times.asked = append(times.asked, time.Since(began))
		}
	})
	enrolled := map[string]time.Time{}
	for n := 0; time.Now().Before(until); n++ {
		email := fmt.Sprintf("reply.%d.%d@customer.example", round, n)
		enrolled[email] = time.Now()
		s.enrollUntilThere(campaign, email)
		<-time.After(tenantPeople)
	}
	asking.Wait()
	arrived, sent, replied := map[string]time.Time{}, map[string]time.Time{}, map[string]time.Time{}
	s.eventually(2*time.Minute, "everybody was written to and answered, with a webhook for both", func() bool {
		for _, hook := range s.receiver.Received() {
			var event struct {
				ProspectEmail string `json:"prospect_email"`
			}
			if err := json.Unmarshal([]byte(hook.Body), &event); err != nil {
				s.t.Fatal(err)
			}
			map[string]map[string]time.Time{"sent": sent, "replied": replied}[hook.Event][event.ProspectEmail] = hook.ReceivedAt
		}
		for email := range enrolled {
			if sent[email].IsZero() || replied[email].IsZero() {
				return false
			}
		}
		return true
	})
	for _, mail := range s.mail.Received() {
		arrived[mail.To] = mail.At
	}
	stored := s.repliesStored()
	for email, began := range enrolled {
		times.sent = append(times.sent, arrived[email].Sub(began))
		times.hooked = append(times.hooked, sent[email].Sub(arrived[email]))
		times.read = append(times.read, stored[email].Sub(arrived[email]))
	}
}

// repliesStored returns when the reply of each person was stored.
func (s *stage) repliesStored() map[string]time.Time {
	s.t.Helper()
	conn, err := pgx.Connect(s.t.Context(), s.vars["DATABASE_URL"])
	testkit.NoError(s.t, err)
	defer func() { _ = conn.Close(s.t.Context()) }()
	rows, err := conn.Query(s.t.Context(), `SELECT sender, id FROM replies`)
	testkit.NoError(s.t, err)
	stored := map[string]time.Time{}
	var sender string
	var id uuid.UUID
	_, err = pgx.ForEachRow(rows, []any{&sender, &id}, func() error {
		seconds, nanoseconds := id.Time().UnixTime() // ids begin with the time
		stored[sender] = time.Unix(seconds, nanoseconds)
		return nil
	})
	testkit.NoError(s.t, err)
	return stored
}

// hostileTenant is a tenant that does all it can.
type hostileTenant struct {
	*chaosTenant
	browser  *http.Client
	prospect string
	hooks    string // URL of its webhooks
	large    string // its campaign with a large template
	rounds   int

	mu      sync.Mutex
	answers map[int]int // to its requests, by status
}

func (s *stage) newHostileTenant(server *chaos.Server) *hostileTenant {
	s.t.Helper()
	tenant := s.newChaosTenant(0, server)
	id := uuid.MustParse(tenant.call(http.StatusOK, http.MethodGet, "/me", nil)["workspace_id"].(string))
	tenant.email, tenant.password = "owner@hostile.test", session.NewPassword()
	_, err := s.store.AddUser(s.t.Context(), id, tenant.email, session.HashPassword(tenant.password), outreach.RoleOwner, true)
	testkit.NoError(s.t, err)
	h := &hostileTenant{chaosTenant: tenant, browser: tenant.stage.browser(s.base), answers: map[int]int{}}
	h.prospect = h.call(http.StatusCreated, http.MethodPost, "/prospects", object{"email": "a@customer.example"})["id"].(string)
	hang := hangingServer(s.t)
	h.hooks = "https://" + hang
	h.call(http.StatusCreated, http.MethodPost, "/subscriptions", object{"url": h.hooks, "events": []string{"sent"}})
	account := s.mail.Mailbox()
	box, err := s.store.CreateMailbox(s.t.Context(), outreach.Mailbox{ // it sends well and is read from a chaos server
		WorkspaceID: id, Email: "large@hostile.test", Provider: outreach.ProviderCustom, Auth: outreach.AuthPassword, SMTP: account.SMTP,
		IMAP:       outreach.MailServer{Host: "127.0.0.1", Port: server.IMAP, Username: "x", Password: "x", Security: outreach.SecurityNone},
		DailyLimit: 5000,
	})
	testkit.NoError(s.t, err)
	large := strings.Repeat(`{{ first_name | default: "there" | upcase }} {{ "x" | upcase }} `, 900)
	made := h.call(http.StatusCreated, http.MethodPost, "/campaigns", object{
		"name": "Large", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59",
		"mailbox_ids": []any{box.ID},
		"steps":       []object{{"subject": "Hello", "body_text": large}},
	})
	h.large = made["id"].(string)
	h.call(http.StatusOK, http.MethodPost, "/campaigns/"+h.large+"/activate", nil)
	return h
}

// hangingServer accepts connections and says nothing. It returns its address.
func hangingServer(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	testkit.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			context.AfterFunc(t.Context(), func() { conn.Close() })
		}
	}()
	return listener.Addr().String()
}

// hostileHooks makes deliveries that are due now.
const hostileHooks = `
INSERT INTO deliveries (id, workspace_id, subscription_id, subscription_event, event_id, type, url, host, body, next_attempt_at)
SELECT uuid_v7(), workspace_id, id, 'sent', gen_random_uuid(), 'sent', url, split_part(split_part(url, '/', 3), ':', 1), '{}', now()
FROM subscriptions, generate_series(1, 20000) WHERE url = '`

// begin lets the tenant loose until stop is called.
func (h *hostileTenant) begin() (stop func()) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	h.rounds++
	h.enroll(h.rounds)
	h.sql(hostileHooks + h.hooks + "'")
	endless := "{% for a in (1..1000000) %}{% for b in (1..1000000) %}x{% endfor %}{% endfor %}"
	preview := object{"query": `query ($in: PreviewInput!) { previewStep(input: $in) { error } }`,
		"variables": object{"in": object{"subject": "Hello", "bodyText": endless, "prospectId": h.prospect}}}
	people := make([]object, 1000)
	var all sync.WaitGroup
	for i := range people {
		people[i] = object{"email": fmt.Sprintf("many%d@customer.example", i)}
	}
	for _, one := range []struct {
		clients      int
		method, path string
		body         object
	}{
		{4, http.MethodGet, "/api/v1/messages?limit=100", nil},
		{2, http.MethodPost, "/api/v1/prospects/bulk", object{"prospects": people, "on_existing": "skip"}},
		{4, http.MethodPost, "/graphql", preview},
	} {
		for range one.clients {
			all.Go(func() {
				for ; ctx.Err() == nil; <-time.After(20 * time.Millisecond) {
					h.ask(ctx, one.method, one.path, one.body)
				}
			})
		}
	}
	all.Go(func() {
		for n := 0; ctx.Err() == nil; <-time.After(100 * time.Millisecond) {
			n++
			email := fmt.Sprintf("large%d.%d@customer.example", h.rounds, n)
			h.ask(ctx, http.MethodPost, "/api/v1/enrollments", object{"campaign_id": h.large, "prospect": object{"email": email}})
		}
	})
	return func() { cancel(); all.Wait() }
}

// ask makes one request and counts its answer.
func (h *hostileTenant) ask(ctx context.Context, method, path string, body object) {
	var text []byte
	if body != nil {
		text, _ = json.Marshal(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, h.base+path, bytes.NewReader(text))
	if err != nil {
		h.t.Error(err)
		return
	}
	request.Header.Set("Content-Type", "application/json")
	if path != "/graphql" {
		request.Header.Set("Authorization", "Bearer "+h.token)
	}
	response, err := h.browser.Do(request)
	if err != nil {
		return // the round is over, or the service closed the connection
	}
	_, _ = io.Copy(io.Discard, response.Body)
	response.Body.Close()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answers[response.StatusCode]++
}
