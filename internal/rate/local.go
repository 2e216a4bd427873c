package rate

import (
	"sync"
	"time"
)

// maxKeys limits the memory of a process: about 10 MB of keys.
const maxKeys = 100_000

// local counts in the process. For each key it keeps the time at which all units are available
// again (the theoretical arrival time of GCRA).
type local struct {
	mu   sync.Mutex
	full map[string]time.Time
}

func newLocal() *local { return &local{full: map[string]time.Time{}} }

// take takes n units if as many are left.
func (l *local) take(now time.Time, key string, limit Limit, n int) Verdict {
	l.mu.Lock()
	defer l.mu.Unlock()
	unit := limit.Per / time.Duration(limit.Rate)
	full := l.full[key]
	if full.Before(now) {
		full = now
	}
	left := int((limit.Per - full.Sub(now)) / unit)
	if n > left {
		return Verdict{Remaining: max(0, left), Reset: full.Sub(now), RetryAfter: full.Add(time.Duration(n)*unit).Sub(now) - limit.Per}
	}
	full = full.Add(time.Duration(n) * unit)
	if n > 0 {
		l.makeRoom(now)
		l.full[key] = full
	}
	return Verdict{Remaining: left - n, Reset: full.Sub(now)}
}

func (l *local) forget(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.full, key)
}

// makeRoom deletes keys whose units are all available, and others if that is not enough.
func (l *local) makeRoom(now time.Time) {
	if len(l.full) < maxKeys {
		return
	}
	for key, full := range l.full {
		if full.Before(now) {
			delete(l.full, key)
		}
	}
	for key := range l.full {
		if len(l.full) < maxKeys*9/10 {
			return
		}
		delete(l.full, key)
	}
}
