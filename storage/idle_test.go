package storage_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// Postgres ends a transaction that its process has left open.
func TestTransactionsDoNotIdle(t *testing.T) {
	t.Parallel()
	asked := &timeouts{}
	db, err := stores.Open(t.Context(), storage.Config{
		URL: testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), Keyring: freshKeyring(t),
		BaseURL: "http://127.0.0.1", Tracer: asked,
	}, webhook.Encode)
	must(t, err)
	defer db.Close()
	same(t, "idle_in_transaction_session_timeout", asked.value, "1min")
}

// timeouts asks the first connection for its limit.
type timeouts struct {
	inside bool
	value  string
}

func (a *timeouts) TraceQueryStart(ctx context.Context, conn *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	if a.inside || a.value != "" {
		return ctx
	}
	a.inside = true
	if err := conn.QueryRow(ctx, `SHOW idle_in_transaction_session_timeout`).Scan(&a.value); err != nil {
		a.value = err.Error()
	}
	return ctx
}

func (*timeouts) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
