package engine

import (
	"context"
	"errors"
	"time"

	"outreach"
	"outreach/mail"
)

// Messages are composed while the store claims them, in a transaction that calls
// for other workspaces wait for. So that takes little time: the step was compiled
// before, and a workspace whose messages are large gets a turn only as often as its
// budget allows.
const (
	freeSize   = 32 << 10 // bytes of a message that cost nothing
	sizeRate   = 2 << 20  // bytes beyond that, for one workspace in a second
	sizeBurst  = 4 << 20
	maxPrepare = 4 // times that a claim is tried again with another step
)

// Why a message is not composed at this moment. The claim then changes nothing.
var (
	errNotCompiled = errors.New("the step has to be compiled first")
	errOverBudget  = errors.New("the workspace has composed many large messages; it goes on at the next tick")
)

// prepared is a step that was compiled outside of a claim, or why it could not be.
type prepared struct {
	templates mail.Templates
	compiled  *mail.Compiled
	err       error
}

// claim claims the next message of the mailbox. A step that is not compiled yet is
// compiled between two tries.
func (s *session) claim(ctx context.Context) (*outreach.Outgoing, error) {
	for try := 1; ; try++ {
		out, err := s.engine.Store.ClaimSend(ctx, s.box, s.engine.holder, func(d outreach.Draft) (outreach.Composed, error) {
			return s.compose(ctx, d)
		})
		if !errors.Is(err, errNotCompiled) || try == maxPrepare {
			return out, err
		}
		s.prepared.compiled, s.prepared.err = mail.Compile(s.prepared.templates)
	}
}

func (s *session) compose(ctx context.Context, d outreach.Draft) (out outreach.Composed, err error) {
	workspace, templates, composer := s.box.WorkspaceID, templatesOf(d.Step), s.engine.Composer
	if !s.engine.sizes.has(workspace, time.Now()) {
		return out, errOverBudget
	}
	if s.prepared.templates != templates || s.prepared.compiled == nil && s.prepared.err == nil {
		if s.prepared.compiled != nil {
			composer.templates.Put(owner(workspace), s.prepared.compiled)
		}
		s.prepared = prepared{templates: templates, compiled: composer.templates.TakeReady(owner(workspace), templates)}
	}
	switch {
	case s.prepared.err != nil:
		return out, held(d.Number, s.prepared.err)
	case s.prepared.compiled == nil:
		return out, errNotCompiled
	}
	out, err = composer.composeWith(ctx, s.prepared.compiled, d, func(*mail.Draft) {})
	s.engine.sizes.spend(workspace, time.Now(), float64(len(out.Raw)-freeSize))
	return out, err
}

// release gives back the step that the session has used last.
func (s *session) release() {
	if s.prepared.compiled != nil {
		s.engine.Composer.templates.Put(owner(s.box.WorkspaceID), s.prepared.compiled)
	}
	s.prepared = prepared{}
}
