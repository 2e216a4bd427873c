package groupcommit

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a Run that takes some time and remembers its batches.
type recorder struct {
	takes time.Duration

	mu      sync.Mutex
	batches [][]int
	starts  []time.Duration
	origin  time.Time
	atOnce  int
	most    int
}

func newRecorder(takes time.Duration) *recorder { return &recorder{takes: takes, origin: time.Now()} }

// negate answers each item with its negative.
func (r *recorder) negate(_ context.Context, items []int) []Result[int] {
	r.mu.Lock()
	r.batches = append(r.batches, items)
	r.starts = append(r.starts, time.Since(r.origin))
	r.atOnce++
	r.most = max(r.most, r.atOnce)
	r.mu.Unlock()
	<-time.After(r.takes)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.atOnce--
	values := make([]int, len(items))
	for i, item := range items {
		values[i] = -item
	}
	return Results(len(items), values, nil)
}

func (r *recorder) sizes() (sizes []int) {
	for _, batch := range r.batches {
		sizes = append(sizes, len(batch))
	}
	return sizes
}

// callAll adds items from goroutines of their own and returns without waiting.
func callAll(t *testing.T, g *Group[int, int], callers *sync.WaitGroup, items ...int) {
	t.Helper()
	for _, item := range items {
		callers.Go(func() {
			if got, err := g.Do(context.Background(), item); err != nil || got != -item {
				t.Errorf("item %d: got %d, %v; want %d", item, got, err, -item)
			}
		})
	}
	synctest.Wait()
}

func numbers(n int) []int {
	items := make([]int, n)
	for i := range items {
		items[i] = i + 1
	}
	return items
}

func TestBatches(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, test := range []struct {
		name   string
		config Config[int, int]
		takes  time.Duration
		calls  []int           // numbers of calls, 1 ms apart
		sizes  []int           // of the batches
		starts []time.Duration // of the batches
		most   int             // batches at once
	}{
		{
			name:   "a lone call runs at once",
			config: Config[int, int]{Size: 10}, takes: ms,
			calls: []int{1}, sizes: []int{1}, starts: []time.Duration{0}, most: 1,
		},
		{
			name:   "calls gather while a batch runs",
			config: Config[int, int]{Size: 10}, takes: 5 * ms,
			calls: []int{1, 1, 1, 1}, sizes: []int{1, 3}, starts: []time.Duration{0, 5 * ms}, most: 1,
		},
		{
			name:   "the first call waits for others",
			config: Config[int, int]{Size: 10, Wait: 2 * ms}, takes: ms,
			calls: []int{1, 1, 0, 1}, sizes: []int{2, 1}, starts: []time.Duration{2 * ms, 5 * ms}, most: 1,
		},
		{
			name:   "a full batch does not wait",
			config: Config[int, int]{Size: 4, Wait: 50 * ms}, takes: ms,
			calls: []int{2, 2}, sizes: []int{4}, starts: []time.Duration{ms}, most: 1,
		},
		{
			name:   "no batch is larger than its bound",
			config: Config[int, int]{Size: 4, Wait: 2 * ms}, takes: ms,
			calls: []int{9}, sizes: []int{4, 4, 1}, starts: []time.Duration{0, ms, 2 * ms}, most: 1,
		},
		{
			name:   "batches start apart",
			config: Config[int, int]{Size: 10, Apart: 8 * ms}, takes: ms,
			calls: []int{1, 1, 1, 1}, sizes: []int{1, 3}, starts: []time.Duration{0, 8 * ms}, most: 1,
		},
		{
			name:   "unless enough calls wait",
			config: Config[int, int]{Size: 10, Apart: 8 * ms, Enough: 3}, takes: ms,
			calls: []int{1, 1, 2}, sizes: []int{1, 3}, starts: []time.Duration{0, 2 * ms}, most: 1,
		},
		{
			name:   "a second batch runs beside a full one",
			config: Config[int, int]{Size: 2, Wait: ms, Parallel: 2}, takes: 10 * ms,
			calls: []int{2, 1}, sizes: []int{2, 1}, starts: []time.Duration{0, 2 * ms}, most: 2,
		},
		{
			name:   "a second batch does not run beside one that is not full",
			config: Config[int, int]{Size: 2, Parallel: 2}, takes: 10 * ms,
			calls: []int{1, 1}, sizes: []int{1, 1}, starts: []time.Duration{0, 10 * ms}, most: 1,
		},
		{
			name:   "unless that one is slow",
			config: Config[int, int]{Size: 2, Parallel: 2, Slow: 4 * ms}, takes: 10 * ms,
			calls: []int{1, 1}, sizes: []int{1, 1}, starts: []time.Duration{0, 4 * ms}, most: 2,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := newRecorder(test.takes)
				test.config.Run = r.negate
				g := New(test.config)
				var callers sync.WaitGroup
				for i, n := range test.calls {
					if i > 0 {
						<-time.After(ms)
					}
					callAll(t, g, &callers, numbers(n)...)
				}
				callers.Wait()
				g.Close()
				if !slices.Equal(r.sizes(), test.sizes) {
					t.Errorf("sizes of batches = %v, want %v", r.sizes(), test.sizes)
				}
				if !slices.Equal(r.starts, test.starts) {
					t.Errorf("starts of batches = %v, want %v", r.starts, test.starts)
				}
				if r.most != test.most {
					t.Errorf("%d batches at once, want %d", r.most, test.most)
				}
			})
		})
	}
}

