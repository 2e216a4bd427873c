//go:build full

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"outreach/devstack"
	"outreach/internal/testkit"
)

// serverLog is what Postgres logs from now on: each statement of a database with all its parameters,
// and each that fails.
type serverLog struct {
	database, file string
	from           int64
}

func (v *vault) openServerLog() *serverLog {
	v.t.Helper()
	conn, err := pgx.Connect(v.t.Context(), v.vars["DATABASE_URL"])
	testkit.NoError(v.t, err)
	defer conn.Close(v.t.Context())
	for _, setting := range []string{"log_statement = 'all'", "log_parameter_max_length = -1", "log_parameter_max_length_on_error = -1"} {
		_, err := conn.Exec(v.t.Context(), "ALTER DATABASE "+pgx.Identifier{conn.Config().Database}.Sanitize()+" SET "+setting)
		testkit.NoError(v.t, err)
	}
	shared, err := devstack.SharedFolder("testdb")
	testkit.NoError(v.t, err)
	l := &serverLog{database: v.vars["DATABASE_URL"], file: filepath.Join(shared, "server.log")}
	about, err := os.Stat(l.file)
	testkit.NoError(v.t, err)
	l.from = about.Size()
	return l
}

func (l *serverLog) text(t *testing.T) string {
	t.Helper()
	file, err := os.Open(l.file)
	testkit.NoError(t, err)
	defer file.Close()
	_, err = file.Seek(l.from, io.SeekStart)
	testkit.NoError(t, err)
	text, err := io.ReadAll(file)
	testkit.NoError(t, err)
	return string(text)
}

// write lets a statement with a secret fail.
func (l *serverLog) write(t *testing.T, secret string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.database)
	testkit.NoError(t, err)
	defer conn.Close(t.Context())
	if err := conn.QueryRow(t.Context(), `SELECT 1 / length(replace($1::text, $1::text, ''))`, secret).Scan(new(int)); err == nil {
		t.Error("the statement succeeded")
	}
}

// makePanics lets handlers panic with a secret that they were given: of the API, of GraphQL, and of a
// public page.
func (v *vault) makePanics() {
	v.t.Helper()
	panicWith := func(function, secret string, ask func()) {
		testkit.NoError(v.t, os.WriteFile(v.vars[panicVar], []byte(function+"\n"+secret), 0o600))
		ask()
		testkit.NoError(v.t, os.WriteFile(v.vars[panicVar], nil, 0o600))
		v.eventually(time.Minute, "the log holds the stack of "+function, func() bool {
			return strings.Contains(v.log.String(), function+"(")
		})
	}
	panicWith("oauth.(*Service).Begin", v.token, func() {
		v.call(http.StatusInternalServerError, http.MethodPost, "/mailbox_connections", object{"provider": "google"})
	})
	panicWith("session.(*Sessions).Start", v.password, func() {
		v.graphql(v.newBrowser(), `mutation ($e: String!, $p: String!) { signIn(email: $e, password: $p) { id } }`,
			object{"e": v.email, "p": v.password})
	})
	link := v.call(http.StatusCreated, http.MethodPost, "/mailbox_connections", object{"provider": "google"})["authorize_url"].(string)
	panicWith("oauth.(*Service).start", v.keep("link of a connection", link[strings.LastIndexByte(link, '/')+1:]), func() {
		if response, err := v.newBrowser().Post(link, "", nil); err == nil {
			v.t.Errorf("the link answers %s", response.Status)
			testkit.NoError(v.t, response.Body.Close())
		}
	})
}

// failStatements lets Postgres refuse the statements that store what is secret.
func (v *vault) failStatements() {
	v.t.Helper()
	v.exec(`CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'planted failure'; END $$`)
	tables := []string{"mailboxes", "subscriptions", "oauth_clients", "mailbox_connections", "invitations", "tokens"}
	for _, table := range tables {
		v.exec(`CREATE TRIGGER planted BEFORE INSERT ON ` + table + ` FOR EACH ROW EXECUTE FUNCTION planted()`)
	}
	account, err := v.mail.AddMailbox("fails@sender.test", v.secret("password of a mailbox that is not stored"))
	testkit.NoError(v.t, err)
	v.call(http.StatusInternalServerError, http.MethodPost, "/mailboxes", mailboxOf(account, "Stage"))
	v.call(http.StatusInternalServerError, http.MethodPost, "/subscriptions",
		object{"url": v.receiver.URL(), "events": []string{"sent"}})
	v.call(http.StatusInternalServerError, http.MethodPost, "/mailbox_connections", object{"provider": "google"})
	v.graphql(v.browser, `mutation { rotateToken { token } }`, nil)
	v.graphql(v.browser, `mutation { inviteMember(email: "late@stage.test", role: member) { token } }`, nil)
	v.graphql(v.browser, `mutation ($s: String!) {
		setOAuthClient(provider: microsoft, input: {clientId: "own", clientSecret: $s, tenant: "acme.test"}) { clientId }
	}`, object{"s": v.secret("secret of a client that is not stored")})
	if n := strings.Count(v.server.text(v.t), "ERROR:  planted failure"); n < 6 {
		v.t.Errorf("Postgres refused %d statements, want 6 at least", n)
	}
	for _, table := range tables {
		v.exec(`DROP TRIGGER planted ON ` + table)
	}
}
