package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/hibiken/asynq"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"outreach"
	"outreach/graph"
	"outreach/graph/exec"
	"outreach/internal/graphstore"
	"outreach/internal/live"
	"outreach/internal/rate"
	"outreach/internal/sparselog"
	"outreach/jobs"
	"outreach/jobs/queue"
	"outreach/mail"
	"outreach/mail/discover"
	"outreach/mail/dnscheck"
	"outreach/mail/engine"
	"outreach/mail/resolve"
	"outreach/oauth"
	"outreach/rest"
	"outreach/session"
	"outreach/storage"
	"outreach/storage/sending"
	"outreach/storage/stores"
	"outreach/tracking"
	"outreach/webhook"
)

// app holds the connected packages.
type app struct {
	config      Config
	opts        options
	store       *stores.Stores
	logger      *slog.Logger
	redisOpt    asynq.RedisConnOpt
	redis       redis.UniversalClient
	limiter     *rate.Limiter
	live        *live.Hub
	sessions    *session.Sessions
	policy      *webhook.Policy
	tracing     tracing
	hooks       *webhook.Client
	oauth       *oauth.Service
	mailRoots   *x509.CertPool // certificate authorities of mail servers and identity providers; nil: the system's
	mail        *engine.Engine
	mails       *engine.Originals
	public      *tracking.Site
	domains     *tracking.Domains
	board       *jobs.Board
	attempts    *jobs.Metrics
	mailMetrics *mailMetrics
	partitions  *prometheus.GaugeVec
	registry    *prometheus.Registry
	requests    *requestMetrics
	api         http.Handler
	graphql     http.Handler
	away        *sparselog.Logger // warns if a dependency is unavailable
	leaving     atomic.Bool       // the process is shutting down
}

// build connects the packages; it starts nothing.
func build(config Config, opts options, traces tracing, store *stores.Stores, logger *slog.Logger) (*app, error) {
	a := &app{
		config: config, opts: opts, tracing: traces, store: store, logger: logger,
		attempts: jobs.NewMetrics(), mailMetrics: newMailMetrics(), requests: newRequestMetrics(), partitions: newPartitionGauge(),
		away: sparselog.New(logger),
	}
	steps := []func() error{a.buildRedis, a.buildWebhooks, a.buildOAuth, a.buildMail, a.buildMetrics}
	if slices.Contains(opts.roles, "api") {
		steps = append(steps, a.buildAPI)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			a.close()
			return nil, err
		}
	}
	return a, nil
}

func (a *app) close() {
	if a.public != nil {
		a.public.Close()
	}
	if a.board != nil {
		_ = a.board.Close()
	}
	if a.redis != nil {
		_ = a.redis.Close()
	}
	if a.hooks != nil {
		a.hooks.CloseIdleConnections()
	}
}

func (a *app) buildRedis() (err error) {
	if a.redisOpt, err = jobs.ParseRedis(a.config.RedisURL); err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	a.redis = patient(a.redisOpt.MakeRedisClient())
	a.store.Guard(ledgerMarks{a.redis})
	a.live = live.New(live.Config{Redis: a.redis, Newest: a.store.NewestReply, Logger: a.logger})
	return nil
}

// patient makes a client respect the deadline of each call, which is off by default: otherwise a
// Redis that hangs delays every request by seconds.
func patient(client any) redis.UniversalClient {
	switch c := client.(type) {
	case *redis.Client:
		c.Options().ContextTimeoutEnabled = true
		return c
	case *redis.ClusterClient:
		c.Options().ContextTimeoutEnabled = true
		return c
	}
	return client.(redis.UniversalClient)
}

func (a *app) buildWebhooks() (err error) {
	var roots *x509.CertPool
	if a.config.WebhookCAFile != "" {
		if roots, err = webhook.LoadRoots(a.config.WebhookCAFile); err != nil {
			return fmt.Errorf("OUTREACH_WEBHOOK_CA_FILE: %w", err)
		}
	}
	a.policy = webhook.NewPolicy(a.config.WebhookNets, net.DefaultResolver, a.opts.hookReceivers...)
	a.hooks, err = webhook.NewClient(webhook.ClientConfig{Policy: a.policy, Roots: roots})
	return err
}

