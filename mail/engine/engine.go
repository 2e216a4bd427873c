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
	"outreach/mail"
)

// Config says what an Engine works with. Store, Composer and Withdrawn are
// required.
type Config struct {
	Store    Store
	Composer *Composer
	// Withdrawn is the error by which Store.CommitMessage says that a message must
	// not go any more.
	Withdrawn error
	// Network is the way to mail servers.
	Network mail.Network
	// Tokens is for mailboxes that log in with access tokens; nil when there are none.
	Tokens Tokens
	// SendInterval and ReceiveInterval part the ticks; one minute each by default.
	SendInterval, ReceiveInterval time.Duration
	// AnswerInterval parts the looks for answers that are due; two seconds by default.
	AnswerInterval time.Duration
	// MaxSenders and MaxReaders bound how many mailboxes are served at a time; 96
	// and 32 by default. At most two thirds of each serve one workspace.
	MaxSenders, MaxReaders int
	// ReadMemory bounds the bytes of mail that all readers together hold while
	// they fetch; 128 MiB by default. One workspace gets at most two thirds.
	ReadMemory int64
	// Wake makes a mailbox due for reading at once. Without it mailboxes are only
	// polled; with it up to MaxWatchers of them (200 by default) are watched by
	// IDLE between two readings.
	Wake        func(ctx context.Context, mailbox outreach.MailboxRef) error
	MaxWatchers int
	// Now is the clock by which mail is judged; time.Now by default. Leases and
	// timeouts go by real time whatever it says.
	Now    func() time.Time
	Logger *slog.Logger // default: nowhere
	Hooks  Hooks
}

// Hooks are told what happens, for counters. They must not block; nil ones are
// not called.
type Hooks struct {
	// Settled is called after each commit 3.
	Settled func(kind outreach.SendKind)
	// Swept is called with the messages that a process left behind unknown.
	Swept func(count int)
	// TakenIn is called for each message acted on for the first time.
	TakenIn func(kind outreach.ReceivedKind)
	// Ticked is called after each tick of "send", "receive" or "answer", with how late it
	// began and how long handing out its work took.
	Ticked func(loop string, late, took time.Duration)
}

// Engine runs the loops. Several may run over one store at a time, in one
// process or in many: leases and the ledger keep them apart.
type Engine struct {
	Config
	holder     string
	letters    *lease.Keeper[outreach.Ref]        // messages between commits 1 and 3
	reading    *lease.Keeper[outreach.MailboxRef] // mailboxes being read
	sending    *crew
	early      atomic.Bool   // the next tick comes before its time
	sendersDue chan struct{} // a mailbox is to be looked at before the next tick
	answers    *slots
	readers    *slots
	watch      *watchers
	memory     *mail.Memory // for what servers send
	sizes      budget       // bytes of large messages composed

	soft, hard time.Duration // patience at the end, see drainSoft and drainLimit
}

// New makes an engine; nothing happens before Run.
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
		letters: newLeases("messages", config.Store.RenewMessages, holder, config.Logger),
		reading: newLeases("mailboxes", config.Store.RenewReaders, holder, config.Logger),
		memory:  mail.NewMemory(config.ReadMemory), sizes: budget{rate: sizeRate, burst: sizeBurst},
		sendersDue: make(chan struct{}, 1),
		sending:    newCrew(config.MaxSenders), readers: newSlots(config.MaxReaders), answers: newSlots(maxAnswers),
		watch: newWatchers(config.MaxWatchers),
		soft:  drainSoft, hard: drainLimit,
	}
}

// newLeases returns a keeper that renews what this engine holds. A process that
// dies, or loses the database for longer than a lease lasts, loses its work to
// others: what was claimed they send, what was committing becomes unknown, what was
// read they read.
func newLeases[K comparable](what string, renew func(context.Context, []K, string) error, holder string,
	log *slog.Logger) *lease.Keeper[K] {
	return lease.NewKeeper(lease.Config[K]{
		What: what, Every: outreach.LeaseRenewal, Logger: log,
		Renew: func(ctx context.Context, keys []K) error { return renew(ctx, keys, holder) },
	})
}

// What is under way when the engine is told to stop has drainLimit to end by
// itself. Sooner, after drainSoft, what has not reached commit 2 is broken off,
// which surely leaves nothing sent.
const (
	drainSoft  = 20 * time.Second
	drainLimit = 30 * time.Second
)

// errDrain says that a server kept the engine waiting beyond all patience.
var errDrain = errors.New("mail engine: some mail was still under way when time was up")

// Run works until ctx ends, then drains: nothing new is claimed, what is past
// commit 2 is finished, and all else is broken off. It returns 30 seconds later
// at the latest, with an error if something was still under way then; when the
// process ends now, that becomes unknown.
func (e *Engine) Run(ctx context.Context) error {
	work, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer breakOff()
	renewing, stopRenewing := context.WithCancel(context.WithoutCancel(ctx))
	var renewer, loops sync.WaitGroup
	renewer.Go(func() { e.letters.Run(renewing) })
	renewer.Go(func() { e.reading.Run(renewing) })
	defer renewer.Wait()
	defer stopRenewing()

	loops.Go(func() { e.every(ctx, "send", e.SendInterval, e.sendersDue, func() { e.sendTick(ctx, work) }) })
	loops.Go(func() { e.every(ctx, "receive", e.ReceiveInterval, e.watch.woken, func() { e.receiveTick(ctx, work) }) })
	loops.Go(func() { e.every(ctx, "answer", e.AnswerInterval, nil, func() { e.answerTick(ctx, work) }) })
	<-ctx.Done()

	soft := time.AfterFunc(e.soft, breakOff)
	defer soft.Stop()
	done := make(chan struct{})
	go func() {
		loops.Wait()
		e.sending.wait()
		e.answers.wait()
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

// every runs a tick now, then each interval and whenever woken, until ctx ends. A
// tick that takes longer than the interval is followed by the next at once.
func (e *Engine) every(ctx context.Context, name string, interval time.Duration, woken <-chan struct{}, tick func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	due := time.Now()
	for ctx.Err() == nil {
		began := time.Now()
		e.panicked(ctx, protect(func() error { tick(); return nil }), outreach.MailboxRef{})
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

// warn logs what a loop goes on without. The end of the engine is no news.
func (e *Engine) warn(ctx context.Context, message string, err error, attrs ...slog.Attr) {
	if err == nil || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return
	}
	e.Logger.LogAttrs(ctx, slog.LevelWarn, message, append(attrs, slog.Any("error", err))...) //nolint:sloglint // callers pass constants
}

// of names a mailbox in the log.
func of(ref outreach.MailboxRef) []slog.Attr {
	return []slog.Attr{slog.String("workspace_id", ref.WorkspaceID.String()), slog.String("mailbox_id", ref.ID.String())}
}
