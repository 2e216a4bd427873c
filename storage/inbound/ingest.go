package inbound

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// Ingest ingests a batch of messages from one folder with all consequences, and records that
// reading continues after it, in one transaction: if the process dies before the commit, the batch
// is read again; if it dies after it, it is not. Each message is ingested exactly once by its key,
// however many mailboxes of the workspace hold it; taken marks those that were ingested now.
// Messages about the same person are handled in order.
//
// If the batch cannot be stored as a whole, each message gets its own transaction, and the position
// follows. A message that cannot be stored at all is skipped and logged. Any other error ends the
// batch; the messages ingested until then are skipped when the batch is read again.
func (b *Inbox) Ingest(ctx context.Context, box outreach.Mailbox, in []outreach.Received,
	at outreach.FolderPosition) (taken []bool, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		if !b.db.Distributed() {
			if err := storage.Exec(ctx, tx, "set planning", planOnce); err != nil {
				return err
			}
		}
		if taken, err = b.ingest(ctx, tx, box, in); err != nil {
			return err
		}
		return storePosition(ctx, tx, box.Ref(), at)
	})
	if err == nil {
		return taken, nil
	}
	taken = make([]bool, len(in))
	if ctx.Err() != nil {
		return taken, err
	}
	for i := range in {
		err := b.db.Tx(ctx, func(tx pgx.Tx) error {
			one, err := b.ingest(ctx, tx, box, in[i:i+1])
			taken[i] = err == nil && one[0]
			return err
		})
		if _, refused := errors.AsType[*outreach.Error](err); refused {
			b.db.Log().LogAttrs(ctx, slog.LevelWarn, "incoming message cannot be stored", slog.String("workspace_id", box.WorkspaceID.String()),
				slog.String("mailbox_id", box.ID.String()), slog.Any("error", err))
		} else if err != nil {
			return taken, err
		}
	}
	return taken, storePosition(ctx, b.db.Pool(), box.Ref(), at)
}

// planOnce makes Postgres reuse the plans of the statements. Most waves have two or three messages, for
// which planning takes longer than running.
const planOnce = `SET LOCAL plan_cache_mode = force_generic_plan`

// A fixed order, because several mailboxes may read one account at the same time.
const insertIncoming = `
INSERT INTO incoming (workspace_id, message_key, class, received_at)
SELECT $1, one.key, one.class, $4 FROM unnest($2::text[], $3::text[]) one(key, class) ORDER BY one.key
ON CONFLICT DO NOTHING RETURNING message_key`

// ingest is Ingest within a transaction.
func (b *Inbox) ingest(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, in []outreach.Received) ([]bool, error) {
	taken := make([]bool, len(in))
	if len(in) == 0 {
		return taken, nil
	}
	keys, classes := make([]string, len(in)), make([]string, len(in))
	for i := range in {
		keys[i], classes[i] = in[i].Key, string(in[i].Kind)
	}
	fresh, err := storage.Values[string](ctx, tx, "note incoming messages", insertIncoming, box.WorkspaceID, keys, classes, b.db.Now())
	if err != nil {
		return nil, err
	}
	var act []outreach.Received
	left := storage.SetOf(fresh)
	for i := range in {
		if _, ok := left[in[i].Key]; ok { // the first of those with this key
			delete(left, in[i].Key)
			taken[i] = true
			if in[i].Kind != outreach.ReceivedIgnored {
				act = append(act, in[i])
			}
		}
	}
	return taken, b.actOn(ctx, tx, box, act)
}

// actOn handles new messages in waves. The messages of a wave are about different people: plain
// replies are handled together, then the others one by one.
func (b *Inbox) actOn(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, in []outreach.Received) error {
	if len(in) == 0 {
		return nil
	}
	found, err := findSubjects(ctx, tx, box, in)
	if err != nil {
		return err
	}
	w := wave{found: found, people: map[uuid.UUID]struct{}{}}
	for i := range in {
		about := found.of(&in[i])
		if len(about) == 0 && !found.unmatched(&in[i]) {
			continue
		}
		if w.concerns(about) {
			if err := b.finish(ctx, tx, box, &w); err != nil {
				return err
			}
		}
		w.add(&in[i], about)
	}
	return b.finish(ctx, tx, box, &w)
}

