package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"outreach/internal/groupcommit"
)

// This file depends on how asynq talks to Redis, which is not part of its public interface: every
// step of a task is one script that is called by its digest (EVALSHA), and only the script that
// fetches a task returns an empty answer. TestAsynqScripts fails when a version of asynq changes
// that. Without this file everything works, with about half the throughput.

// scriptsTimeout limits a round trip with the retries of the client.
const scriptsTimeout = 20 * time.Second

// scriptHook is a hook of a Redis client for scripts that are called by their
// digest. Every other command passes.
type scriptHook func(ctx context.Context, script redis.Cmder, next redis.ProcessHook) error

// DialHook is part of redis.Hook and changes nothing.
func (scriptHook) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook is part of redis.Hook and changes nothing.
func (scriptHook) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook is part of redis.Hook.
func (hook scriptHook) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() != "evalsha" {
			return next(ctx, cmd)
		}
		return hook(ctx, cmd, next)
	}
}

// connectForScripts returns a client with these hooks, outermost first, whose scripts share round
// trips, and the function that closes it.
func connectForScripts(options asynq.RedisConnOpt, hooks ...redis.Hook) (redis.UniversalClient, func(), error) {
	client, err := connect(options)
	if err != nil {
		return nil, nil, err
	}
	for _, hook := range hooks {
		client.AddHook(hook)
	}
	closeScripts := shareRoundTrips(client)
	return client, func() { closeScripts(); _ = client.Close() }, nil
}

// shareRoundTrips sends the scripts that several goroutines run at the same time in one pipeline.
// asynq runs one script per task to enqueue, to fetch and to settle it, and the round trip costs
// this process and Redis more than the script does. It returns a function that ends the sharing,
// after the last script.
//
// The scripts of a pipeline are independent: each succeeds or fails by itself. A caller whose
// context ends still waits for the round trip.
func shareRoundTrips(client redis.UniversalClient) (closeScripts func()) {
	group := groupcommit.New(groupcommit.Config[redis.Cmder, struct{}]{
		Size: batchSize, Parallel: 4, Slow: batchSlow, Timeout: scriptsTimeout,
		Run: func(ctx context.Context, scripts []redis.Cmder) []groupcommit.Result[struct{}] {
			pipeline := client.Pipeline()
			for _, script := range scripts {
				_ = pipeline.Process(ctx, script) // only adds it to the pipeline
			}
			_, _ = pipeline.Exec(ctx) // every script holds its own error
			return make([]groupcommit.Result[struct{}], len(scripts))
		},
	})
	client.AddHook(scriptHook(func(_ context.Context, script redis.Cmder, _ redis.ProcessHook) error {
		// The caller reads the script's answer, so it must not leave while the
		// pipeline may still write it.
		if _, err := group.Do(context.Background(), script); err != nil {
			return fmt.Errorf("run script: %w", err)
		}
		return script.Err()
	}))
	return group.Close
}

// An asynq server that finds its queue empty sleeps, even if tasks are enqueued in the meantime; a
// server that looked again at once would keep Redis busy. So its sleep is short, and a fetch that
// finds nothing waits instead: until this process enqueues a task, or for fetchWait, after which
// it finds retries and the tasks of other processes.
const (
	fetchSleep = 10 * time.Millisecond
	fetchWait  = 500 * time.Millisecond
)

// wakeUp wakes all fetches that wait for tasks.
type wakeUp struct {
	mu   sync.Mutex
	next chan struct{} // closed by the next call of wake
}

func newWakeUp() *wakeUp { return &wakeUp{next: make(chan struct{})} }

func (u *wakeUp) wake() {
	u.mu.Lock()
	defer u.mu.Unlock()
	close(u.next)
	u.next = make(chan struct{})
}

// woken returns a channel that the next call of wake closes.
func (u *wakeUp) woken() <-chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.next
}

// waitForTasks is a hook that makes fetches wait for tasks.
func waitForTasks(wake *wakeUp) scriptHook {
	return func(ctx context.Context, script redis.Cmder, next redis.ProcessHook) error {
		var over <-chan time.Time
		for {
			woken := wake.woken()
			err := next(ctx, script)
			if !errors.Is(err, redis.Nil) {
				return err
			}
			if over == nil {
				over = time.After(fetchWait)
			}
			select {
			case <-woken:
			case <-over:
				return err
			case <-ctx.Done():
				return err
			}
		}
	}
}
