package bench

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// direct is what one would write without a query layer: net/http, pgx into
// structs, encoding/json. It does what the contract asks of the two calls (token,
// request id, sealed cursor, ETag) by the shortest way and nothing else.
type direct struct{ pool *pgxpool.Pool }

func (d direct) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/prospects", d.list)
	mux.HandleFunc("GET /api/v1/prospects/{id}", d.one)
	return mux
}

type instant time.Time

// MarshalJSON prints six digits and +00:00.
func (i instant) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(i).UTC().Format(`"2006-01-02T15:04:05.000000-07:00"`)), nil
}

type prospect struct {
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
	LastContactedAt *instant       `json:"last_contacted_at"`
	LastRepliedAt   *instant       `json:"last_replied_at"`
	CreatedAt       instant        `json:"created_at"`
}

type prospectPage struct {
	Data       []prospect `json:"data"`
	NextCursor *string    `json:"next_cursor"`
}

const selectProspects = `
SELECT id, email, first_name, last_name, company_name, company_id, job_title, phone, website, linkedin_url, timezone,
	custom_fields, status, interest, last_contacted_at, last_replied_at, created_at FROM prospects WHERE workspace_id = $1`

func scan(row pgx.CollectableRow) (p prospect, err error) {
	var contacted, replied *time.Time
	err = row.Scan(&p.ID, &p.Email, &p.FirstName, &p.LastName, &p.CompanyName, &p.CompanyID, &p.JobTitle, &p.Phone,
		&p.Website, &p.LinkedinURL, &p.Timezone,
		&p.CustomFields, &p.Status, &p.Interest, &contacted, &replied, (*time.Time)(&p.CreatedAt))
	p.LastContactedAt, p.LastRepliedAt = (*instant)(contacted), (*instant)(replied)
	return p, err
}

func (d direct) workspace(r *http.Request) (id uuid.UUID, err error) {
	hash := sha256.Sum256([]byte(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")))
	err = d.pool.QueryRow(r.Context(), `SELECT workspace_id FROM tokens WHERE hash = $1`, hash[:]).Scan(&id)
	return id, err
}

func (d direct) list(w http.ResponseWriter, r *http.Request) {
	ws, err := d.workspace(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit < 1 || limit > 100 {
		http.Error(w, "limit", http.StatusBadRequest)
		return
	}
	page, err := d.page(r.Context(), ws, limit)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	send(w, page, false)
}

func (d direct) page(ctx context.Context, ws uuid.UUID, limit int) (page prospectPage, err error) {
	rows, err := d.pool.Query(ctx, selectProspects+` ORDER BY created_at DESC, id DESC LIMIT $2`, ws, limit+1)
	if err != nil {
		return page, err
	}
	page.Data, err = pgx.CollectRows(rows, scan)
	if err == nil && len(page.Data) > limit {
		page.Data = page.Data[:limit]
		last := page.Data[limit-1]
		cursor := seal(time.Time(last.CreatedAt).Format(time.RFC3339Nano) + last.ID.String() + ws.String() + "prospects")
		page.NextCursor = &cursor
	}
	return page, err
}

func seal(text string) string {
	mac := hmac.New(sha256.New, make([]byte, 32))
	mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum([]byte(text)))
}

func (d direct) one(w http.ResponseWriter, r *http.Request) {
	ws, err := d.workspace(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	id, err := uuid.Parse(r.PathValue("id"))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	rows, err := d.pool.Query(r.Context(), selectProspects+` AND id = $2`, ws, id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	found, err := pgx.CollectExactlyOneRow(rows, scan)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	send(w, found, true)
}

func send(w http.ResponseWriter, value any, tagged bool) {
	body, err := json.Marshal(value)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	if tagged {
		sum := sha256.Sum256(body)
		header.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:16])+`"`)
	}
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Request-Id", uuid.Must(uuid.NewV7()).String())
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}
