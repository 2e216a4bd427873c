package graph_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"outreach/graph"
)

// leaving is a client that goes away while its password is checked.
type leaving struct {
	*guesses
	leave context.CancelFunc
}

func (l *leaving) Allow(ctx context.Context, key string) bool {
	l.leave()
	return l.guesses.Allow(ctx, key)
}

// A client that leaves before the answer is not an error of the service: it is not
// logged as an error.
func TestCancelledRequestIsNotLogged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.user("ann@x.test", "owner")
	ctx, leave := context.WithCancel(t.Context())
	config := s.config()
	config.Attempts = &leaving{guesses: &guesses{left: 3}, leave: leave}
	s.schema = graph.NewSchema(config)
	s.post(s.handler(graph.HandlerConfig{}), signIn, func(r *http.Request) { *r = *r.WithContext(ctx) })
	if ctx.Err() == nil {
		t.Fatal("the request was not cancelled")
	}
	if logged := s.log.String(); strings.Contains(logged, "level=ERROR") {
		t.Errorf("logged %s", logged)
	}
}
