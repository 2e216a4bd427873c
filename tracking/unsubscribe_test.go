package tracking_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// aftermath is everything that an unsubscription leaves behind.
type aftermath struct {
	Prospect     string
	Enrollments  []string
	StopReasons  []string
	Suppressions []string
	Events       int
	Hits         int
}

func (s *stage) aftermath(t testing.TB, h house) aftermath {
	t.Helper()
	return aftermath{
		Prospect: ask[string](t, s, `
SELECT coalesce((SELECT status || CASE WHEN unsubscribed_at IS NULL THEN ''
	ELSE ', at ' || to_char(unsubscribed_at AT TIME ZONE 'UTC', 'HH24:MI') END
			FROM prospects WHERE id = $1), 'deleted')`, h.prospect.ID),
		Enrollments: ask[[]string](t, s, `
SELECT coalesce(array_agg(status || coalesce(' next ' || next_step, '')), '{}') FROM enrollments WHERE workspace_id = $1`, h.id),
		StopReasons: ask[[]string](t, s, `
SELECT coalesce(array_agg(stop_reason) FILTER (WHERE stop_reason IS NOT NULL), '{}') FROM enrollments WHERE workspace_id = $1`, h.id),
		Suppressions: ask[[]string](t, s, `
SELECT coalesce(array_agg(email_key || ' ' || reason ORDER BY email_key), '{}') FROM suppressions WHERE workspace_id = $1`, h.id),
		Events: len(s.told(t, h)),
		Hits:   len(s.hits(t, h, "unsubscribe")),
	}
}

func gone(h house, events, hits int) aftermath {
	return aftermath{
		Prospect: "unsubscribed, at 16:00", Enrollments: []string{"unsubscribed"}, StopReasons: []string{"the prospect unsubscribed"},
		Suppressions: []string{outreach.CanonicalEmail(h.prospect.Email) + " unsubscribed"}, Events: events, Hits: hits,
	}
}

