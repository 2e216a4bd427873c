package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/rate"
	"outreach/internal/share"
	"outreach/mail/engine"
	"outreach/rest"
	"outreach/session"
)

// The fixed limits, which no variable sets (docs/reference.md#limits).
var (
	passwordLimit = rate.PerMinute(10)                          // for an address from one client
	clientLimit   = rate.PerMinute(100)                         // for all addresses from one client
	codeLimit     = rate.Limit{Rate: 10, Per: 10 * time.Minute} // for one user, after the right password
	testMailLimit = rate.PerMinute(10)                          // for a workspace
	probeLimit    = rate.PerMinute(20)                          // for a workspace
	strangerLimit = rate.PerMinute(300)                         // GraphQL requests of a client without a session
	pagesLimit    = rate.PerMinute(300)                         // of a client: pages of connections

	unknownLimit = rate.PerMinute(600) // of a client: unknown API tokens, sessions, and host names
)

// probesAtOnce is how many logins a workspace may test at once in one process.
const probesAtOnce = 4

// attempts limits attempts to guess passwords and codes.
type attempts struct{ limiter *rate.Limiter }

// Allow counts an attempt for an address from the client behind ctx, and one for the client. Redis
// gets a hash of the address, which may be long.
func (a attempts) Allow(ctx context.Context, email string) bool {
	byClient := a.limiter.Take(ctx, "signin:client:"+session.Client(ctx), clientLimit, 1)
	byAddress := a.limiter.Take(ctx, a.key(ctx, email), passwordLimit, 1)
	return byClient.Allowed && byAddress.Allowed
}

// Passed resets the attempts for an address from the client behind ctx.
func (a attempts) Passed(ctx context.Context, email string) { a.limiter.Forget(ctx, a.key(ctx, email)) }

// AllowCode counts a one-time code of a user, from any client.
func (a attempts) AllowCode(ctx context.Context, user uuid.UUID) bool {
	return a.limiter.Take(ctx, "signin:code:"+user.String(), codeLimit, 1).Allowed
}

func (attempts) key(ctx context.Context, email string) string {
	typed := sha256.Sum256([]byte(email))
	return "signin:" + session.Client(ctx) + ":" + hex.EncodeToString(typed[:])
}

// testMails adds the limit to test e-mails.
type testMails struct {
	engine.Trial
	limiter *rate.Limiter
}

// Allow counts a test e-mail of a workspace and reports whether it may be sent.
func (t testMails) Allow(ctx context.Context, workspace uuid.UUID) bool {
	return t.limiter.Take(ctx, "testmail:"+workspace.String(), testMailLimit, 1).Allowed
}

// probes limits how many logins a workspace tests: per minute in all processes, and at once in
// this one.
type probes struct {
	limiter *rate.Limiter
	running *share.Shares[uuid.UUID]
}

func newProbes(limiter *rate.Limiter) *probes {
	return &probes{limiter: limiter, running: share.New[uuid.UUID](probesAtOnce)}
}

// Begin counts a probe. The caller calls done when it has ended.
func (p *probes) Begin(ctx context.Context, workspace uuid.UUID) (done func(), err error) {
	leave, ok := p.running.TryTake(workspace, 1)
	if !ok {
		return nil, outreach.Errorf(outreach.CodeRateLimited, "At most %d mailboxes can be tested at once. Try again in a moment.", probesAtOnce)
	}
	if v := p.limiter.Take(ctx, "probe:"+workspace.String(), probeLimit, 1); !v.Allowed {
		leave()
		return nil, outreach.Errorf(outreach.CodeRateLimited, "At most %d mailboxes can be tested in a minute. Try again in %d s.",
			probeLimit.Rate, rest.Seconds(v.RetryAfter))
	}
	return sync.OnceFunc(leave), nil
}

// testEventsAtOnce is how many test events of a workspace may wait for their receiver at once in one
// process.
const testEventsAtOnce = 3

// testEvents limits the test events of a workspace. Each waits for up to 10 s.
type testEvents struct {
	send    sendTest
	running *share.Shares[uuid.UUID]
}

type sendTest func(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error)

func newTestEvents(send sendTest) testEvents {
	return testEvents{send: send, running: share.New[uuid.UUID](testEventsAtOnce)}
}

// Test sends a test event, or returns CodeRateLimited if too many of the workspace wait.
func (t testEvents) Test(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error) {
	done, ok := t.running.TryTake(workspace, 1)
	if !ok {
		return outreach.Delivery{}, outreach.Errorf(outreach.CodeRateLimited,
			"At most %d test events can be sent at once. Try again in a few seconds.", testEventsAtOnce)
	}
	defer done()
	return t.send(ctx, workspace, subscription)
}

// tokenRate limits the requests of each API token.
type tokenRate struct {
	limiter *rate.Limiter
	limit   rate.Limit
}

// newTokenRate returns nil, which limits nothing, if perMinute is 0.
func newTokenRate(limiter *rate.Limiter, perMinute int) rest.Limiter {
	if perMinute <= 0 {
		return nil
	}
	return tokenRate{limiter, rate.PerMinute(perMinute)}
}

// Allow counts one request of a token. If the process dies right after, the request stays counted
// although it was not served.
func (t tokenRate) Allow(ctx context.Context, token string) rest.Verdict {
	return countRequest(ctx, t.limiter, "api:"+token, t.limit)
}

// countRequest counts one request of key.
func countRequest(ctx context.Context, limiter *rate.Limiter, key string, limit rate.Limit) rest.Verdict {
	v := limiter.Take(ctx, key, limit, 1)
	return rest.Verdict{Allowed: v.Allowed, Quota: limit.Rate, Window: limit.Per,
		Remaining: v.Remaining, Reset: v.Reset, RetryAfter: v.RetryAfter}
}

// limitGraphQL counts requests by workspace, and those without a session by client, and sets the
// rate limit headers.
func limitGraphQL(limiter *rate.Limiter, perMinute int, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, key, limit := "client", "graphql:client:"+session.Client(r.Context()), strangerLimit
		if actor, ok := outreach.ActorFrom(r.Context()); ok {
			name, key, limit = "workspace", "graphql:"+actor.WorkspaceID.String(), rate.PerMinute(perMinute)
		}
		if limit.Rate <= 0 {
			next.ServeHTTP(w, r)
			return
		}
		v := countRequest(r.Context(), limiter, key, limit)
		wait := v.SetHeaders(w.Header(), name)
		if v.Allowed {
			next.ServeHTTP(w, r)
			return
		}
		refuseGraphQL(w, r, http.StatusTooManyRequests, outreach.CodeRateLimited,
			fmt.Sprintf("More than %d requests in a minute. Try again in %d s.", limit.Rate, wait))
	})
}

// refuseGraphQL answers a request that is not executed as GraphQL answers an error.
func refuseGraphQL(w http.ResponseWriter, r *http.Request, status int, code outreach.Code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	refusal := map[string]any{"message": message, "extensions": map[string]any{"code": code, "request_id": requestID(r.Context())}}
	_ = json.NewEncoder(w).Encode(map[string]any{"errors": []any{refusal}}) // the client may have closed the connection
}

// limitPages limits the requests of a client for pages that look up a secret of their address.
func limitPages(limiter *rate.Limiter, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := limiter.Take(r.Context(), "pages:"+outreach.ClientFrom(r.Context()), pagesLimit, 1)
		if !v.Allowed {
			w.Header().Set("Retry-After", strconv.Itoa(rest.Seconds(v.RetryAfter)))
			http.Error(w, "Too many requests. Try again in a moment.", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r)
	})
}
