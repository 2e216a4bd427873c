package graph_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/internal/testkit"
	"outreach/session"
)

// prober accepts every login and remembers the passwords.
type prober struct{ tried []string }

func (p *prober) Probe(_ context.Context, m outreach.Mailbox) outreach.Faults {
	p.tried = append(p.tried, fmt.Sprintf("%s:%d %s %s %s", m.SMTP.Host, m.SMTP.Port, m.SMTP.Username, m.SMTP.Password, m.SMTP.Security))
	return nil
}

// secrets makes signing secrets and accepts every URL.
type secrets struct{}

func (secrets) CheckURL(context.Context, string) error { return nil }

func (secrets) NewSecret() (string, error) { return "whsec_new", nil }

func (secrets) Test(context.Context, uuid.UUID, uuid.UUID) (outreach.Delivery, error) {
	return outreach.Delivery{}, nil
}

// full is a schema with everything that sensitive changes need.
func (s *stage) full(change func(*graph.Config)) http.Handler {
	config := s.config()
	config.Mail, config.Webhooks = &prober{}, secrets{}
	config.NewToken = func() (string, string, [32]byte) { return "ort_token", "ort_tokenpre", [32]byte{1} }
	if change != nil {
		change(&config)
	}
	s.schema = graph.NewSchema(config)
	return s.handler(graph.HandlerConfig{})
}

const server = `{host: "smtp.test", port: 465, username: "me", password: "stored", security: tls}`

// A stored password is only used with the server, account and protection that it was
// given for.
func TestStoredPasswordStaysWhereItIs(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	tried := &prober{}
	s.full(func(config *graph.Config) { config.Mail = tried })
	made := s.field(`mutation { createMailbox(input: {email: "me@x.test", smtp: `+server+`, imap: `+server+`}) { id } }`,
		nil, "createMailbox", "id")
	for _, c := range []struct {
		change, refused string
		reaches         string
	}{
		{`host: "evil.test"`, "/smtp/password", ""},
		{`port: 2525`, "/smtp/password", ""},
		{`username: "other"`, "/smtp/password", ""},
		{`security: none`, "/smtp/password", ""},
		{`security: starttls`, "/smtp/password", ""},
		{`port: 2525, security: none`, "/smtp/password", ""},
		{`port: 2525, password: ""`, "/smtp/password", ""},
		{`port: 587, security: starttls, password: "given"`, "", "smtp.test:587 me given starttls"},
		{`security: tls`, "", "smtp.test:587 me given tls"},
	} {
		tried.tried = nil
		_, err := s.run(fmt.Sprintf(`mutation { updateMailbox(id: %s, input: {smtp: {%s}}) { id } }`, made, c.change), nil)
		if c.refused != "" {
			refusal, ok := errors.AsType[*outreach.Error](err)
			if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer() != c.refused || len(tried.tried) > 0 {
				t.Errorf("%s: %v, tried %v; want a refusal of %s", c.change, err, tried.tried, c.refused)
			}
			continue
		}
		must(t, err)
		same(t, c.change, tried.tried, []string{c.reaches})
	}
}

// google is a provider with servers of its own.
type google struct{ graph.MailTokens }

func (google) Servers(p outreach.MailProvider) (outreach.ProviderServers, bool) {
	return outreach.ProviderServers{
		SMTP: outreach.MailServer{Host: "smtp.google.test", Port: 465, Security: outreach.SecurityTLS},
		IMAP: outreach.MailServer{Host: "imap.google.test", Port: 993, Security: outreach.SecurityTLS},
	}, p == outreach.ProviderGoogle
}

// imapProber is a prober that remembers the logins at IMAP.
type imapProber struct{ tried []string }

func (p *imapProber) Probe(_ context.Context, m outreach.Mailbox) outreach.Faults {
	p.tried = append(p.tried, m.IMAP.Host+" "+m.IMAP.Password)
	return nil
}

