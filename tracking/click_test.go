package tracking_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/tracking"
	"outreach/tracking/hit"
)

const target = "https://shop.example/offer?a=1&b=2#part"

func TestClickLeadsToItsTargetAndRaisesTheEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)

	response := wantStatus(t, s.get(s.links(h.host).Click(m, 3, target)), http.StatusFound)
	if got := response.Header.Get("Location"); got != target {
		t.Errorf("leads to %q, want %q", got, target)
	}
	if got := ask[int](t, s, `
SELECT count(*) FROM hits WHERE message_id = $1 AND url = $2 AND workspace_id = $3`, m.ID, target, h.id); got != 1 {
		t.Errorf("%d hits when the visitor was answered, want 1", got)
	}
	s.judged(t)
	want := []payload{{
		Type: "clicked", OccurredAt: "2026-11-20T16:00:00Z", WorkspaceID: h.id, ProspectID: &h.prospect.ID, ProspectEmail: &h.prospect.Email,
		CampaignID: &h.campaign, CampaignName: new("Autumn"),
		Metadata: map[string]string{"url": target, "messageId": header(m.ID), "via": "redirect"},
	}}
	if diff := cmp.Diff(want, s.told(t, h)); diff != "" {
		t.Error(diff)
	}
	company := ask[*uuid.UUID](t, s, `SELECT company_id FROM events WHERE type = 'clicked'`)
	if diff := cmp.Diff(h.prospect.CompanyID, company); diff != "" {
		t.Error("company of the event:", diff)
	}
}

func TestClickOfADeletedProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)
	must(t, s.DeleteProspect(t.Context(), h.id, h.prospect.ID))

	wantStatus(t, s.get(s.links(h.host).Click(m, 0, target)), http.StatusFound)
	s.judged(t)
	told := s.told(t, h)
	if len(told) != 1 || told[0].ProspectEmail != nil || told[0].ProspectID == nil || *told[0].ProspectID != h.prospect.ID {
		t.Errorf("told %+v, want one event with the id and no address", told)
	}
}

func TestRepeatedClicks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, test := range []struct {
		name   string
		after  []time.Duration // since the click before
		events int
	}{
		{"at once", []time.Duration{0, 0, 0}, 1},
		{"within the time", []time.Duration{0, 9 * time.Second}, 1},
		{"a chain of them", []time.Duration{0, 9 * time.Second, 9 * time.Second}, 1},
		{"later", []time.Duration{0, 10 * time.Second}, 2},
	} {
		for name, each := range map[string]bool{"judged together": false, "judged one by one": true} {
			t.Run(test.name+" "+name, func(t *testing.T) {
				h := s.house(t, test.name+" "+name)
				m := s.message(t, h)
				for i, after := range test.after {
					s.pass(after)
					wantStatus(t, s.get(s.links(h.host).Click(m, 0, target), fromNth(i)), http.StatusFound)
					if each && after > 0 && i < len(test.after)-1 {
						s.eventually(t, "the click before is judged", func() bool {
							return ask[int](t, s, `SELECT count(*) FROM hits WHERE scanner = 'held'`) <= 1
						})
					}
				}
				s.judged(t)
				if got := len(s.told(t, h)); got != test.events {
					t.Errorf("%d events, want %d", got, test.events)
				}
				if got := len(s.hits(t, h, "click")); got != len(test.after) {
					t.Errorf("%d hits kept, want %d", got, len(test.after))
				}
			})
		}
	}
}

func TestScannersRaiseNoEvent(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for name, test := range map[string]struct {
		method string
		change func(*http.Request)
		reason string
	}{
		"HEAD":          {http.MethodHead, func(*http.Request) {}, "HEAD request"},
		"agent":         {http.MethodGet, agent("Mozilla/5.0 (compatible; BarracudaCentral)"), "known agent: barracuda"},
		"network":       {http.MethodGet, from("104.47.1.2:1234"), "known network: 104.47.0.0/17"},
		"mapped":        {http.MethodGet, from("[::ffff:104.47.1.2]:1234"), "known network: 104.47.0.0/17"},
		"prefetch":      {http.MethodGet, func(r *http.Request) { r.Header.Set("Sec-Purpose", "prefetch;prerender") }, "prefetch"},
		"person":        {http.MethodGet, func(*http.Request) {}, ""},
		"odd person":    {http.MethodGet, agent("\xff\x00odd" + strings.Repeat("é", 400)), ""},
		"silent person": {http.MethodGet, func(r *http.Request) { r.Header.Del("User-Agent"); r.RemoteAddr = "@" }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := s.house(t, name)
			url := s.links(h.host).Click(s.message(t, h), 0, target)
			wantStatus(t, s.send(test.method, url, test.change), http.StatusFound)
			s.judged(t)
			if diff := cmp.Diff([]string{test.reason}, s.hits(t, h, "click")); diff != "" {
				t.Error(diff)
			}
			if got, want := len(s.told(t, h)) == 1, test.reason == ""; got != want {
				t.Errorf("event %v, want %v", got, want)
			}
		})
	}
}

func TestSeveralLinksAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	type visit struct {
		after   time.Duration
		message int
		url     string
	}
	const a, b, c = "https://x.test/a", "https://x.test/b", "https://x.test/c"
	for name, test := range map[string]struct {
		visits []visit
		events int
	}{
		"all links, one after the other": {[]visit{{0, 0, a}, {300 * time.Millisecond, 0, b}, {300 * time.Millisecond, 0, c}}, 0},
		"the first too":                  {[]visit{{0, 0, a}, {2 * time.Second, 0, b}}, 0},
		"a person takes longer":          {[]visit{{0, 0, a}, {2100 * time.Millisecond, 0, b}}, 2},
		"links of two messages":          {[]visit{{0, 0, a}, {0, 1, b}}, 2},
		"a person before a scanner":      {[]visit{{0, 0, a}, {time.Minute, 0, a}, {0, 0, b}, {0, 0, c}}, 1},
		"the same link twice":            {[]visit{{0, 0, a}, {0, 0, a}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			h := s.house(t, name)
			messages := []outreach.Ref{s.message(t, h), s.message(t, h)}
			for _, v := range test.visits {
				s.pass(v.after)
				wantStatus(t, s.get(s.links(h.host).Click(messages[v.message], 0, v.url)), http.StatusFound)
			}
			s.judged(t)
			if got := len(s.told(t, h)); got != test.events {
				t.Errorf("%d events, want %d; hits %q", got, test.events, s.hits(t, h, "click"))
			}
		})
	}
}

func TestLinksThatDoNotServe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other, pending := s.house(t, "acme"), s.house(t, "bolt"), s.house(t, "calm")
	must(t, s.SetTrackingDomain(t.Context(), pending.id, "new.calm.test", outreach.TrackingDomainPending))
	m := s.message(t, h)
	good := s.links(h.host).Click(m, 0, target)
	forged := outreach.SignLink(mustKeys(t, "f"), outreach.LinkClick, m, 0, target)
	sign := func(target string) string {
		return "https://" + h.host + "/t/c/" + outreach.SignLink(s.keys, outreach.LinkClick, m, 0, target)
	}
	for name, url := range map[string]string{
		"another workspace's domain": s.links(other.host).Click(m, 0, target),
		"the service's own host":     s.links(base).Click(m, 0, target),
		"an unknown host":            s.links("nobody.test").Click(m, 0, target),
		"a pending domain":           s.links("new.calm.test").Click(s.message(t, pending), 0, target),
		"an unknown message":         s.links(h.host).Click(outreach.Ref{WorkspaceID: h.id, ID: uuid.New()}, 0, target),
		"a changed token":            good[:len(good)-1] + "_",
		"a cut token":                good[:len(good)-9],
		"another key":                "https://" + h.host + "/t/c/" + forged,
		"another kind":               strings.Replace(s.links(h.host).Open(m), "/t/o/", "/t/c/", 1),
		"a script":                   sign("javascript:alert(1)"),
		"a path":                     sign("//evil.test"),
		"a zero byte":                sign("https://x.test/\x00"),
		"broken text":                sign("https://x.test/\xff"),
		"nothing":                    "https://" + h.host + "/t/c/",
		"another page":               "https://" + h.host + "/",
	} {
		if response := s.get(url); response.StatusCode != http.StatusNotFound || response.Header.Get("Location") != "" {
			t.Errorf("%s: status %d to %q, want 404", name, response.StatusCode, response.Header.Get("Location"))
		}
	}
	if got := s.hits(t, h, "click"); len(got) != 0 {
		t.Errorf("%d hits were kept of links that do not serve", len(got))
	}
	for _, host := range []string{"LINKS.Acme.Test", h.host + ".", h.host + ":8443"} {
		wantStatus(t, s.get(good, on(host)), http.StatusFound)
	}
}

