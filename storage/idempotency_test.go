package storage_test

import (
	"sync"
	"testing"

	"outreach"
)

func (s *stage) reserveKey(t *testing.T, key, request string) (*outreach.KeyedRequest, string, error) {
	t.Helper()
	keyed, answer, err := s.Reserve(s.ctx, s.ws, key, []byte(request))
	return keyed, string(answer), err
}

// Effect and answer become true in one instant, and the same request gets the
// same answer.
func TestAnswerCommitsWithItsEffect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	keyed, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	_, _, err = s.reserveKey(t, "k", "request")
	refused(t, err, outreach.CodeIdempotencyRunning)
	_, _, err = s.reserveKey(t, "k", "another request")
	refused(t, err, outreach.CodeIdempotencyReused)
	ctx := outreach.WithKeyedRequest(s.ctx, keyed)
	p := got(s.CreateProspect(ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}))(t)
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound) // not committed yet
	must(t, s.Finish(s.ctx, keyed, 201, []byte("the answer")))
	got(s.Prospect(s.ctx, s.ws, p.ID))(t)
	_, answer, err := s.reserveKey(t, "k", "request")
	must(t, err)
	same(t, "answer", answer, "the answer")
	_, _, err = s.reserveKey(t, "k", "another request")
	refused(t, err, outreach.CodeIdempotencyReused)
	other := s.room(t)
	keyed, _, err = other.reserveKey(t, "k", "another request")
	must(t, err) // a key is one workspace's
	must(t, s.Abandon(s.ctx, keyed))
}

func TestAbandonUndoes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	keyed, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	p := got(s.CreateProspect(outreach.WithKeyedRequest(s.ctx, keyed), outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}))(t)
	must(t, s.Abandon(s.ctx, keyed))
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound)
	_, _, err = s.reserveKey(t, "k", "another request")
	must(t, err) // the key is free
}

// A request that lost its key to another loses its effect.
func TestLostKey(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	slow, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	p := got(s.CreateProspect(outreach.WithKeyedRequest(s.ctx, slow), outreach.Prospect{WorkspaceID: s.ws, Email: "slow@x.test"}))(t)
	s.exec(`UPDATE idempotency_keys SET claimed_until = claimed_until - interval '61 seconds'`)
	fast, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	refused(t, s.Finish(s.ctx, slow, 201, []byte("slow")), outreach.CodeIdempotencyRunning)
	_, err = s.Prospect(s.ctx, s.ws, p.ID)
	refused(t, err, outreach.CodeNotFound)
	must(t, s.Abandon(s.ctx, slow)) // frees nothing that is not its own
	must(t, s.Finish(s.ctx, fast, 201, []byte("fast")))
	_, answer, err := s.reserveKey(t, "k", "request")
	must(t, err)
	same(t, "answer", answer, "fast")
}

func TestKeysAreFreeAfterADay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	keyed, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	must(t, s.Finish(s.ctx, keyed, 200, []byte("old")))
	must(t, s.DropOldKeys(s.ctx))
	_, answer, err := s.reserveKey(t, "k", "request")
	must(t, err)
	same(t, "kept", answer, "old")
	s.exec(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'`)
	keyed, _, err = s.reserveKey(t, "k", "another request")
	must(t, err)
	must(t, s.Finish(s.ctx, keyed, 200, []byte("new")))
	s.exec(`UPDATE idempotency_keys SET created_at = now() - interval '24 hours 1 second'`)
	must(t, s.DropOldKeys(s.ctx))
	same(t, "gone", ask[int](s, `SELECT count(*)::int FROM idempotency_keys`), 0)
}

func TestAnswersAreSealed(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	keyed, _, err := s.reserveKey(t, "k", "request")
	must(t, err)
	must(t, s.Finish(s.ctx, keyed, 201, []byte("whsec_secret")))
	same(t, "in the clear", ask[bool](s, `SELECT position('whsec'::bytea IN answer) > 0 FROM idempotency_keys`), false)
	s.exec(`INSERT INTO idempotency_keys SELECT workspace_id, 'other', request_hash, claimed_until, status, answer FROM idempotency_keys`)
	if _, answer, err := s.reserveKey(t, "other", "request"); err == nil {
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
			keyed, answer, err := s.reserveKey(t, "k", "request")
			switch {
			case err == nil && keyed == nil && answer == "done":
			case err == nil && keyed != nil:
				mu.Lock()
				worked++
				mu.Unlock()
				if _, err := s.CreateProspect(outreach.WithKeyedRequest(s.ctx, keyed),
					outreach.Prospect{WorkspaceID: s.ws, Email: "a@x.test"}); err != nil {
					t.Error(err)
				}
				if err := s.Finish(s.ctx, keyed, 201, []byte("done")); err != nil {
					t.Error(err)
				}
			case outreach.CodeOf(err) == outreach.CodeIdempotencyRunning:
			default:
				t.Errorf("reserve: %v %q %v", keyed, answer, err)
			}
		})
	}
	all.Wait()
	same(t, "worked", worked, 1)
	same(t, "prospects", ask[int](s, `SELECT count(*)::int FROM prospects`), 1)
}