// The IMAP server of a provider gets the SMTP password of the same input, but not a stored one.
func TestStoredPasswordStaysFromProvider(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	tried := &imapProber{}
	s.full(func(config *graph.Config) { config.Mail, config.Tokens = tried, google{} })
	made := s.field(`mutation { createMailbox(input: {email: "me@x.test", smtp: `+server+`, imap: `+server+`}) { id } }`,
		nil, "createMailbox", "id")
	for _, c := range []struct{ change, reaches string }{
		{`provider: google, imap: null`, ""},
		{`provider: google, imap: {host: null}`, ""},
		{`provider: google, imap: null, smtp: {port: 465}`, ""},
		{`provider: google, imap: null, smtp: {password: "given"}`, "imap.google.test given"},
		{`imap: null`, ""},
		{`imap: {password: "new"}`, "imap.google.test new"},
	} {
		tried.tried = nil
		_, err := s.run(fmt.Sprintf(`mutation { updateMailbox(id: %s, input: {%s}) { id } }`, made, c.change), nil)
		if c.reaches == "" {
			refusal, ok := errors.AsType[*outreach.Error](err)
			if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer() != "/imap/password" || len(tried.tried) > 0 {
				t.Errorf("%s: %v, tried %v; want a refusal of /imap/password", c.change, err, tried.tried)
			}
			continue
		}
		must(t, err)
		same(t, c.change, tried.tried, []string{c.reaches})
	}
}

// Only owners create and revoke the token, and see invitations and the audit log.
func TestOwnersOnly(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	s.user("bob@x.test", outreach.RoleMember)
	ann, bob := s.in(h, "ann@x.test", "correct horse"), s.in(h, "bob@x.test", "correct horse")
	for _, document := range []string{
		`mutation { rotateToken { token } }`,
		`mutation { revokeToken }`,
		`mutation { inviteMember(email: "c@x.test") { token } }`,
		`mutation { setTotpRequired(required: false) }`,
		`mutation { setOAuthClient(provider: google, input: {clientId: "id", clientSecret: "hidden words"}) { clientId } }`,
		`mutation { deleteOAuthClient(provider: google) }`,
		`{ invitations { id } }`,
		`{ auditLog { nodes { id } } }`,
	} {
		same(t, document, refusal(s.post(h, document, bob)), "forbidden: Only an owner of the workspace can do this.")
		same(t, document+" by an owner", refusal(s.post(h, document, ann)), "none")
	}
}

// What the application saves as a file leaves an entry with the list and its length.
func TestExportsAreRecorded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	document := `mutation { recordExport(list: suppressions, rows: 12) }`
	same(t, "without a session", refusal(s.post(h, document, nil)), "unauthorized: Sign in first.")
	same(t, "by Ann", refusal(s.post(h, document, s.in(h, "ann@x.test", "correct horse"))), "none")
	rows, err := s.db.ListAudit(s.ctx, s.ws, outreach.AuditFilter{}, outreach.Page{Limit: 1})
	must(t, err)
	entry := rows.Rows[0]
	same(t, "the entry", []any{entry.Actor, entry.Action, *entry.Subject},
		[]any{"ann@x.test", outreach.AuditListExported, "suppressions, 12 rows"})
}

// The actions that a filter takes in a shell are those of the schema.
func TestAuditActions(t *testing.T) {
	t.Parallel()
	var names []outreach.AuditAction
	for _, value := range newStage(t).schema.Schema().Types["AuditAction"].EnumValues {
		names = append(names, outreach.AuditAction(value.Name))
	}
	same(t, "actions", outreach.AuditActions, names)
}

