package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/bench/data"
	"outreach/rest"
)

// writers is how many write at once.
const writers = 8

// BenchmarkCreate compares rates: a single POST /prospects with the bare insert
// of such a row (at least 0.5 times), and bulk requests of 1,000 with single ones
// (at least 4 times).
func BenchmarkCreate(b *testing.B) {
	s := bigStage(b)
	run := fmt.Sprintf("%d", time.Now().UnixNano())
	b.Cleanup(func() {
		_, err := s.sql.Exec(context.Background(), `
DELETE FROM prospects WHERE workspace_id = $1 AND email_key LIKE '%.made.test'`, data.Workspace)
		must(b, err)
		_, err = s.sql.Exec(context.Background(), `VACUUM prospects`) // first pages of later runs would read what is dead
		must(b, err)
	})
	var bare, single, bulk []float64
	round := 0
	for b.Loop() {
		for range 3 {
			round++
			bare = append(bare, rate(400, func(i int) { s.insert(b, fmt.Sprintf("bare%s-%d-%d", run, round, i)) }))
			single = append(single, rate(400, func(i int) {
				s.post(b, "/prospects", http.StatusCreated, person(fmt.Sprintf("one%s-%d-%d", run, round, i)))
			}))
			bulk = append(bulk, 1000*rate(8, func(i int) {
				s.post(b, "/prospects/bulk", http.StatusOK, people(fmt.Sprintf("bulk%s-%d-%d", run, round, i)))
			}))
		}
	}
	b.ReportMetric(median(bare), "bare/s")
	b.ReportMetric(median(single), "single/s")
	b.ReportMetric(median(bulk), "bulk/s")
	b.ReportMetric(median(single)/median(bare), "single-ratio")
	b.ReportMetric(median(bulk)/median(single), "bulk-ratio")
	b.ReportMetric(0, "ns/op")
}

// rate calls f n times from all writers and gives calls per second.
func rate(n int, f func(i int)) float64 {
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range min(writers, n) {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	all.Wait()
	return float64(n) / time.Since(began).Seconds()
}

func address(name string) string { return name + "@c7.made.test" }

func person(name string) map[string]any {
	return map[string]any{"email": address(name), "first_name": "Ada", "last_name": "Lovelace",
		"company_name": "Engines", "job_title": "Head", "custom_fields": map[string]any{"plan": "gold"}}
}

func people(name string) map[string]any {
	all := make([]map[string]any, 1000)
	for i := range all {
		all[i] = person(fmt.Sprintf("%s-%d", name, i))
	}
	return map[string]any{"prospects": all}
}

func (s *stage) insert(tb testing.TB, name string) {
	_, err := s.sql.Exec(context.Background(), `
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, company_id, job_title,
	custom_fields, words, created_at)
		VALUES ($1, $2, $3, $3, 'Ada', 'Lovelace', 'Engines', $4, 'Head', '{"plan": "gold"}', $5, now())`,
		uuid.Must(uuid.NewV7()), data.Workspace, address(name), id('o', 7), outreach.SearchWords(address(name), "Ada Lovelace Engines"))
	if err != nil {
		tb.Error(err)
	}
}

func (s *stage) post(tb testing.TB, path string, want int, body map[string]any) {
	text, err := json.Marshal(body)
	if err != nil {
		tb.Error(err)
		return
	}
	r := httptest.NewRequest(http.MethodPost, rest.Base+path, strings.NewReader(string(text)))
	r.Header.Set("Authorization", s.bearer)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.service.ServeHTTP(w, r)
	if w.Code != want {
		tb.Errorf("%s: %d %s", path, w.Code, w.Body)
	}
}