// wave is a run of messages about different people.
type wave struct {
	found   subjects
	people  map[uuid.UUID]struct{}
	answers []answer
	alone   []*outreach.Received
}

func (w *wave) concerns(about []subject) bool {
	return slices.ContainsFunc(about, func(s subject) bool {
		_, there := w.people[s.prospect]
		return there
	})
}

func (w *wave) add(in *outreach.Received, about []subject) {
	for _, s := range about {
		w.people[s.prospect] = struct{}{}
	}
	if in.Kind.Answer() && len(about) > 0 && about[0].message != nil {
		w.answers = append(w.answers, answer{in: in, subject: about[0]})
		return
	}
	w.alone = append(w.alone, in)
}

// finish handles a wave and empties it.
func (b *Inbox) finish(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, w *wave) error {
	rest, err := b.takeAnswers(ctx, tx, box, w.answers)
	if err != nil {
		return err
	}
	for _, in := range append(rest, w.alone...) {
		if err := b.takeAlone(ctx, tx, box, w.found, *in); err != nil {
			return err
		}
	}
	clear(w.people)
	w.answers, w.alone = nil, nil
	return nil
}

func (b *Inbox) takeAlone(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, found subjects, in outreach.Received) error {
	switch in.Kind {
	case outreach.ReceivedReply, outreach.ReceivedAutomatic:
		return b.takeReply(ctx, tx, box, found, in)
	case outreach.ReceivedBounce:
		return b.takeBounces(ctx, tx, box, found, in)
	case outreach.ReceivedComplaint:
		return b.takeComplaint(ctx, tx, box, found, in)
	}
	return nil
}

// Concerning returns which messages are new and match something of the workspace, and what was sent
// to their authors. The others need not be interpreted: Ingest only records their keys.
func (b *Inbox) Concerning(ctx context.Context, box outreach.Mailbox, in []outreach.Received) ([]outreach.Concern, error) {
	concerning := make([]outreach.Concern, len(in))
	if len(in) == 0 {
		return concerning, nil
	}
	found, err := findSubjects(ctx, b.db.Pool(), box, in)
	if err != nil {
		return nil, err
	}
	for i := range in {
		_, known := found.known[in[i].Key]
		concerning[i].Ours = !known && (len(found.of(&in[i])) > 0 || found.unmatched(&in[i]))
	}
	return concerning, b.addSent(ctx, box, in, found, concerning)
}

// The last messages to each prospect, whose text a reply may quote.
const selectSent = `
SELECT p.id, m.subject, m.body_text, m.sent_at
FROM unnest($2::uuid[]) p(id)
CROSS JOIN LATERAL (SELECT m.subject, left(m.body_text, 65536) AS body_text, m.sent_at` + toProspect + `
	ORDER BY m.sent_at DESC, m.id DESC LIMIT 5) m`

// addSent adds to each reply what was sent to its prospect.
func (b *Inbox) addSent(ctx context.Context, box outreach.Mailbox, in []outreach.Received, found subjects,
	concerning []outreach.Concern) error {
	var prospects []uuid.UUID
	for i := range in {
		if concerning[i].Ours && in[i].Kind.Answer() {
			for _, about := range found.of(&in[i]) {
				prospects = append(prospects, about.prospect)
			}
		}
	}
	if len(prospects) == 0 {
		return nil
	}
	slices.SortFunc(prospects, storage.CompareIDs)
	sent := map[uuid.UUID][]outreach.SentText{}
	var prospect uuid.UUID
	var message outreach.SentText
	err := storage.ForEach(ctx, b.db.Pool(), "select what was sent", selectSent, []any{box.WorkspaceID, slices.Compact(prospects)},
		[]any{&prospect, &message.Subject, &message.Text, &message.At},
		func() { sent[prospect] = append(sent[prospect], message) })
	if err != nil {
		return err
	}
	for i := range in {
		if concerning[i].Ours && in[i].Kind.Answer() {
			if about := found.of(&in[i]); len(about) > 0 {
				concerning[i].Sent, concerning[i].ByAddress = sent[about[0].prospect], about[0].since != nil
			}
		}
	}
	return nil
}