// Sensitive changes need the password again after 15 minutes; other calls do not, and
// the API token never does.
func TestPasswordIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	s.user("bob@x.test", outreach.RoleMember)
	ann := s.in(h, "ann@x.test", "correct horse")
	var bob uuid.UUID
	must(t, s.sql.QueryRow(s.ctx, `SELECT id FROM users WHERE email = 'bob@x.test'`).Scan(&bob))
	sub, err := s.db.CreateSubscription(s.ctx,
		outreach.Subscription{WorkspaceID: s.ws, URL: "https://a.test/", Events: outreach.SubscriptionEvents}, "whsec_x")
	must(t, err)
	box, _ := s.correspondents(s.ws, "mine")
	sensitive := []string{
		`mutation { rotateToken { token } }`,
		`mutation { revokeToken }`,
		fmt.Sprintf(`mutation { revealSubscriptionSecret(id: %q) { secret } }`, sub.ID),
		fmt.Sprintf(`mutation { rotateSubscriptionSecret(id: %q) { secret } }`, sub.ID),
		`mutation { createSubscription(input: {url: "https://b.test/", events: [sent]}) { secret } }`,
		fmt.Sprintf(`mutation { updateSubscription(id: %q, input: {url: "https://c.test/"}) { id } }`, sub.ID),
		`mutation { createMailbox(input: {email: "new@x.test", smtp: ` + server + `, imap: ` + server + `}) { id } }`,
		fmt.Sprintf(`mutation { updateMailbox(id: %q, input: {dailyLimit: 3}) { id } }`, box),
		fmt.Sprintf(`mutation { deleteMailbox(id: %q) }`, box),
		`mutation { inviteMember(email: "c@x.test") { token } }`,
		`mutation { createMailboxConnection(input: {provider: google}) { id } }`,
		`mutation { setOAuthClient(provider: google, input: {clientId: "id", clientSecret: "hidden words"}) { clientId } }`,
		`mutation { deleteOAuthClient(provider: google) }`,
		fmt.Sprintf(`mutation { removeMember(id: %q) }`, bob),
		`mutation { setTotpRequired(required: false) }`,
		`mutation { startTotp { secret } }`,
	}
	s.clock.Advance(16 * time.Minute)
	for _, document := range sensitive {
		same(t, document, refusal(s.post(h, document, ann)), "password_required: Enter your password again to continue.")
	}
	same(t, "other calls", refusal(s.post(h, `mutation { createProspect(input: {email: "p@x.test"}) { id } }`, ann)), "none")
	same(t, "the same URL", refusal(s.post(h,
		fmt.Sprintf(`mutation { updateSubscription(id: %q, input: {url: "https://a.test/", enabled: false}) { id } }`, sub.ID), ann)), "none")
	same(t, "wrong", refusal(s.post(h, `mutation { confirmPassword(password: "wrong horse") }`, ann)),
		"validation_failed /password invalid: This is not your current password.")
	s.clock.Advance(-16 * time.Minute) // the store has a clock of its own
	same(t, "confirmed", refusal(s.post(h, `mutation { confirmPassword(password: "correct horse") }`, ann)), "none")
	s.clock.Advance(14 * time.Minute)
	for _, document := range sensitive {
		same(t, document, refusal(s.post(h, document, ann)), "none")
	}
	s.clock.Advance(time.Hour)
	if _, err := s.run(`mutation { createSubscription(input: {url: "https://c.test/", events: [sent]}) { secret } }`, nil); err != nil {
		t.Errorf("the API token: %v", err)
	}
}

// An invitation does not reveal whether the address has an account. Its link shows it, and it is
// accepted once, with a new password or with that of the account.
func TestInvitations(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	ann := s.in(h, "ann@x.test", "correct horse")
	other, err := s.db.CreateWorkspace(s.ctx, "Other")
	must(t, err)
	_, err = s.db.AddUser(s.ctx, other, "known@x.test", session.HashPassword("battery staple"), outreach.RoleOwner, false)
	must(t, err)
	invite := func(email string) string {
		a := s.post(h, fmt.Sprintf(`mutation { inviteMember(email: %q) { email role token } }`, email), ann)
		made := a.Data["inviteMember"].(map[string]any)
		token := made["token"].(string)
		delete(made, "token")
		same(t, "the answer of "+email, made, map[string]any{"email": email, "role": "member"})
		same(t, "seen", s.post(h, fmt.Sprintf(`{ invitation(token: %q) { workspaceName email role } }`, token), nil).Data["invitation"],
			any(map[string]any{"workspaceName": "Acme", "email": email, "role": "member"}))
		return token
	}
	accept := func(token, password string) string {
		a := s.post(h, fmt.Sprintf(`mutation { acceptInvitation(token: %q, password: %q) { email role workspaceName } }`, token, password), nil)
		if len(a.Errors) > 0 {
			return refusal(a)
		}
		cookie, err := http.ParseSetCookie(a.Header.Get("Set-Cookie"))
		must(t, err)
		viewer := s.post(h, `{ viewer { email role workspaceName } }`, func(r *http.Request) { r.AddCookie(cookie) }).Data["viewer"]
		same(t, "signed in", viewer, a.Data["acceptInvitation"])
		return fmt.Sprint(viewer)
	}
	const gone = "not_found: This invitation is no longer valid. Ask for a new one."
	stranger, known := invite("new@x.test"), invite("known@x.test")
	const common = "validation_failed /password invalid: password is too common. Choose one that others do not use."
	same(t, "a common password", []string{accept(stranger, "password1234"), accept(known, "password1234")}, []string{common, common})
	same(t, "a new account", accept(stranger, "tulips in may"), "map[email:new@x.test role:member workspaceName:Acme]")
	same(t, "twice", accept(stranger, "tulips in may"), gone)
	same(t, "a wrong password", accept(known, "tulips in may"), "unauthorized: The address or the password is wrong.")
	same(t, "the account's password", accept(known, "battery staple"), "map[email:known@x.test role:member workspaceName:Acme]")
	for _, token := range []string{"", "x", known, strings.Repeat("A", 48), stranger[:47] + "A"} {
		same(t, "token "+token, accept(token, "tulips in may"), gone)
	}
	last := invite("late@x.test")
	id := s.post(h, `{ invitations { id email invitedBy } }`, ann).Data["invitations"].([]any)[0].(map[string]any)["id"]
	same(t, "revoked", refusal(s.post(h, fmt.Sprintf(`mutation { revokeInvitation(id: %q) }`, id), ann)), "none")
	same(t, "after that", accept(last, "tulips in may"), gone)
}

