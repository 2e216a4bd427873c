package graph_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
)

// BenchmarkBulkCalls compares rates of rows a second: a call of 1,000 with single
// calls of one, by turns, and tells how fast the dry run of an update goes over
// prospects that are all there.
func BenchmarkBulkCalls(b *testing.B) {
	s := newStage(b)
	s.fill(1)
	var c uuid.UUID
	must(b, s.sql.QueryRow(s.ctx, `SELECT id FROM campaigns`).Scan(&c))
	made, singles, rounds := time.Duration(0), time.Duration(0), 0
	var suppressed, single, dry time.Duration
	took := func(sum *time.Duration, document string, variables map[string]any) {
		began := time.Now()
		_, err := s.run(document, variables)
		*sum += time.Since(began)
		must(b, err)
	}
	for b.Loop() {
		rounds++
		people := map[string]any{"prospects": some(1000, func(i int) any {
			return map[string]any{"email": fmt.Sprintf("b%d-%d@c%d.test", rounds, i, i%50), "firstName": "Ada"}
		}), "onExisting": "update"}
		var setUp time.Duration
		took(&setUp, bulkProspects, map[string]any{"in": people})
		took(&dry, bulkProspects, map[string]any{"in": people, "dry": true})
		ids, err := s.sql.Query(s.ctx, `SELECT id::text FROM prospects ORDER BY created_at DESC LIMIT 1000`)
		must(b, err)
		var list []any
		for ids.Next() {
			var id string
			must(b, ids.Scan(&id))
			list = append(list, id)
		}
		must(b, ids.Err())
		for _, id := range list[:20] {
			took(&singles, `mutation ($c: UUID!, $p: UUID!) { enroll(input: {campaignId: $c, prospectId: $p}) { `+
				`enrollmentCreated } }`, map[string]any{"c": c.String(), "p": id})
			took(&single, `mutation ($e: String!) { createSuppression(input: {email: $e}) { created } }`,
				map[string]any{"e": id.(string) + "@one.test"})
		}
		took(&made, bulkEnroll, map[string]any{"in": map[string]any{"campaignId": c.String(), "prospectIds": list}})
		took(&suppressed, bulkSuppressions, map[string]any{"in": map[string]any{"suppressions": some(1000, func(i int) any {
			return map[string]any{"email": fmt.Sprintf("b%d-%d@many.test", rounds, i)}
		})}})
	}
	rate := func(rows int, in time.Duration) float64 { return float64(rows*rounds) / in.Seconds() }
	b.ReportMetric(rate(1000, made), "enrolled/s")
	b.ReportMetric(rate(1000, made)/rate(20, singles), "enroll-ratio")
	b.ReportMetric(rate(1000, suppressed), "suppressed/s")
	b.ReportMetric(rate(1000, suppressed)/rate(20, single), "suppress-ratio")
	b.ReportMetric(rate(1000, dry), "dry-run/s")
	b.ReportMetric(0, "ns/op")
}
