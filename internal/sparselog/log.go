// Package sparselog logs a fault that repeats many times a second only once a minute.
package sparselog

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Interval is the shortest time between two warnings of one topic.
const Interval = time.Minute

// Logger writes at most one warning per topic and Interval. Its methods are safe
// for concurrent use.
type Logger struct {
	log *slog.Logger

	mu     sync.Mutex
	topics map[string]topic
}

type topic struct {
	last    time.Time
	skipped int
}

// New returns a logger that writes to log.
func New(log *slog.Logger) *Logger { return &Logger{log: log, topics: map[string]topic{}} }

// Warn writes the first warning of a topic at once, and then one per Interval with the number of
// skipped warnings, which are written at level debug. Topics are few and constant, such as
// "redis".
func (l *Logger) Warn(ctx context.Context, about, message string, attrs ...slog.Attr) {
	level, skipped := l.level(about)
	if skipped > 0 {
		attrs = append(attrs, slog.Int("left_out", skipped))
	}
	l.log.LogAttrs(ctx, level, message, attrs...) //nolint:sloglint // callers pass constants
}

func (l *Logger) level(about string) (level slog.Level, skipped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.topics[about]
	if now := time.Now(); t.last.IsZero() || now.Sub(t.last) >= Interval {
		l.topics[about] = topic{last: now}
		return slog.LevelWarn, t.skipped
	}
	t.skipped++
	l.topics[about] = t
	return slog.LevelDebug, 0
}