// code returns the one-time code of a secret at a time, by RFC 4226, section 5.3.
func code(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	must(t, err)
	mac := hmac.New(sha1.New, raw)
	must(t, binary.Write(mac, binary.BigEndian, at.Unix()/30))
	sum := mac.Sum(nil)
	start := sum[len(sum)-1] & 15
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[start:])&0x7fffffff%1_000_000)
}

func TestTwoFactorSignIn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	s.user("bob@x.test", outreach.RoleMember)
	ann, bob := s.in(h, "ann@x.test", "correct horse"), s.in(h, "bob@x.test", "correct horse")
	signIn := func(code string) string {
		return refusal(s.post(h, fmt.Sprintf(`mutation { signIn(email: "ann@x.test", password: "correct horse"%s) { id } }`, code), nil))
	}
	setup := s.post(h, `mutation { startTotp { secret uri } }`, ann).Data["startTotp"].(map[string]any)
	secret := setup["secret"].(string)
	if !strings.HasPrefix(setup["uri"].(string), "otpauth://totp/Outreach:ann@x.test?") {
		t.Errorf("the address is %s", setup["uri"])
	}
	same(t, "not on yet", signIn(""), "none")
	same(t, "a wrong code", refusal(s.post(h, `mutation { confirmTotp(code: "12345") }`, ann)),
		"validation_failed /code invalid: The code is wrong. Check the clock of your device.")
	now := s.clock.Now()
	on := s.post(h, fmt.Sprintf(`mutation { confirmTotp(code: %q) }`, code(t, secret, now)), ann)
	recovery := on.Data["confirmTotp"].([]any)
	same(t, "recovery codes", len(recovery), 10)

	const wrong = "unauthorized: The code is wrong, or it was used before."
	same(t, "without a code", signIn(""), "totp_required: Enter the code of your authenticator app, or a recovery code.")
	same(t, "the code that turned it on", signIn(fmt.Sprintf(`, code: %q`, code(t, secret, now))), wrong)
	s.clock.Advance(31 * time.Second)
	fresh := fmt.Sprintf(`, code: "%s"`, code(t, secret, s.clock.Now()))
	same(t, "a code", signIn(fresh), "none")
	same(t, "the same again", signIn(fresh), wrong)
	same(t, "a recovery code", signIn(fmt.Sprintf(`, code: " %s "`, strings.ToUpper(recovery[0].(string)))), "none")
	same(t, "the same again", signIn(fmt.Sprintf(`, code: %q`, recovery[0])), wrong)

	same(t, "required", refusal(s.post(h, `mutation { setTotpRequired(required: true) }`, ann)), "none")
	const setUp = "totp_setup_required: This workspace requires two-factor sign-in. Turn it on to continue."
	same(t, "Bob has none", refusal(s.post(h, `{ prospects { nextCursor } }`, bob)), setUp)
	same(t, "his viewer", s.post(h, `{ viewer { totp totpRequired } }`, bob).Data["viewer"],
		any(map[string]any{"totp": false, "totpRequired": true}))
	secret = s.post(h, `mutation { startTotp { secret } }`, bob).Data["startTotp"].(map[string]any)["secret"].(string)
	same(t, "Bob turns it on",
		refusal(s.post(h, fmt.Sprintf(`mutation { confirmTotp(code: %q) }`, code(t, secret, s.clock.Now())), bob)), "none")
	same(t, "Bob works", refusal(s.post(h, `{ prospects { nextCursor } }`, bob)), "none")
	same(t, "it stays on", refusal(s.post(h, `mutation { disableTotp }`, ann)), "invalid_state: This workspace requires two-factor sign-in.")
	same(t, "not required", refusal(s.post(h, `mutation { setTotpRequired(required: false) }`, ann)), "none")
	same(t, "off", refusal(s.post(h, `mutation { disableTotp }`, ann)), "none")
	same(t, "no code is asked", signIn(""), "none")
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	s.user("ann@x.test", outreach.RoleOwner)
	s.user("bob@x.test", outreach.RoleOwner)
	here, elsewhere, bob := s.in(h, "ann@x.test", "correct horse"), s.in(h, "ann@x.test", "correct horse"),
		s.in(h, "bob@x.test", "correct horse")
	list := s.post(h, `{ sessions { id current client agent } }`, here).Data["sessions"].([]any)
	same(t, "own sessions", len(list), 2)
	var other string
	for _, one := range list {
		if one := one.(map[string]any); one["current"] == false {
			other = one["id"].(string)
		}
	}
	end := fmt.Sprintf(`mutation { endSession(id: %q) }`, other)
	same(t, "another user", refusal(s.post(h, end, bob)), "not_found: "+outreach.ErrNotFound.Message)
	same(t, "ended", refusal(s.post(h, end, here)), "none")
	same(t, "signed in here, elsewhere, and Bob",
		[]bool{s.signedIn(h, here), s.signedIn(h, elsewhere), s.signedIn(h, bob)}, []bool{true, false, true})
}

