package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph"
	"outreach/graph/exec"
	"outreach/internal/graphstore"
	"outreach/mail"
	"outreach/mail/engine"
	"outreach/rest"
)

// office is a world that is driven over REST, and over GraphQL where REST has no call.
type office struct {
	*world
	queries *graph.Executor
	base    string
	token   string
	boxes   map[string]string // ids by address
}

// object is a JSON object.
type object = map[string]any

// applicationCalls are what the application does and REST does not.
var applicationCalls = map[string]string{
	"statuses":  `query q($ids: [UUID!]!) { all: mailStatuses(prospectIds: $ids) { prospectId state reason at } }`,
	"suppress":  `mutation m($i: SuppressionInput!) { made: createSuppression(input: $i) { stopped suppression { id } } }`,
	"undo":      `mutation m($ids: [UUID!]!, $stopped: [UUID!]!) { undo: undoSuppressions(ids: $ids, stopped: $stopped) { restored } }`,
	"duplicate": `mutation m($id: UUID!) { copy: duplicateCampaign(id: $id) { status mailboxIds steps { bodyText delayMinutes } } }`,
}

// freeProbes allows every test of a login.
type freeProbes struct{}

func (freeProbes) Begin(context.Context, uuid.UUID) (func(), error) { return func() {}, nil }

// noRecords is a DNS without records.
type noRecords struct{}

func (noRecords) CheckDomain(context.Context, outreach.DomainQuestion) outreach.DomainCheck {
	none := outreach.RecordCheck{Result: outreach.RecordNone}
	return outreach.DomainCheck{MX: none, SPF: none, DMARC: none}
}

// passwordsOnly is a service without OAuth.
type passwordsOnly struct{ graph.MailTokens }

func (passwordsOnly) Servers(outreach.MailProvider) (s outreach.ProviderServers, known bool) {
	return s, false
}

func (passwordsOnly) Authorize(context.Context, *outreach.Mailbox) error { return nil }

func newOffice(t *testing.T, at time.Time) *office {
	t.Helper()
	o := &office{world: newWorld(t, at, time.Millisecond), boxes: map[string]string{}}
	ring := keyring(t, o.secret)
	composer := &engine.Composer{BaseURL: "http://127.0.0.1", Keyring: ring}
	schema := graph.NewSchema(graph.Config{
		Stores: graphstore.New(o.Stores), Keyring: ring, Templates: composer, AnswerMail: composer, Now: o.clock.Now,
		Mail: &engine.Prober{Network: loopback}, Probes: freeProbes{}, Tokens: passwordsOnly{}, DNS: noRecords{},
	})
	documents := maps.Clone(rest.Operations())
	maps.Copy(documents, applicationCalls)
	var err error
	o.queries, err = graph.NewExecutor(schema, documents)
	must(t, err)
	api, err := rest.New(rest.Config{Schema: exec.NewExecutableSchema(exec.Config{}).Schema(), Queries: o.queries, Tokens: o.Stores,
		Idempotency: o.Stores, Files: &engine.Originals{Store: o.Stores}})
	must(t, err)
	token := rest.NewToken()
	must(t, o.SetToken(o.ctx, o.ws, outreach.TokenRecord{Hash: token.Hash(), Prefix: token.Visible()}))
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	o.base, o.token = server.URL+rest.Base, string(token)
	return o
}

// call makes one call of the API, which has to answer want.
func (o *office) call(want int, method, path string, body any) object {
	o.t.Helper()
	text, err := json.Marshal(body)
	must(o.t, err)
	r, err := http.NewRequestWithContext(o.ctx, method, o.base+path, bytes.NewReader(text))
	must(o.t, err)
	r.Header.Set("Authorization", "Bearer "+o.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body, r.ContentLength = http.NoBody, 0
	}
	answer, err := http.DefaultClient.Do(r)
	must(o.t, err)
	defer answer.Body.Close()
	var out object
	if answer.StatusCode != http.StatusNoContent {
		must(o.t, json.NewDecoder(answer.Body).Decode(&out))
	}
	if answer.StatusCode != want {
		o.t.Fatalf("%s %s answered %d, want %d: %v", method, path, answer.StatusCode, want, out)
	}
	return out
}

// list reads all pages of a list.
func (o *office) list(path string, query url.Values) (all []object) {
	o.t.Helper()
	query.Set("limit", "100")
	for {
		page := o.call(http.StatusOK, http.MethodGet, path+"?"+query.Encode(), nil)
		for _, row := range page["data"].([]any) {
			all = append(all, row.(object))
		}
		cursor, more := page["next_cursor"].(string)
		if !more {
			return all
		}
		query.Set("cursor", cursor)
	}
}

// application makes one call of applicationCalls.
func (o *office) application(name string, variables object) (data object) {
	o.t.Helper()
	text, err := o.queries.Run(outreach.WithActor(o.ctx, outreach.Actor{WorkspaceID: o.ws}), name, variables)
	must(o.t, err)
	must(o.t, json.Unmarshal(text, &data))
	return data
}

// connect connects an account of the sandbox with further settings.
func (o *office) connect(email string, settings object) string {
	o.t.Helper()
	account, err := o.mail.AddMailbox(email, "a secret")
	must(o.t, err)
	login := func(port int) object {
		return object{"host": account.SMTP.Host, "port": port, "username": email, "password": "a secret", "security": "none"}
	}
	body := object{"email": email, "smtp": login(account.SMTP.Port), "imap": login(account.IMAP.Port)}
	maps.Copy(body, settings)
	id := o.call(http.StatusCreated, http.MethodPost, "/mailboxes", body)["id"].(string)
	o.boxes[email] = id
	return id
}

// answers lets a person answer the last step, and the service read it.
func (o *office) answers(email, text string, fields ...string) {
	o.t.Helper()
	person := o.list("/prospects", url.Values{"email": {email}})[0]
	step := o.list("/messages", url.Values{"prospect_id": {person["id"].(string)}})[0]
	var to string
	for address, id := range o.boxes {
		if id == step["mailbox_id"] {
			to = address
		}
	}
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nMessage-ID: <%s@x.test>\r\nIn-Reply-To: %s\r\nSubject: Re: Hello\r\n", email, to,
		uuid.NewString(), step["message_id"])
	for _, field := range fields {
		raw += field + "\r\n"
	}
	out, err := mail.Send(o.ctx, mail.SMTPConfig{Server: o.mail.Prospects().SMTP, Network: loopback},
		mail.Envelope{From: email, To: to}, []byte(raw+"\r\n"+text+"\r\n"), func(context.Context) error { return nil })
	must(o.t, err)
	if out.Status != mail.StatusAccepted {
		o.t.Fatalf("the answer was %s: %s", out.Status, out.Text)
	}
	o.clock.Advance(time.Second)
	o.engine.ReceiveOnce(o.ctx)
}

// sleep lets the engine work until a time.
func (o *office) sleep(until time.Time) {
	for o.clock.Now().Before(until) {
		o.clock.Advance(15 * time.Minute)
		o.engine.SendOnce(o.ctx)
	}
}
