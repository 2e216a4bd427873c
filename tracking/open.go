package tracking

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"outreach"
	"outreach/tracking/hit"
)

type openStore interface {
	AddOpens(ctx context.Context, opens []hit.Opens) error
}

// pixel is the smallest transparent GIF.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff" +
	"!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

// maxOpens limits the messages whose opens are in memory; more opens are not counted.
const maxOpens = 50_000

// openCount collects opens between two writes. Opens are an upper bound anyway, because mail
// programs and scanners load images. So a process that dies may lose the opens of its last second,
// and nothing else.
type openCount struct {
	mu    sync.Mutex
	count map[openKey]int64
}

type openKey struct {
	message outreach.Ref
	day     time.Time
}

// open answers with the pixel at once and counts it for the campaign of its message, on any host:
// the pixel shows nothing.
func (s *Site) open(w http.ResponseWriter, r *http.Request) {
	message, _, _, ok := outreach.OpenLink(s.Keyring, outreach.LinkOpen, r.PathValue("token"))
	if !ok {
		s.notFound(w, r)
		return
	}
	if r.Method != http.MethodHead {
		s.opens.add(openKey{message, s.now().Truncate(24 * time.Hour)}, 1)
	}
	w.Header().Set("Content-Type", "image/gif")
	_, _ = w.Write([]byte(pixel)) // the visitor may have closed the connection
}

func (o *openCount) add(key openKey, n int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.count == nil {
		o.count = map[openKey]int64{}
	}
	if _, known := o.count[key]; known || len(o.count) < maxOpens {
		o.count[key] += n
	}
}

func (o *openCount) take() map[openKey]int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	taken := o.count
	o.count = nil
	return taken
}

// flushOpens writes the counts; counts that cannot be written wait for the next time.
func (s *Site) flushOpens(ctx context.Context) {
	taken := s.opens.take()
	if len(taken) == 0 {
		return
	}
	opens := make([]hit.Opens, 0, len(taken))
	for key, n := range taken {
		opens = append(opens, hit.Opens{Message: key.message, Day: key.day, Count: n})
	}
	if err := s.Store.AddOpens(ctx, opens); err != nil {
		for key, n := range taken {
			s.opens.add(key, n)
		}
		s.Logger.LogAttrs(ctx, slog.LevelWarn, "opens could not be written", slog.Any("error", err))
	}
}
