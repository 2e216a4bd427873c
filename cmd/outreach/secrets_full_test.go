//go:build full

package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/jobs"
	"outreach/oauth"
	"outreach/sandbox"
)

// vault is a stage that knows every secret that it uses, and keeps all that the service tells.
type vault struct {
	*stage
	mu      sync.Mutex
	known   map[string]string
	answers *record // with a status of 400 and more, or errors of GraphQL
	queue   *record // all commands of Redis
	server  *serverLog
	spans   *collector
	redis   redis.UniversalClient
	issuer  *echoIssuer
	browser *http.Client
}

func newVault(t *testing.T) *vault {
	v := &vault{stage: newStage(t), known: map[string]string{}, answers: &record{show: io.Discard}, queue: &record{show: io.Discard},
		spans: newCollector(t), issuer: newEchoIssuer(t)}
	v.log.show = io.Discard // at level debug it is long
	address := testdb.OwnRedis(t, false).URL()
	option, err := jobs.ParseRedis(address)
	testkit.NoError(t, err)
	client := option.MakeRedisClient().(*redis.Client)
	v.redis = client
	t.Cleanup(func() { _ = client.Close() })
	v.watchQueue(client.Options())
	maps.Copy(v.vars, map[string]string{
		"REDIS_URL": address, "OUTREACH_LOG_LEVEL": "debug", "OTEL_EXPORTER_OTLP_ENDPOINT": v.spans.URL,
		"OUTREACH_MICROSOFT_ISSUER": v.issuer.URL, "OUTREACH_RATE_LIMIT": "6000",
		"OUTREACH_MICROSOFT_CLIENT_SECRET": v.secret("secret of a client"), "OUTREACH_METRICS_ADDR": testkit.ReserveAddr(t),
		panicVar: filepath.Join(t.TempDir(), "panic"),
	})
	v.server = v.openServerLog()
	v.known["key of the installation"] = v.vars["OUTREACH_SECRET_KEY"]
	v.known["secret of the client"] = sandbox.ClientSecret
	v.known["password of the owner"], v.known["first API token"] = v.password, v.token
	v.client.Transport = watching{v, v.client.Transport}
	v.browser = v.newBrowser()
	return v
}

// secret makes a secret that the service may not show.
func (v *vault) secret(name string) string { return v.keep(name, rand.Text()+rand.Text()) }

func (v *vault) keep(name, secret string) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if secret != "" {
		v.known[fmt.Sprintf("%s %d", name, len(v.known))] = secret
	}
	return secret
}

func (v *vault) newBrowser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Timeout: time.Minute, Transport: watching{v, http.DefaultTransport}}
}

// watching keeps what refuses, and the secrets in redirects and cookies.
type watching struct {
	v    *vault
	next http.RoundTripper
}

func (w watching) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := w.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(text))
	for _, cookie := range response.Cookies() {
		w.v.keep("cookie "+cookie.Name, cookie.Value)
	}
	if to, none := response.Location(); none == nil {
		for _, name := range []string{"state", "code"} {
			w.v.keep(name, to.Query().Get(name))
		}
	}
	if response.StatusCode >= http.StatusBadRequest || bytes.Contains(text, []byte(`"errors":`)) {
		response.Header.Del("Set-Cookie")
		fmt.Fprintf(w.v.answers, "%d %v\n%s\n", response.StatusCode, response.Header, text)
	}
	return response, err
}

// watchQueue keeps all that anything sends to Redis.
func (v *vault) watchQueue(server *redis.Options) {
	v.t.Helper()
	conn, err := new(net.Dialer).DialContext(v.t.Context(), server.Network, server.Addr)
	testkit.NoError(v.t, err)
	_, err = io.WriteString(conn, "MONITOR\r\n")
	testkit.NoError(v.t, err)
	done := make(chan struct{})
	go func() { defer close(done); _, _ = io.Copy(v.queue, conn) }()
	v.t.Cleanup(func() { _ = conn.Close(); <-done })
}

// graphql runs an operation as the browser's user and returns its data.
func (v *vault) graphql(browser *http.Client, query string, variables object) object {
	v.t.Helper()
	text, err := json.Marshal(object{"query": query, "variables": variables})
	testkit.NoError(v.t, err)
	response, err := browser.Post(v.base+"/graphql", "application/json", bytes.NewReader(text))
	testkit.NoError(v.t, err)
	defer response.Body.Close()
	var answer struct{ Data object }
	testkit.NoError(v.t, json.NewDecoder(response.Body).Decode(&answer))
	return answer.Data
}

