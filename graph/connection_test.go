package graph_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"outreach"
)

// What the buttons need: a provider without a client says what to set.
func TestMailProviders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	same(t, "providers", string(s.field(`{ mailProviders { provider missing } }`, nil, "mailProviders")),
		`[{"provider":"google","missing":null},{"provider":"microsoft","missing":"Set a client."}]`)
}

// The secret of a client is never shown again, and the client belongs to one workspace.
func TestOAuthClientsAreShownWithoutSecrets(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	must(t, s.db.SetOAuthClient(s.ctx, s.ws,
		outreach.OAuthClient{Provider: outreach.ProviderMicrosoft, ClientID: "id", Secret: "hidden words", Tenant: "acme.test"}))
	const asked = `{ oauthClients { provider clientId tenant fault } }`
	same(t, "shown", string(s.field(asked, nil, "oauthClients")),
		`[{"provider":"microsoft","clientId":"id","tenant":"acme.test","fault":null}]`)
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	mine := s.ctx
	s.ctx = outreach.WithActor(t.Context(), outreach.Actor{WorkspaceID: other})
	same(t, "another workspace", string(s.field(asked, nil, "oauthClients")), `[]`)
	s.ctx = mine
}

// A client that its provider refuses is saved, and the answer says so.
func TestRefusedOAuthClientIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	ann := s.in(h, "ann@x.test", "correct horse")
	for secret, want := range map[string]any{"right": nil, "wrong": "The provider refuses the client."} {
		saved := s.post(h, `mutation { setOAuthClient(provider: google, input: {clientId: "id", clientSecret: "`+secret+`"}) { fault } }`, ann)
		same(t, "told", saved.Data["setOAuthClient"], any(map[string]any{"fault": want}))
		same(t, "kept", s.post(h, `{ oauthClients { fault } }`, ann).Data["oauthClients"], any([]any{map[string]any{"fault": want}}))
	}
}

// A grant's mailbox keeps its account: address, provider and servers are read-only, and
// no mailbox gets a grant by an edit.
func TestEditsOfGrantedMailboxes(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	box := outreach.NewMailbox()
	box.WorkspaceID, box.Email, box.Provider, box.Auth = s.ws, "me@acme.test", outreach.ProviderGoogle, outreach.AuthOAuth2
	attempt, err := s.db.CreateConnection(s.ctx, outreach.ConnectionAttempt{WorkspaceID: s.ws, Provider: box.Provider}, [32]byte{1}, nil)
	must(t, err)
	made, err := s.db.FinishConnection(s.ctx, outreach.Authorization{ConnectionAttempt: attempt}, box,
		outreach.Grant{ClientID: "c", TokenSet: outreach.TokenSet{Access: "a", Refresh: "r", ExpiresAt: time.Now(), RenewAt: time.Now()}})
	must(t, err)
	const edit = `mutation it($id: UUID!, $input: MailboxInput!) { updateMailbox(id: $id, input: $input) { dailyLimit auth email } }`
	change := func(input string) error {
		var in map[string]any
		must(t, json.Unmarshal([]byte(input), &in))
		_, err := s.run(edit, map[string]any{"id": made.ID.String(), "input": in})
		return err
	}
	for input, want := range map[string]string{
		`{"smtp": {"host": "evil.test"}}`: "/smtp read_only_field",
		`{"imap": {"host": "x"}}`:         "/imap read_only_field",
		`{"email": "other@acme.test"}`:    "/email read_only_field",
		`{"provider": "microsoft"}`:       "/provider read_only_field",
		`{"auth": "oauth2_app"}`:          "/auth invalid",
		`{"auth": "password"}`:            "/smtp required",
		`{"smtp": null}`:                  "/smtp read_only_field",
	} {
		var got []string
		for _, fault := range outreach.FaultsOf(change(input)) {
			got = append(got, fault.Pointer()+" "+string(fault.Code))
		}
		if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+want+" ") {
			t.Errorf("%s: %v, want %s", input, got, want)
		}
	}
	must(t, change(`{"displayName": "Ada"}`))
	kept, err := s.db.Grant(s.ctx, s.ws, made.ID)
	must(t, err)
	same(t, "the grant stays", []string{kept.Access, kept.Refresh}, []string{"a", "r"})
}
