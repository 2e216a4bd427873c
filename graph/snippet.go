package graph

import (
	"context"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// SnippetReader reads snippets.
type SnippetReader interface {
	Snippet(ctx context.Context, workspace, id uuid.UUID) (outreach.Snippet, error)
	ListSnippets(ctx context.Context, workspace uuid.UUID, page outreach.Page) (outreach.Rows[outreach.Snippet], error)
}

// SnippetWriter creates, changes and deletes snippets.
type SnippetWriter interface {
	CreateSnippet(ctx context.Context, s outreach.Snippet) (outreach.Snippet, error)
	UpdateSnippet(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Snippet)) (outreach.Snippet, error)
	DeleteSnippet(ctx context.Context, workspace, id uuid.UUID) error
}

func (q queries) Snippet(ctx context.Context, id uuid.UUID) (outreach.Snippet, error) {
	return inWorkspace(ctx, id, q.Stores.SnippetReader.Snippet)
}

func (q queries) Snippets(ctx context.Context, first int, after *string) (c exec.SnippetConnection, err error) {
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"snippets", first, after}, nil,
		unfiltered(q.Stores.SnippetReader.ListSnippets))
	return c, err
}

func (m mutations) CreateSnippet(ctx context.Context, in exec.SnippetInput) (s outreach.Snippet, err error) {
	if s.WorkspaceID, err = workspace(ctx); err != nil {
		return s, err
	}
	changeSnippet(in)(&s)
	err = outreach.FindAll(ctx,
		func(ctx context.Context) error { return m.checkSnippet(ctx, s.WorkspaceID, in) },
		func(ctx context.Context) (err error) {
			s, err = m.Stores.SnippetWriter.CreateSnippet(ctx, s)
			return err
		})
	return s, err
}

func (m mutations) UpdateSnippet(ctx context.Context, id uuid.UUID, in exec.SnippetInput) (outreach.Snippet, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Snippet{}, err
	}
	var s outreach.Snippet
	err = outreach.FindAll(ctx,
		func(ctx context.Context) error { return m.checkSnippet(ctx, ws, in) },
		func(ctx context.Context) (err error) {
			s, err = m.Stores.SnippetWriter.UpdateSnippet(ctx, ws, id, changeSnippet(in))
			return err
		})
	return s, err
}

// checkSnippet returns the faults of the templates of a snippet. Texts that are too long are
// refused by validation.
func (m mutations) checkSnippet(ctx context.Context, ws uuid.UUID, in exec.SnippetInput) error {
	step := outreach.Step{BodyHTML: filled(in.BodyHTML.Value()), BodyText: filled(in.BodyText.Value())}
	if step.BodyHTML == nil && step.BodyText == nil {
		return nil
	}
	faults, err := m.Templates.Check(ctx, ws, step)
	if err != nil {
		return err
	}
	return faults.Err()
}

func (m mutations) DeleteSnippet(ctx context.Context, id uuid.UUID) (bool, error) {
	return deleted(ctx, id, m.Stores.SnippetWriter.DeleteSnippet)
}

func changeSnippet(in exec.SnippetInput) func(*outreach.Snippet) {
	return func(s *outreach.Snippet) {
		setOr(&s.Name, in.Name, "")
		set(&s.BodyHTML, in.BodyHTML)
		set(&s.BodyText, in.BodyText)
	}
}
