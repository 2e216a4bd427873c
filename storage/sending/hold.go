package sending

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

const holdEnrollmentRun = storage.HoldEnrollment + ` AND run = $7`

// holdRun holds the run that a message belongs to.
func holdRun(ctx context.Context, tx pgx.Tx, f InFlight, h storage.Hold) error {
	return storage.Exec(ctx, tx, "hold enrollment", holdEnrollmentRun, f.Workspace, f.Enrollment, h.Kind, h.Reason,
		h.Until, h.Kind.Keeps(), f.run)
}

// An enrollment that is sent from another mailbox meanwhile is not held for this one.
const holdBlamed = holdEnrollmentRun + `
	AND mailbox_id = $8 AND EXISTS (SELECT FROM campaigns c WHERE c.workspace_id = $1 AND c.id = campaign_id AND $8 = ANY(c.mailbox_ids))`

// holdForMailbox holds the run that a message belongs to for a fault of the mailbox that sent it.
func holdForMailbox(ctx context.Context, tx pgx.Tx, f InFlight, reason string) error {
	return storage.Exec(ctx, tx, "hold enrollment", holdBlamed, f.Workspace, f.Enrollment, outreach.HoldSender,
		reason, nil,
		outreach.HoldSender.Keeps(), f.run, f.mailbox)
}

// refusedReason returns the hold reason of an enrollment whose message a server refused.
func refusedReason(address, text string) string {
	return fmt.Sprintf("the message was refused because of the sender; it is sent again once %s is resumed or passes "+
		"a check: %s", address, text)
}

// reportedReason returns the hold reason of an enrollment whose message was accepted and then
// reported as refused.
func reportedReason(address, text string) string {
	return fmt.Sprintf("the message was reported as refused because of the sender; the next step is sent once %s is "+
		"resumed or passes a check: %s", address, text)
}