func (a *app) buildMail() error {
	a.mails = &engine.Originals{Store: a.store, Tokens: a.oauth, Network: a.mailNetwork()}
	composer := a.composer()
	a.mail = engine.New(engine.Config{
		Store: announcing{a.store, a.live}, Composer: composer, Network: a.mailNetwork(), Tokens: a.oauth, Logger: a.logger,
		SendInterval: time.Duration(a.config.SendInterval), ReceiveInterval: time.Duration(a.config.ReceiveEvery),
		Withdrawn: sending.ErrWithdrawn, Wake: a.store.WakeReader, Hooks: a.mailMetrics.hooks(),
	})
	return nil
}

// mailNetwork returns the networks in which mail servers may be, for sending, receiving, tests and
// login checks.
func (a *app) mailNetwork() mail.Network {
	return mail.Network{
		AllowNetworks: a.config.MailNets, AllowServers: a.opts.mailServers, Roots: a.mailRoots,
		HelloName: cmp.Or(string(a.config.MailHello), mail.HelloNameOf(a.config.BaseURL.host())),
	}
}

func (a *app) resolver() resolve.Resolver { return resolve.Resolver{Servers: a.config.DNSServers} }

func (a *app) dnsChecker() dnscheck.Checker { return dnscheck.Checker{Resolver: a.resolver()} }

func (a *app) composer() *engine.Composer {
	return &engine.Composer{BaseURL: string(a.config.BaseURL), Keyring: a.config.SecretKey.ring,
		TrackingURL: a.trackingURL, PreviewTime: time.Duration(a.config.PreviewCPU)}
}

// trackingURL returns the address of a tracking domain, with the scheme of the base address.
func (a *app) trackingURL(host string) string {
	if a.config.BaseURL.secure() {
		return "https://" + host
	}
	return "http://" + host
}

// buildAPI connects what only the role api serves.
func (a *app) buildAPI() error {
	base := string(a.config.BaseURL)
	a.domains = &tracking.Domains{Store: a.store, BaseURL: base, BaseVerified: a.opts.dev}
	a.public = tracking.New(tracking.Config{Store: a.store, Keyring: a.config.SecretKey.ring, BaseURL: base, Logger: a.logger})
	a.board = jobs.Dashboard(a.redisOpt)
	a.limiter = rate.New(a.redis)
	a.sessions = &session.Sessions{Store: guardSessions(a.store, a.limiter), Length: outreach.SessionLength,
		Secure: a.config.BaseURL.secure()}
	schema := graph.NewSchema(graph.Config{
		Stores: graphstore.New(a.store), News: a.live, Keyring: a.config.SecretKey.ring, Templates: a.composer(),
		Mail:   &engine.Prober{Network: a.mailNetwork(), Tokens: a.oauth},
		Probes: newProbes(a.limiter),
		Tokens: a.oauth, Connector: a.oauth,
		Tests:      testMails{engine.Trial{Composer: a.composer(), Network: a.mailNetwork()}, a.limiter},
		AnswerMail: a.composer(), DNS: a.dnsChecker(),
		Finder:   discover.Finder{Resolver: a.resolver(), Network: a.mailNetwork()},
		Webhooks: webhooks{a, newTestEvents(a.sendTest)},
		Sessions: a.sessions, Attempts: attempts{a.limiter}, Domains: a.domains, Logger: a.logger,
		NewToken: func() (string, string, [32]byte) {
			token := rest.NewToken()
			return string(token), token.Visible(), token.Hash()
		},
	})
	executor, err := graph.NewExecutor(schema, rest.Operations())
	if err != nil {
		return fmt.Errorf("prepare operations: %w", err)
	}
	a.graphql = graph.NewHandler(schema, graph.HandlerConfig{Logger: a.logger, Introspection: a.opts.dev, RequestID: requestID})
	a.api, err = rest.New(rest.Config{
		Schema: exec.NewExecutableSchema(exec.Config{}).Schema(), Queries: executor,
		Tokens: tokens{guardTokens(a.store, a.limiter)}, Idempotency: a.store,
		Files:   a.mails,
		Bodies:  newBodies(apiBodies),
		Limiter: newTokenRate(a.limiter, a.config.RateLimit), Logger: a.logger,
	})
	return err
}

// work runs the role worker: deliveries, mail and hourly maintenance.
func (a *app) work(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		return jobs.Run(ctx, jobs.Config{
			Store: a.store, Post: a.tracing.attempts(a.post), Redis: a.redisOpt,
			ScanInterval: time.Duration(a.config.ScanInterval), RetryDelay: time.Duration(a.config.RetryDelay),
			Concurrency: a.config.WebhookWorkers, Retention: time.Duration(a.config.Retention),
			Metrics: a.attempts, Logger: a.logger, Away: a.away,
		})
	})
	group.Go(func() error { return a.store.GuardSending(ctx) })
	group.Go(func() error { return a.mail.Run(ctx) })
	group.Go(func() error {
		return dnscheck.Daily{Store: a.store, Checker: a.dnsChecker(), Logger: a.logger}.Run(ctx)
	})
	group.Go(func() error { return a.chores(ctx) })
	return group.Wait()
}

