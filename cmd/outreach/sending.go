package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/redis/go-redis/v9"

	"outreach"
	"outreach/storage/stores"
)

// sendingCommand turns the mail of the whole installation off or on, or shows its state.
func sendingCommand(ctx context.Context, env environment, args []string) error {
	flags := newFlags("sending")
	asJSON := flags.Bool("json", false, "print one JSON object")
	words, err := parseMixed(flags, args)
	if err != nil {
		return err
	}
	acts := map[string]func(*stores.Stores) error{
		"off":    func(store *stores.Stores) error { return store.TurnSendingOff(ctx, outreach.OffByShell) },
		"on":     func(store *stores.Stores) error { return store.TurnSendingOn(ctx) },
		"status": func(*stores.Stores) error { return nil },
	}
	if len(words) != 1 || acts[words[0]] == nil {
		return errors.New("usage: outreach sending off|on|status [--json]")
	}
	return withStore(ctx, env, func(store *stores.Stores) error {
		if err := acts[words[0]](store); err != nil {
			return err
		}
		state, err := store.SendingState(ctx)
		if err != nil {
			return err
		}
		if state.Off == nil {
			return printResult(env, *asJSON, "sending", "on")
		}
		return printResult(env, *asJSON, "sending", "off", "reason", *state.Off, "since", state.Since.UTC().Format(time.RFC3339))
	})
}

// errSendingOff reports in /readyz that mail is turned off.
type errSendingOff struct{ sentence string }

func (e errSendingOff) Error() string { return e.sentence }

// sending returns errSendingOff while no mail is sent.
func (a *app) sending(ctx context.Context) error {
	state, err := a.store.SendingState(ctx)
	if off := state.Sentence(); err == nil && off != nil {
		return errSendingOff{*off}
	}
	return err
}

// ledgerMarks keeps the highest counts of commits in Redis, in a hash for each epoch.
type ledgerMarks struct{ redis redis.UniversalClient }

// marksAge is how long counts are kept after the last one of their epoch.
const marksAge = 400 * 24 * time.Hour

// raiseMarks raises the fields that are lower. Counts stay below 2^53, the largest integer that
// Lua represents exactly.
var raiseMarks = redis.NewScript(`
for i = 2, #ARGV, 2 do
	local kept = redis.call('HGET', KEYS[1], ARGV[i])
	if not kept or tonumber(kept) < tonumber(ARGV[i + 1]) then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
return redis.call('EXPIRE', KEYS[1], ARGV[1])`)

// marksAtOnce limits one request to Redis.
const marksAtOnce = 1000

func (ledgerMarks) key(epoch uuid.UUID) string { return "outreach:ledger:" + epoch.String() }

// Raise stores counts. If the process dies in it, some are stored.
func (m ledgerMarks) Raise(ctx context.Context, epoch uuid.UUID, counts map[uuid.UUID]int64) error {
	args := []any{int(marksAge.Seconds())}
	flush := func() error {
		err := raiseMarks.Run(ctx, m.redis, []string{m.key(epoch)}, args...).Err()
		args = args[:1]
		return err
	}
	for workspace, count := range counts {
		if args = append(args, workspace.String(), count); len(args) > 2*marksAtOnce {
			if err := flush(); err != nil {
				return fmt.Errorf("keep counts: %w", err)
			}
		}
	}
	if len(args) > 1 {
		if err := flush(); err != nil {
			return fmt.Errorf("keep counts: %w", err)
		}
	}
	return nil
}

// Each calls compare with the counts of an epoch, page by page.
func (m ledgerMarks) Each(ctx context.Context, epoch uuid.UUID, compare func(map[uuid.UUID]int64) error) error {
	for cursor, first := uint64(0), true; first || cursor != 0; first = false {
		pairs, next, err := m.redis.HScan(ctx, m.key(epoch), cursor, "", marksAtOnce).Result()
		if err != nil {
			return fmt.Errorf("read counts: %w", err)
		}
		cursor = next
		counts := make(map[uuid.UUID]int64, len(pairs)/2)
		for i := 0; i+1 < len(pairs); i += 2 {
			workspace, errID := uuid.Parse(pairs[i])
			count, errCount := strconv.ParseInt(pairs[i+1], 10, 64)
			if err := errors.Join(errID, errCount); err != nil {
				return fmt.Errorf("read counts: %w", err)
			}
			counts[workspace] = count
		}
		if err := compare(counts); err != nil {
			return err
		}
	}
	return nil
}