// No secret stands in clear in a log (of Postgres too), a trace, a metric, an error, the queue or a
// backup, after all that is done with it, after refusals and while a provider fails and repeats what
// it got, after handlers panicked and statements failed, and after processes died.
func TestSecretsStayHidden(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	api := v.spawnLogging("api", v.log)
	v.untilReady()
	at := v.vars["OUTREACH_METRICS_ADDR"]
	v.vars["OUTREACH_METRICS_ADDR"] = ""
	worker := v.spawnLogging("worker", v.log)

	v.makePanics()
	v.useAccounts()
	v.failStatements()
	v.useServers()
	v.makeMistakes()
	v.sendWebhooks()
	box := v.connectWatched(object{"provider": "google"})
	v.connectAtEcho()
	v.mail.SetQuirks(sandbox.Quirks{Away: true})
	v.checkFails(box, http.StatusUnprocessableEntity)
	v.mail.SetQuirks(sandbox.Quirks{RefusesClient: true})
	v.checkFails(box, http.StatusUnprocessableEntity)
	metrics := get(t, "http://"+at+"/metrics")

	v.eventually(time.Minute, "the spans of the connection are exported", func() bool { return v.spans.has("/oauth/callback") })

	// Both processes die while they renew, one with a dump of all it does.
	asked := make(chan struct{}, 10)
	v.mail.SetQuirks(sandbox.Quirks{Renewing: func() { asked <- struct{}{}; <-time.After(time.Second) }})
	v.endTokens()
	v.leasesEnd()
	<-asked
	testkit.NoError(t, worker.command.Process.Signal(syscall.SIGQUIT))
	<-worker.ended
	api.kill()
	v.mail.SetQuirks(sandbox.Quirks{})

	// The next ones renew at an issuer that repeats what it gets.
	v.vars["OUTREACH_GOOGLE_ISSUER"] = v.issuer.URL
	v.vars["OUTREACH_METRICS_ADDR"] = at
	api = v.spawnLogging("api", v.log)
	v.untilReady()
	for _, kind := range echoes {
		v.issuer.answers(kind)
		v.checkFails(box, http.StatusUnprocessableEntity)
	}
	v.issuer.answers("refused")
	if checked := v.checkFails(box, http.StatusOK); !strings.Contains(toText(checked), "no longer accepts the previous token") {
		t.Errorf("the check answers %v", checked)
	}
	metrics += get(t, "http://"+at+"/metrics")
	api.stop() // sends the spans that are left
	v.judge(metrics)
}

// useAccounts signs in, turns on a second factor, invites a member, and makes tokens and secrets.
func (v *vault) useAccounts() {
	v.t.Helper()
	b := v.browser
	const signIn = `mutation ($e: String!, $p: String!, $c: String) { signIn(email: $e, password: $p, code: $c) { id } }`
	v.graphql(b, signIn, object{"e": v.email, "p": v.secret("wrong password")})
	v.graphql(b, signIn, object{"e": v.email, "p": v.password})
	v.graphql(b, `mutation ($p: String!) { confirmPassword(password: $p) }`, object{"p": v.password})

	setup := v.graphql(b, `mutation { startTotp { secret uri } }`, nil)["startTotp"].(object)
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(v.keep("secret of the second factor", setup["secret"].(string)))
	testkit.NoError(v.t, err)
	v.keep("bytes of the second factor", string(raw))
	codes := v.graphql(b, `mutation ($c: String!) { confirmTotp(code: $c) }`, object{"c": oneTimeCode(raw)})["confirmTotp"].([]any)
	for _, code := range codes {
		v.keep("recovery code", code.(string))
	}
	for _, code := range []string{codes[0].(string), codes[0].(string), v.secret("wrong code")} {
		v.graphql(v.newBrowser(), signIn, object{"e": v.email, "p": v.password, "c": code})
	}

	made := v.graphql(b, `mutation { inviteMember(email: "new@stage.test", role: member) { token } }`, nil)["inviteMember"].(object)
	link := v.keep("invitation", made["token"].(string))
	const accept = `mutation ($t: String!, $p: String!) { acceptInvitation(token: $t, password: $p) { id } }`
	v.graphql(v.newBrowser(), accept, object{"t": v.secret("wrong invitation"), "p": v.secret("password without an account")})
	v.graphql(v.newBrowser(), accept, object{"t": link, "p": v.secret("password of a member")})

	old := v.token
	v.token = v.keep("API token", v.graphql(b, `mutation { rotateToken { token } }`, nil)["rotateToken"].(object)["token"].(string))
	request, err := http.NewRequest(http.MethodGet, v.base+"/api/v1/me", nil)
	testkit.NoError(v.t, err)
	request.Header.Set("Authorization", "Bearer "+old)
	response, err := v.client.Do(request)
	testkit.NoError(v.t, err)
	testkit.NoError(v.t, response.Body.Close())
	v.graphql(b, `mutation ($s: String!) { setOAuthClient(provider: microsoft, input: {clientId: "own", clientSecret: $s, tenant: "acme.test"})
		{ clientId } }`, object{"s": v.secret("secret of the workspace's client")})
	v.graphql(b, `mutation { deleteOAuthClient(provider: microsoft) }`, nil)
}

