package sandbox

import (
	"context"
	"fmt"
	"log/slog"
)

// play lets personas act, one after the other, until ctx is done.
func (s *MailServer) play(ctx context.Context) {
	for {
		t, ok := s.agenda.take(ctx)
		if !ok {
			return
		}
		if err := s.act(ctx, t); err != nil && ctx.Err() == nil {
			s.config.Logger.WarnContext(ctx, "sandbox persona could not act", slog.String("persona", string(personaOf(t.To))),
				slog.Any("error", err))
		}
	}
}

// act runs the action of the persona for the message.
func (s *MailServer) act(ctx context.Context, t task) error {
	raw, err := t.Raw()
	if err != nil {
		return err
	}
	m := readIncoming(t, raw, s.config.Now())
	switch personaOf(t.To) {
	case personaReply:
		return s.answer(t, m.from(), m.reply(positiveText))
	case personaNo:
		return s.answer(t, m.from(), m.reply(negativeText))
	case personaOOO:
		return s.answer(t, t.From, m.outOfOffice())
	case personaDSN:
		return s.answer(t, t.From, m.notification())
	case personaClick:
		return s.visit(ctx, t, m.click)
	default:
		return s.visit(ctx, t, m.unsubscribe)
	}
}

// answer delivers a persona's message to an address, or, if that is not an account, to the account
// that sent the mail. The message and the note that the persona has acted are one record: if the
// process dies before it, the persona acts again; if it dies after it, the action is done.
func (s *MailServer) answer(t task, to string, raw []byte) error {
	if to == "" {
		// Mail with a null reverse-path gets no answer (RFC 3834, section 2).
		s.store.release(fold(t.To))
		return nil
	}
	from := t.To
	if p := personaOf(t.To); p == personaOOO || p == personaDSN {
		from = ""
	}
	_, err := s.store.deliver(envelope{from: from, to: []string{to}, raw: raw, home: t.Login, persona: fold(t.To)})
	if err != nil {
		return fmt.Errorf("deliver answer: %w", err)
	}
	return nil
}
