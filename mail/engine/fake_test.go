package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
)

var errWithdrawn = errors.New("withdrawn")

// fakeStore is a store in memory, with mailboxes that have messages to send and
// folders to read, that writes down what it is told.
type fakeStore struct {
	mu        sync.Mutex
	boxes     []outreach.Mailbox
	queue     map[uuid.UUID][]outreach.Outgoing
	due       []uuid.UUID       // mailboxes to be read
	reading   map[uuid.UUID]int // those being read, by workspace
	positions map[string]outreach.FolderPosition
	known     map[string]bool

	broken  string    // the call that panics
	breaker uuid.UUID // for this mailbox

	commit func(outreach.Outgoing) error // what commit 2 answers
	settle func(try int) error           // what commit 3 answers
	take   func(outreach.Received) error // what Ingest answers

	tries    int
	messages map[uuid.UUID]outreach.Outgoing
	sender   map[uuid.UUID]uuid.UUID // the mailbox of each
	settled  []string
	notes    []string
	done     []string
	taken    []outreach.Received
	unknown  []outreach.Outgoing
	proven   []string
	renewals []uuid.UUID

	unsubscribed []uuid.UUID
	answers      []outreach.OutgoingAnswer
	unfiled      []outreach.UnfiledAnswer
	ours         []string // Message-IDs of mails of conversations
	looked       []outreach.SentHead
	elsewhere    []outreach.ExternalAnswer
}

func newFakeStore() *fakeStore {
	return &fakeStore{queue: map[uuid.UUID][]outreach.Outgoing{}, positions: map[string]outreach.FolderPosition{},
		known: map[string]bool{}, reading: map[uuid.UUID]int{}, messages: map[uuid.UUID]outreach.Outgoing{}, sender: map[uuid.UUID]uuid.UUID{}}
}

// box adds a mailbox that has messages to these recipients.
func (f *fakeStore) box(email string, server outreach.MailServer, recipients ...string) outreach.Mailbox {
	box := outreach.NewMailbox()
	box.ID, box.Email, box.SMTP, box.IMAP = uuid.New(), email, server, server
	f.boxes = append(f.boxes, box)
	for _, to := range recipients {
		id := uuid.New()
		raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nMessage-ID: <%s@test>\r\n\r\nHello\r\n", email, to, id)
		f.queue[box.ID] = append(f.queue[box.ID],
			outreach.Outgoing{ID: id, MessageID: "<" + id.String() + "@test>", Recipient: to, Raw: []byte(raw), Tries: 1})
	}
	return box
}

// breakAt panics where a test has planted it.
func (f *fakeStore) breakAt(call string, mailbox uuid.UUID) {
	if f.broken == call && f.breaker == mailbox {
		panic("planted at " + call)
	}
}

func (f *fakeStore) workspaceOf(id uuid.UUID) uuid.UUID {
	at := slices.IndexFunc(f.boxes, func(box outreach.Mailbox) bool { return box.ID == id })
	return f.boxes[at].WorkspaceID
}

// look reads the records.
func look[T any](f *fakeStore, read func() T) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	return read()
}

func (f *fakeStore) Senders(context.Context) (refs []outreach.MailboxRef, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, box := range f.boxes {
		if len(f.queue[box.ID]) > 0 {
			refs = append(refs, outreach.MailboxRef{WorkspaceID: box.WorkspaceID, ID: box.ID})
		}
	}
	return refs, nil
}

func (f *fakeStore) MailboxWithPasswords(_ context.Context, _, id uuid.UUID) (outreach.Mailbox, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, box := range f.boxes {
		if box.ID == id {
			return box, nil
		}
	}
	return outreach.Mailbox{}, outreach.ErrNotFound
}

func (f *fakeStore) NextSender(context.Context) (time.Time, error) { return time.Time{}, nil }
func (f *fakeStore) RefreshCampaigns(context.Context) error        { return nil }
func (f *fakeStore) SweepSteps(context.Context) (int, error)       { return 0, nil }

func (f *fakeStore) ClaimSend(_ context.Context, box outreach.Mailbox, _ string,
	_ func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("claim", box.ID)
	waiting := f.queue[box.ID]
	if len(waiting) == 0 {
		return nil, nil
	}
	out := waiting[0]
	f.queue[box.ID] = waiting[1:]
	f.messages[out.ID], f.sender[out.ID] = out, box.ID
	return &out, nil
}

