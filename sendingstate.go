package outreach

import (
	"fmt"
	"time"
)

// SendingState is whether the installation sends mail.
type SendingState struct {
	Off   *string // why it sends none; nil while it sends
	Since *time.Time
}

// The reasons why no mail is sent.
const (
	OffByShell          = "it was turned off with `outreach sending off`"
	OffDatabaseReplaced = "this is not the database that mail was sent from before; it was restored, copied or moved"
)

// OffLedgerBehind returns the reason for a database that has lost sent messages.
func OffLedgerBehind(missing int64) string {
	if missing == 1 {
		return "the database is older than it was: 1 message that was sent is missing in it"
	}
	return fmt.Sprintf("the database is older than it was: %d messages that were sent are missing in it", missing)
}

// Sentence returns the text shown while no mail is sent, nil while mail is sent.
func (s SendingState) Sentence() *string {
	if s.Off == nil {
		return nil
	}
	return new("Sending is off for the whole installation: " + *s.Off + ". To go on, run `outreach sending on`.")
}