// chores run once an hour in every worker. Each may run twice or be interrupted. Secrets are
// resealed after an hour, when the other processes know the new key too.
func (a *app) chores(ctx context.Context) error {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	todo := map[string]func(context.Context) error{
		"partitions":  a.makePartitions,
		"idempotency": a.store.DropOldKeys,
		"visits": func(ctx context.Context) error {
			_, err := a.store.ExpireHits(ctx, time.Now().Add(-time.Duration(a.config.VisitRetention)))
			return err
		},
		"sign-ins": func(ctx context.Context) error {
			_, err := a.store.ExpireSignIns(ctx, time.Now().Add(-outreach.FailedSignInsKept))
			return err
		},
		"events": a.dropEvents,
		"mail": func(ctx context.Context) error {
			if a.config.MailRetention == 0 {
				return nil
			}
			return a.store.EmptyMail(ctx, time.Now().Add(-time.Duration(a.config.MailRetention)))
		},
	}
	for {
		for name, chore := range todo {
			if err := chore(ctx); err != nil && ctx.Err() == nil {
				a.logger.ErrorContext(ctx, "chore failed", slog.String("chore", name), slog.Any("error", err))
			}
		}
		todo["seals"] = a.reseal
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// reseal seals stored secrets again while OUTREACH_SECRET_KEY has several keys, and logs how many
// it sealed. 0 means that the former keys seal none.
func (a *app) reseal(ctx context.Context) error {
	resealed, err := a.store.Reseal(ctx)
	if err == nil && a.config.SecretKey.ring.Rotating() {
		a.logger.InfoContext(ctx, "stored secrets re-sealed", slog.Int("secrets", resealed))
	}
	return err
}

// dropEvents tries a few times, because a reader of the table blocks it only for a moment. The next hour
// tries again.
func (a *app) dropEvents(ctx context.Context) (err error) {
	for range 5 {
		_, err = a.store.DropEvents(ctx, time.Now().Add(-time.Duration(a.config.EventRetention)))
		if !errors.Is(err, storage.ErrPartitionBusy) {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
	return err
}

// makePartitions makes the partitions of events that are missing and counts those that are there.
func (a *app) makePartitions(ctx context.Context) error {
	now := time.Now()
	made := a.store.EnsurePartitions(ctx, now)
	ahead, err := a.store.PartitionsAhead(ctx, now)
	if err == nil {
		a.partitions.WithLabelValues().Set(float64(ahead))
	}
	return errors.Join(made, err)
}

// post makes one attempt for the queue.
func (a *app) post(ctx context.Context, attempt queue.Attempt) queue.Answer {
	result := a.hooks.Post(ctx, webhook.Request{
		URL: attempt.URL, EventType: attempt.Type, DeliveryID: attempt.ID, Secret: attempt.Secret, Body: attempt.Body,
		At: attempt.StartedAt,
	})
	return queue.Answer{Duration: result.Duration, HTTPStatus: result.HTTPStatus, Error: result.Error}
}

// webhooks implements graph.Webhooks.
type webhooks struct {
	*app
	tests testEvents
}

func (w webhooks) CheckURL(ctx context.Context, raw string) error {
	err := w.policy.CheckURL(ctx, raw)
	if refused, ok := errors.AsType[*outreach.Error](err); ok {
		var faults outreach.Faults
		faults.Add(outreach.At("url"), refused.Code, "%s", refused.Message)
		return faults.Err()
	}
	return err
}

func (webhooks) NewSecret() (string, error) { return webhook.NewSecret(rand.Reader) }

func (w webhooks) Test(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error) {
	return w.tests.Test(ctx, workspace, subscription)
}

// sendTest commits its delivery before the attempt, so a request under an Idempotency-Key does not
// hold it back; only its answer waits. If the process dies between attempt and answer, the next
// request sends another test.
func (a *app) sendTest(ctx context.Context, workspace, subscription uuid.UUID) (outreach.Delivery, error) {
	ctx = outreach.WithKeyedRequest(ctx, nil)
	return jobs.Tester{Store: a.store, Post: a.post, Logger: a.logger}.Send(ctx, workspace, subscription)
}
