package engine

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/lease"
	"outreach/internal/panics"
	"outreach/mail"
)

// Config holds the dependencies and bounds of an Engine. Store, Composer and Withdrawn are
// required.
type Config struct {
	Store    Store
	Composer *Composer
	// Withdrawn is the error that Store.CommitMessage returns when a message must no longer be
	// sent.
	Withdrawn error
	// Network dials mail servers.
	Network mail.Network
	// Tokens gets access tokens for mailboxes that use OAuth 2.0. It may be nil if there are none.
	Tokens Tokens
	// SendInterval and ReceiveInterval are the times between ticks. The default is one minute each.
	SendInterval, ReceiveInterval time.Duration
	// AnswerInterval is the time between checks for due answers. The default is two seconds.
	AnswerInterval time.Duration
	// MaxSenders and MaxReaders bound how many mailboxes are served at a time. The defaults are 96
	// and 32. One workspace gets at most two thirds of each.
	MaxSenders, MaxReaders int
	// ReadMemory bounds the bytes of mail that all readers hold while they fetch. The default is
	// 128 MiB. One workspace gets at most two thirds.
	ReadMemory int64
	// Wake makes a mailbox due for reading now. If it is nil, mailboxes are only polled. If it is
	// set, up to MaxWatchers mailboxes (200 by default) are watched with IDLE between readings.
	Wake        func(ctx context.Context, mailbox outreach.MailboxRef) error
	MaxWatchers int
	// Now is the clock for incoming mail. The default is time.Now. Leases and timeouts use real
	// time.
	Now    func() time.Time
	Logger *slog.Logger // default: discard
	Hooks  Hooks
}

// Hooks are callbacks for metrics. They must not block. Nil hooks are not called.
type Hooks struct {
	// Settled is called after each commit 3.
	Settled func(kind outreach.SendKind)
	// Swept is called with the number of messages that became unknown because their process died.
	Swept func(count int)
	// Ingested is called for each message that is ingested for the first time.
	Ingested func(kind outreach.ReceivedKind)
	// Ticked is called after each tick of "send", "receive", "answer" or "placement". late is the
	// delay of its start, took is the time it needed to start its work.
	Ticked func(loop string, late, took time.Duration)
}

// Engine runs the loops. Any number of engines, in any number of processes, may share a store:
// leases and the ledger prevent that two of them do the same work.
type Engine struct {
	Config
	holder     string
	messages   *lease.Keeper[outreach.Ref]        // messages between commits 1 and 3
	reading    *lease.Keeper[outreach.MailboxRef] // mailboxes being read
	senders    *workerPool
	early      atomic.Bool   // the next tick only looks for senders
	sendersDue chan struct{} // wakes the sending loop before its next tick
	answers    *semaphore
	placements *semaphore
	readers    *semaphore
	watch      *watchers
	memory     *mail.Memory // for incoming mail
	sizes      budget       // budget for large messages

	soft, hard time.Duration // see drainSoft and drainLimit
}

// New returns an engine. It does nothing before Run.
func New(config Config) *Engine {
	config.SendInterval = cmp.Or(config.SendInterval, time.Minute)
	config.ReceiveInterval = cmp.Or(config.ReceiveInterval, time.Minute)
	config.AnswerInterval = cmp.Or(config.AnswerInterval, 2*time.Second)
	config.MaxSenders = cmp.Or(config.MaxSenders, 96)
	config.MaxReaders = cmp.Or(config.MaxReaders, 32)
	config.ReadMemory = cmp.Or(config.ReadMemory, 128<<20)
	config.MaxWatchers = cmp.Or(config.MaxWatchers, 200)
	config.Logger = cmp.Or(config.Logger, slog.New(slog.DiscardHandler))
	if config.Now == nil {
		config.Now = time.Now
	}
	holder := "mail-" + uuid.NewString()
	return &Engine{
		Config: config, holder: holder,
		messages: newLeases("messages", config.Store.RenewMessages, holder, config.Logger),
		reading:  newLeases("mailboxes", config.Store.RenewReaders, holder, config.Logger),
		memory:   mail.NewMemory(config.ReadMemory), sizes: budget{rate: sizeRate, burst: sizeBurst},
		sendersDue: make(chan struct{}, 1),
		senders:    newWorkerPool(config.MaxSenders), readers: newSemaphore(config.MaxReaders), answers: newSemaphore(maxAnswers),
		placements: newSemaphore(maxPlacements), watch: newWatchers(config.MaxWatchers),
		soft: drainSoft, hard: drainLimit,
	}
}

