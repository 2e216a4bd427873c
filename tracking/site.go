package tracking

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/internal/groupcommit"
	"outreach/tracking/hit"
)

// Store stores the data of the pages; each part belongs to one kind of page.
type Store interface {
	clickStore
	openStore
	unsubscribeStore
	offerStore
}

// Config configures the pages.
type Config struct {
	Store   Store
	Keyring *outreach.Keyring
	// BaseURL is the address of the service itself; unsubscribe pages and offers are always served
	// there.
	BaseURL string
	// Now is the clock for recorded times; nil: time.Now.
	Now    func() time.Time
	Logger *slog.Logger // nil discards
	// Every is how often opens are written and clicks judged; 1 s when zero.
	Every time.Duration
}

const (
	// window is how long a click waits for evidence against it: other links of its message being
	// followed.
	window = 2 * time.Second
	// repeat is the time within which a second click on a link counts as the same click.
	repeat = 10 * time.Second
)

// Site serves /t/c/, /t/o/, /u/ and /o/, and answers every other path with 404. It works in the
// background until Close.
type Site struct {
	Config
	baseHost string
	routes   *http.ServeMux
	scanners scanners
	clicks   *groupcommit.Group[hit.Click, bool]
	recorded atomic.Int64 // clicks passed to the store
	opens    openCount
	stop     context.CancelFunc
	working  sync.WaitGroup
}

// patience is how long a visitor waits for a commit before the page asks to try again.
const patience = 5 * time.Second

// New returns a running site. The caller ends it with Close when no request is served any more.
func New(c Config) *Site {
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Logger = cmp.Or(c.Logger, slog.New(slog.DiscardHandler))
	c.Every = cmp.Or(c.Every, time.Second)
	s := &Site{Config: c, baseHost: hostOf(c.BaseURL), scanners: newScanners(), clicks: newClickGroup(c.Store)}
	s.route()
	ctx, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.working.Go(func() { s.work(ctx) })
	return s
}

func (s *Site) route() {
	s.routes = http.NewServeMux()
	s.routes.HandleFunc("GET /t/c/{token}", s.click)
	s.routes.HandleFunc("GET /t/o/{token}", s.open)
	s.routes.HandleFunc("GET /u/{token}", s.askUnsubscribe)
	s.routes.HandleFunc("POST /u/{token}", s.unsubscribe)
	s.routes.HandleFunc("GET /o/{token}", s.offer)
	s.routes.HandleFunc("/", s.notFound)
}

// ServeHTTP answers one request. Every answer, including redirects, forbids storing, indexing,
// framing, and a Referer to the next site.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	s.routes.ServeHTTP(w, r.WithContext(ctx))
}

// Close waits for clicks in progress, writes the opens that are counted in memory, and ends the
// background work.
func (s *Site) Close() {
	s.clicks.Close()
	s.stop()
	s.working.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	s.flushOpens(ctx)
}

// work writes opens and judges clicks until ctx ends. It looks for clicks that other
// processes left now and then, and after each click of its own.
func (s *Site) work(ctx context.Context) {
	tick := time.NewTicker(s.Every)
	defer tick.Stop()
	judge := judge{site: s}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.flushOpens(ctx)
			judge.tick(ctx)
		}
	}
}

// now returns the time in the precision that is stored.
func (s *Site) now() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// visitor returns the visitor of a request, with the evidence in the request.
func (s *Site) visitor(r *http.Request) hit.Visitor {
	v := hit.Visitor{Agent: agentOf(r), Address: peer(r), At: s.now()}
	v.Scanner = s.scanners.evidence(r, v)
	return v
}

// agentOf returns the User-Agent, cut, without characters that a database refuses.
func agentOf(r *http.Request) string {
	const most = 300
	agent := r.UserAgent()
	return strings.ReplaceAll(strings.ToValidUTF8(agent[:min(len(agent), most)], ""), "\x00", "")
}

// peer returns the address of the connection.
func peer(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	return host
}

// isMember reports whether the visitor is a signed-in user of the workspace, whose visits to its offers
// do not count.
func isMember(r *http.Request, workspace uuid.UUID) bool {
	actor, ok := outreach.ActorFrom(r.Context())
	return ok && actor.User != nil && actor.WorkspaceID == workspace
}

// requestHost returns the host of a request in the spelling that is stored.
func requestHost(r *http.Request) string {
	return strings.TrimSuffix(strings.ToLower(strings.ToValidUTF8(r.Host, "")), ".")
}

// hostOf returns the host of a URL with its port, as browsers send it.
func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}
