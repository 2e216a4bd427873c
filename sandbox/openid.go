package sandbox

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// The client that is registered at the sandbox's providers.
const (
	ClientID     = "sandbox-client"
	ClientSecret = "sandbox-client-secret"
	// Tenant is the one directory of the sandbox's Microsoft.
	Tenant = "7f3e4a52-0000-4000-8000-5a17db0c0001"
)

// The providers that the sandbox simulates.
const (
	google    = "google"
	microsoft = "microsoft"
)

// openID simulates the identity servers of Google and Microsoft: discovery, a consent page with a
// button for each account, codes, tokens and their renewal. Tokens are signed, so that they stay
// valid after a restart.
type openID struct {
	base     string // of its own address
	accounts *accounts
	now      func() time.Time
	key      *ecdsa.PrivateKey
	server   *http.Server

	mu        sync.Mutex
	secret    []byte // signs tokens
	quirks    Quirks
	foreign   func(username, token string) (ends time.Time, ok bool)
	redirects []string
	codes     map[string]consent
	ended     map[string]bool  // refresh tokens that were replaced
	revoked   map[string]int64 // when the tokens of an account ended, in nanoseconds
	renewals  int
	used      map[string]int // how often a refresh token was presented, by its id
	issued    []string       // all tokens of this run
}

// consent is the data of a code.
type consent struct {
	Provider, Account, Redirect, Challenge, Nonce string
	Lasting                                       bool
	expires                                       time.Time
}

// token is the content of a token.
type token struct {
	Kind     string `json:"kind"` // access or refresh
	Provider string `json:"provider"`
	Account  string `json:"account"` // empty: the client's own, for every account
	Issued   int64  `json:"issued"`  // nanoseconds
	Expires  int64  `json:"expires"` // seconds; 0 never
	ID       string `json:"id"`
}

func newOpenID(base string, accounts *accounts, secret []byte, now func() time.Time) (*openID, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	o := &openID{base: base, accounts: accounts, now: now, key: key, secret: secret,
		codes: map[string]consent{}, ended: map[string]bool{}, revoked: map[string]int64{}, used: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /google/.well-known/openid-configuration", o.describe(google))
	mux.HandleFunc("GET /microsoft/{tenant}/v2.0/.well-known/openid-configuration", o.describe(microsoft))
	mux.HandleFunc("GET /keys", o.keys)
	for _, provider := range []string{google, microsoft} {
		mux.HandleFunc("GET /"+provider+"/authorize", o.ask(provider))
		mux.HandleFunc("POST /"+provider+"/authorize", o.decide(provider))
		mux.HandleFunc("POST /"+provider+"/token", o.hand(provider))
	}
	mux.HandleFunc("GET /{$}", o.overview)
	mux.HandleFunc("POST /revoke", o.revokeByForm)
	mux.HandleFunc("POST /quirks", o.quirksByForm)
	mux.HandleFunc("POST /providers", o.providersByForm)
	o.server = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return o, nil
}

// describe answers OpenID Connect Discovery 1.0. Microsoft names tenants by id, and
// groups of them by a template. It refuses a tenant that does not exist.
func (o *openID) describe(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		issuer := o.base + "/google"
		if provider == microsoft {
			tenant := r.PathValue("tenant")
			switch tenant {
			case "organizations", "common":
				tenant = "{tenantid}"
			case Tenant:
			default:
				answerJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_tenant", "error_codes": []int{90002},
					"error_description": "AADSTS90002: Tenant '" + tenant + "' not found."})
				return
			}
			issuer = o.base + "/microsoft/" + tenant + "/v2.0"
		}
		says := map[string]any{
			"issuer": issuer, "jwks_uri": o.base + "/keys", "response_types_supported": []string{"code"},
			"authorization_endpoint": o.base + "/" + provider + "/authorize", "token_endpoint": o.base + "/" + provider + "/token",
			"id_token_signing_alg_values_supported": []string{"ES256"}, "subject_types_supported": []string{"pairwise"},
			"code_challenge_methods_supported": []string{"S256"},
		}
		if provider == google {
			says["authorization_response_iss_parameter_supported"] = true
		}
		answerJSON(w, http.StatusOK, says)
	}
}

func (o *openID) keys(w http.ResponseWriter, _ *http.Request) {
	answerJSON(w, http.StatusOK,
		jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: &o.key.PublicKey, KeyID: o.keyID(), Algorithm: "ES256", Use: "sig"}}})
}

func (o *openID) keyID() string {
	public, err := o.key.PublicKey.Bytes()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(public)
	return base64.RawURLEncoding.EncodeToString(sum[:8])
}

func answerJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have closed the connection
}

// request checks a request for the consent page or its button. A redirect that is not registered is
// not followed (RFC 9700, section 4.1.3).
func (o *openID) request(form url.Values) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case form.Get("client_id") != ClientID:
		return errors.New("no such client")
	case !slices.Contains(o.redirects, form.Get("redirect_uri")):
		return errors.New("this redirect_uri is not registered for the client")
	case form.Get("response_type") != "code" || form.Get("code_challenge_method") != "S256" || form.Get("state") == "":
		return errors.New("the request must ask for a code and have a state and an S256 challenge")
	}
	return nil
}

func (o *openID) ask(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		if err := o.request(asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var accounts []string
		for _, account := range o.accounts.list() {
			if account != ProspectsMailbox {
				accounts = append(accounts, account)
			}
		}
		showOpenID(w, "consent", map[string]any{"Provider": provider, "Accounts": accounts, "Hint": asked.Get("login_hint")})
	}
}

func (o *openID) decide(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked := r.URL.Query()
		if err := o.request(asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer := url.Values{"state": {asked.Get("state")}}
		if provider == google {
			answer.Set("iss", o.base+"/google")
		}
		account := r.PostFormValue("account")
		if account == "" || o.accounts.password(account) == "" {
			answer.Set("error", "access_denied")
		} else {
			answer.Set("code", o.code(provider, account, asked))
		}
		http.Redirect(w, r, asked.Get("redirect_uri")+"?"+answer.Encode(), http.StatusSeeOther)
	}
}

const codeLife = time.Minute

func (o *openID) code(provider, account string, asked url.Values) string {
	lasting := strings.Contains(" "+asked.Get("scope")+" ", " offline_access ")
	if provider == google {
		lasting = asked.Get("access_type") == "offline" && asked.Get("prompt") == "consent"
	}
	code := rand.Text()
	o.mu.Lock()
	defer o.mu.Unlock()
	o.codes[code] = consent{Provider: provider, Account: account, Redirect: asked.Get("redirect_uri"), Challenge: asked.Get("code_challenge"),
		Nonce: asked.Get("nonce"), Lasting: lasting, expires: o.now().Add(codeLife)}
	return code
}

// oauthError is an error of a token request (RFC 6749, section 5.2).
type oauthError struct {
	status int
	code   string
}

func (e *oauthError) Error() string { return e.code }

// hand answers token requests.
func (o *openID) hand(provider string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		before, after := o.hooks(r)
		before()
		if r.Context().Err() != nil {
			return // the client has closed the connection
		}
		answer, err := o.tokens(provider, r)
		if refused, ok := errors.AsType[*oauthError](err); ok {
			answerJSON(w, refused.status, map[string]string{"error": refused.code, "error_description": "The sandbox refuses: " + refused.code})
			return
		}
		if err != nil {
			http.Error(w, "The sandbox cannot sign.", http.StatusInternalServerError)
			return
		}
		after()
		answerJSON(w, http.StatusOK, answer)
	}
}

func (o *openID) tokens(provider string, r *http.Request) (map[string]any, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.quirks.Away:
		return nil, &oauthError{http.StatusServiceUnavailable, "temporarily_unavailable"}
	case o.quirks.RefusesClient, r.PostFormValue("client_id") != ClientID, r.PostFormValue("client_secret") != ClientSecret:
		return nil, &oauthError{http.StatusUnauthorized, "invalid_client"}
	}
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		return o.exchange(provider, r.PostForm)
	case "refresh_token":
		return o.renew(provider, r.PostFormValue("refresh_token"))
	case "client_credentials":
		if provider == microsoft && r.PostFormValue("scope") == "https://outlook.office365.com/.default" {
			return o.answer(provider, "", false), nil
		}
	}
	return nil, &oauthError{http.StatusBadRequest, "unsupported_grant_type"}
}

// exchange accepts a code once, from the client with the verifier (RFC 7636).
func (o *openID) exchange(provider string, form url.Values) (map[string]any, error) {
	given, known := o.codes[form.Get("code")]
	delete(o.codes, form.Get("code"))
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	if !known || given.Provider != provider || o.now().After(given.expires) || given.Redirect != form.Get("redirect_uri") ||
		given.Challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		return nil, &oauthError{http.StatusBadRequest, "invalid_grant"}
	}
	answer := o.answer(provider, given.Account, given.Lasting)
	identity, err := o.identity(given)
	answer["id_token"] = identity
	return answer, err
}

