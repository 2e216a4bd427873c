package outbox

import (
	"encoding/base64"
	"testing"
	"time"

	"outreach"
	"outreach/devstack/testdb"
	"outreach/storage"
	"outreach/webhook"
)

// batchSize is how many events share a statement.
const batchSize = 64

// bareEvent is what recordEvent stores of the event alone.
const bareEvent = `
INSERT INTO events (id, workspace_id, type, occurred_at, prospect_id, prospect_email, company_id, campaign_id,
	campaign_name, interest, metadata)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

// BenchmarkIngest compares events with their deliveries with the bare insert of
// the same events: one of them in a statement, as a reply is ingested, and as many
// as share a transaction, as messages that were sent are settled.
func BenchmarkIngest(b *testing.B) {
	b.Run("single", func(b *testing.B) {
		benchIngest(b, func(o *Outbox, e outreach.Event) error {
			for range batchSize {
				e.ID, e.OccurredAt = storage.NewID(), time.Now()
				args, err := o.recordArgs(e)
				if err != nil {
					return err
				}
				if _, err := o.db.Pool().Exec(b.Context(), recordEvent, args...); err != nil {
					return err
				}
			}
			return nil
		})
	})
	b.Run("together", func(b *testing.B) {
		benchIngest(b, func(o *Outbox, e outreach.Event) error {
			var c EventColumns
			for range batchSize {
				e.ID, e.OccurredAt = storage.NewID(), time.Now()
				if err := c.Add(o, e); err != nil {
					return err
				}
			}
			_, err := o.db.Groups().Exec(b.Context(), RecordMany, c.Args(e.WorkspaceID)...)
			return err
		})
	})
}

// benchIngest reports the rate of ingest, which records batchSize events, over
// that of bare inserts: ratio. They take turns, so that what else the machine does
// meets both.
func benchIngest(b *testing.B, ingest func(*Outbox, outreach.Event) error) {
	o, e := ingestStage(b)
	n, alone, whole := 0, time.Duration(0), time.Duration(0)
	for b.Loop() {
		began := time.Now()
		for range batchSize {
			_, err := o.db.Pool().Exec(b.Context(), bareEvent, storage.NewID(), e.WorkspaceID, e.Type, time.Now(),
				e.ProspectID, e.ProspectEmail, e.CompanyID, e.CampaignID,
				e.CampaignName, e.Interest, metadataColumns(e.Metadata))
			if err != nil {
				b.Fatal(err)
			}
		}
		between := time.Now()
		if err := ingest(o, e); err != nil {
			b.Fatal(err)
		}
		alone, whole, n = alone+between.Sub(began), whole+time.Since(between), n+batchSize
	}
	var queued int
	if err := o.db.Pool().QueryRow(b.Context(), `
SELECT count(*) FROM deliveries WHERE status = 'queued'`).Scan(&queued); err != nil || queued != n {
		b.Fatalf("%d deliveries were queued for %d events: %v", queued, n, err)
	}
	b.ReportMetric(float64(n)/whole.Seconds(), "events/s")
	b.ReportMetric(alone.Seconds()/whole.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op")
}

// ingestStage is a workspace with one subscription, and an event of it.
func ingestStage(b *testing.B) (*Outbox, outreach.Event) {
	b.Helper()
	ring, err := outreach.ParseKeyring(base64.StdEncoding.EncodeToString(make([]byte, 32)))
	if err != nil {
		b.Fatal(err)
	}
	db, err := storage.Open(b.Context(),
		storage.Config{URL: testdb.New(b, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate}), Keyring: ring})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(db.Close)
	if err := db.EnsurePartitions(b.Context(), time.Now()); err != nil {
		b.Fatal(err)
	}
	e := outreach.Event{WorkspaceID: storage.NewID(), Type: outreach.EventSent, ProspectID: new(storage.NewID()),
		ProspectEmail: new("ann@initech.example"),
		CompanyID:     new(storage.NewID()), CampaignID: new(storage.NewID()), CampaignName: new("Winter check-in"),
		Metadata: outreach.SentMetadata{Step: 1, MessageID: "<1@acme.example>"}}
	_, err = db.Pool().Exec(b.Context(), `
		WITH w AS (INSERT INTO workspaces (id, name) VALUES ($1, 'w'))
		INSERT INTO subscriptions (id, workspace_id, url, events, secret)
		VALUES ($2, $1, 'https://hooks.example/in', '{sent}', '')`, e.WorkspaceID, storage.NewID())
	if err != nil {
		b.Fatal(err)
	}
	return New(db, webhook.Encode), e
}