// Mails that are out keep their links: each host that was verified once leads on,
// as long as it leads here and belongs to no other workspace.
func TestLinksOnFormerHosts(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	m := s.message(t, h)
	set := func(w house, host string, status outreach.TrackingDomainStatus) {
		t.Helper()
		must(t, s.SetTrackingDomain(t.Context(), w.id, host, status))
	}
	follow := func(when string, want map[string]int) {
		t.Helper()
		for host, status := range want {
			if got := s.get(s.links(host).Click(m, 0, target)); got.StatusCode != status {
				t.Errorf("%s: %s gives %d, want %d", when, host, got.StatusCode, status)
			}
		}
	}
	set(h, h.host, pending)
	follow("its record is gone from the DNS", map[string]int{h.host: http.StatusFound})
	set(h, "second.acme.test", pending)
	follow("another is not verified yet", map[string]int{h.host: http.StatusFound, "second.acme.test": http.StatusNotFound})
	set(h, "second.acme.test", verified)
	set(h, "third.acme.test", verified)
	follow("the third",
		map[string]int{h.host: http.StatusFound, "second.acme.test": http.StatusFound, "third.acme.test": http.StatusFound,
			other.host: http.StatusNotFound})
	follow("with a port", map[string]int{h.host + ":8443": http.StatusFound})
	if got := s.get(s.links(h.host).Click(s.message(t, other), 0, target)); got.StatusCode != http.StatusNotFound {
		t.Errorf("another workspace's link on it gives %d", got.StatusCode)
	}
	if got := ask[string](t, s, `SELECT host FROM tracking_domains WHERE workspace_id = $1`, h.id); got != "third.acme.test" {
		t.Errorf("new links go by %s", got)
	}
	set(other, h.host, verified)
	follow("the first is another workspace's now", map[string]int{h.host: http.StatusNotFound, "second.acme.test": http.StatusFound})
	if got := s.get(s.links(h.host).Click(s.message(t, other), 0, target)); got.StatusCode != http.StatusFound {
		t.Errorf("its own link on it gives %d", got.StatusCode)
	}
}

func TestDomainWithAPort(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	must(t, s.SetTrackingDomain(t.Context(), h.id, "127.0.0.1:8080", outreach.TrackingDomainVerified))
	m := s.message(t, h)
	wantStatus(t, s.get(s.links("127.0.0.1:8080").Click(m, 0, target)), http.StatusFound)
	wantStatus(t, s.get(s.links("127.0.0.1:9090").Click(m, 0, target)), http.StatusNotFound)
}

// A process that dies after it answered leaves its clicks to the next one to judge.
func TestClicksOutliveTheirProcess(t *testing.T) {
	t.Parallel()
	s := newStageWith(t, func(c *tracking.Config) { c.Every = time.Hour })
	h := s.house(t, "acme")
	wantStatus(t, s.get(s.links(h.host).Click(s.message(t, h), 0, target)), http.StatusFound)
	if got := s.told(t, h); len(got) != 0 {
		t.Fatalf("told %v before the window has passed", got)
	}
	s.pass(48 * time.Hour)
	for range 2 {
		next := tracking.New(tracking.Config{Store: s.Stores, Keyring: s.keys, BaseURL: baseURL, Now: s.now, Every: time.Millisecond})
		defer next.Close()
	}
	s.judged(t)
	told := s.told(t, h)
	if len(told) != 1 || told[0].OccurredAt != "2026-11-20T16:00:00Z" {
		t.Errorf("told %+v, want one event at the time of the click", told)
	}
}

func TestManyClicksAtOnce(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	const n = 600
	var all sync.WaitGroup
	for i := range n {
		house, host := h, h.host
		if i%3 == 0 {
			house = other
		}
		if i%3 == 1 {
			host = other.host
		}
		url := s.links(host).Click(s.message(t, house), i, target)
		want := http.StatusNotFound
		if host == house.host {
			want = http.StatusFound
		}
		all.Go(func() { wantStatus(t, s.get(url), want) })
	}
	all.Wait()
	s.judged(t)
	if got := len(s.told(t, h)); got != n/3 {
		t.Errorf("%d events of one workspace, want %d", got, n/3)
	}
	if got := len(s.told(t, other)); got != 0 {
		t.Errorf("%d events of the other, want none", got)
	}
}

// brokenStore fails for clicks, and counts how it was asked.
type brokenStore struct {
	tracking.Store
	err error
}

func (b brokenStore) RecordClicks(context.Context, []hit.Click) ([]bool, error) { return nil, b.err }

func TestClickIsNotAnsweredWithoutItsCommit(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	h := s.house(t, "acme")
	s.site = tracking.New(tracking.Config{Store: brokenStore{s.Stores, errors.New("no disk")}, Keyring: s.keys, BaseURL: baseURL})
	url := s.links(h.host).Click(s.message(t, h), 0, target)
	response := wantStatus(t, s.get(url), http.StatusServiceUnavailable)
	if response.Header.Get("Retry-After") == "" || response.Header.Get("Location") != "" {
		t.Errorf("headers %v, want Retry-After and no Location", response.Header)
	}
	if text := body(t, response); strings.Contains(text, "no disk") {
		t.Error("the page tells of the inside")
	}
	s.site.Close()
	wantStatus(t, s.get(url), http.StatusServiceUnavailable)
}
