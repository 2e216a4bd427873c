package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

var snippets = List[outreach.Snippet]{
	Reads: NewColumns(func(s *outreach.Snippet) []Column {
		return []Column{
			{"s.id", &s.ID},
			{"s.workspace_id", &s.WorkspaceID},
			{"s.name", &s.Name},
			{"s.body_html", &s.BodyHTML},
			{"s.body_text", &s.BodyText},
			{"s.created_at", &s.CreatedAt},
		}
	}),
	From: "snippets s WHERE s.workspace_id = $1",
	At:   "s.created_at", ID: "s.id",
	Key: func(s *outreach.Snippet) outreach.Key { return outreach.Key{At: s.CreatedAt, ID: s.ID} },
}

// ListSnippets returns one page, newest first.
func (db *DB) ListSnippets(ctx context.Context, workspace uuid.UUID, page outreach.Page) (outreach.Rows[outreach.Snippet], error) {
	return snippets.Fetch(ctx, db.pool, InWorkspace(workspace), page)
}

// Snippet returns one snippet.
func (db *DB) Snippet(ctx context.Context, workspace, id uuid.UUID) (outreach.Snippet, error) {
	return snippets.One(ctx, db.pool, workspace, id)
}

const insertSnippet = `
INSERT INTO snippets (id, workspace_id, name, body_html, body_text, created_at)
VALUES (@id, @workspace_id, @name, @body_html, @body_text, @created_at)`

const updateSnippet = `
UPDATE snippets
SET name = @name, body_html = @body_html, body_text = @body_text
WHERE workspace_id = @workspace_id AND id = @id`

func snippetArgs(s outreach.Snippet) pgx.NamedArgs {
	return pgx.NamedArgs{
		"id": s.ID, "workspace_id": s.WorkspaceID, "name": s.Name,
		"body_html": s.BodyHTML, "body_text": s.BodyText, "created_at": s.CreatedAt,
	}
}

// CreateSnippet stores a snippet. It returns CodeSnippetExists if its name exists.
func (db *DB) CreateSnippet(ctx context.Context, s outreach.Snippet) (outreach.Snippet, error) {
	s.Normalize()
	if err := s.Validate(); err != nil {
		return s, err
	}
	s.ID, s.CreatedAt = NewID(), db.Now()
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		return Exec(ctx, tx, "insert snippet", insertSnippet, snippetArgs(s))
	})
	return s, err
}

// UpdateSnippet calls change with the locked snippet and stores the result. It returns
// CodeSnippetExists if the new name exists.
func (db *DB) UpdateSnippet(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Snippet)) (s outreach.Snippet, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if s, err = snippets.OneLocked(ctx, tx, workspace, id, " FOR UPDATE"); err != nil {
			return err
		}
		change(&s)
		s.Normalize()
		if err := s.Validate(); err != nil {
			return err
		}
		return Exec(ctx, tx, "update snippet", updateSnippet, snippetArgs(s))
	})
	return s, err
}

const deleteSnippet = `DELETE FROM snippets WHERE workspace_id = $1 AND id = $2`

// DeleteSnippet deletes a snippet.
func (db *DB) DeleteSnippet(ctx context.Context, workspace, id uuid.UUID) error {
	return db.execOneTx(ctx, "delete snippet", deleteSnippet, workspace, id)
}
