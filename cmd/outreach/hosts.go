package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"
)

// trackingHosts serves only links on hosts that are the tracking domain of a workspace: the
// application under a customer's name would accept that customer's cookies and scripts. The host
// of the base URL serves everything, and so does a name that no workspace has.
func (a *app) trackingHosts(links, all http.Handler) http.Handler {
	base := baseHost(string(a.config.BaseURL))
	known := &hostCache{ask: a.store.IsTrackingHost}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostname(r.Host)
		if host == base || isLocal(host) {
			all.ServeHTTP(w, r)
			return
		}
		tracking, err := known.lookUp(r.Context(), host)
		switch {
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

// isLocal reports whether a host cannot be a tracking domain: an address, or a name without a dot,
// as used inside one network.
func isLocal(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil || !strings.Contains(host, ".")
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

// hostCache remembers for hostCacheAge which hosts are tracking domains.
type hostCache struct {
	ask func(ctx context.Context, host string) (bool, error)

	mu    sync.Mutex
	hosts map[string]knownHost
}

type knownHost struct {
	tracking bool
	until    time.Time
}

func (c *hostCache) lookUp(ctx context.Context, host string) (bool, error) {
	c.mu.Lock()
	known, found := c.hosts[host]
	c.mu.Unlock()
	if found && time.Now().Before(known.until) {
		return known.tracking, nil
	}
	ctx, cancel := context.WithTimeout(ctx, hostTimeout)
	defer cancel()
	tracking, err := c.ask(ctx, host)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hosts == nil || len(c.hosts) >= hostCacheSize {
		c.hosts = map[string]knownHost{}
	}
	c.hosts[host] = knownHost{tracking: tracking, until: time.Now().Add(hostCacheAge)}
	return tracking, nil
}
