package tracking_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

func (s *stage) makeOffer(t testing.TB, h house, change func(*outreach.Offer)) outreach.Offer {
	t.Helper()
	o := outreach.Offer{
		WorkspaceID: h.id, Title: "An <offer>", BodyHTML: new("<p>Twelve months for <b>ten</b>.</p>"),
		ProspectID: &h.prospect.ID, CampaignID: &h.campaign,
	}
	change(&o)
	o, err := s.CreateOffer(t.Context(), o)
	must(t, err)
	return o
}

func asMade(*outreach.Offer) {}

func (s *stage) offerNow(t testing.TB, o outreach.Offer) outreach.Offer {
	t.Helper()
	o, err := s.Offer(t.Context(), o.WorkspaceID, o.ID)
	must(t, err)
	return o
}

func TestOfferShowsItsPage(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	o := s.makeOffer(t, s.house(t, "acme"), func(o *outreach.Offer) {
		o.BodyHTML = new(`<p onclick="x()">Hello <script>alert(1)</script><a href="https://shop.example/">shop</a><form ` +
			`action="https://evil.test"><input></form></p>`)
	})
	text := body(t, wantStatus(t, s.get(o.URL), http.StatusOK))
	for _, want := range []string{"<title>An &lt;offer&gt;</title>", "<p>Hello ", `<a href="https://shop.example/" rel="nofollow">shop</a>`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %s", want, text)
		}
	}
	for _, bad := range []string{"alert", "onclick", "<form", "<input", "<script"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
}

// The pictures of an offer are wherever its author keeps them; no other page
// loads anything.
func TestOfferShowsItsPictures(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	o := s.makeOffer(t, s.house(t, "acme"), func(o *outreach.Offer) {
		o.BodyHTML = new(`<p><img src="https://cdn.example/chart.png" alt="Growth"></p>`)
	})
	response := wantStatus(t, s.get(o.URL), http.StatusOK)
	if text := body(t, response); !strings.Contains(text, `<img src="https://cdn.example/chart.png" alt="Growth"`) {
		t.Errorf("the page lacks the picture: %s", text)
	}
	const pictures = "img-src 'self' https:;"
	if policy := response.Header.Get("Content-Security-Policy"); !strings.Contains(policy, pictures) {
		t.Errorf("the policy %q keeps pictures from loading", policy)
	}
	if policy := s.get(o.URL + "x").Header.Get("Content-Security-Policy"); strings.Contains(policy, "https:") {
		t.Errorf("the policy %q of another page lets it load pictures", policy)
	}
}

func TestOfferLeadsToItsTarget(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	o := s.makeOffer(t, s.house(t, "acme"), func(o *outreach.Offer) { o.BodyHTML, o.TargetURL = nil, new(target) })
	response := wantStatus(t, s.get(o.URL), http.StatusFound)
	if got := response.Header.Get("Location"); got != target {
		t.Errorf("leads to %q, want %q", got, target)
	}
	if got := s.offerNow(t, o).VisitCount; got != 1 {
		t.Errorf("%d visits, want 1", got)
	}
}

func TestOfferIsRereadAfterHalfAnHour(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	o := s.makeOffer(t, h, asMade)
	first := s.now()
	for i, step := range []struct {
		after time.Duration
		want  outreach.OfferStatus
		again bool
	}{
		{0, outreach.OfferRead, false},
		{time.Second, outreach.OfferRead, false},
		{outreach.RereadAfter - 2*time.Second, outreach.OfferRead, false},
		{time.Second, outreach.OfferReread, true},
		{time.Second, outreach.OfferReread, true},
	} {
		s.pass(step.after)
		wantStatus(t, s.get(o.URL, fromNth(i)), http.StatusOK)
		got, last := s.offerNow(t, o), s.now()
		want := outreach.Offer{Status: step.want, VisitCount: i + 1, FirstReadAt: &first, LastReadAt: &last}
		if diff := cmp.Diff(want,
			outreach.Offer{Status: got.Status, VisitCount: got.VisitCount, FirstReadAt: got.FirstReadAt, LastReadAt: got.LastReadAt}); diff != "" {
			t.Errorf("visit %d: %s", i+1, diff)
		}
		newest := ask[map[string]any](t, s, `SELECT metadata FROM events WHERE type = 'offer_read' ORDER BY occurred_at DESC LIMIT 1`)
		if diff := cmp.Diff(map[string]any{"offerId": o.ID.String(), "again": step.again}, newest); diff != "" {
			t.Errorf("event %d: %s", i+1, diff)
		}
	}
	if got := len(s.told(t, h)); got != 0 {
		t.Errorf("%d webhooks tell of an internal event", got)
	}
}

