package sending

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

// installation is what decides whether this process sends.
type installation struct {
	state   outreach.SendingState
	epoch   uuid.UUID
	source  *string   // of the mail that was sent last
	here    string    // this database: system identifier and OID
	started time.Time // this server
}

var installationColumns = storage.NewColumns(func(i *installation) []storage.Column {
	return []storage.Column{
		{SQL: "i.sending_off", To: &i.state.Off},
		{SQL: "i.sending_off_at", To: &i.state.Since},
		{SQL: "i.epoch", To: &i.epoch},
		{SQL: "i.source", To: &i.source},
		{SQL: "(SELECT c.system_identifier FROM pg_control_system() c) || '/' || (SELECT d.oid FROM pg_database d WHERE " +
			"d.datname = current_database())", To: &i.here},
		{SQL: "pg_postmaster_start_time()", To: &i.started},
	}
})

var selectInstallation = `SELECT ` + installationColumns.SQL + ` FROM installation i`

func readInstallation(ctx context.Context, q storage.Querier) (installation, error) {
	i, err := installationColumns.QueryOne(ctx, q, selectInstallation)
	if err != nil {
		return i, fmt.Errorf("read whether mail is sent: %w", err)
	}
	return i, nil
}

const selectSendingState = `SELECT sending_off, sending_off_at FROM installation`

// SendingState returns whether the installation sends mail.
func (l *Ledger) SendingState(ctx context.Context) (state outreach.SendingState, err error) {
	if err := l.db.Pool().QueryRow(ctx, selectSendingState).Scan(&state.Off, &state.Since); err != nil {
		return state, fmt.Errorf("read whether mail is sent: %w", err)
	}
	return state, nil
}

const turnSendingOff = `UPDATE installation SET sending_off = $1, sending_off_at = $2 WHERE sending_off IS NULL`

// TurnSendingOff stops steps, answers and placement mails in all processes: nothing new is claimed.
// Claimed messages are still sent. If sending is off already, the first reason stays.
func (l *Ledger) TurnSendingOff(ctx context.Context, reason string) error {
	return storage.Exec(ctx, l.db.Pool(), "turn sending off", turnSendingOff, reason, l.db.Now())
}

const turnSendingOn = `UPDATE installation SET sending_off = NULL, sending_off_at = NULL, epoch = $1, source = $2`

// TurnSendingOn sends mail from this database as it is. It begins a new epoch: counts that were seen
// before are not compared any more.
func (l *Ledger) TurnSendingOn(ctx context.Context) error {
	now, err := readInstallation(ctx, l.db.Pool())
	if err != nil {
		return err
	}
	return storage.Exec(ctx, l.db.Pool(), "turn sending on", turnSendingOn, uuid.New(), now.here)
}
