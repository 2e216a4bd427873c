package rest_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/jobs"
	"outreach/jobs/queue"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/sandbox"
	"outreach/storage/stores"
	"outreach/webhook"
)

// What stands beside the API in the program: real servers on loopback.

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}

var prober = &engine.Prober{Network: mail.Network{AllowNetworks: loopback}}

// hooks is the delivering side, as the program joins it.
type hooks struct {
	db     *stores.Stores
	policy *webhook.Policy
	mu     sync.Mutex
	client *webhook.Client // nil until a receiver is there
}

func newHooks(db *stores.Stores) *hooks {
	return &hooks{db: db, policy: webhook.NewPolicy(loopback, nil)}
}

// CheckURL applies the policy.
func (h *hooks) CheckURL(ctx context.Context, url string) error { return h.policy.CheckURL(ctx, url) }

// NewSecret makes a signing secret.
func (h *hooks) NewSecret() (string, error) { return webhook.NewSecret(rand.Reader) }

// Test makes one attempt, outside the transaction that a key may hold.
func (h *hooks) Test(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error) {
	ctx = outreach.WithKeyedRequest(ctx, nil)
	return jobs.Tester{Store: h.db, Post: h.post, Logger: slog.New(slog.DiscardHandler)}.Send(ctx, workspace, subscription)
}

func (h *hooks) post(ctx context.Context, a queue.Attempt) queue.Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	result := h.client.Post(ctx,
		webhook.Request{URL: a.URL, EventType: a.Type, DeliveryID: a.ID, Secret: a.Secret, Body: a.Body, At: time.Now()})
	return queue.Answer{Duration: result.Duration, HTTPStatus: result.HTTPStatus, Error: result.Error}
}

// receiver starts a webhook receiver that the stage's hooks trust.
func (s *stage) receiver() *sandbox.Receiver {
	s.t.Helper()
	r, err := sandbox.StartReceiver(s.t.Context(),
		sandbox.ReceiverConfig{Dir: s.t.TempDir(), Verify: func(secret, header string, body []byte, now time.Time) error {
			return webhook.Verify(secret, header, body, now, time.Minute)
		}})
	must(s.t, err)
	s.t.Cleanup(func() { _ = r.Close() })
	roots, err := webhook.LoadRoots(r.CAFile())
	must(s.t, err)
	client, err := webhook.NewClient(webhook.ClientConfig{Policy: s.hooks.policy, Roots: roots})
	must(s.t, err)
	s.t.Cleanup(client.CloseIdleConnections)
	s.hooks.mu.Lock()
	defer s.hooks.mu.Unlock()
	s.hooks.client = client
	return r
}

// mailServer starts an SMTP and IMAP server.
func (s *stage) mailServer() *sandbox.MailServer {
	s.t.Helper()
	m, err := sandbox.StartMailServer(s.t.Context(), sandbox.Config{Dir: s.t.TempDir()})
	must(s.t, err)
	s.t.Cleanup(func() { _ = m.Close() })
	return m
}
