package oauth_test

import (
	"net/http"
	"testing"

	"outreach"
	"outreach/sandbox"
)

// A client whose id or secret the provider refuses is told at once; an answer that proves nothing is not.
func TestCheckClient(t *testing.T) {
	t.Parallel()
	const refused = " refuses the OAuth client. Check its id, its secret, and when the secret expires."
	s := newStage(t)
	google := outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: sandbox.ClientID, Secret: sandbox.ClientSecret, Own: true}
	group, one := google, google
	group.Provider, group.Tenant = outreach.ProviderMicrosoft, "organizations"
	one.Provider, one.Tenant = outreach.ProviderMicrosoft, "7f3e4a52-0000-4000-8000-5a17db0c0001"
	for _, right := range []outreach.OAuthClient{google, group, one} {
		if why := s.service.CheckClient(s.ctx, right); why != "" {
			t.Errorf("%s %s: the right client is refused: %s", right.Provider, right.Tenant, why)
		}
		wrongID, wrongSecret := right, right
		wrongID.ClientID, wrongSecret.Secret = "another", "another"
		for _, wrong := range []outreach.OAuthClient{wrongID, wrongSecret} {
			if why := s.service.CheckClient(s.ctx, wrong); why != wrong.Provider.Name()+refused {
				t.Errorf("%s %s: %q", wrong.Provider, wrong.Tenant, why)
			}
		}
		for code, status := range map[string]int{
			"unauthorized_client": 400, "invalid_request": 400, "invalid_scope": 400, "temporarily_unavailable": 503,
		} {
			s.answers.set(func(answer map[string]any) int {
				clear(answer)
				answer["error"] = code
				return status
			})
			if why := s.service.CheckClient(s.ctx, right); why != "" {
				t.Errorf("%s proves nothing: %s", code, why)
			}
		}
		s.answers.set(nil)
	}
	s.answers.set(func(answer map[string]any) int {
		clear(answer)
		answer["error"], answer["error_description"] = "invalid_request", "AADSTS900023: no tenant"
		return http.StatusBadRequest
	})
	want := "Microsoft did not find the tenant " + one.Tenant + ": correct it in the settings of the workspace."
	if why := s.service.CheckClient(s.ctx, one); why != want {
		t.Errorf("a tenant that does not exist: %q, want %q", why, want)
	}
}