// useServers makes mailboxes and subscriptions with secrets that are right, wrong and repeated.
func (v *vault) useServers() {
	v.t.Helper()
	account, err := v.mail.AddMailbox("box@sender.test", v.secret("password of a mailbox"))
	testkit.NoError(v.t, err)
	body := mailboxOf(account, "Stage")
	made := v.call(http.StatusCreated, http.MethodPost, "/mailboxes", body)
	for _, server := range []string{"smtp", "imap"} {
		v.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+made["id"].(string),
			object{server: object{"password": v.secret("wrong password of a mailbox")}})
	}
	fault := v.startEchoSMTP()
	v.call(http.StatusUnprocessableEntity, http.MethodPatch, "/mailboxes/"+made["id"].(string),
		object{"smtp": object{"host": fault.Host, "port": fault.Port, "username": "me", "security": "none",
			"password": v.secret("password for a server that repeats it")}})

	for _, address := range []string{v.receiver.URL(), "https://" + testkit.ReserveAddr(v.t)} {
		request, err := http.NewRequest(http.MethodPost, v.base+"/api/v1/subscriptions",
			strings.NewReader(`{"url": "`+address+`", "events": ["sent", "replied"]}`))
		testkit.NoError(v.t, err)
		request.Header = http.Header{"Authorization": {"Bearer " + v.token}, "Content-Type": {"application/json"}, "Idempotency-Key": {address}}
		response, err := v.client.Do(request)
		testkit.NoError(v.t, err)
		var subscription object
		testkit.NoError(v.t, json.NewDecoder(response.Body).Decode(&subscription))
		testkit.NoError(v.t, response.Body.Close())
		secret := v.keep("webhook secret", subscription["secret"].(string))
		if address == v.receiver.URL() {
			testkit.NoError(v.t, v.receiver.SetSecret(secret))
		}
	}
	id := v.list("/subscriptions")[0]["id"].(string)
	v.keep("webhook secret", v.call(http.StatusOK, http.MethodPost, "/subscriptions/"+id+"/rotate_secret", nil)["secret"].(string))
	v.graphql(v.browser, `mutation { revealSubscriptionSecret(id: "`+id+`") { secret } }`, nil)
}

// sendWebhooks sends a mail, whose event goes to an endpoint that answers and to one that does not.
func (v *vault) sendWebhooks() {
	v.t.Helper()
	made := v.call(http.StatusCreated, http.MethodPost, "/campaigns",
		object{"name": "Stage", "send_days": allDays, "send_from": "00:00", "send_until": "23:59",
			"mailbox_ids": []any{v.list("/mailboxes")[0]["id"]}, "steps": []object{{"subject": "Hello", "body_text": "Would a call suit you?"}}})
	v.call(http.StatusOK, http.MethodPost, "/campaigns/"+made["id"].(string)+"/activate", nil)
	v.call(http.StatusCreated, http.MethodPost, "/enrollments",
		object{"campaign_id": made["id"], "prospect": object{"email": "ada@a.example"}})
	v.eventually(2*time.Minute, "one delivery arrived, the other failed three times", func() bool {
		return len(v.list("/deliveries?status=delivered")) == 1 && len(v.list("/deliveries?status=failed")) == 1
	})
}

