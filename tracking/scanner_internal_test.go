package tracking

import (
	"slices"
	"strings"
	"testing"
)

func TestListsOfScanners(t *testing.T) {
	t.Parallel()
	s := newScanners()
	if len(s.networks) == 0 || len(s.agents) == 0 {
		t.Fatal("a list is empty")
	}
	for i, network := range s.networks {
		if network != network.Masked() {
			t.Errorf("%s has bits behind its length", network)
		}
		if slices.Contains(s.networks[:i], network) {
			t.Errorf("%s is there twice", network)
		}
	}
	for i, agent := range s.agents {
		if agent != strings.TrimSpace(strings.ToLower(agent)) || slices.Contains(s.agents[:i], agent) {
			t.Errorf("agent %q is not plain or there twice", agent)
		}
	}
}

func TestNoBrowserIsAScanner(t *testing.T) {
	t.Parallel()
	agents := newScanners().agents
	for _, browser := range []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
		"Mozilla/5.0 (Linux; Android 15; Cubot P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
		"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 [LinkedInApp]/9.31",
	} {
		for _, agent := range agents {
			if strings.Contains(strings.ToLower(browser), agent) {
				t.Errorf("%q is taken for %q", browser, agent)
			}
		}
	}
}

func TestMasked(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"ann@x.test": "a…@x.test", "élan@x.test": "é…@x.test", "@x.test": "@x.test", "none": "none",
	} {
		if got := masked(address); got != want {
			t.Errorf("masked(%q) = %q, want %q", address, got, want)
		}
	}
}
