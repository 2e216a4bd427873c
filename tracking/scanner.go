package tracking

import (
	_ "embed"
	"net/http"
	"net/netip"
	"strings"

	"outreach/tracking/hit"
)

//go:embed agents.txt
var agentList string

//go:embed networks.txt
var networkList string

// scanners recognises programs and networks that follow links for people.
type scanners struct {
	agents   []string
	networks []netip.Prefix
}

// newScanners reads both lists; a test finds invalid lines.
func newScanners() scanners {
	s := scanners{agents: entries(agentList)}
	for _, line := range entries(networkList) {
		s.networks = append(s.networks, netip.MustParsePrefix(line))
	}
	return s
}

// entries returns the lines of a list without comments.
func entries(list string) (found []string) {
	for line := range strings.Lines(list) {
		line, _, _ = strings.Cut(line, "#")
		if line = strings.ToLower(strings.TrimSpace(line)); line != "" {
			found = append(found, line)
		}
	}
	return found
}

// evidence returns why a request does not come from a person, empty if nothing says so. The time
// since sending does not count: some people are quick.
func (s *scanners) evidence(r *http.Request, v hit.Visitor) string {
	switch {
	case r.Method == http.MethodHead:
		return "HEAD request"
	case isPrefetch(r.Header):
		return "prefetch"
	}
	agent := strings.ToLower(v.Agent)
	for _, known := range s.agents {
		if strings.Contains(agent, known) {
			return "known agent: " + known
		}
	}
	if address, err := netip.ParseAddr(v.Address); err == nil {
		for _, network := range s.networks {
			if network.Contains(address.Unmap()) {
				return "known network: " + network.String()
			}
		}
	}
	return ""
}

// isPrefetch reports whether a browser loads a page before the user asks for it.
func isPrefetch(h http.Header) bool {
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		value := strings.ToLower(h.Get(name))
		if strings.Contains(value, "prefetch") || strings.Contains(value, "prerender") || strings.Contains(value, "preview") {
			return true
		}
	}
	return false
}