// makeMistakes puts secrets where they do not belong.
func (v *vault) makeMistakes() {
	v.t.Helper()
	for _, path := range []string{"/me?access_token=" + v.token, "/prospects/" + v.token, "/" + v.token,
		"/prospects?cursor=" + v.token} {
		status, _, err := v.try(http.MethodGet, path, nil)
		if err != nil || status < http.StatusBadRequest {
			v.t.Errorf("%.20s… answers %d, %v", path, status, err)
		}
	}
	password := v.secret("misplaced password")
	for path, body := range map[string]any{
		"/mailboxes":           object{"email": "me@acme.test", "smtp": object{"password": []any{password}}, "imap": password},
		"/subscriptions":       object{"url": "http://user:" + password + "@hook.example/", "events": []any{password}},
		"/mailbox_connections": object{"provider": password, "mailbox_id": password},
	} {
		v.call(http.StatusUnprocessableEntity, http.MethodPost, path, body)
	}
	v.checkRaw(`{"email": "me@acme.test", "password": "`+password+`" "`+password, http.StatusBadRequest, "invalid_json")
	for _, query := range []string{
		`mutation { signIn(email: "x@x.test", password: "` + password + `" { id } }`,
		`mutation { signIn(email: "x@x.test", password: "` + password + `", code: ` + password + `) { id } }`,
		`mutation { signIn(email: "x@x.test" password "` + password + `") { id } }`,
		`mutation { signIn(email: "x@x.test", pass: "` + password + `") { id } }`,
		`{ mailbox(id: "` + password + `") { id } }`,
	} {
		v.graphql(v.browser, query, nil)
	}
	for _, variables := range []object{{"p": object{"p": password}}, {"p": []any{password}}, {"p": nil, "q": password}} {
		v.graphql(v.browser, `mutation ($p: String!) { confirmPassword(password: $p) }`, variables)
	}
}

// connectWatched connects a mailbox, and goes wrong ways before and after.
func (v *vault) connectWatched(body object) (mailbox string) {
	v.t.Helper()
	begun := v.call(http.StatusCreated, http.MethodPost, "/mailbox_connections", body)
	link := begun["authorize_url"].(string)
	v.keep("link of a connection", link[strings.LastIndexByte(link, '/')+1:])
	browser := v.newBrowser()
	v.surf(browser, http.MethodGet, link, nil)
	_, consent := v.surf(browser, http.MethodPost, link, nil)
	v.keepVerifiers()
	var answer string
	browser.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), v.base+oauth.CallbackPath) {
			answer = r.URL.String()
			v.surf(v.newBrowser(), http.MethodGet, answer, nil) // another browser
		}
		return nil
	}
	page, _ := v.surf(browser, http.MethodPost, consent, url.Values{"account": {sandbox.GoogleMailbox}})
	if !strings.Contains(page, "is connected to Stage.") {
		v.t.Fatalf("at the end it shows %s", page)
	}
	for _, again := range []string{link, answer} {
		v.surf(browser, http.MethodGet, again, nil)
	}
	return v.call(http.StatusOK, http.MethodGet, "/mailbox_connections/"+begun["id"].(string), nil)["mailbox_id"].(string)
}

// keepVerifiers keeps the PKCE verifiers of attempts that are under way.
func (v *vault) keepVerifiers() {
	v.t.Helper()
	v.mu.Lock()
	known := maps.Clone(v.known)
	v.mu.Unlock()
	for name, state := range known {
		if !strings.HasPrefix(name, "state ") {
			continue
		}
		under, err := v.store.ConnectionByState(v.t.Context(), sha256.Sum256([]byte(state)))
		if err == nil {
			v.keep("verifier", under.Verifier)
		} else if outreach.CodeOf(err) != outreach.CodeNotFound {
			v.t.Fatal(err)
		}
	}
}

// connectAtEcho tries to connect at an issuer that repeats what it gets, in each way.
func (v *vault) connectAtEcho() {
	v.t.Helper()
	for _, kind := range append(echoes, "refused") {
		v.issuer.answers(kind)
		begun := v.call(http.StatusCreated, http.MethodPost, "/mailbox_connections", object{"provider": "microsoft"})
		v.surf(v.newBrowser(), http.MethodPost, begun["authorize_url"].(string), nil)
		if done := v.call(http.StatusOK, http.MethodGet, "/mailbox_connections/"+begun["id"].(string), nil); done["status"] != "failed" {
			v.t.Errorf("%s: the attempt is %v", kind, done)
		}
	}
}