func (f *fakeStore) CommitMessage(_ context.Context, message outreach.Ref, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("commit", f.sender[message.ID])
	if f.commit == nil {
		return nil
	}
	return f.commit(f.messages[message.ID])
}

func (f *fakeStore) SettleMessage(_ context.Context, message outreach.Ref, _ string, result outreach.SendResult) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("settle", f.sender[message.ID])
	f.tries++
	if f.settle != nil {
		if err := f.settle(f.tries); err != nil {
			return err
		}
	}
	words := f.messages[message.ID].Recipient + " " + string(result.Kind)
	if result.Kind == outreach.SendRefused {
		words += " " + string(result.Fault)
	}
	f.settled = append(f.settled, words)
	return nil
}

func (f *fakeStore) RenewMessages(_ context.Context, messages []outreach.Ref, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.renewals = append(f.renewals, outreach.IDsOf(messages)...)
	return nil
}

func (f *fakeStore) RenewReaders(ctx context.Context, boxes []outreach.MailboxRef, holder string) error {
	refs := make([]outreach.Ref, len(boxes))
	for i, box := range boxes {
		refs[i] = outreach.Ref(box)
	}
	return f.RenewMessages(ctx, refs, holder)
}

func (f *fakeStore) Readers(_ context.Context, request outreach.ReadRequest) (refs []outreach.MailboxRef, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.due = slices.DeleteFunc(f.due, func(id uuid.UUID) bool {
		workspace := f.workspaceOf(id)
		if len(refs) == request.Limit || f.reading[workspace] == request.Share {
			return false
		}
		f.reading[workspace]++
		refs = append(refs, outreach.MailboxRef{WorkspaceID: workspace, ID: id})
		return true
	})
	return refs, nil
}

func (f *fakeStore) DoneReading(_ context.Context, _, id uuid.UUID, _ string, failure *string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading[f.workspaceOf(id)]--
	words := "well"
	if failure != nil {
		words = *failure
	}
	f.done = append(f.done, f.emailOf(id)+" "+words)
	return nil
}

func (f *fakeStore) emailOf(id uuid.UUID) string {
	at := slices.IndexFunc(f.boxes, func(box outreach.Mailbox) bool { return box.ID == id })
	return f.boxes[at].Email
}

func (f *fakeStore) NoteFailure(_ context.Context, _, id uuid.UUID, reason string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, f.emailOf(id)+" "+reason)
	return nil
}

func (f *fakeStore) NoteSMTPDeferred(_ context.Context, box outreach.MailboxRef, since *time.Time) error {
	return f.noteDeferral(box.ID, "SMTP", since, func(box *outreach.Mailbox) { box.SMTPDeferredSince = since })
}

func (f *fakeStore) NoteIMAPDeferred(_ context.Context, box outreach.MailboxRef, since *time.Time) error {
	return f.noteDeferral(box.ID, "IMAP", since, func(box *outreach.Mailbox) { box.IMAPDeferredSince = since })
}

func (f *fakeStore) NoteRecipientsDeferred(_ context.Context, box outreach.MailboxRef, d *outreach.RecipientDeferral) error {
	words := "SMTP no longer defers for recipients"
	if d != nil {
		words = "SMTP defers for recipients"
	}
	return f.note(box.ID, words, func(box *outreach.Mailbox) { box.RecipientDeferral = d })
}

func (f *fakeStore) noteDeferral(id uuid.UUID, server string, since *time.Time, set func(*outreach.Mailbox)) error {
	words := " no longer defers"
	if since != nil {
		words = " defers"
	}
	return f.note(id, server+words, set)
}

func (f *fakeStore) note(id uuid.UUID, words string, set func(*outreach.Mailbox)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.notes = append(f.notes, f.emailOf(id)+" "+words)
	set(&f.boxes[slices.IndexFunc(f.boxes, func(box outreach.Mailbox) bool { return box.ID == id })])
	return nil
}

