package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"outreach"
)

// trackingHosts serves only links on hosts that are the tracking domain of a workspace: the
// application under a customer's name would accept that customer's cookies and scripts. The host
// of the base URL serves everything, and so does a name that no workspace has.
func (a *app) trackingHosts(links, all http.Handler) http.Handler {
	base := baseHost(string(a.config.BaseURL))
	known := &hostCache{ask: a.store.IsTrackingHost, allow: func(ctx context.Context, n int) bool {
		return countUnknown(ctx, a.limiter, "hosts", n)
	}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostname(r.Host)
		if host == base {
			all.ServeHTTP(w, r)
			return
		}
		tracking, err := known.lookUp(r.Context(), host)
		switch {
		case errors.Is(err, errManyHosts):
			w.Header().Set("Retry-After", "60")
			http.Error(w, "Too many requests for unknown host names. Try again in a minute.", http.StatusTooManyRequests)
		case err != nil:
			a.away.Warn(r.Context(), "database", "cannot look up the host of a request", slog.Any("error", err))
			all.ServeHTTP(w, r) // handlers that need the database answer that it is unavailable
		case tracking:
			links.ServeHTTP(w, r)
		default:
			all.ServeHTTP(w, r)
		}
	})
}

// hostname returns a host in the stored spelling of tracking domains: without port and final dot,
// in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

func baseHost(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return hostname(u.Host)
}

// The limits of a hostCache.
const (
	hostCacheAge  = 30 * time.Second
	hostCacheSize = 10_000
	hostTimeout   = 2 * time.Second
)

// errManyHosts is returned to a client that has asked for too many unknown names.
var errManyHosts = errors.New("too many unknown host names")

// hostCache remembers for hostCacheAge which host names are tracking domains. Each name that is none
// costs a query, so their number is limited for each client.
type hostCache struct {
	ask func(ctx context.Context, host string) (bool, error)
	// allow counts n unknown names of the client behind ctx and reports whether more are allowed.
	allow func(ctx context.Context, n int) bool

	mu    sync.Mutex
	hosts map[string]knownHost
}

type knownHost struct {
	tracking bool
	until    time.Time
}

func (c *hostCache) lookUp(ctx context.Context, host string) (bool, error) {
	if !outreach.IsHostname(host) { // no tracking domain, and maybe long
		return false, nil
	}
	c.mu.Lock()
	known, found := c.hosts[host]
	c.mu.Unlock()
	if found && time.Now().Before(known.until) {
		return known.tracking, nil
	}
	if !known.tracking && !c.allow(ctx, 0) {
		return false, errManyHosts
	}
	asking, cancel := context.WithTimeout(ctx, hostTimeout)
	defer cancel()
	tracking, err := c.ask(asking, host)
	if err != nil {
		return false, err
	}
	if !tracking {
		c.allow(ctx, 1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hosts == nil || len(c.hosts) >= hostCacheSize {
		c.hosts = map[string]knownHost{}
	}
	c.hosts[host] = knownHost{tracking: tracking, until: time.Now().Add(hostCacheAge)}
	return tracking, nil
}
