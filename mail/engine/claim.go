package engine

import (
	"context"
	"errors"
	"time"

	"outreach"
	"outreach/mail"
)

// The store calls the composer inside a transaction that claims for several workspaces wait for. To
// keep that short, steps are compiled beforehand, and each workspace has a budget for large
// messages.
const (
	freeSize   = 32 << 10 // bytes of a message that are not charged
	sizeRate   = 2 << 20  // bytes a second above freeSize for one workspace
	sizeBurst  = 4 << 20
	maxPrepare = 4 // how often a claim is retried with another step
)

// Reasons why a message is not composed now. The claim then changes nothing.
var (
	errNotCompiled = errors.New("the step has to be compiled first")
	errOverBudget  = errors.New("the workspace has composed many large messages; it goes on at the next tick")
)

// prepared is a step that was compiled outside of a claim, or the error of compiling it.
type prepared struct {
	templates mail.Templates
	compiled  *mail.Compiled
	err       error
}

// claim claims the next message of the mailbox. If its step is not compiled yet, claim compiles it
// and tries again.
func (s *sending) claim(ctx context.Context) (*outreach.Outgoing, error) {
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

func (s *sending) compose(ctx context.Context, d outreach.Draft) (out outreach.Composed, err error) {
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

// release returns the compiled step that was used last.
func (s *sending) release() {
	if s.prepared.compiled != nil {
		s.engine.Composer.templates.Put(owner(s.box.WorkspaceID), s.prepared.compiled)
	}
	s.prepared = prepared{}
}
