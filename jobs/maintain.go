package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hibiken/asynq"
)

// How often the leader deletes old rows, and how long an archived task stays for operators. asynq
// itself would keep it for ninety days.
const (
	maintainInterval = time.Hour
	archiveAge       = 24 * time.Hour
)

// maintain deletes old rows and tasks once an hour in the leading process. Both jobs can be
// interrupted at any time and continue with the next run.
func (w *worker) maintain(ctx context.Context, leads func() bool) {
	ticker := time.NewTicker(maintainInterval)
	defer ticker.Stop()
	for {
		if leads() {
			w.retire(ctx)
			w.clearArchive(ctx)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

func (w *worker) retire(ctx context.Context) {
	if w.config.Retention == 0 {
		return
	}
	gone, err := w.config.Store.Retention(ctx, w.config.Retention)
	if err != nil && ctx.Err() == nil {
		w.config.Logger.WarnContext(ctx, "old deliveries cannot be deleted", slog.Any("error", err))
	}
	if gone > 0 {
		w.config.Logger.InfoContext(ctx, "old deliveries deleted", slog.Int("deliveries", gone))
	}
}

func (w *worker) clearArchive(ctx context.Context) {
	inspector, cleared := asynq.NewInspectorFromRedisClient(w.client), 0
	for _, queue := range w.queues {
		n, err := clearArchive(inspector, queue, time.Now().Add(-archiveAge))
		if err != nil && ctx.Err() == nil {
			w.away.Warn(ctx, topicRedis, "archived tasks cannot be deleted", slog.Any("error", err))
		}
		cleared += n
	}
	if cleared > 0 {
		w.config.Logger.InfoContext(ctx, "archived tasks deleted", slog.Int("tasks", cleared))
	}
}

// clearArchive deletes archived tasks that failed before the time given. Our handlers archive
// nothing: the process of such a task died during its last try, and its delivery continues without
// the task. A task that never failed was archived by an operator and stays. A task of another type
// stays for the newer program that made it.
func clearArchive(inspector *asynq.Inspector, queue string, before time.Time) (cleared int, err error) {
	const page = 500
	for number := 1; ; {
		tasks, err := inspector.ListArchivedTasks(queue, asynq.PageSize(page), asynq.Page(number))
		if errors.Is(err, asynq.ErrQueueNotFound) {
			return cleared, nil
		}
		if err != nil {
			return cleared, fmt.Errorf("list archived tasks: %w", err)
		}
		kept := 0
		for _, task := range tasks {
			if task.Type != TypeDeliver || task.LastFailedAt.IsZero() || !task.LastFailedAt.Before(before) {
				kept++
				continue
			}
			if err := inspector.DeleteTask(queue, task.ID); err != nil && !errors.Is(err, asynq.ErrTaskNotFound) {
				return cleared, fmt.Errorf("delete archived task: %w", err)
			}
			cleared++
		}
		if len(tasks) < page {
			return cleared, nil
		}
		if kept == len(tasks) {
			number++ // nothing was deleted, so continue on the next page
		}
	}
}
