package jobs

import (
	"context"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"
)

// pipelineTimeout bounds a pipeline with its retries; single commands take less
// than that too.
const pipelineTimeout = 20 * time.Second

// aroundScripts is a hook of a Redis client for scripts that are called by their
// digest, which is how asynq calls its own; all else goes its way.
type aroundScripts func(ctx context.Context, script redis.Cmder, next redis.ProcessHook) error

// DialHook is part of redis.Hook and changes nothing.
func (aroundScripts) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook is part of redis.Hook and changes nothing.
func (aroundScripts) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook is part of redis.Hook.
func (around aroundScripts) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() != "evalsha" {
			return next(ctx, cmd)
		}
		return around(ctx, cmd, next)
	}
}

// pipelined holds the scripts which several goroutines run at the same time, to be
// sent in one round trip. asynq runs one per task to enqueue, to fetch and to
// settle it, and a round trip costs this process and Redis more than the script
// does.
//
// The scripts of a pipeline are independent: each succeeds or fails by itself. A
// caller whose context ends waits for the round trip all the same.
type pipelined struct{ scripts *batch[redis.Cmder, struct{}] }

// pipeline makes client send scripts together; close the result after the last.
func pipeline(client redis.UniversalClient) pipelined {
	p := pipelined{newBatch(4, 0, func(scripts []redis.Cmder) ([]struct{}, error) {
		ctx, cancel := context.WithTimeout(context.Background(), pipelineTimeout)
		defer cancel()
		together := client.Pipeline()
		for _, script := range scripts {
			_ = together.Process(ctx, script) // only puts it on the list
		}
		_, _ = together.Exec(ctx) // every script holds its own error
		return make([]struct{}, len(scripts)), nil
	})}
	client.AddHook(aroundScripts(p.send))
	return p
}

// connectPipelined makes a client of these hooks, outermost first, that sends its
// scripts together, and gives the way to close it.
func connectPipelined(options asynq.RedisConnOpt, hooks ...redis.Hook) (redis.UniversalClient, func(), error) {
	client, err := connect(options)
	if err != nil {
		return nil, nil, err
	}
	for _, hook := range hooks {
		client.AddHook(hook)
	}
	scripts := pipeline(client)
	return client, func() { scripts.close(); _ = client.Close() }, nil
}

func (p pipelined) close() { p.scripts.close() }

// send has a script go with those of others.
func (p pipelined) send(_ context.Context, script redis.Cmder, _ redis.ProcessHook) error {
	if _, err := p.scripts.do(script); err != nil {
		return err
	}
	return script.Err()
}
