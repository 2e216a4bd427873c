package storage

import (
	"encoding/base64"
	"testing"
	"time"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/webhook"
)

// bareEvent is what recordEvent stores of the event alone.
const bareEvent = `
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id, campaign_name, interest, metadata)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

// BenchmarkIngest compares events with their deliveries with the bare insert of
// the same events: one of them in a statement, as a reply is taken in, and as many
// as share a transaction, as messages that were sent are settled.
func BenchmarkIngest(b *testing.B) {
	b.Run("single", func(b *testing.B) {
		benchIngest(b, func(db *DB, e outreach.Event) error {
			for range mostTogether {
				e.ID, e.OccurredAt = newID(), time.Now()
				args, err := db.recordArgs(e)
				if err != nil {
					return err
				}
				if _, err := db.pool.Exec(b.Context(), recordEvent, args...); err != nil {
					return err
				}
			}
			return nil
		})
	})
	b.Run("together", func(b *testing.B) {
		benchIngest(b, func(db *DB, e outreach.Event) error {
			var c eventColumns
			for range mostTogether {
				e.ID, e.OccurredAt = newID(), time.Now()
				if err := c.add(db, e); err != nil {
					return err
				}
			}
			_, err := db.groups.Exec(b.Context(), recordMany, c.args()...)
			return err
		})
	})
}

// benchIngest reports the rate of ingest, which records mostTogether events, over
// that of bare inserts: ratio. They take turns, so that what else the machine does
// meets both.
func benchIngest(b *testing.B, ingest func(*DB, outreach.Event) error) {
	db, e := ingestStage(b)
	n, alone, whole := 0, time.Duration(0), time.Duration(0)
	for b.Loop() {
		began := time.Now()
		for range mostTogether {
			_, err := db.pool.Exec(b.Context(), bareEvent, newID(), e.WorkspaceID, e.Type, time.Now(), e.ProspectID, e.ProspectEmail, e.CompanyID, e.CampaignID,
				e.CampaignName, e.Interest, metadataColumns(e.Metadata))
			if err != nil {
				b.Fatal(err)
			}
		}
		between := time.Now()
		if err := ingest(db, e); err != nil {
			b.Fatal(err)
		}
		alone, whole, n = alone+between.Sub(began), whole+time.Since(between), n+mostTogether
	}
	var queued int
	if err := db.pool.QueryRow(b.Context(), `SELECT count(*) FROM deliveries WHERE status = 'queued'`).Scan(&queued); err != nil || queued != n {
		b.Fatalf("%d deliveries were queued for %d events: %v", queued, n, err)
	}
	b.ReportMetric(float64(n)/whole.Seconds(), "events/s")
	b.ReportMetric(alone.Seconds()/whole.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op")
}

// ingestStage is a workspace with one subscription, and an event of it.
func ingestStage(b *testing.B) (*DB, outreach.Event) {
	b.Helper()
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		b.Fatal(err)
	}
	db, err := Open(b.Context(), Config{URL: testdb.New(b, testdb.Template{Key: SchemaKey(), Build: Migrate}), Keyring: ring, Payload: webhook.Encode})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(db.Close)
	if err := db.EnsurePartitions(b.Context(), time.Now()); err != nil {
		b.Fatal(err)
	}
	e := outreach.Event{WorkspaceID: newID(), Type: outreach.EventSent, ProspectID: new(newID()), ProspectEmail: new("ann@initech.example"),
		CompanyID: new(newID()), CampaignID: new(newID()), CampaignName: new("Winter check-in"),
		Metadata: outreach.SentMetadata{Step: 1, MessageID: "<1@acme.example>"}}
	_, err = db.pool.Exec(b.Context(), `
		WITH w AS (INSERT INTO workspaces (id, name) VALUES ($1, 'w'))
		INSERT INTO subscriptions (id, workspace_id, url, events, secret) VALUES ($2, $1, 'https://hooks.example/in', '{sent}', '')`, e.WorkspaceID, newID())
	if err != nil {
		b.Fatal(err)
	}
	return db, e
}