func TestManyCallersGetTheirOwnResults(t *testing.T) {
	t.Parallel()
	r := newRecorder(0)
	g := New(Config[int, int]{Run: r.negate, Size: 64, Wait: time.Millisecond, Parallel: 2, Slow: time.Millisecond})
	const n = 5000
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() {
			if got, err := g.Do(t.Context(), i); err != nil || got != -i {
				t.Errorf("item %d: got %d, %v", i, got, err)
			}
		})
	}
	callers.Wait()
	g.Close()
	total := 0
	for _, size := range r.sizes() {
		total += size
	}
	if total != n || slices.Max(r.sizes()) > 64 || r.most > 2 {
		t.Errorf("%d items ran in batches of up to %d, %d at once; want %d, up to 64, 2", total, slices.Max(r.sizes()), r.most, n)
	}
}

// channelLock is a lock that a synctest bubble can wait for, unlike a mutex.
type channelLock chan struct{}

func (l channelLock) Lock()   { l <- struct{}{} }
func (l channelLock) Unlock() { <-l }

func TestGroupsShareTheirTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(5 * time.Millisecond)
		config := Config[int, int]{Run: r.negate, Size: 10, Lock: make(channelLock, 1)}
		one, two := New(config), New(config)
		var callers sync.WaitGroup
		callAll(t, one, &callers, 1)
		callAll(t, two, &callers, 2)
		callAll(t, two, &callers, 3) // gathers while the group waits for its turn
		callers.Wait()
		if r.most != 1 || !slices.Equal(r.sizes(), []int{1, 2}) {
			t.Errorf("batches of %v, %d at once; want [1 2], 1", r.sizes(), r.most)
		}
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, test := range []struct {
		name string
		run  func(context.Context, []int) []Result[int]
		want error
	}{
		{"of the batch", func(_ context.Context, items []int) []Result[int] { return Results[int](len(items), nil, refused) }, refused},
		{"of the item", func(context.Context, []int) []Result[int] { return []Result[int]{{Err: refused}} }, refused},
		{"too few results", func(_ context.Context, items []int) []Result[int] { return Results(len(items), []int{}, nil) }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := New(Config[int, int]{Run: test.run, Size: 1}).Do(t.Context(), 1)
			if err == nil || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("error = %v, want %v", err, test.want)
			}
		})
	}
}

func TestItemsThatMustRunAloneRunBesideTheNextBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var alone atomic.Int64
		g := New(Config[int, int]{
			Size: 10,
			Run: func(_ context.Context, items []int) []Result[int] {
				results := Results(len(items), items, nil)
				for i, item := range items {
					if item < 0 {
						results[i].Err = ErrAlone
					}
				}
				return results
			},
			Alone: func(_ context.Context, item int) (int, error) {
				alone.Add(1)
				<-time.After(time.Hour)
				return 2 * item, nil
			},
		})
		began := time.Now()
		var callers sync.WaitGroup
		callers.Go(func() {
			if got, err := g.Do(t.Context(), -1); err != nil || got != -2 {
				t.Errorf("alone: got %d, %v; want -2", got, err)
			}
		})
		synctest.Wait()
		if got, err := g.Do(t.Context(), 3); err != nil || got != 3 || time.Since(began) != 0 {
			t.Errorf("the next batch: got %d, %v after %s; want 3 at once", got, err, time.Since(began))
		}
		g.Close()
		callers.Wait()
		if alone.Load() != 1 {
			t.Errorf("%d items ran alone, want 1", alone.Load())
		}
	})
}

func TestCallerThatGivesUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(10 * time.Millisecond)
		g := New(Config[int, int]{Run: r.negate, Size: 10, Timeout: time.Minute})
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		var callers sync.WaitGroup
		for _, item := range []int{1, 2} { // 1 runs when the context ends, 2 waits
			callers.Go(func() {
				if _, err := g.Do(ctx, item); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("item %d: error = %v, want that of the context", item, err)
				}
			})
			synctest.Wait()
		}
		callers.Wait()
		g.Close()
		if !slices.EqualFunc(r.batches, [][]int{{1}}, slices.Equal) {
			t.Errorf("batches = %v, want only the item that had started", r.batches)
		}
	})
}

func TestCloseRunsWhatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRecorder(5 * time.Millisecond)
		g := New(Config[int, int]{Run: r.negate, Size: 10})
		var callers sync.WaitGroup
		callAll(t, g, &callers, 1)
		callAll(t, g, &callers, 2, 3)
		g.Close()
		if !slices.Equal(r.sizes(), []int{1, 2}) {
			t.Errorf("batches of %v before Close returned, want [1 2]", r.sizes())
		}
		if _, err := g.Do(t.Context(), 4); !errors.Is(err, ErrClosed) {
			t.Errorf("after Close: error = %v, want ErrClosed", err)
		}
		callers.Wait()
	})
}

func TestRunHasItsOwnDeadline(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Config[int, int]{Size: 1, Timeout: time.Second, Run: func(ctx context.Context, items []int) []Result[int] {
			<-ctx.Done()
			return Results[int](len(items), nil, ctx.Err())
		}})
		began := time.Now()
		if _, err := g.Do(t.Context(), 1); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("error = %v after %s, want a deadline after 1s", err, time.Since(began))
		}
	})
}

func BenchmarkDo(b *testing.B) {
	g := New(Config[int, int]{Size: 256, Run: func(_ context.Context, items []int) []Result[int] { return Results(len(items), items, nil) }})
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			_, _ = g.Do(context.Background(), 1)
		}
	})
}
