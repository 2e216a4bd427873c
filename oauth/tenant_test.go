package oauth_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach"
	"outreach/sandbox"
)

// nowhere is a tenant that does not exist.
const nowhere = "nowhere.example"

func noTenant(tenant string) string {
	return "Microsoft did not find the tenant " + tenant + ": correct it in the settings of the workspace."
}

// setTenant stores a client of the workspace's own with this tenant.
func (s *stage) setTenant(tenant string) {
	s.t.Helper()
	must(s.t, s.db.SetOAuthClient(s.ctx, s.ws, outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: sandbox.ClientID,
		Secret: sandbox.ClientSecret, Tenant: tenant}))
}

// onlyProblem checks that the client's problem is the only one of the workspace; empty for none.
func (s *stage) onlyProblem(want string) {
	s.t.Helper()
	all, err := s.db.Attention(s.ctx, s.ws)
	must(s.t, err)
	if want == "" && len(all) == 0 || len(all) == 1 && all[0].Kind == outreach.AttentionOAuthClient && all[0].Detail == want {
		return
	}
	s.t.Errorf("attention is %+v, want the client with %q", all, want)
}

// A browser that is about to sign in at a tenant that does not exist is told which one, and where it
// is corrected. The link stays valid.
func TestTenantNotFoundWhenConnecting(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.setTenant(nowhere)
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}), s.browser()
	refused := b.send(http.MethodPost, *begun.AuthorizeURL, nil, nil)
	if refused.status != http.StatusConflict || !strings.Contains(refused.text, noTenant(nowhere)) {
		t.Errorf("the link answers %d: %s", refused.status, refused.text)
	}
	s.onlyProblem(noTenant(nowhere))

	s.setTenant(sandbox.Tenant)
	s.onlyProblem("")
	done := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.MicrosoftMailbox))
	if done.status != http.StatusOK {
		t.Errorf("with the right tenant: %d %s", done.status, done.text)
	}
}

// The installation's client is corrected by its operator.
func TestTenantOfInstallationNotFound(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.service.Providers[1].Client.Tenant = nowhere
	begun := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft})
	const want = "Microsoft did not find the tenant nowhere.example: correct OUTREACH_MICROSOFT_TENANT."
	refused := s.browser().send(http.MethodPost, *begun.AuthorizeURL, nil, nil)
	if refused.status != http.StatusConflict || !strings.Contains(refused.text, want) {
		t.Errorf("the link answers %d: %s", refused.status, refused.text)
	}
	s.onlyProblem(want)
}

// A mailbox of an application needs a tenant that exists when it is created and at each renewal.
// Afterwards it is the client's problem, and the mailbox stays connected.
func TestTenantNotFoundByApplication(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.Provider, box.Auth = s.ws, sandbox.MicrosoftMailbox, outreach.ProviderMicrosoft, outreach.AuthOAuth2App
	s.setTenant(nowhere)
	_, err := s.service.AppGrant(s.ctx, &box)
	refused, ok := errors.AsType[*outreach.Error](err)
	if !ok || refused.Code != outreach.CodePrecondition || refused.Message != noTenant(nowhere) {
		t.Errorf("creating it fails with %v", err)
	}
	s.setTenant(sandbox.Tenant)
	grant, err := s.service.AppGrant(s.ctx, &box)
	must(t, err)
	box, err = s.db.CreateAppMailbox(s.ctx, box, grant)
	must(t, err)

	s.setTenant(nowhere)
	s.clock.pass(2 * time.Hour)
	s.renewalFails(box, noTenant(nowhere))
	s.setTenant(sandbox.Tenant)
	s.leaseEnds()
	must(t, s.service.Authorize(s.ctx, &box))
	s.onlyProblem("")
}

// renewalFails checks that the client is to blame for a renewal, and not the mailbox.
func (s *stage) renewalFails(box outreach.Mailbox, want string) {
	s.t.Helper()
	if told := s.tokenError(s.service.Authorize(s.ctx, &box)); told.Refused || told.Reason != want {
		s.t.Errorf("the renewal says %+v, want %q", told, want)
	}
	s.onlyProblem(want)
	if after := s.box(box.ID); after.Status != outreach.MailboxConnected || after.AuthError != nil {
		s.t.Errorf("the mailbox is %+v", after)
	}
}

// A tenant may end after its configuration was read: the token endpoint says so with another code.
func TestTenantEnds(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.setTenant(sandbox.Tenant)
	box := s.connected(outreach.ProviderMicrosoft)
	s.answers.set(func(answer map[string]any) int {
		clear(answer)
		answer["error"], answer["error_description"] = "invalid_request", "AADSTS90002: Tenant '"+sandbox.Tenant+"' not found."
		return http.StatusBadRequest
	})
	begun, b := s.begin(outreach.ConnectionAttempt{Provider: outreach.ProviderMicrosoft}), s.browser()
	done := b.get(b.choose(b.toProvider(*begun.AuthorizeURL), sandbox.MicrosoftMailbox))
	if done.status != http.StatusUnprocessableEntity || !strings.Contains(done.text, noTenant(sandbox.Tenant)) {
		t.Errorf("the callback answers %d: %s", done.status, done.text)
	}
	s.clock.pass(time.Hour)
	s.renewalFails(box, noTenant(sandbox.Tenant))
}