// newLeases returns a keeper that renews what this engine holds. A process that dies, or cannot
// reach the database for longer than a lease lasts, loses its work: other processes send what was
// claimed and read what was being read, and what was committing becomes unknown.
func newLeases[K comparable](what string, renew func(context.Context, []K, string) error, holder string,
	log *slog.Logger) *lease.Keeper[K] {
	return lease.NewKeeper(lease.Config[K]{
		What: what, Every: outreach.LeaseRenewal, Logger: log,
		Renew: func(ctx context.Context, keys []K) error { return renew(ctx, keys, holder) },
	})
}

// When the engine stops, work in progress has drainLimit to end. After drainSoft, work that has not
// reached commit 2 is cancelled, which leaves nothing sent.
const (
	drainSoft  = 20 * time.Second
	drainLimit = 30 * time.Second
)

// errDrain reports that work was still in progress when drainLimit was over.
var errDrain = errors.New("mail engine: some messages were still in progress when the time to drain was over")

// Run works until ctx ends. It then drains: it claims nothing more, finishes what is past commit 2
// and cancels the rest. It returns at most 30 seconds after ctx ends, with an error if work was
// still in progress then. If the process ends at that point, those messages become unknown.
func (e *Engine) Run(ctx context.Context) error {
	work, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer breakOff()
	renewing, stopRenewing := context.WithCancel(context.WithoutCancel(ctx))
	var renewer, loops sync.WaitGroup
	renewer.Go(func() { e.messages.Run(renewing) })
	renewer.Go(func() { e.reading.Run(renewing) })
	defer renewer.Wait()
	defer stopRenewing()

	loops.Go(func() { e.every(ctx, "send", e.SendInterval, e.sendersDue, func() { e.sendTick(ctx, work) }) })
	loops.Go(func() { e.every(ctx, "receive", e.ReceiveInterval, e.watch.woken, func() { e.receiveTick(ctx, work) }) })
	loops.Go(func() { e.every(ctx, "answer", e.AnswerInterval, nil, func() { e.answerTick(ctx, work) }) })
	loops.Go(func() { e.every(ctx, "placement", e.AnswerInterval, nil, func() { e.placementTick(ctx, work) }) })
	<-ctx.Done()

	soft := time.AfterFunc(e.soft, breakOff)
	defer soft.Stop()
	done := make(chan struct{})
	go func() {
		loops.Wait()
		e.senders.wait()
		e.answers.wait()
		e.placements.wait()
		e.readers.wait()
		e.watch.wait()
		close(done)
	}()
	hard := time.NewTimer(e.hard)
	defer hard.Stop()
	select {
	case <-done:
		return nil
	case <-hard.C:
		return errDrain
	}
}

// every runs tick at once, then at each interval and on each wake, until ctx ends. A tick that
// takes longer than the interval is followed by the next one immediately.
func (e *Engine) every(ctx context.Context, name string, interval time.Duration, woken <-chan struct{}, tick func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	due := time.Now()
	for ctx.Err() == nil {
		began := time.Now()
		e.panicked(ctx, panics.Catch(func() error { tick(); return nil }), outreach.MailboxRef{})
		if e.Hooks.Ticked != nil {
			e.Hooks.Ticked(name, max(began.Sub(due), 0), time.Since(began))
		}
		select {
		case <-ctx.Done():
		case due = <-ticker.C:
		case <-woken:
			due = time.Now()
		}
	}
}

// warn logs an error after which the loop continues. Cancellation at shutdown is not logged.
func (e *Engine) warn(ctx context.Context, message string, err error, attrs ...slog.Attr) {
	if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	e.Logger.LogAttrs(ctx, slog.LevelWarn, message, append(attrs, slog.Any("error", err))...) //nolint:sloglint // callers pass constants
}

// of returns the log attributes of a mailbox.
func of(ref outreach.MailboxRef) []slog.Attr {
	return []slog.Attr{slog.String("workspace_id", ref.WorkspaceID.String()), slog.String("mailbox_id", ref.ID.String())}
}
