package sending

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

const markNotSent = `UPDATE messages SET status = 'not_sent', raw = NULL WHERE workspace_id = $1 AND id = $2`

const sendAgain = `
UPDATE enrollments SET next_send_at = $3
WHERE workspace_id = $1 AND id = $2 AND run = $4 AND next_step = $5 AND status IN ('held', 'active', 'paused')`

const notHeldAgain = `
UPDATE enrollments SET ` + storage.EndHold + `
WHERE workspace_id = $1 AND id = $2 AND run = $3 AND next_step = $4 AND status IN ('held', 'paused') AND hold_kind <> 'absence'`

// ResolveMessage settles an unknown message as a person decides. "sent" raises the same events as
// sending. "not_sent" makes the step due again as a new message, and removes the message from
// lists. It returns CodeInvalidState for any other message.
func (l *Ledger) ResolveMessage(ctx context.Context, workspace, id uuid.UUID, as outreach.Resolution) (m outreach.Message, err error) {
	err = l.db.Tx(ctx, func(tx pgx.Tx) error {
		if m, err = storage.AnyMessage.One(ctx, tx, workspace, id); err != nil {
			return err
		}
		f, err := LockInFlight(ctx, tx, workspace, id)
		if err != nil {
			return err
		}
		if f.Status != outreach.MessageUnknown {
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot resolve: the status of the message is not unknown.")
		}
		if f.Answer {
			return l.resolveAnswer(ctx, tx, f, as, &m)
		}
		if as == outreach.ResolvedNotSent {
			return l.settleNotSent(ctx, tx, f)
		}
		if err := l.settleSent(ctx, tx, workspace, []accepted{{InFlight: f, response: resolvedResponse}}); err != nil {
			return err
		}
		m, err = storage.Messages.One(ctx, tx, workspace, id)
		return err
	})
	return m, err
}

// resolvedResponse is the smtp_response of a message that a person resolved as sent.
const resolvedResponse = "resolved by hand as sent"

// resolveAnswer is ResolveMessage for an answer. It raises no event.
func (l *Ledger) resolveAnswer(ctx context.Context, tx pgx.Tx, f InFlight, as outreach.Resolution, m *outreach.Message) (err error) {
	if as == outreach.ResolvedNotSent {
		err = l.giveUpAnswer(ctx, tx, f.Workspace, f.ID, nil)
	} else {
		err = l.answerSent(ctx, tx, f, resolvedResponse)
	}
	if err != nil {
		return err
	}
	*m, err = storage.AnyMessage.One(ctx, tx, f.Workspace, f.ID)
	return err
}

// settleNotSent settles a message as not sent, so that another message of the same step can be
// claimed.
func (l *Ledger) settleNotSent(ctx context.Context, tx pgx.Tx, f InFlight) error {
	if err := storage.Exec(ctx, tx, "mark message not sent", markNotSent, f.Workspace, f.ID); err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "plan the step again", sendAgain, f.Workspace, f.Enrollment, l.db.Now(), f.run,
		f.step); err != nil {
		return err
	}
	if err := storage.Exec(ctx, tx, "end hold", notHeldAgain, f.Workspace, f.Enrollment, f.run, f.step); err != nil {
		return err
	}
	return storage.Wake(ctx, tx, f.Workspace)
}
