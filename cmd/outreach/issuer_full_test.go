//go:build full

package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"outreach/internal/testkit"
	"outreach/oauth"
	"outreach/sandbox"
)

// independentIssuer is an OpenID provider that others wrote, as a process (tools/openid).
type independentIssuer struct {
	t       *testing.T
	env     []string
	address string
	process *exec.Cmd
}

const (
	independentID     = "independent-client"
	independentSecret = "the-secret-of-the-independent-client"
)

func newIssuer(t *testing.T, callback string, rotates bool) *independentIssuer {
	t.Helper()
	addr := testkit.ReserveAddr(t)
	_, port, _ := strings.Cut(addr, ":")
	rotate := "no"
	if rotates {
		rotate = "yes"
	}
	i := &independentIssuer{t: t, address: "http://" + addr, env: append(os.Environ(), "PORT="+port, "CLIENT_ID="+independentID,
		"CLIENT_SECRET="+independentSecret, "REDIRECT="+callback, "ROTATE="+rotate, "TENANT="+sandbox.Tenant)}
	t.Cleanup(i.stop)
	i.start()
	return i
}

func (i *independentIssuer) start() {
	i.t.Helper()
	i.process = exec.CommandContext(i.t.Context(), "node", "server.mjs")
	i.process.Dir, i.process.Env, i.process.Stderr = "../../tools/openid", i.env, i.t.Output()
	out, err := i.process.StdoutPipe()
	testkit.NoError(i.t, err)
	testkit.NoError(i.t, i.process.Start())
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == "ready: "+i.address {
			go func() {
				for lines.Scan() {
				}
			}()
			return
		}
	}
	i.t.Fatal("the issuer does not start; `make tools` installs it")
}

// stop ends the process, and with it all tokens.
func (i *independentIssuer) stop() {
	if i.process.ProcessState == nil {
		_ = i.process.Process.Kill()
		_ = i.process.Wait()
	}
}

// introspect asks the issuer for the user and the end of a token (RFC 7662).
func (i *independentIssuer) introspect(username, token string) (ends time.Time, ok bool) {
	response, err := http.PostForm(i.address+"/token/introspection",
		url.Values{"token": {token}, "client_id": {independentID}, "client_secret": {independentSecret}})
	if err != nil {
		return ends, false
	}
	defer response.Body.Close()
	var says struct {
		Active bool
		Sub    string
		Exp    int64
	}
	err = json.NewDecoder(response.Body).Decode(&says)
	return time.Unix(says.Exp, 0), err == nil && says.Active && says.Sub == username
}

// connectAt connects a mailbox at the issuer's own pages. With account "" the person declines.
func (s *stage) connectAt(body object, account string) (attempt object, page string) {
	s.t.Helper()
	begun := s.call(http.StatusCreated, http.MethodPost, "/mailbox_connections", body)
	jar, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: jar, Timeout: time.Minute}
	page, login := s.surf(browser, http.MethodPost, begun["authorize_url"].(string), nil)
	if !strings.Contains(page, "Sign-in") {
		s.t.Fatalf("the issuer shows %s", page)
	}
	if account == "" {
		page, _ = s.surf(browser, http.MethodGet, login+"/abort", nil)
	} else {
		_, consent := s.surf(browser, http.MethodPost, login, url.Values{"prompt": {"login"}, "login": {account}, "password": {"x"}})
		page, _ = s.surf(browser, http.MethodPost, consent, url.Values{"prompt": {"consent"}})
	}
	return s.call(http.StatusOK, http.MethodGet, "/mailbox_connections/"+begun["id"].(string), nil), page
}

// Mailboxes are connected at an OpenID provider that others wrote, as Google with refresh tokens
// that stay and as Microsoft with ones that rotate. They send and are read by its tokens. It is
// away for a while, and then knows none of its tokens any more.
func TestIndependentIssuer(t *testing.T) {
	t.Parallel()
	for provider, account := range map[string]string{"google": sandbox.GoogleMailbox, "microsoft": sandbox.MicrosoftMailbox} {
		t.Run(provider, func(t *testing.T) { t.Parallel(); useIssuer(t, provider, account) })
	}
}

func useIssuer(t *testing.T, provider, account string) {
	s := newStage(t)
	issuer := newIssuer(t, s.base+oauth.CallbackPath, provider == "microsoft")
	prefix := "OUTREACH_" + strings.ToUpper(provider)
	s.vars[prefix+"_ISSUER"], s.vars[prefix+"_CLIENT_ID"], s.vars[prefix+"_CLIENT_SECRET"] =
		issuer.address, independentID, independentSecret
	s.mail.AcceptTokens(issuer.introspect)
	var err error
	s.config, err = loadConfig(s.vars)
	testkit.NoError(t, err)
	s.start()

	wanted := object{"provider": provider, "email": account}
	if declined, page := s.connectAt(wanted, ""); declined["status"] != "failed" || !strings.Contains(page, "Access was not allowed.") {
		t.Errorf("a person who declines sees %s, and the attempt is %v", page, declined)
	}
	if other, page := s.connectAt(wanted, "other@sandbox.test"); other["status"] != "failed" ||
		!strings.Contains(page, "You signed in with another account. Connect again, and choose "+account) {
		t.Errorf("a person who signs in with another account sees %s, and the attempt is %v", page, other)
	}
	done, page := s.connectAt(wanted, account)
	if done["status"] != "connected" {
		t.Fatalf("the attempt is %v: %s", done, page)
	}
	box := done["mailbox_id"].(string)
	for range 3 {
		s.endTokens()
		s.checkWorks(s.base, box)
	}
	s.writeFrom(box)
	if version := s.grantVersion(); version < 4 {
		t.Errorf("the tokens were renewed %d times, want 3", version-1)
	}

	issuer.stop()
	s.endTokens()
	s.leasesEnd()
	refused := s.call(http.StatusUnprocessableEntity, http.MethodPost, "/mailboxes/"+box+"/check", nil)
	if !strings.Contains(toText(refused), "issues no access tokens at the moment") {
		t.Errorf("while the issuer is away the check answers %v", refused)
	}
	issuer.start()
	s.leasesEnd()
	s.eventually(time.Minute, "the mailbox asks for a reconnect", func() bool {
		reason, _ := s.call(http.StatusOK, http.MethodGet, "/mailboxes/"+box, nil)["auth_error"].(string)
		return strings.Contains(reason, "no longer accepts our access")
	})
	if again, page := s.connectAt(object{"provider": provider, "mailbox_id": box}, account); again["status"] != "connected" {
		t.Errorf("the reconnect is %v: %s", again, page)
	}
	s.checkWorks(s.base, box)
}

func (s *stage) grantVersion() (version int) {
	s.t.Helper()
	testkit.NoError(s.t, s.store.Pool().QueryRow(s.t.Context(), `SELECT version FROM mailbox_grants`).Scan(&version))
	return version
}
