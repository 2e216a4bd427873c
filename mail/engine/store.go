package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Store is what the engine needs from storage. Several engines, in several processes, may use one
// store.
type Store interface {
	Schedule
	Ledger
	Leases
	Readings
	Deferrals
	Intake
	UnknownMessages
	Unsubscriber
	Answers
	Placements
	SentFolder
}

// Schedule returns the mailboxes that have work, with their logins.
type Schedule interface {
	// Senders returns the mailboxes that could send now, longest waiting first.
	Senders(ctx context.Context) ([]outreach.MailboxRef, error)
	// NextSender returns when the next mailbox may send, or the zero time if that is not known.
	NextSender(ctx context.Context) (time.Time, error)
	// MailboxWithPasswords returns one mailbox with its secrets.
	MailboxWithPasswords(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	// RefreshCampaigns updates what depends on time alone: completed campaigns and holds that have
	// ended.
	RefreshCampaigns(ctx context.Context) error
}

// Ledger is the three commits of a message (docs/reference.md#ledger).
type Ledger interface {
	// ClaimSend is commit 1. It returns nil if the mailbox has nothing to send now.
	ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
		compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error)
	// CommitMessage is commit 2. It returns Config.Withdrawn if the message must no longer be sent;
	// there is then nothing to settle.
	CommitMessage(ctx context.Context, message outreach.Ref, holder string) error
	// SettleMessage is commit 3.
	SettleMessage(ctx context.Context, message outreach.Ref, holder string, result outreach.SendResult) error
}

// Leases renews the leases of this process and sweeps what dead processes left.
type Leases interface {
	// RenewMessages renews the leases of messages in progress.
	RenewMessages(ctx context.Context, messages []outreach.Ref, holder string) error
	// RenewReaders renews the leases of mailboxes being read.
	RenewReaders(ctx context.Context, boxes []outreach.MailboxRef, holder string) error
	// SweepSteps sets messages that were left between commits 2 and 3 to unknown and returns
	// their number.
	SweepSteps(ctx context.Context) (int, error)
}

// Readings leases mailboxes for reading and releases them.
type Readings interface {
	// Readers leases mailboxes that are due.
	Readers(ctx context.Context, request outreach.ReadRequest) ([]outreach.MailboxRef, error)
	// DoneReading releases a mailbox. failure is set if it could not be read.
	DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error
	// LeaveReading releases a mailbox that was not read to its end. Another process may read it at
	// once.
	LeaveReading(ctx context.Context, workspace, id uuid.UUID, holder string) error
	// NoteFailure sets a mailbox to error with a reason.
	NoteFailure(ctx context.Context, workspace, mailbox uuid.UUID, reason string) error
}

// Deferrals records since when a server of a mailbox asks to come back later, nil if it does not
// (docs/reference.md#servers-that-defer).
type Deferrals interface {
	NoteSMTPDeferred(ctx context.Context, mailbox outreach.MailboxRef, since *time.Time) error
	NoteIMAPDeferred(ctx context.Context, mailbox outreach.MailboxRef, since *time.Time) error
	// NoteRecipientsDeferred records how the SMTP server defers recipients, nil if it does not.
	NoteRecipientsDeferred(ctx context.Context, mailbox outreach.MailboxRef, d *outreach.RecipientDeferral) error
}

// Intake ingests incoming mail and records how far each folder was read.
type Intake interface {
	// Positions returns where reading of each folder stopped.
	Positions(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.FolderPosition, error)
	// Concerning returns which messages are new and match something of the workspace. The others
	// need not be interpreted.
	Concerning(ctx context.Context, box outreach.Mailbox, in []outreach.Received) ([]outreach.Concern, error)
	// Ingest ingests each message of a batch exactly once by its key, skips what it cannot store,
	// and records that reading continues after the batch. taken marks the messages that were
	// ingested by this call, also if it returns an error.
	Ingest(ctx context.Context, box outreach.Mailbox, in []outreach.Received, at outreach.FolderPosition) (taken []bool, err error)
}

// Unsubscriber unsubscribes recipients.
type Unsubscriber interface {
	// UnsubscribeByMail does what the unsubscribe page does for the recipient of a message. It
	// returns nil if the message no longer exists.
	UnsubscribeByMail(ctx context.Context, message outreach.Ref, at time.Time) error
}

// UnknownMessages finds out whether unknown messages were sent.
type UnknownMessages interface {
	// Unknowns returns the unknown messages of a mailbox.
	Unknowns(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.Outgoing, error)
	// NoteCopies records copies of our messages that the Sent folder of a mailbox holds: it stores
	// the Message-IDs that the provider gave them, and settles unknown messages as sent.
	NoteCopies(ctx context.Context, workspace uuid.UUID, copies []outreach.SentCopy) error
}

// Answers holds the three commits of an answer, and the filing of sent answers.
type Answers interface {
	// ClaimAnswers is commit 1 for up to most answers that are due.
	ClaimAnswers(ctx context.Context, holder string, most int,
		compose func(outreach.AnswerBytes) ([]byte, error)) ([]outreach.OutgoingAnswer, error)
	// CommitAnswer is commit 2. It returns Config.Withdrawn if the answer must no longer be sent.
	CommitAnswer(ctx context.Context, answer outreach.Ref, holder string) error
	// SettleAnswer is commit 3. refused is the refused recipient, or "".
	SettleAnswer(ctx context.Context, answer outreach.Ref, holder string, result outreach.SendResult, refused string) error
	// SweepAnswers sets answers that were left between commits 2 and 3 to unknown and returns their
	// number.
	SweepAnswers(ctx context.Context) (int, error)
	// Unfiled returns the answers of a mailbox that may be missing in its Sent folder.
	Unfiled(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.UnfiledAnswer, error)
	// Filed records that answers are in the Sent folder.
	Filed(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) error
}

// Placements are the checks that send a mail from one mailbox of a workspace to another.
type Placements interface {
	// ClaimPlacementChecks returns up to most checks that are due, each for one process.
	// While sending is off they are those whose mail may have been sent.
	ClaimPlacementChecks(ctx context.Context, most int) ([]outreach.PlacementCheck, error)
	// CommitPlacement records that the mail is about to be sent. It fails if that was
	// recorded before.
	CommitPlacement(ctx context.Context, check outreach.Ref, at time.Time) error
	// NotePlacement records what one attempt found.
	NotePlacement(ctx context.Context, check outreach.Ref, r outreach.PlacementResult) (outreach.PlacementCheck, error)
}

// SentFolder stores what people write in other mail programs (docs/reference.md#external-answers).
type SentFolder interface {
	// AnswersElsewhere reports which mails of the Sent folder answer a mail of a conversation of the
	// mailbox and are not stored yet.
	AnswersElsewhere(ctx context.Context, mailbox outreach.MailboxRef, heads []outreach.SentHead) ([]bool, error)
	// TakeSent stores each answer once, by its Message-ID, and records that reading continues at a
	// position.
	TakeSent(ctx context.Context, mailbox outreach.MailboxRef, answers []outreach.ExternalAnswer,
		at outreach.FolderPosition) error
}