// Each sensitive action writes an audit entry that names the user and the client.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.full(nil)
	from := func(r *http.Request) { *r = *r.WithContext(outreach.WithClient(r.Context(), "203.0.113.9")) }
	s.user("ann@x.test", outreach.RoleOwner)
	s.post(h, strings.Replace(signIn, "correct", "wrong", 1), from)
	testkit.Eventually(t, "the failure is recorded", func() bool {
		entries, err := s.db.ListAudit(s.ctx, s.ws, outreach.AuditFilter{}, outreach.Page{Limit: 1})
		return err == nil && len(entries.Rows) == 1
	})
	in := s.in(h, "ann@x.test", "correct horse")
	ann := func(r *http.Request) { in(r); from(r) }
	box, _ := s.correspondents(s.ws, "mine")
	suppression, err := s.db.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Domain: new("evil.test")})
	must(t, err)
	campaign := outreach.NewCampaign()
	campaign.WorkspaceID, campaign.Name, campaign.MailboxIDs = s.ws, "Spring", []uuid.UUID{box}
	campaign.Steps = []outreach.Step{{Subject: new("Hi"), BodyText: new("text")}}
	made, err := s.db.CreateCampaign(s.ctx, campaign)
	must(t, err)
	for _, document := range []string{
		`mutation { rotateToken { token } }`,
		`mutation { revokeToken }`,
		`mutation { inviteMember(email: "c@x.test") { token } }`,
		fmt.Sprintf(`mutation { updateMailbox(id: %q, input: {dailyLimit: 3}) { id } }`, box),
		`mutation { setOAuthClient(provider: google, input: {clientId: "id", clientSecret: "hidden words"}) { clientId } }`,
		`mutation { deleteOAuthClient(provider: google) }`,
		fmt.Sprintf(`mutation { activateCampaign(id: %q) { id } }`, made.ID),
		fmt.Sprintf(`mutation { deleteSuppression(id: %q) }`, suppression.Suppression.ID),
		changePassword("correct horse", "tulips in may"),
	} {
		same(t, document, refusal(s.post(h, document, ann)), "none")
	}
	made2 := s.post(h, `mutation { createSubscription(input: {url: "https://b.test/", events: [sent]}) { id } }`,
		ann).Data["createSubscription"].(map[string]any)
	s.post(h, fmt.Sprintf(`mutation { revealSubscriptionSecret(id: %q) { secret } }`, made2["id"]), ann)
	s.field(fmt.Sprintf(`mutation { deleteSubscription(id: %q) }`, made2["id"]), nil)
	var got []string
	for _, line := range s.post(h, `{ auditLog { nodes { actor action subject client } } }`,
		ann).Data["auditLog"].(map[string]any)["nodes"].([]any) {
		l := line.(map[string]any)
		got = append(got, fmt.Sprint(l["actor"], " ", l["action"], " ", l["subject"], " ", l["client"]))
	}
	same(t, "lines", got, []string{
		"API token subscription_deleted https://b.test/ <nil>",
		"ann@x.test secret_shown https://b.test/ 203.0.113.9",
		"ann@x.test subscription_created https://b.test/ 203.0.113.9",
		"ann@x.test password_changed <nil> 203.0.113.9",
		"ann@x.test suppression_deleted evil.test 203.0.113.9",
		"ann@x.test campaign_activated Spring 203.0.113.9",
		"ann@x.test oauth_client_deleted Google 203.0.113.9",
		"ann@x.test oauth_client_set Google 203.0.113.9",
		"ann@x.test mailbox_changed mine@box.test 203.0.113.9",
		"ann@x.test member_invited c@x.test 203.0.113.9",
		"ann@x.test token_revoked <nil> 203.0.113.9",
		"ann@x.test token_created ort_tokenpre 203.0.113.9",
		"ann@x.test signed_in <nil> <nil>",
		"ann@x.test sign_in_failed wrong password 203.0.113.9",
	})
}