func TestUnsubscribe(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	multi := func(r *http.Request) {
		var text bytes.Buffer
		form := multipart.NewWriter(&text)
		_ = form.WriteField("List-Unsubscribe", "One-Click")
		_ = form.Close()
		*r = *r.Clone(r.Context())
		r.Header.Set("Content-Type", form.FormDataContentType())
		r.Body = http.NoBody
	}
	for name, change := range map[string]func(*http.Request){
		"mail program": agent("Mail/1 one-click"), "multipart": multi, "no agent": agent(""),
		"bare":         func(r *http.Request) { r.Body = http.NoBody },
		"filter agent": agent("Mimecast"),
	} {
		t.Run(name, func(t *testing.T) {
			h := s.house(t, name)
			m := s.message(t, h)
			response := wantStatus(t, s.send(http.MethodPost, s.links(h.host).Unsubscribe(m), change), http.StatusOK)
			if text := body(t, response); !strings.Contains(text, "You are unsubscribed") {
				t.Errorf("the answer does not say so: %s", text)
			}
			if diff := cmp.Diff(gone(h, 1, 1), s.aftermath(t, h)); diff != "" {
				t.Error(diff)
			}
			want := []payload{{
				Type: "unsubscribed", OccurredAt: "2026-11-20T16:00:00Z", WorkspaceID: h.id, ProspectID: &h.prospect.ID,
				ProspectEmail: &h.prospect.Email,
				CampaignID:    &h.campaign, CampaignName: new("Autumn"), Metadata: map[string]string{"via": "one-click"},
			}}
			if diff := cmp.Diff(want, s.told(t, h)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLookingAtThePageChangesNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	url := s.links(h.host).Unsubscribe(s.message(t, h))
	before := s.aftermath(t, h)
	for _, method := range []string{http.MethodGet, http.MethodHead} {
		wantStatus(t, s.send(method, url), http.StatusOK)
	}
	if diff := cmp.Diff(before, s.aftermath(t, h)); diff != "" {
		t.Error(diff)
	}
}

func TestUnsubscribeTwice(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	first, second := s.message(t, h), s.message(t, h)
	var all sync.WaitGroup
	for _, m := range []outreach.Ref{first, first, second, second} {
		all.Go(func() {
			wantStatus(t, s.send(http.MethodPost, s.links(h.host).Unsubscribe(m)), http.StatusOK)
		})
	}
	all.Wait()
	if diff := cmp.Diff(gone(h, 1, 4), s.aftermath(t, h)); diff != "" {
		t.Error(diff)
	}
	if text := body(t, s.get(s.links(base).Unsubscribe(second))); strings.Contains(text, "<button") {
		t.Error("the page still asks who has unsubscribed already")
	}
}

func TestUnsubscribeAgainAfterTheSuppressionWasRemoved(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	url := s.links(h.host).Unsubscribe(s.message(t, h))
	s.send(http.MethodPost, url)
	suppression := ask[uuid.UUID](t, s, `SELECT id FROM suppressions`)
	must(t, s.DeleteSuppression(t.Context(), h.id, suppression, true))
	s.send(http.MethodPost, url)
	if diff := cmp.Diff(gone(h, 2, 2), s.aftermath(t, h)); diff != "" {
		t.Error(diff)
	}
}

func TestUnsubscribeOfADeletedProspect(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)
	must(t, s.DeleteProspect(t.Context(), h.id, h.prospect.ID))
	for range 2 {
		wantStatus(t, s.send(http.MethodPost, s.links(h.host).Unsubscribe(m)), http.StatusOK)
	}
	want := gone(h, 1, 2)
	want.Prospect, want.Enrollments, want.StopReasons = "deleted", []string{"stopped"}, []string{"the prospect was deleted"}
	if diff := cmp.Diff(want, s.aftermath(t, h)); diff != "" {
		t.Error(diff)
	}
	told := s.told(t, h)
	if told[0].ProspectEmail != nil || told[0].ProspectID == nil || *told[0].ProspectID != h.prospect.ID {
		t.Errorf("told %+v, want the id and no address", told[0])
	}
	_, err := s.CreateProspect(t.Context(), outreach.Prospect{WorkspaceID: h.id, Email: "new@customer-of-acme.test"})
	must(t, err)
}

// A prospect that was deleted and added anew is another one with the same wish.
func TestUnsubscribeReachesWhoHasTheAddressNow(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)
	must(t, s.DeleteProspect(t.Context(), h.id, h.prospect.ID))
	again, err := s.CreateProspect(t.Context(), outreach.Prospect{WorkspaceID: h.id, Email: h.prospect.Email})
	must(t, err)
	wantStatus(t, s.send(http.MethodPost, s.links(h.host).Unsubscribe(m)), http.StatusOK)
	if got := ask[string](t, s, `SELECT status FROM prospects WHERE id = $1`, again.ID); got != "unsubscribed" {
		t.Errorf("status %s of the new prospect, want unsubscribed", got)
	}
}

func TestUnsubscribeAfterTheAddressChanged(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	m := s.message(t, h)
	_, err := s.UpdateProspect(t.Context(), h.id, h.prospect.ID, func(p *outreach.Prospect) { p.Email = "moved@elsewhere.test" })
	must(t, err)
	s.send(http.MethodPost, s.links(h.host).Unsubscribe(m))
	want := gone(h, 1, 1)
	want.Suppressions = append(want.Suppressions, "moved@elsewhere.test unsubscribed")
	if diff := cmp.Diff(want, s.aftermath(t, h)); diff != "" {
		t.Error(diff)
	}
}

func TestWishOutranksOtherReasons(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, reason := range []string{"manual", "bounced", "complaint", "unsubscribed"} {
		t.Run(reason, func(t *testing.T) {
			h := s.house(t, reason)
			m := s.message(t, h)
			s.exec(t, `INSERT INTO suppressions (id, workspace_id, email, email_key, reason) VALUES ($1, $2, $3, lower($3), $4)`,
				uuid.New(), h.id, h.prospect.Email, reason)
			s.send(http.MethodPost, s.links(h.host).Unsubscribe(m))
			if diff := cmp.Diff(gone(h, 1, 1), s.aftermath(t, h)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestUnsubscribeStaysInItsWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	m := s.message(t, h)
	s.exec(t, `
UPDATE prospects SET email = 'ann@customer-of-acme.test', email_key = 'ann@customer-of-acme.test' WHERE id = $1`, other.prospect.ID)
	s.message(t, other)
	before := s.aftermath(t, other)
	links := map[string]string{
		"another workspace's domain": s.links(other.host).Unsubscribe(m),
		"an unknown message":         s.links(h.host).Unsubscribe(outreach.Ref{WorkspaceID: h.id, ID: uuid.New()}),
		"a click's token":            strings.Replace(s.links(h.host).Click(m, 0, target), "/t/c/", "/u/", 1),
		"nonsense":                   "https://" + h.host + "/u/abc",
	}
	for name, url := range links {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if got := s.send(method, url).StatusCode; got != http.StatusNotFound {
				t.Errorf("%s: %s gives %d, want 404", name, method, got)
			}
		}
	}
	if got := s.aftermath(t, h).Prospect; got != "new" {
		t.Errorf("prospect is %s, want it left alone", got)
	}
	wantStatus(t, s.send(http.MethodPost, s.links("former-domain.test").Unsubscribe(m)), http.StatusOK)
	after := s.aftermath(t, other)
	after.Hits = before.Hits
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error("the other workspace:", diff)
	}
}

// The host of the service serves everybody, also where one workspace has it as its
// tracking domain, as in dev.
func TestBaseHostServesEveryWorkspace(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h, other := s.house(t, "acme"), s.house(t, "bolt")
	must(t, s.SetTrackingDomain(t.Context(), other.id, base, outreach.TrackingDomainVerified))
	wantStatus(t, s.send(http.MethodPost, s.links(base).Unsubscribe(s.message(t, h))), http.StatusOK)
}

func TestUnsubscribePages(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.house(t, "acme")
	url := s.links(h.host).Unsubscribe(s.message(t, h))
	for _, test := range []struct{ name, method, accept, golden string }{
		{"ask", http.MethodGet, "", "ask.en.html"},
		{"ask in German", http.MethodGet, "de-AT,de;q=0.8,en;q=0.5", "ask.de.html"},
		{"ask in French", http.MethodGet, "nl;q=0.9, fr-CA;q=0.8, en;q=0.1", "ask.fr.html"},
		{"ask in something else", http.MethodGet, "fi", "ask.en.html"},
		{"done", http.MethodPost, "garbage;;;q=x", "done.en.html"},
		{"done already", http.MethodGet, "", "done.en.html"},
	} {
		response := wantStatus(t, s.send(test.method, url, language(test.accept)), http.StatusOK)
		compareGolden(t, test.golden, body(t, response))
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if os.Getenv("UPDATE_GOLDEN") != "" {
		must(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	must(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (UPDATE_GOLDEN=1 writes it anew): %s", name, diff)
	}
}
