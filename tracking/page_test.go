package tracking_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"image/gif"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)
	links := s.links(h.host)
	for name, response := range map[string]*http.Response{
		"click":       s.get(links.Click(m, 0, target)),
		"pixel":       s.get(links.Open(m)),
		"unsubscribe": s.get(links.Unsubscribe(m)),
		"done":        s.send(http.MethodPost, links.Unsubscribe(m)),
		"offer":       s.get(s.makeOffer(t, h, asMade).URL),
		"bad link":    s.get(baseURL + "/t/c/x"),
		"wrong verb":  s.send(http.MethodPut, links.Unsubscribe(m)),
	} {
		for header, want := range map[string]string{
			"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer",
			"X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex, nofollow",
		} {
			if got := response.Header.Get(header); got != want {
				t.Errorf("%s: %s is %q, want %q", name, header, got, want)
			}
		}
		if policy := response.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; ") {
			t.Errorf("%s: policy %q", name, policy)
		}
		if len(response.Cookies()) > 0 {
			t.Errorf("%s sets a cookie", name)
		}
	}
}

var (
	styles   = regexp.MustCompile(`(?s)<style>(.*?)</style>`)
	external = regexp.MustCompile(`(?i)<script|<link|<iframe|<img|@import|url\(|\sstyle=|\son\w+=|https?://`)
)

func TestPagesKeepTheirPolicy(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	for name, url := range map[string]string{
		"unsubscribe": s.links(h.host).Unsubscribe(s.message(t, h)),
		"offer":       s.makeOffer(t, h, asMade).URL,
		"bad link":    baseURL + "/u/x",
	} {
		response := s.get(url)
		text := body(t, response)
		found := styles.FindAllStringSubmatch(text, -1)
		if len(found) != 1 {
			t.Fatalf("%s has %d style sheets, want 1", name, len(found))
		}
		sum := sha256.Sum256([]byte(found[0][1]))
		if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
			"'"; !strings.Contains(response.Header.Get("Content-Security-Policy"), want) {
			t.Errorf("%s: the policy does not allow its style %s", name, want)
		}
		if bad := external.FindString(text); bad != "" {
			t.Errorf("%s holds %q", name, bad)
		}
	}
}

func TestMissingPageSpeaks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	text := body(t, wantStatus(t, s.get(baseURL+"/u/x", language("de")), http.StatusNotFound))
	for _, want := range []string{`<html lang="de">`, "Dieser Link führt nirgendwohin"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestOpensAreCountedPerCampaignAndDay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	first, second, foreign := s.message(t, h), s.message(t, h), s.message(t, other)
	open := func(message outreach.Ref) {
		response := wantStatus(t, s.get(s.links(h.host).Open(message)), http.StatusOK)
		if got := response.Header.Get("Content-Type"); got != "image/gif" {
			t.Errorf("type %q, want image/gif", got)
		}
		picture, err := gif.Decode(bytes.NewReader([]byte(body(t, response))))
		must(t, err)
		if size := picture.Bounds().Size(); size.X != 1 || size.Y != 1 {
			t.Errorf("the pixel is %v", size)
		}
	}
	for range 3 {
		open(first)
	}
	open(second)
	open(foreign)
	open(outreach.Ref{WorkspaceID: h.id, ID: uuid.New()})
	wantStatus(t, s.send(http.MethodHead, s.links(h.host).Open(first)), http.StatusOK)
	wantStatus(t, s.get(s.links(h.host).Open(first)+"x"), http.StatusNotFound)
	s.pass(10 * time.Hour)
	open(second)
	s.site.Close()
	counts := func(h house) map[string]any {
		return ask[map[string]any](t, s, `
SELECT coalesce(jsonb_object_agg(day, count), '{}') FROM opens WHERE workspace_id = $1 AND campaign_id = $2`, h.id, h.campaign)
	}
	if diff := cmp.Diff(map[string]any{"2026-11-20": 4.0, "2026-11-21": 1.0}, counts(h)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]any{"2026-11-20": 1.0}, counts(other)); diff != "" {
		t.Error(diff)
	}
	if got := ask[int](t, s, `SELECT count(*) FROM events`) + ask[int](t, s, `SELECT count(*) FROM hits`); got != 0 {
		t.Errorf("%d events and hits of opens, want none", got)
	}
}

func TestLinksOpenOnlyAsWhatTheyAre(t *testing.T) {
	t.Parallel()
	keys, message := mustKeys(t, "k"), outreach.Ref{WorkspaceID: uuid.New(), ID: uuid.New()}
	links := outreach.Links{Keyring: keys, Origin: "https://links.acme.test/"}
	for prefix, test := range map[string]struct {
		url  string
		kind outreach.LinkKind
	}{
		"https://links.acme.test/t/c/": {links.Click(message, 7, target), outreach.LinkClick},
		"https://links.acme.test/t/o/": {links.Open(message), outreach.LinkOpen},
		"https://links.acme.test/u/":   {links.Unsubscribe(message), outreach.LinkUnsubscribe},
	} {
		token, ok := strings.CutPrefix(test.url, prefix)
		if !ok {
			t.Errorf("%s does not begin with %s", test.url, prefix)
		}
		for _, kind := range []outreach.LinkKind{outreach.LinkClick, outreach.LinkOpen, outreach.LinkUnsubscribe, outreach.LinkOffer} {
			id, _, _, ok := outreach.OpenLink(keys, kind, token)
			if ok != (kind == test.kind) || ok && id != message {
				t.Errorf("%s as %c: %v %s", test.url, kind, ok, id)
			}
		}
	}
}