func (f *fakeStore) Positions(_ context.Context, box outreach.MailboxRef) (all []outreach.FolderPosition, _ error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("positions", box.ID)
	for key, p := range f.positions {
		if key == box.ID.String()+p.Folder {
			all = append(all, p)
		}
	}
	return all, nil
}

func (f *fakeStore) Concerning(_ context.Context, box outreach.Mailbox, in []outreach.Received) ([]outreach.Concern, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("concerning", box.ID)
	concerning := make([]outreach.Concern, len(in))
	for i := range in {
		concerning[i].Ours = !f.known[box.Email+in[i].Key]
	}
	return concerning, nil
}

func (f *fakeStore) Ingest(_ context.Context, box outreach.Mailbox, in []outreach.Received, at outreach.FolderPosition) ([]bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.breakAt("take", box.ID)
	taken := make([]bool, len(in))
	for i, one := range in {
		if f.take != nil {
			if err := f.take(one); err != nil {
				return taken, err
			}
		}
		if taken[i] = !f.known[box.Email+one.Key]; taken[i] {
			f.known[box.Email+one.Key] = true
			f.taken = append(f.taken, one)
		}
	}
	f.positions[box.ID.String()+at.Folder] = at
	return taken, nil
}

func (f *fakeStore) UnsubscribeByMail(_ context.Context, message outreach.Ref, _ time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unsubscribed = append(f.unsubscribed, message.ID)
	return nil
}

func (f *fakeStore) LeaveReading(_ context.Context, _, id uuid.UUID, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reading[f.workspaceOf(id)]--
	f.done = append(f.done, f.emailOf(id)+" left")
	return nil
}

func (f *fakeStore) Unknowns(context.Context, outreach.MailboxRef) ([]outreach.Outgoing, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unknown, nil
}

func (f *fakeStore) NoteCopies(_ context.Context, _ uuid.UUID, copies []outreach.SentCopy) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range copies {
		for _, out := range f.unknown {
			if out.ID == c.Message.ID {
				f.proven = append(f.proven, out.MessageID)
			}
		}
	}
	return nil
}

func (f *fakeStore) ClaimAnswers(context.Context, string, int,
	func(outreach.AnswerBytes) ([]byte, error)) ([]outreach.OutgoingAnswer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	due := f.answers
	f.answers = nil
	return due, nil
}

func (f *fakeStore) CommitAnswer(context.Context, outreach.Ref, string) error { return nil }

func (f *fakeStore) SettleAnswer(_ context.Context, _ outreach.Ref, _ string, result outreach.SendResult, refused string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.settled = append(f.settled, fmt.Sprintf("answer %s %s", result.Kind, refused))
	return nil
}

func (f *fakeStore) SweepAnswers(context.Context) (int, error) { return 0, nil }

func (f *fakeStore) Unfiled(context.Context, outreach.MailboxRef) ([]outreach.UnfiledAnswer, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.unfiled), nil
}

func (f *fakeStore) Filed(_ context.Context, _ uuid.UUID, ids []uuid.UUID) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unfiled = slices.DeleteFunc(f.unfiled, func(a outreach.UnfiledAnswer) bool { return slices.Contains(ids, a.ID) })
	return nil
}

func (f *fakeStore) ClaimPlacementChecks(context.Context, int) ([]outreach.PlacementCheck, error) {
	return nil, nil
}

func (f *fakeStore) CommitPlacement(context.Context, outreach.Ref, time.Time) error { return nil }

func (f *fakeStore) NotePlacement(_ context.Context, _ outreach.Ref, _ outreach.PlacementResult) (c outreach.PlacementCheck, _ error) {
	return c, nil
}

func (f *fakeStore) AnswersElsewhere(_ context.Context, _ outreach.MailboxRef, heads []outreach.SentHead) ([]bool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.looked = append(f.looked, heads...)
	wanted := make([]bool, len(heads))
	for i, h := range heads {
		wanted[i] = slices.ContainsFunc(h.Answered, func(id string) bool { return slices.Contains(f.ours, id) })
	}
	return wanted, nil
}

func (f *fakeStore) TakeSent(_ context.Context, box outreach.MailboxRef, answers []outreach.ExternalAnswer,
	at outreach.FolderPosition) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.elsewhere = append(f.elsewhere, answers...)
	f.positions[box.ID.String()+at.Folder] = at
	return nil
}
