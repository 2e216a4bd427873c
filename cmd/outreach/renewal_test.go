package main

import (
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"outreach/internal/testkit"
	"outreach/sandbox"
)

// endTokens ends the access tokens of all mailboxes before their time.
func (s *stage) endTokens() {
	s.t.Helper()
	s.exec(`UPDATE mailbox_grants SET expires_at = now() - interval '1 minute', renew_at = now() - interval '1 minute'`)
}

// leasesEnd ends what a process that died still holds.
func (s *stage) leasesEnd() {
	s.t.Helper()
	s.exec(`UPDATE mailbox_grants SET renew_lease = '-infinity'`)
	s.exec(`UPDATE mailboxes SET receive_lease = NULL, receive_at = '-infinity'`)
}

func (s *stage) exec(sql string) {
	s.t.Helper()
	if _, err := s.store.Pool().Exec(s.t.Context(), sql); err != nil {
		s.t.Fatal(err)
	}
}

// checkWorks calls the check of a mailbox at a process, which logs in to both servers.
func (s *stage) checkWorks(base string, mailbox any) {
	s.t.Helper()
	there := *s
	there.base = base
	status, box, err := there.try(http.MethodPost, "/mailboxes/"+mailbox.(string)+"/check", nil)
	if err != nil || status != http.StatusOK || box["status"] != "connected" || box["last_error"] != nil {
		s.t.Errorf("the check at %s answers %d, %v: %v", base, status, err, box)
	}
}

// Four processes need the tokens of two mailboxes at the moment when they have ended, and then
// while they end every other second. The provider sees each refresh token once.
func TestFourProcessesRenewOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.vars["OUTREACH_DATABASE_CONNECTIONS"] = "6"
	bases := []string{s.base}
	for range 3 {
		bases = append(bases, "http://"+testkit.ReserveAddr(t))
	}
	for _, base := range bases {
		s.vars["OUTREACH_ADDR"] = strings.TrimPrefix(base, "http://")
		s.spawn("api,worker")
	}
	for _, base := range bases {
		there := *s
		there.base = base
		there.untilReady()
	}
	const held = time.Second // a process that sees no lease asks meanwhile
	quirks := sandbox.Quirks{EndsFormer: true, Renewing: func() { <-time.After(held) }}
	s.mail.SetQuirks(quirks)
	boxes := []any{s.connect(object{"provider": "google"}, sandbox.GoogleMailbox)["id"],
		s.connect(object{"provider": "microsoft"}, sandbox.MicrosoftMailbox)["id"]}
	for round := 1; round <= 2; round++ {
		s.endTokens()
		var all sync.WaitGroup
		for _, base := range bases {
			for _, box := range boxes {
				all.Go(func() { s.checkWorks(base, box) })
			}
		}
		all.Wait()
		if n := s.mail.Renewals(); n != 2*round {
			t.Errorf("round %d: %d renewals, want one for each of two mailboxes a round", round, n)
		}
	}
	s.mail.SetQuirks(sandbox.Quirks{EndsFormer: true, TokenLife: 2 * time.Second})
	s.endTokens()
	s.eventually(2*time.Minute, "the workers renew again and again", func() bool { return s.mail.Renewals() >= 16 })
	if n := s.mail.RepeatedRenewals(); n != 0 {
		t.Errorf("%d refresh tokens of %d were presented more than once", n, s.mail.Renewals())
	}
}

// A worker is killed again and again while it renews. A mailbox whose provider keeps the former
// token valid goes on each time. With a provider that ends it at once, the mailbox goes on unless
// the death came between the making of new tokens and their commit; then it asks for a
// reconnect, says why, and goes on after it.
func TestKilledWhileRenewing(t *testing.T) {
	t.Parallel()
	t.Run("former token stays valid", func(t *testing.T) { t.Parallel(); killWhileRenewing(t, 5, false) })
	t.Run("former token ends", func(t *testing.T) { t.Parallel(); killWhileRenewing(t, 5, true) })
}

// renewing is a worker that is killed while it renews, and what came of it.
type renewing struct {
	*stage
	mailbox string
	ends    bool
	worker  *process
	armed   atomic.Bool
	asked   chan struct{}

	unanswered, lost, stored, reconnected int
}

func killWhileRenewing(t *testing.T, kills int, ends bool) {
	r := &renewing{stage: newStage(t), ends: ends, asked: make(chan struct{}, 1)}
	pause := func() { <-time.After(rand.N(40 * time.Millisecond)) }
	r.mail.SetQuirks(sandbox.Quirks{EndsFormer: ends, Answering: pause, Renewing: func() {
		if r.armed.Swap(false) {
			r.asked <- struct{}{}
		}
		pause()
	}})
	r.spawn("api")
	r.untilReady()
	r.mailbox = r.connect(object{"provider": "microsoft"}, sandbox.MicrosoftMailbox)["id"].(string)
	r.worker = r.spawn("worker")
	for range kills {
		r.kill()
	}
	r.checkWorks(r.base, r.mailbox)
	t.Logf("%d kills: %d before the provider made tokens, %d between that and the commit, %d after the commit; %d reconnects",
		kills, r.unanswered, r.lost, r.stored, r.reconnected)
}

// grant returns the version of the tokens, and why they are no longer accepted.
func (r *renewing) grant() (version int, revoked *string) {
	r.t.Helper()
	row := r.store.Pool().QueryRow(r.t.Context(), `SELECT version, revoked FROM mailbox_grants`)
	if err := row.Scan(&version, &revoked); err != nil {
		r.t.Fatal(err)
	}
	return version, revoked
}

// kill ends the token, kills the worker at a random instant of the renewal, and lets another one
// go on.
func (r *renewing) kill() {
	r.t.Helper()
	version, _ := r.grant()
	renewals := r.mail.Renewals()
	r.armed.Store(true)
	r.endTokens()
	select {
	case <-r.asked:
	case <-time.After(time.Minute):
		r.t.Fatal("the worker does not renew")
	}
	<-time.After(rand.N(100 * time.Millisecond))
	r.worker.kill()
	after, _ := r.grant()
	r.leasesEnd()
	r.worker = r.spawn("worker")
	var now int
	var revoked *string
	r.eventually(time.Minute, "the mailbox has new tokens, or asks for a reconnect", func() bool {
		now, revoked = r.grant()
		return now > version || revoked != nil
	})
	made := r.mail.Renewals() - renewals
	switch {
	case revoked != nil:
		r.lost++
		r.reconnect(*revoked, made)
	case after > version:
		r.stored++
	case made == 2 && !r.ends:
		r.lost++
	case made == 1:
		r.unanswered++
	default:
		r.t.Errorf("the provider made tokens %d times", made)
	}
}

// reconnect connects the mailbox again, after it has said why that is needed.
func (r *renewing) reconnect(reason string, made int) {
	r.t.Helper()
	r.reconnected++
	const want = "The service was interrupted while it renewed its access, and Microsoft no longer accepts the previous token. " +
		"Reconnect the mailbox."
	box := r.call(http.StatusOK, http.MethodGet, "/mailboxes/"+r.mailbox, nil)
	if !r.ends || made != 1 || reason != want || box["auth_error"] != want || box["status"] != "error" {
		r.t.Errorf("%d sets of tokens were made, and the mailbox says %q and is %v", made, reason, box)
	}
	r.connect(object{"provider": "microsoft", "mailbox_id": r.mailbox}, sandbox.MicrosoftMailbox)
}
