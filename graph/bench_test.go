package graph_test

import (
	"context"
	"encoding/json"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"outreach"
	"outreach/graph"
	"outreach/rest"
)

// benchRows reach past page 1,000 of 50.
const benchRows = 60_000

func (s *stage) fillProspects(n int) {
	s.t.Helper()
	s.exec(`
INSERT INTO prospects (id, workspace_id, email, email_key, first_name, last_name, company_name, job_title, phone,
	website, status, custom_fields, created_at)
		SELECT uuid_v7(), $1, 'p' || n || '@c.test', 'p' || n || '@c.test', 'First ' || n, 'Last ' || n,
			'Company ' || n % 100, 'Head of ' || n % 7, '+49 30 ' || n, 'https://c.test/' || n,
			'new', jsonb_build_object('seats', n % 50, 'plan', 'team'), now() - make_interval(secs => n) FROM generate_series(1, $2) n`, s.ws, n)
	s.exec(`ANALYZE prospects`)
}

// row is what a handler written by hand would scan into and encode.
type row struct {
	ID              uuid.UUID      `json:"id"`
	Email           string         `json:"email"`
	FirstName       *string        `json:"first_name"`
	LastName        *string        `json:"last_name"`
	CompanyName     *string        `json:"company_name"`
	CompanyID       *uuid.UUID     `json:"company_id"`
	JobTitle        *string        `json:"job_title"`
	Phone           *string        `json:"phone"`
	Website         *string        `json:"website"`
	LinkedinURL     *string        `json:"linkedin_url"`
	Timezone        *string        `json:"timezone"`
	CustomFields    map[string]any `json:"custom_fields"`
	Status          string         `json:"status"`
	Interest        *string        `json:"interest"`
	LastContactedAt *stamp         `json:"last_contacted_at"`
	LastRepliedAt   *stamp         `json:"last_replied_at"`
	CreatedAt       stamp          `json:"created_at"`
}

// stamp prints as REST does.
type stamp time.Time

func (s stamp) MarshalJSON() ([]byte, error) {
	return append(outreach.AppendInstant([]byte{'"'}, time.Time(s)), '"'), nil
}

const directFirst = `
SELECT id, email, first_name, last_name, company_name, company_id, job_title, phone, website, linkedin_url, timezone,
	custom_fields, status, interest,
	last_contacted_at, last_replied_at, created_at FROM prospects WHERE workspace_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`

// direct is the list of 50 by hand: pgx rows into structs, encoding/json.
func direct(ctx context.Context, pool *pgxpool.Pool, ws uuid.UUID) ([]byte, error) {
	found, err := pool.Query(ctx, directFirst, ws, 51)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(found, func(r pgx.CollectableRow) (p row, err error) {
		var contacted, replied *time.Time
		err = r.Scan(&p.ID, &p.Email, &p.FirstName, &p.LastName, &p.CompanyName, &p.CompanyID, &p.JobTitle, &p.Phone,
			&p.Website, &p.LinkedinURL, &p.Timezone,
			&p.CustomFields, &p.Status, &p.Interest, &contacted, &replied, (*time.Time)(&p.CreatedAt))
		p.LastContactedAt, p.LastRepliedAt = (*stamp)(contacted), (*stamp)(replied)
		return p, err
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"data": list[:50], "next_cursor": list[49].ID.String()})
}

// cpu is the processor time that this process has used.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// rounds alternates the contenders, so that noise meets them alike, and gives the
// processor time and the wall time of one call of each.
func rounds(b *testing.B, calls ...func() error) (cpus, walls []float64) {
	cpus, walls = make([]float64, len(calls)), make([]float64, len(calls))
	const each = 20
	n := 0
	for b.Loop() {
		n++
		for i, call := range calls {
			began, used := time.Now(), cpu(b)
			for range each {
				if err := call(); err != nil {
					b.Fatal(err)
				}
			}
			cpus[i] += float64(cpu(b)-used) / each
			walls[i] += float64(time.Since(began)) / each
		}
	}
	for i := range calls {
		cpus[i] /= float64(n)
		walls[i] /= float64(n)
	}
	return cpus, walls
}

// BenchmarkListOf50 holds the list of 50 prospects, through the query layer as
// REST asks for it, against a handler written by hand on the same database, and
// page 1,000 against page 1.
func BenchmarkListOf50(b *testing.B) {
	s := newStage(b)
	s.fillProspects(benchRows)
	x, err := graph.NewExecutor(s.schema, rest.Operations())
	must(b, err)
	first := map[string]any{"limit": 50}
	list := func(variables map[string]any) func() error {
		return func() error { _, err := x.Run(s.ctx, "prospects", variables); return err }
	}
	byHand := func() error { _, err := direct(s.ctx, s.sql, s.ws); return err }
	far := map[string]any{"limit": 50, "cursor": s.cursorAt(x, 999)}
	b.Run("against a direct handler", func(b *testing.B) {
		cpus, walls := rounds(b, byHand, list(first))
		b.ReportMetric(cpus[1]/cpus[0], "cpu-ratio")
		b.ReportMetric(walls[1]/walls[0], "wall-ratio")
		b.ReportMetric(cpus[1]/1000, "graph-µs-cpu")
		b.ReportMetric(cpus[0]/1000, "direct-µs-cpu")
	})
	b.Run("page 1000 against page 1", func(b *testing.B) {
		cpus, walls := rounds(b, list(first), list(far))
		b.ReportMetric(cpus[1]/cpus[0], "cpu-ratio")
		b.ReportMetric(walls[1]/walls[0], "wall-ratio")
	})
}

// cursorAt walks past n pages of 50, a hundred rows at a time.
func (s *stage) cursorAt(x *graph.Executor, n int) string {
	s.t.Helper()
	cursor := ""
	for seen := 0; seen < n*50; {
		limit := min(100, n*50-seen)
		variables := map[string]any{"limit": limit}
		if cursor != "" {
			variables["cursor"] = cursor
		}
		data, err := x.Run(s.ctx, "prospects", variables)
		must(s.t, err)
		at := strings.LastIndex(string(data), `"next_cursor":"`)
		if at < 0 {
			s.t.Fatalf("no cursor after %d rows", seen)
		}
		cursor = strings.TrimSuffix(string(data[at+len(`"next_cursor":"`):]), `"}}`)
		seen += limit
	}
	return cursor
}
