package engine

import (
	"context"
	"time"

	"github.com/google/uuid"

	"outreach"
)

// Store is everything that the engine asks of storage. Several engines, in
// several processes, may use one store at a time.
type Store interface {
	Schedule
	Ledger
	Custody
	Readings
	Intake
	Doubts
	Unsubscriber
	Answers
}

// Schedule says which mailboxes have something to do, and with what logins.
type Schedule interface {
	// Senders gives the mailboxes that could send now, the longest waiting first.
	Senders(ctx context.Context) ([]outreach.MailboxRef, error)
	// NextSender returns when the next mailbox is to be looked at, zero when no time
	// is known.
	NextSender(ctx context.Context) (time.Time, error)
	// MailboxWithPasswords gives one mailbox with its logins.
	MailboxWithPasswords(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	// RefreshCampaigns brings up to date what time alone changes: the reason why
	// a campaign does not send, completion, holds that are over.
	RefreshCampaigns(ctx context.Context) error
}

// Ledger is the three commits of a message (docs/reference.md#ledger).
type Ledger interface {
	// ClaimSend is commit 1; nil when the mailbox has nothing to send now.
	ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
		compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error)
	// CommitMessage is commit 2. It fails with Config.Withdrawn when the message
	// must not go any more; whoever claimed it has then nothing to settle.
	CommitMessage(ctx context.Context, message outreach.Ref, holder string) error
	// SettleMessage is commit 3.
	SettleMessage(ctx context.Context, message outreach.Ref, holder string, result outreach.SendResult) error
}

// Custody keeps what this process works on its own, and finds what a process
// that is gone left behind.
type Custody interface {
	// RenewMessages keeps the leases of messages on their way.
	RenewMessages(ctx context.Context, messages []outreach.Ref, holder string) error
	// RenewReaders keeps the leases of mailboxes being read.
	RenewReaders(ctx context.Context, boxes []outreach.MailboxRef, holder string) error
	// SweepCommitting makes unknown what was left between commits 2 and 3, and
	// counts it.
	SweepCommitting(ctx context.Context) (int, error)
}

// Readings hands out mailboxes to be read.
type Readings interface {
	// Readers claims mailboxes that are due.
	Readers(ctx context.Context, claim outreach.ReadClaim) ([]outreach.MailboxRef, error)
	// DoneReading gives one back, with the reason when it could not be read.
	DoneReading(ctx context.Context, workspace, id uuid.UUID, holder string, failure *string) error
	// LeaveReading gives one back that was not read to its end, to be read on by
	// another process at once.
	LeaveReading(ctx context.Context, workspace, id uuid.UUID, holder string) error
	// NoteFailure marks a mailbox that cannot be used until somebody sees to it
	// or a later reading finds it well.
	NoteFailure(ctx context.Context, workspace, mailbox uuid.UUID, reason string) error
}

// Intake keeps what was read and where reading stopped.
type Intake interface {
	// Positions gives where each folder of a mailbox was left.
	Positions(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.FolderPosition, error)
	// Concerning says which messages are new and about something of ours. The
	// others need not be interpreted.
	Concerning(ctx context.Context, box outreach.Mailbox, in []outreach.Received) ([]outreach.Concern, error)
	// TakeIn acts on each message of a batch exactly once by its key, passing over
	// what it cannot hold at all, and notes that reading goes on behind the batch;
	// taken says on which it acted now, also along with an error.
	TakeIn(ctx context.Context, box outreach.Mailbox, in []outreach.Received, at outreach.FolderPosition) (taken []bool, err error)
}

// Unsubscriber takes recipients off.
type Unsubscriber interface {
	// UnsubscribeByMail is what the page of the unsubscribe link does for the
	// recipient of a message. A message that is not there any more is no error.
	UnsubscribeByMail(ctx context.Context, message outreach.Ref, at time.Time) error
}

// Doubts are the messages of which nobody knows whether they left.
type Doubts interface {
	// Unknowns lists those of a mailbox.
	Unknowns(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.Outgoing, error)
	// ProveSent settles one that was found to have left.
	ProveSent(ctx context.Context, message outreach.Ref) error
}

// Answers are the three commits of an answer, and what is left to do for one that was
// sent.
type Answers interface {
	// ClaimAnswers is commit 1 for up to most answers that are due.
	ClaimAnswers(ctx context.Context, holder string, most int,
		compose func(outreach.AnswerBytes) ([]byte, error)) ([]outreach.OutgoingAnswer, error)
	// CommitAnswer is commit 2. It fails with Config.Withdrawn when the answer must not
	// go any more.
	CommitAnswer(ctx context.Context, answer outreach.Ref, holder string) error
	// SettleAnswer is commit 3. refused is the recipient that was refused, if it was one.
	SettleAnswer(ctx context.Context, answer outreach.Ref, holder string, result outreach.SendResult, refused string) error
	// SweepAnswers makes unknown what was left between commits 2 and 3, and counts it.
	SweepAnswers(ctx context.Context) (int, error)
	// Unfiled lists answers of a mailbox that may be missing in its Sent folder.
	Unfiled(ctx context.Context, mailbox outreach.MailboxRef) ([]outreach.UnfiledAnswer, error)
	// Filed notes that they are there.
	Filed(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) error
}
