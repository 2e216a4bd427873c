package main

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"outreach/devstack/testdb"
	"outreach/internal/testkit"
	"outreach/storage"
)

// The service runs behind a pooler that gives each transaction another connection: a
// mail leaves, a webhook arrives, lists and GraphQL answer, sending is turned off and on.
func TestSliceBehindPooler(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.behindPooler(testdb.Pooler(t, s.vars["DATABASE_URL"]))
}

// behindPooler runs the slice with DATABASE_URL at pooler.
func (s *stage) behindPooler(pooler string) {
	s.t.Helper()
	s.vars["OUTREACH_MIGRATE_URL"], s.vars["DATABASE_URL"] = s.vars["DATABASE_URL"], pooler
	s.vars["OUTREACH_DATABASE_POOLER"] = "transaction"
	var err error
	s.config, err = loadConfig(s.vars)
	testkit.NoError(s.t, err)
	s.start()
	campaign, _ := s.slice()
	enrolled := s.call(http.StatusCreated, http.MethodPost, "/enrollments", object{
		"campaign_id": campaign, "prospect": object{"email": "ada@customer.example", "first_name": "Ada", "company_name": "Customer"}})
	prospect := enrolled["prospect"].(object)["id"].(string)
	s.eventually(time.Minute, "a webhook arrives", func() bool { return len(s.receiver.Received()) == 1 })
	s.checkLists(prospect, s.receiver.Received()[0].DeliveryID)
	s.checkGraphQL(prospect)
	s.shell(s.t, "sending", "off", "--json")
	s.shell(s.t, "sending", "on", "--json")
	s.enrollUntilThere(campaign, "eve@customer.example")
	s.eventually(time.Minute, "the next mail leaves", func() bool { return len(s.mail.Received()) == 2 })
	if text := s.log.String(); strings.Contains(text, "SQLSTATE") {
		s.t.Errorf("a statement failed:\n%s", text)
	}
}

// Migrations need Postgres itself, and do their work there.
func TestMigrateBehindPooler(t *testing.T) {
	t.Parallel()
	empty := testdb.New(t, testdb.Template{Key: "empty", Build: emptyDatabase})
	s := newStage(t)
	s.vars["DATABASE_URL"], s.vars["OUTREACH_DATABASE_POOLER"] = testdb.Pooler(t, empty), "transaction"
	env := environment{vars: s.vars, stdout: t.Output(), stderr: t.Output()}
	if err := dispatch(t.Context(), env, []string{"migrate"}); err == nil || !strings.Contains(err.Error(), "OUTREACH_MIGRATE_URL") {
		t.Errorf("migrate through the pooler: %v, want an error that names OUTREACH_MIGRATE_URL", err)
	}
	s.vars["OUTREACH_MIGRATE_URL"] = empty
	testkit.NoError(t, dispatch(t.Context(), env, []string{"migrate"}))
	testkit.NoError(t, storage.CheckSchema(t.Context(), s.vars["DATABASE_URL"]))
}

func emptyDatabase(context.Context, string) error { return nil }
