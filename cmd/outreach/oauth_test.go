package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/internal/testkit"
	"outreach/sandbox"
)

// surf sends what a browser sends, follows redirects, and returns the last page.
func (s *stage) surf(browser *http.Client, method, address string, form url.Values) (page, at string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := browser.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text), response.Request.URL.String()
}

// connect connects a mailbox over REST and any browser, and returns it.
func (s *stage) connect(body object, account string) object {
	s.t.Helper()
	begun := s.call(http.StatusCreated, http.MethodPost, "/mailbox_connections", body)
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	link := begun["authorize_url"].(string)
	if page, _ := s.surf(browser, http.MethodGet, link, nil); !strings.Contains(page, "Connect your mailbox to Stage?") {
		s.t.Fatalf("the link shows %s", page)
	}
	_, consent := s.surf(browser, http.MethodPost, link, nil)
	page, _ := s.surf(browser, http.MethodPost, consent, url.Values{"account": {account}})
	if !strings.Contains(page, account+" is connected to Stage.") {
		s.t.Fatalf("at the end it shows %s", page)
	}
	done := s.call(http.StatusOK, http.MethodGet, "/mailbox_connections/"+begun["id"].(string), nil)
	if done["status"] != "connected" || done["authorize_url"] != nil {
		s.t.Fatalf("the attempt is %v", done)
	}
	return s.call(http.StatusOK, http.MethodGet, "/mailboxes/"+done["mailbox_id"].(string), nil)
}

// Mailboxes of both providers are connected over REST, send and are read by tokens that
// end and are renewed under way; a revoked one asks for a reconnect and goes on after
// it.
func TestMailboxesOfProviders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.mail.SetQuirks(sandbox.Quirks{TokenLife: 4 * time.Second, EndsFormer: true})
	s.start()
	google := s.connect(object{"provider": "google"}, sandbox.GoogleMailbox)
	microsoft := s.connect(object{"provider": "microsoft"}, sandbox.MicrosoftMailbox)
	if google["auth"] != "oauth2" || microsoft["provider"] != "microsoft" || google["auth_error"] != nil {
		t.Errorf("the mailboxes are %v and %v", google, microsoft)
	}
	boxes := []any{google["id"], microsoft["id"]}
	for _, box := range boxes { // faster than a person would
		s.call(http.StatusOK, http.MethodPatch, "/mailboxes/"+box.(string), object{"min_gap_seconds": 0})
	}
	s.refuseServers(google["id"].(string))
	made := s.call(http.StatusCreated, http.MethodPost, "/campaigns",
		object{"name": "Both", "send_days": allDays, "send_from": "00:00", "send_until": "23:59",
			"mailbox_ids": boxes, "steps": []object{{"subject": "Hello", "body_text": "Would a call suit you?"}}})
	s.call(http.StatusOK, http.MethodPost, "/campaigns/"+made["id"].(string)+"/activate", nil)
	for _, email := range []string{"ada@a.example", "bob@b.example", "eve@c.example", "dan@d.example", "reply@e.example"} {
		s.call(http.StatusCreated, http.MethodPost, "/enrollments", object{"campaign_id": made["id"], "prospect": object{"email": email}})
	}
	s.eventually(time.Minute, "all is sent, and tokens were renewed under way", func() bool {
		return s.mail.ReceivedCount() == 5 && s.mail.Renewals() >= 4
	})
	s.eventually(time.Minute, "the reply is read", func() bool { return len(s.list("/replies")) == 1 })

	s.mail.Revoke(sandbox.GoogleMailbox)
	path := "/mailboxes/" + google["id"].(string)
	s.eventually(time.Minute, "the mailbox asks for a reconnect", func() bool {
		reason, _ := s.call(http.StatusOK, http.MethodGet, path, nil)["auth_error"].(string)
		return strings.HasSuffix(reason, "Reconnect the mailbox.")
	})
	again := s.connect(object{"provider": "google", "mailbox_id": google["id"]}, sandbox.GoogleMailbox)
	if again["id"] != google["id"] || again["status"] != "connected" || again["auth_error"] != nil {
		t.Errorf("after the reconnect it is %v", again)
	}
	s.nothingInClear()
}

// The check of a mailbox says at once that its access was revoked, although its access token has not
// ended and no worker runs.
func TestCheckOfRevokedMailbox(t *testing.T) {
	t.Parallel()
	for provider, account := range map[string]string{"google": sandbox.GoogleMailbox, "microsoft": sandbox.MicrosoftMailbox} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.spawn("api")
			s.untilReady()
			box := s.connect(object{"provider": provider}, account)
			path := "/mailboxes/" + box["id"].(string)
			s.mail.Revoke(account)
			for range 2 {
				checked := s.call(http.StatusOK, http.MethodPost, path+"/check", nil)
				reason, _ := checked["auth_error"].(string)
				if checked["status"] != "error" || checked["last_error"] != checked["auth_error"] ||
					!strings.HasSuffix(reason, " no longer accepts our access: the password was changed, or the access was revoked. "+
						"Reconnect the mailbox.") {
					t.Errorf("the check answers %v", checked)
				}
			}
			if again := s.connect(object{"provider": provider, "mailbox_id": box["id"]}, account); again["status"] != "connected" {
				t.Errorf("after the reconnect it is %v", again)
			}
		})
	}
}

