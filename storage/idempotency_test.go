package storage_test

import (
	"sync"
	"testing"

	"outreach"
)

func (s *stage) claimKey(t *testing.T, key, request string) (*outreach.IdempotencyClaim, string, error) {
	t.Helper()
	claim, answer, err := s.Claim(s.ctx, s.ws, key, []byte(request))
	return claim, string(answer), err
}

// Effect and answer become true in one instant, and the same request gets the
// same answer.
func TestAnswerCommitsWithItsEffect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	claim, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	_, _, err = s.claimKey(t, "k", "request")
	refused(t, err, outreach.CodeIdempotencyRunning)
	_, _, err = s.claimKey(t, "k", "another request")
	refused(t, err, outreach.CodeIdempotencyReused)
	ctx := outreach.WithIdempotencyClaim(s.ctx, claim)
	p := got(s.CreateProspect(ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}))(t)
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound) // not committed yet
	must(t, s.Finish(s.ctx, claim, 201, []byte("the answer")))
	got(s.Prospect(s.ctx, s.ws, p.ID))(t)
	_, answer, err := s.claimKey(t, "k", "request")
	must(t, err)
	same(t, "answer", answer, "the answer")
	_, _, err = s.claimKey(t, "k", "another request")
	refused(t, err, outreach.CodeIdempotencyReused)
	other := s.room(t)
	claim, _, err = other.claimKey(t, "k", "another request")
	must(t, err) // a key is one workspace's
	must(t, s.Abandon(s.ctx, claim))
}

func TestAbandonUndoes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	claim, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	p := got(s.CreateProspect(outreach.WithIdempotencyClaim(s.ctx, claim), outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}))(t)
	must(t, s.Abandon(s.ctx, claim))
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound)
	_, _, err = s.claimKey(t, "k", "another request")
	must(t, err) // the key is free
}

// Who lost the claim to another loses the effect with it.
func TestLostClaim(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	slow, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	p := got(s.CreateProspect(outreach.WithIdempotencyClaim(s.ctx, slow), outreach.Prospect{WorkspaceID: s.ws, Email: "slow@x.test"}))(t)
	s.exec(`UPDATE idempotency_keys SET claimed_until = claimed_until - interval '61 seconds'`)
	fast, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	refused(t, s.Finish(s.ctx, slow, 201, []byte("slow")), outreach.CodeIdempotencyRunning)
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound)
	must(t, s.Abandon(s.ctx, slow)) // frees nothing that is not its own
	must(t, s.Finish(s.ctx, fast, 201, []byte("fast")))
	_, answer, err := s.claimKey(t, "k", "request")
	must(t, err)
	same(t, "answer", answer, "fast")
}

func TestKeysAreFreeAfterADay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	claim, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	must(t, s.Finish(s.ctx, claim, 200, []byte("old")))
	must(t, s.DropOldKeys(s.ctx))
	_, answer, err := s.claimKey(t, "k", "request")
	must(t, err)
	same(t, "kept", answer, "old")
	s.exec(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'`)
	claim, _, err = s.claimKey(t, "k", "another request")
	must(t, err)
	must(t, s.Finish(s.ctx, claim, 200, []byte("new")))
	s.exec(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'`)
	must(t, s.DropOldKeys(s.ctx))
	same(t, "gone", ask[int](s, `SELECT count(*)::int FROM idempotency_keys`), 0)
}

func TestAnswersAreSealed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	claim, _, err := s.claimKey(t, "k", "request")
	must(t, err)
	must(t, s.Finish(s.ctx, claim, 201, []byte("whsec_secret")))
	same(t, "in the clear", ask[bool](s, `SELECT position('whsec'::bytea IN answer) > 0 FROM idempotency_keys`), false)
	s.exec(`INSERT INTO idempotency_keys SELECT workspace_id, 'other', request_hash, claimed_until, status, answer FROM idempotency_keys`)
	if _, answer, err := s.claimKey(t, "other", "request"); err == nil {
		t.Errorf("the answer of one key opened under another: %s", answer)
	}
}

// Of twenty at once one works, and the effect is there once.
func TestOneOfManyWorks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	var mu sync.Mutex
	worked := 0
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			claim, answer, err := s.claimKey(t, "k", "request")
			switch {
			case err == nil && claim == nil && answer == "done":
			case err == nil && claim != nil:
				mu.Lock()
				worked++
				mu.Unlock()
				if _, err := s.CreateProspect(outreach.WithIdempotencyClaim(s.ctx, claim),
					outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}); err != nil {
					t.Error(err)
				}
				if err := s.Finish(s.ctx, claim, 201, []byte("done")); err != nil {
					t.Error(err)
				}
			case outreach.CodeOf(err) == outreach.CodeIdempotencyRunning:
			default:
				t.Errorf("claim: %v %q %v", claim, answer, err)
			}
		})
	}
	all.Wait()
	same(t, "worked", worked, 1)
	same(t, "prospects", ask[int](s, `SELECT count(*)::int FROM prospects`), 1)
}
