// Package groupcommit lets calls of several goroutines share one expensive
// operation, such as a transaction or a round trip. It must not know what the
// operation does.
package groupcommit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrClosed is returned by Do after Close.
var ErrClosed = errors.New("group commit: closed")

// ErrAlone is the Result.Err of an item that Run skipped and that Config.Alone must run by itself.
var ErrAlone = errors.New("group commit: the item must run alone")

// Config configures a Group. Run and Size are required.
type Config[In, Out any] struct {
	// Run runs one batch of 1 to Size items. It returns one result for each item, in the order of
	// the items. Its context ends after Timeout, not with the context of a caller.
	Run func(ctx context.Context, items []In) []Result[Out]
	// Alone runs one item for which Run returned ErrAlone. Calls of Alone run in parallel with the
	// batches that follow.
	Alone func(ctx context.Context, item In) (Out, error)
	// Size is the largest batch.
	Size int
	// Wait is how long the first item of a batch waits for others.
	Wait time.Duration
	// Apart is the shortest time between the starts of two batches.
	Apart time.Duration
	// Enough items start a batch at once, regardless of Wait and Apart; Size when 0.
	Enough int
	// Parallel is how many batches may run at once; 1 when 0. A second batch runs
	// beside a first only if the first is full, or has run for Slow.
	Parallel int
	// Slow is described at Parallel; 0 means never.
	Slow time.Duration
	// Lock, when set, is locked around each batch. Groups that share it run one batch at a time, and
	// gather items in the meantime.
	Lock sync.Locker
	// Timeout limits one call of Run or Alone; 0 means no limit.
	Timeout time.Duration
}

// Result is the result of one item.
type Result[Out any] struct {
	Value Out
	Err   error
}

// Results returns one result for each of n items: the values in their order, or
// err for all of them. A wrong number of values is an error too.
func Results[Out any](n int, values []Out, err error) []Result[Out] {
	if err == nil && len(values) != n {
		err = fmt.Errorf("group commit: %d items have %d results", n, len(values))
	}
	results := make([]Result[Out], n)
	for i := range results {
		if err != nil {
			results[i].Err = err
		} else {
			results[i].Value = values[i]
		}
	}
	return results
}

// Group collects calls into batches. Its methods are safe for concurrent use.
//
// Each caller waits until the batch with its item has run, so nothing is acknowledged before it is
// done. If the process dies while a batch runs, none of its items was acknowledged.
type Group[In, Out any] struct {
	config Config[In, Out]
	places chan struct{} // one for each batch that may run at once
	enough chan struct{} // signals that Enough items wait

	mu        sync.Mutex
	waiting   []*call[In, Out]
	gathering bool      // a goroutine prepares the next batch
	began     time.Time // start of the last batch
	closed    bool
	running   sync.WaitGroup
}

type call[In, Out any] struct {
	item   In
	came   time.Time
	result Result[Out]
	done   chan struct{}
}

// New returns a group that runs nothing until the first call.
func New[In, Out any](config Config[In, Out]) *Group[In, Out] {
	config.Enough = cmp.Or(config.Enough, config.Size)
	return &Group[In, Out]{config: config, places: make(chan struct{}, max(config.Parallel, 1)), enough: make(chan struct{}, 1)}
}

// Do adds an item to the next batch, waits for that batch and returns the result of the item. If
// ctx ends first, Do returns its error: an item whose batch has not started is withdrawn, any
// other may still take effect.
func (g *Group[In, Out]) Do(ctx context.Context, item In) (Out, error) {
	c := &call[In, Out]{item: item, came: time.Now(), done: make(chan struct{})}
	if !g.add(c) {
		return c.result.Value, ErrClosed
	}
	select {
	case <-c.done:
		return c.result.Value, c.result.Err
	case <-ctx.Done():
		g.withdraw(c)
		var none Out
		return none, ctx.Err()
	}
}

// Close runs all items that were added before it and returns when they are done.
func (g *Group[In, Out]) Close() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.running.Wait()
}

func (g *Group[In, Out]) add(c *call[In, Out]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.waiting = append(g.waiting, c)
	if len(g.waiting) == g.config.Enough {
		select {
		case g.enough <- struct{}{}:
		default:
		}
	}
	if !g.gathering {
		g.gathering = true
		g.running.Go(g.runNext)
	}
	return true
}

func (g *Group[In, Out]) withdraw(c *call[In, Out]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = slices.DeleteFunc(g.waiting, func(other *call[In, Out]) bool { return other == c })
}

// runNext collects one batch and runs it. Another goroutine collects the next batch: at once if
// this one is full, after Slow if this one takes long, and otherwise when this one is done.
func (g *Group[In, Out]) runNext() {
	g.gather()
	g.places <- struct{}{}
	defer func() { <-g.places }()
	if g.config.Lock != nil {
		g.config.Lock.Lock()
		defer g.config.Lock.Unlock()
	}
	calls := g.take()
	next := sync.OnceFunc(g.gatherNext)
	defer next()
	if len(calls) == g.config.Size {
		next()
	} else if g.config.Slow > 0 {
		defer time.AfterFunc(g.config.Slow, next).Stop()
	}
	if len(calls) > 0 {
		g.run(calls)
	}
}

// gather waits until the next batch may start.
func (g *Group[In, Out]) gather() {
	g.mu.Lock()
	start := g.began.Add(g.config.Apart)
	if len(g.waiting) > 0 {
		if wait := g.waiting[0].came.Add(g.config.Wait); wait.After(start) {
			start = wait
		}
	}
	enough := len(g.waiting) >= g.config.Enough
	g.mu.Unlock()
	if enough || !start.After(time.Now()) {
		return
	}
	timer := time.NewTimer(time.Until(start))
	defer timer.Stop()
	select {
	case <-g.enough:
	case <-timer.C:
	}
}

// take removes the calls of the next batch from the waiting ones and returns them.
func (g *Group[In, Out]) take() []*call[In, Out] {
	g.mu.Lock()
	defer g.mu.Unlock()
	select {
	case <-g.enough: // the signal was for the calls that are taken now
	default:
	}
	n := min(len(g.waiting), g.config.Size)
	calls := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	g.began = time.Now()
	return calls
}

// gatherNext starts the goroutine of the next batch if calls wait for one.
func (g *Group[In, Out]) gatherNext() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gathering = len(g.waiting) > 0
	if g.gathering {
		g.running.Go(g.runNext)
	}
}

// run runs one batch and wakes its callers.
func (g *Group[In, Out]) run(calls []*call[In, Out]) {
	items := make([]In, len(calls))
	for i, c := range calls {
		items[i] = c.item
	}
	ctx, cancel := g.context()
	defer cancel()
	results := g.config.Run(ctx, items)
	for i, c := range calls {
		if g.config.Alone != nil && errors.Is(results[i].Err, ErrAlone) {
			g.running.Go(func() { g.runAlone(c) })
			continue
		}
		c.result = results[i]
		close(c.done)
	}
}

func (g *Group[In, Out]) runAlone(c *call[In, Out]) {
	ctx, cancel := g.context()
	defer cancel()
	c.result.Value, c.result.Err = g.config.Alone(ctx, c.item)
	close(c.done)
}

func (g *Group[In, Out]) context() (context.Context, context.CancelFunc) {
	if g.config.Timeout == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), g.config.Timeout)
}
