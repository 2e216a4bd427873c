package graph

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/page"
)

// request asks for one page of a list. Its cursor is still sealed.
type request struct {
	list  string
	first int
	after *string
}

// limit checks and returns the size of a page (docs/reference.md#lists).
func (q request) limit() error {
	if q.first < 1 || q.first > outreach.MaxLimit {
		return &outreach.Error{Code: outreach.CodeInvalidParameter, Message: "limit must be an integer from 1 to 100.",
			Fields: outreach.Faults{{Path: outreach.At("limit"), Code: outreach.FieldInvalid, Detail: "limit must be an integer from 1 to 100."}}}
	}
	return nil
}

// checkPart checks the length of a search that finds a part of a name.
func checkPart(search *string) error {
	if search != nil && utf8.RuneCountInString(*search) > outreach.MaxText {
		return outreach.Errorf(outreach.CodeInvalidParameter, "search must have at most %d characters.", outreach.MaxText)
	}
	return nil
}

// listed implements every list: it checks the limit and returns the page, with cursors that are bound to
// list, workspace and filter.
func listed[T, F any](ctx context.Context, r *Resolver, q request, filter F,
	fetch func(ctx context.Context, ws uuid.UUID, filter F, p outreach.Page) (outreach.Rows[T], error)) ([]T, *string, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := q.limit(); err != nil {
		return nil, nil, err
	}
	scope := page.Scope{List: q.list, Workspace: ws, Filter: filter}
	return paged(r, scope, q, func(p outreach.Page) (outreach.Rows[T], error) { return fetch(ctx, ws, filter, p) })
}

// paged opens the cursor of a request, which is bound to scope, fetches the page after it and seals the
// cursor of the next page.
func paged[T any](r *Resolver, scope page.Scope, q request, fetch func(outreach.Page) (outreach.Rows[T], error)) ([]T, *string, error) {
	p := outreach.Page{Limit: q.first}
	if q.after != nil {
		key, err := r.cursors.Open(scope, *q.after)
		if err != nil {
			return nil, nil, err
		}
		p.After = &key
	}
	rows, err := fetch(p)
	if err != nil || !rows.More {
		return rows.Rows, nil, err
	}
	return rows.Rows, new(r.cursors.Seal(scope, rows.Last)), nil
}

// unfiltered adapts the list of a store that takes no filter.
func unfiltered[T any](fetch func(ctx context.Context, ws uuid.UUID, p outreach.Page) (outreach.Rows[T], error),
) func(context.Context, uuid.UUID, any, outreach.Page) (outreach.Rows[T], error) {
	return func(ctx context.Context, ws uuid.UUID, _ any, p outreach.Page) (outreach.Rows[T], error) {
		return fetch(ctx, ws, p)
	}
}
