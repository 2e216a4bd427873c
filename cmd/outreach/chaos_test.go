package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/internal/testkit/chaos"
)

// An honest tenant's mail leaves, and the replies to it are read, beside tenants whose
// mail servers misbehave at every stage of SMTP and IMAP. The process survives and its
// memory is bounded.
func TestHonestTenantBesideChaos(t *testing.T) {
	t.Parallel()
	besideChaos(t, chaosRounds{people: 4, interval: time.Second})
}

// chaosRounds sets how long a test beside chaos takes: for a number of people, and at least for a
// time; and how often the engine sends and reads.
type chaosRounds struct {
	people   int
	length   time.Duration
	interval time.Duration
}

// The tenants of the chaos server, and how much memory a worker may take beside them.
const (
	chaosTenants   = 3
	chaosMailboxes = 12 // of each
	maxWorkerRSS   = 512 << 10
)

func besideChaos(t *testing.T, rounds chaosRounds) {
	s := newStage(t)
	s.vars["OUTREACH_SEND_INTERVAL"], s.vars["OUTREACH_RECEIVE_INTERVAL"] = rounds.interval.String(), rounds.interval.String()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	server := chaos.Start(t, seed)
	api, worker := s.spawnLogging("api", io.Discard), s.spawnLogging("worker", io.Discard) // each fault is logged
	s.untilReady()
	campaign, _ := s.slice()
	var tenants []*chaosTenant
	for i := range chaosTenants {
		tenants = append(tenants, s.newChaosTenant(i, server))
	}
	conn, err := pgx.Connect(t.Context(), s.vars["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))

	var sent, read []time.Duration
	for began, n := time.Now(), 0; n < rounds.people || time.Since(began) < rounds.length; n++ {
		for _, tenant := range tenants {
			tenant.enroll(n)
		}
		if _, err := conn.Exec(t.Context(), reviveMailboxes, uuid.MustParse(s.workspace)); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		answered := fmt.Sprintf("reply.%d@customer.example", n)
		s.enrollUntilThere(campaign, answered)
		prospect := s.list("/prospects?email=" + answered)[0]["id"].(string)
		s.eventually(3*time.Minute, "the mail leaves", func() bool {
			return len(s.list("/messages?status=sent&prospect_id="+prospect)) == 1
		})
		sent = append(sent, time.Since(start))
		start = time.Now()
		s.eventually(3*time.Minute, "the reply is read", func() bool { return len(s.list("/replies?prospect_id="+prospect)) == 1 })
		read = append(read, time.Since(start))
	}
	for name, p := range map[string]*process{"api": api, "worker": worker} {
		select {
		case <-p.ended:
			t.Fatalf("the process %s has ended", name)
		default:
		}
		peak := peakRSS(t, p.command.Process.Pid)
		t.Logf("%s: peak RSS %d MB", name, peak>>10)
		if peak > maxWorkerRSS {
			t.Errorf("%s took %d kB, want at most %d", name, peak, maxWorkerRSS)
		}
	}
	t.Logf("%d people, intervals of %s; until sent: p50 %s, p99 %s; until the reply was read: p50 %s, p99 %s", len(sent), rounds.interval,
		quantile(sent, 0.5), quantile(sent, 0.99), quantile(read, 0.5), quantile(read, 0.99))
	t.Log(server.Summary())
}

// The tenants put their mailboxes in order again, as a person can.
const reviveMailboxes = `
UPDATE mailboxes SET status = 'connected', last_error = NULL, look_at = '-infinity',
	receive_at = least(receive_at, now()) WHERE workspace_id <> $1`

// chaosTenant is a workspace whose mailboxes are all on a chaos server.
type chaosTenant struct {
	stage    // with the token of the tenant
	campaign string
}

func (s *stage) newChaosTenant(number int, server *chaos.Server) *chaosTenant {
	s.t.Helper()
	tenant := &chaosTenant{stage: *s}
	id := tenant.newWorkspace(fmt.Sprintf("Chaos %d", number))
	var mailboxes []string
	security := []outreach.Security{outreach.SecurityNone, outreach.SecurityNone, outreach.SecurityTLS, outreach.SecurityStartTLS}
	for i := range chaosMailboxes {
		at := func(port int) outreach.MailServer {
			return outreach.MailServer{Host: "127.0.0.1", Port: port, Username: "x", Password: "x", Security: security[i%len(security)]}
		}
		box, err := s.store.CreateMailbox(context.Background(), outreach.Mailbox{
			WorkspaceID: id, Email: fmt.Sprintf("m%d@chaos.test", i), Provider: outreach.ProviderCustom, Auth: outreach.AuthPassword,
			SMTP: at(server.SMTP), IMAP: at(server.IMAP), DailyLimit: 1000,
		})
		if err != nil {
			s.t.Fatal(err)
		}
		mailboxes = append(mailboxes, box.ID.String())
	}
	made := tenant.call(http.StatusCreated, http.MethodPost, "/campaigns", object{
		"name": "Chaos", "send_days": outreach.Weekdays, "send_from": "00:00", "send_until": "23:59", "mailbox_ids": mailboxes,
		"steps": []object{{"subject": "Hello", "body_text": "Would a call suit you?"}},
	})
	tenant.campaign = made["id"].(string)
	tenant.call(http.StatusOK, http.MethodPost, "/campaigns/"+tenant.campaign+"/activate", nil)
	return tenant
}

// enroll enrolls a person for each mailbox.
func (c *chaosTenant) enroll(round int) {
	c.t.Helper()
	for i := range chaosMailboxes {
		c.enrollUntilThere(c.campaign, fmt.Sprintf("p%d.%d@customer.example", round, i))
	}
}

// peakRSS returns the most memory that a process had resident, in kB.
func peakRSS(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Logf("this system does not tell the memory of a process: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		t.Fatal("no VmHWM in the status of a process")
	}
	peak, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	return peak
}

// quantile returns the value below which a share of the values lies.
func quantile(values []time.Duration, part float64) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)].Round(time.Millisecond)
}