// checkFails ends the access token, and checks the mailbox, which needs a new one.
func (v *vault) checkFails(box string, status int) object {
	v.t.Helper()
	v.endTokens()
	v.leasesEnd()
	return v.call(status, http.MethodPost, "/mailboxes/"+box+"/check", nil)
}

// backup returns a dump of the whole database.
func (v *vault) backup() string {
	v.t.Helper()
	file := filepath.Join(v.t.TempDir(), "backup.sql")
	v.postgres("pg_dump", "--file="+file, v.vars["DATABASE_URL"])
	text, err := os.ReadFile(file)
	testkit.NoError(v.t, err)
	return string(text)
}

// judge looks for all secrets in all places. Then it plants one in each place, and looks whether
// they would have been found.
func (v *vault) judge(metrics string) {
	v.t.Helper()
	for name, token := range v.mail.IssuedTokens() {
		v.keep(fmt.Sprintf("token %d", name), token)
	}
	maps.Copy(v.known, v.issuer.got())
	places := func() map[string]string {
		return map[string]string{"log": v.log.String(), "error": v.answers.String(), "trace": v.spans.text(), "metric": metrics,
			"queue": v.queue.String() + v.stored(), "backup": v.backup(), "log of Postgres": v.server.text(v.t)}
	}
	found := places()
	for place, holds := range map[string]string{"log": `"level":"DEBUG"`, "error": "request_id", "trace": "/oauth/callback",
		"metric": "outreach_http_request_duration_seconds", "queue": "webhooks}:pending", "backup": sandbox.GoogleMailbox,
		"log of Postgres": "arameters: $1 = "} {
		if !strings.Contains(found[place], holds) {
			v.t.Errorf("%s does not hold %q: the test looks at the wrong place (%.300s)", place, holds, found[place])
		}
	}
	for _, leak := range leaks(found, v.known) {
		v.t.Error(leak)
	}
	v.t.Logf("%d secrets, places: log %d kB, errors %d kB, traces %d kB, metrics %d kB, queue %d kB, backup %d kB", len(v.known),
		len(found["log"])>>10, len(found["error"])>>10, len(found["trace"])>>10, len(found["metric"])>>10, len(found["queue"])>>10,
		len(found["backup"])>>10)
	v.t.Logf("log of Postgres %d kB", len(found["log of Postgres"])>>10)

	planted := rand.Text() + rand.Text()
	fmt.Fprintf(v.log, "%s\n", planted)
	fmt.Fprintf(v.answers, "%s\n", planted)
	metrics += planted
	_, err := http.Post(v.spans.URL, "", strings.NewReader(planted))
	testkit.NoError(v.t, err)
	testkit.NoError(v.t, v.redis.HSet(v.t.Context(), "planted", "field", planted).Err())
	v.exec(`UPDATE workspaces SET name = '` + planted + `'`)
	v.server.write(v.t, planted)
	if got := leaks(places(), map[string]string{"planted secret": planted}); len(got) < len(found) {
		v.t.Errorf("a secret in each of %d places is found at %q alone", len(found), got)
	}
}

// stored returns all keys of Redis with their values.
func (v *vault) stored() string {
	v.t.Helper()
	ctx := v.t.Context()
	var all strings.Builder
	keys := v.redis.Scan(ctx, 0, "*", 1000).Iterator()
	for keys.Next(ctx) {
		kind, err := v.redis.Type(ctx, keys.Val()).Result()
		testkit.NoError(v.t, err)
		var value any
		switch kind {
		case "string":
			value = v.redis.Get(ctx, keys.Val()).Val()
		case "hash":
			value = v.redis.HGetAll(ctx, keys.Val()).Val()
		case "list":
			value = v.redis.LRange(ctx, keys.Val(), 0, -1).Val()
		case "set":
			value = v.redis.SMembers(ctx, keys.Val()).Val()
		case "zset":
			value = v.redis.ZRange(ctx, keys.Val(), 0, -1).Val()
		default:
			v.t.Errorf("%s is a %s, which the test does not read", keys.Val(), kind)
		}
		fmt.Fprintf(&all, "%s %s\n", keys.Val(), value)
	}
	testkit.NoError(v.t, keys.Err())
	return all.String()
}