func (o *openID) renew(provider, refresh string) (map[string]any, error) {
	old, ok := o.read(refresh)
	o.used[old.ID]++
	if !ok || old.Kind != "refresh" || old.Provider != provider || o.ended[old.ID] {
		return nil, &oauthError{http.StatusBadRequest, "invalid_grant"}
	}
	o.renewals++
	answer := o.answer(provider, old.Account, provider == microsoft || o.quirks.EndsFormer)
	if o.quirks.EndsFormer {
		o.ended[old.ID] = true
	}
	return answer, nil
}

// answer issues tokens for an account, or for the client if there is no account.
func (o *openID) answer(provider, account string, lasting bool) map[string]any {
	life, now := cmp.Or(o.quirks.TokenLife, time.Hour), o.now()
	access := token{Kind: "access", Provider: provider, Account: account, Issued: now.UnixNano(),
		Expires: now.Add(life).Unix(), ID: rand.Text()}
	scope := "https://mail.google.com/ openid https://www.googleapis.com/auth/userinfo.email"
	if provider == microsoft {
		scope = "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send"
	}
	answer := map[string]any{"access_token": o.sign(access), "token_type": "Bearer", "expires_in": int(life.Seconds()), "scope": scope}
	if lasting {
		refresh := token{Kind: "refresh", Provider: provider, Account: account, Issued: now.UnixNano(), ID: rand.Text()}
		if o.quirks.GrantLife > 0 {
			refresh.Expires = now.Add(o.quirks.GrantLife).Unix()
		}
		answer["refresh_token"] = o.sign(refresh)
	}
	return answer
}

func (o *openID) identity(c consent) (string, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: o.key, KeyID: o.keyID()}}, nil)
	if err != nil {
		return "", fmt.Errorf("sign identity: %w", err)
	}
	now, email := o.now(), cmp.Or(o.quirks.ClaimedEmail, c.Account)
	claims := map[string]any{"iss": o.base + "/google", "aud": ClientID, "sub": c.Account, "email": email, "nonce": c.Nonce,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	if c.Provider == microsoft {
		tenant := cmp.Or(o.quirks.Tenant, Tenant)
		claims["iss"], claims["tid"], claims["preferred_username"] = o.base+"/microsoft/"+tenant+"/v2.0", tenant, email
	}
	text, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		return "", fmt.Errorf("sign identity: %w", err)
	}
	return text, nil
}

func (o *openID) mac(body string) string {
	h := hmac.New(sha256.New, o.secret)
	h.Write([]byte(body))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

func (o *openID) sign(t token) string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(err) // a struct of texts and numbers
	}
	body := base64.RawURLEncoding.EncodeToString(text)
	o.issued = append(o.issued, body+"."+o.mac(body))
	return o.issued[len(o.issued)-1]
}

// read returns the content of a valid token.
func (o *openID) read(text string) (t token, ok bool) {
	body, mac, _ := strings.Cut(text, ".")
	if !hmac.Equal([]byte(mac), []byte(o.mac(body))) {
		return t, false
	}
	plain, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil || json.Unmarshal(plain, &t) != nil {
		return t, false
	}
	now := o.now()
	dead := t.Expires != 0 && now.Unix() >= t.Expires
	return t, !dead && t.Issued > o.revoked[fold(t.Account)]
}

// login returns the end of an access token. It returns false if the token does not open the
// account.
func (o *openID) login(username, text string) (ends time.Time, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.foreign != nil && o.accounts.password(username) != "" {
		if ends, ok := o.foreign(username, text); ok {
			return ends, true
		}
	}
	t, ok := o.read(text)
	ok = ok && t.Kind == "access" && (t.Account == "" || fold(t.Account) == fold(username)) && o.accounts.password(username) != ""
	return time.Unix(t.Expires, 0), ok
}

// revoke makes all tokens of an account invalid, like a change of its password.
func (o *openID) revoke(account string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.revoked[fold(account)] = o.now().UnixNano()
}

func (o *openID) overview(w http.ResponseWriter, _ *http.Request) {
	showOpenID(w, "overview", map[string]any{"Accounts": o.accounts.list(), "Quirks": namedQuirks, "Providers": providerQuirks})
}

// revokeByForm handles the button of the overview. Forms of other sites are refused.
func (o *openID) revokeByForm(w http.ResponseWriter, r *http.Request) {
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		http.Error(w, "Only a form of this page can do this.", http.StatusForbidden)
		return
	}
	o.revoke(r.PostFormValue("account"))
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func (o *openID) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := o.server.Shutdown(ctx); err != nil {
		return o.server.Close()
	}
	return nil
}