// A mailbox that the workspace's own client may use is created by one call, without its owner, and
// sends and is read. Its servers are those of the provider.
func TestAppMailboxOverREST(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	wanted := object{"email": sandbox.MicrosoftMailbox, "provider": "microsoft", "auth": "oauth2_app"}
	refused := s.call(http.StatusUnprocessableEntity, http.MethodPost, "/mailboxes", wanted)
	if !strings.Contains(toText(refused), "Add an OAuth client for Microsoft in the settings of the workspace first.") {
		t.Errorf("without a client of the workspace: %v", refused)
	}
	testkit.NoError(t, s.store.SetOAuthClient(t.Context(), uuid.MustParse(s.workspace), outreach.OAuthClient{
		Provider: outreach.ProviderMicrosoft, ClientID: sandbox.ClientID, Secret: sandbox.ClientSecret, Tenant: sandbox.Tenant}))
	box := s.call(http.StatusCreated, http.MethodPost, "/mailboxes", wanted)
	if box["auth"] != "oauth2_app" || box["status"] != "connected" || box["auth_error"] != nil {
		t.Errorf("the mailbox is %v", box)
	}
	refused = s.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+box["id"].(string),
		object{"smtp": object{"host": "evil.example"}})
	if refused["code"] != "read_only_field" {
		t.Errorf("with another server: %v", refused)
	}
	s.writeFrom(box["id"].(string))
}

// A mailbox of Google with an app password is created by one call with two facts. Its servers are
// those of the provider.
func TestAppPasswordOverREST(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.start()
	_, err := s.mail.AddMailbox("ann@google.test", "an app password")
	testkit.NoError(t, err)
	wanted := object{"email": "ann@google.test", "provider": "google", "smtp": object{"password": "another password"}}
	refused := s.call(http.StatusUnprocessableEntity, http.MethodPost, "/mailboxes", wanted)
	if told := toText(refused); !strings.Contains(told, "SMTP: login refused") || !strings.Contains(told, "IMAP: login refused") {
		t.Errorf("with a wrong password: %v", refused)
	}
	wanted["smtp"] = object{"password": "an app password"}
	box := s.call(http.StatusCreated, http.MethodPost, "/mailboxes", wanted)
	smtp := box["smtp"].(object)
	if at := fmt.Sprintf("%v:%v", smtp["host"], smtp["port"]); box["auth"] != "password" || box["provider"] != "google" ||
		box["status"] != "connected" || at != s.mail.OpenID().SMTP || smtp["username"] != "ann@google.test" {
		t.Errorf("the mailbox is %v", box)
	}
	s.writeFrom(box["id"].(string))
}

// writeFrom sends a campaign from a mailbox, and waits for a reply to it.
func (s *stage) writeFrom(box string) {
	s.t.Helper()
	s.call(http.StatusOK, http.MethodPatch, "/mailboxes/"+box, object{"min_gap_seconds": 0})
	made := s.call(http.StatusCreated, http.MethodPost, "/campaigns",
		object{"name": "From", "send_days": allDays, "send_from": "00:00", "send_until": "23:59",
			"mailbox_ids": []any{box}, "steps": []object{{"subject": "Hello", "body_text": "Would a call suit you?"}}})
	s.call(http.StatusOK, http.MethodPost, "/campaigns/"+made["id"].(string)+"/activate", nil)
	s.call(http.StatusCreated, http.MethodPost, "/enrollments",
		object{"campaign_id": made["id"], "prospect": object{"email": "reply@a.example"}})
	s.eventually(time.Minute, "the reply is read", func() bool { return len(s.list("/replies")) == 1 })
}

// nothingInClear looks for tokens and secrets in all tables and in the log.
func (s *stage) nothingInClear() {
	s.t.Helper()
	tables, err := s.store.Pool().Query(s.t.Context(), `
SELECT format('SELECT x::text FROM %I x', table_name) FROM information_schema.tables WHERE table_schema = 'public'
	AND table_type = 'BASE TABLE'`)
	if err != nil {
		s.t.Fatal(err)
	}
	statements, err := pgx.CollectRows(tables, pgx.RowTo[string])
	if err != nil {
		s.t.Fatal(err)
	}
	places := map[string]string{"the log": s.log.String()}
	for _, statement := range statements {
		rows, err := s.store.Pool().Query(s.t.Context(), statement)
		if err != nil {
			s.t.Fatal(err)
		}
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			s.t.Fatal(err)
		}
		places[statement] = strings.Join(texts, "\n")
	}
	secrets := append(s.mail.IssuedTokens(), sandbox.ClientSecret)
	if len(secrets) < 8 || len(places) < 20 {
		s.t.Fatalf("only %d secrets and %d places", len(secrets), len(places))
	}
	for place, text := range places {
		for _, secret := range secrets {
			if strings.Contains(text, secret) || strings.Contains(text, hex.EncodeToString([]byte(secret))) {
				s.t.Errorf("%s holds %.20s… in clear", place, secret)
			}
		}
	}
}

var allDays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// refuseServers tries to lead the token of a mailbox elsewhere.
func (s *stage) refuseServers(id string) {
	s.t.Helper()
	for field, body := range map[string]object{
		"/smtp": {"smtp": object{"host": "127.0.0.1", "port": 1, "security": "none"}}, "/imap": {"imap": object{"host": "evil.example"}},
		"/email": {"email": "other@sandbox.test"}, "/provider": {"provider": "microsoft"},
	} {
		refused := s.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+id, body)
		if refused["code"] != "read_only_field" || !strings.Contains(toText(refused["errors"]), field) {
			s.t.Errorf("%s: %v", field, refused)
		}
	}
}