func TestWhoAnOfferIsFor(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	colleague, err := s.CreateProspect(t.Context(), outreach.Prospect{WorkspaceID: h.id, Email: "bob@another-company.test"})
	must(t, err)
	none := uuid.Nil
	for name, test := range map[string]struct {
		change                      func(*outreach.Offer)
		prospect, company, campaign uuid.UUID
	}{
		"a prospect": {asMade, h.prospect.ID, *h.prospect.CompanyID, h.campaign},
		"a company": {func(o *outreach.Offer) {
			o.ProspectID, o.CampaignID, o.CompanyID = nil, nil,
				h.prospect.CompanyID
		}, none, *h.prospect.CompanyID, none},
		"a prospect and company": {func(o *outreach.Offer) { o.CompanyID = colleague.CompanyID }, h.prospect.ID,
			*colleague.CompanyID, h.campaign},
		"no prospect": {func(o *outreach.Offer) { o.ProspectID, o.CampaignID = nil, nil }, none, none, none},
	} {
		o := s.makeOffer(t, h, test.change)
		wantStatus(t, s.get(o.URL), http.StatusOK)
		got := ask[[]uuid.UUID](t, s, `SELECT ARRAY[coalesce(prospect_id, $2), coalesce(company_id, $2), coalesce(campaign_id, $2)]
			FROM events WHERE type = 'offer_read' AND metadata->>'offerId' = $1`, o.ID.String(), none)
		if diff := cmp.Diff([]uuid.UUID{test.prospect, test.company, test.campaign}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestVisitsThatAreNoPersons(t *testing.T) {
	t.Parallel()
	signedIn := func(workspace uuid.UUID) func(*http.Request) {
		return func(r *http.Request) {
			*r = *r.WithContext(outreach.WithActor(r.Context(), outreach.Actor{WorkspaceID: workspace, User: &outreach.Viewer{}}))
		}
	}
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	o := s.makeOffer(t, h, asMade)
	wantStatus(t, s.send(http.MethodHead, o.URL), http.StatusOK)
	s.pass(time.Second)
	wantStatus(t, s.get(o.URL, agent("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)")), http.StatusOK)
	s.pass(time.Second)
	wantStatus(t, s.get(o.URL, signedIn(h.id)), http.StatusOK)
	if got := s.offerNow(t, o); got.VisitCount != 0 || got.Status != outreach.OfferUnread || got.FirstReadAt != nil {
		t.Errorf("offer %+v, want it unread", got)
	}
	s.pass(time.Second)
	wantStatus(t, s.get(o.URL, signedIn(other.id)), http.StatusOK)
	if got := s.offerNow(t, o).VisitCount; got != 1 {
		t.Errorf("%d visits with a person of another workspace, want 1", got)
	}
	want := []string{"HEAD request", "known agent: slackbot", "signed-in user of the workspace", ""}
	if diff := cmp.Diff(want, s.hits(t, h, "visit")); diff != "" {
		t.Error(diff)
	}
	if got := ask[int](t, s, `SELECT count(*) FROM events`); got != 1 {
		t.Errorf("%d events, want 1", got)
	}
}

func TestScannerFollowsALinkToAnOffer(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	o, m := s.makeOffer(t, h, asMade), s.message(t, h)
	for _, url := range []string{o.URL, target} {
		wantStatus(t, s.get(s.links(h.host).Click(m, 0, url)), http.StatusFound)
	}
	wantStatus(t, s.get(o.URL), http.StatusOK)
	s.pass(time.Second)
	wantStatus(t, s.get(o.URL, from("192.0.2.1:1")), http.StatusOK)
	s.pass(5 * time.Second)
	wantStatus(t, s.get(o.URL), http.StatusOK)
	if diff := cmp.Diff([]string{"several links at once", "", ""}, s.hits(t, h, "visit")); diff != "" {
		t.Error(diff)
	}
}

func TestOffersThatDoNotServe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	o, deleted := s.makeOffer(t, h, asMade), s.makeOffer(t, h, asMade)
	must(t, s.DeleteOffer(t.Context(), h.id, deleted.ID))
	for name, url := range map[string]string{
		"a deleted offer":            deleted.URL,
		"another workspace's domain": strings.Replace(o.URL, base, other.host, 1),
		"a message's token":          strings.Replace(s.links(base).Unsubscribe(outreach.Ref{WorkspaceID: h.id, ID: o.ID}), "/u/", "/o/", 1),
		"nonsense":                   baseURL + "/o/AAAA",
	} {
		if got := s.get(url).StatusCode; got != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", name, got)
		}
	}
	wantStatus(t, s.get(strings.Replace(o.URL, base, h.host, 1)), http.StatusOK)
}
