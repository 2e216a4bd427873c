package inbound

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"outreach"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// TakeIn handles a batch of messages from one folder with all that follows from
// them, and notes that reading goes on behind it, in one transaction: a process
// that dies before the commit meets the batch again, one that dies after it does
// not. Each message is handled exactly once by its key, in however many mailboxes
// of the workspace it lies; taken says which of them for the first time. Messages
// about the same people are handled in their order.
//
// When the batch cannot be stored as a whole, each message gets a transaction of
// its own, and the position follows. One that cannot be stored at all is passed
// over, with a word in the log. Any other error ends it: what was taken in until
// then is known when the batch comes again.
func (b *Inbox) TakeIn(ctx context.Context, box outreach.Mailbox, in []outreach.Received,
	at outreach.FolderPosition) (taken []bool, err error) {
	err = b.db.Tx(ctx, func(tx pgx.Tx) error {
		if !b.db.Distributed() {
			if _, err := tx.Exec(ctx, planOnce); err != nil {
				return fmt.Errorf("set planning: %w", err)
			}
		}
		if taken, err = b.takeIn(ctx, tx, box, in); err != nil {
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
			one, err := b.takeIn(ctx, tx, box, in[i:i+1])
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

// planOnce keeps Postgres from planning the statements anew for each wave: most
// waves are of two or three messages, for which that costs more than running them.
const planOnce = `SET LOCAL plan_cache_mode = force_generic_plan`

// In one order, since several mailboxes may read one account at once.
const insertIncoming = `
INSERT INTO incoming (workspace_id, message_key, class, received_at)
SELECT $1, one.key, one.class, $4 FROM unnest($2::text[], $3::text[]) one(key, class) ORDER BY one.key
ON CONFLICT DO NOTHING RETURNING message_key`

// takeIn is TakeIn within a transaction.
func (b *Inbox) takeIn(ctx context.Context, tx pgx.Tx, box outreach.Mailbox, in []outreach.Received) ([]bool, error) {
	taken := make([]bool, len(in))
	if len(in) == 0 {
		return taken, nil
	}
	keys, classes := make([]string, len(in)), make([]string, len(in))
	for i := range in {
		keys[i], classes[i] = in[i].Key, string(in[i].Kind)
	}
	rows, err := tx.Query(ctx, insertIncoming, box.WorkspaceID, keys, classes, b.db.Now())
	if err != nil {
		return nil, fmt.Errorf("note incoming messages: %w", err)
	}
	fresh, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("note incoming messages: %w", err)
	}
	var act []outreach.Received
	left := setOf(fresh)
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

func setOf[T comparable](list []T) map[T]struct{} {
	set := make(map[T]struct{}, len(list))
	for _, item := range list {
		set[item] = struct{}{}
	}
	return set
}

// actOn handles messages that are new, in waves of such as are about different
// people: among them the plain answers together, then the others one by one.
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

// finish handles a wave and leaves it empty.
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

// Concerning reports which messages are new and about something of ours, and returns
// what was sent to whom they are from. The others need no interpretation: TakeIn
// finds nothing to do for them.
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

// The last messages to each prospect, whose text may stand below an answer.
const selectSent = `
SELECT p.id, m.body_text
FROM unnest($2::uuid[]) p(id)
CROSS JOIN LATERAL (SELECT left(m.body_text, 65536) AS body_text` + toProspect + ` ORDER BY m.sent_at DESC, m.id DESC LIMIT 5) m`

// addSent adds to each answer the texts that were sent to its prospect.
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
	slices.SortFunc(prospects, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	rows, err := b.db.Pool().Query(ctx, selectSent, box.WorkspaceID, slices.Compact(prospects))
	if err != nil {
		return fmt.Errorf("select what was sent: %w", err)
	}
	sent := map[uuid.UUID][]string{}
	var prospect uuid.UUID
	var text string
	if _, err := pgx.ForEachRow(rows, []any{&prospect, &text}, func() error {
		sent[prospect] = append(sent[prospect], text)
		return nil
	}); err != nil {
		return fmt.Errorf("select what was sent: %w", err)
	}
	for i := range in {
		if concerning[i].Ours && in[i].Kind.Answer() {
			if about := found.of(&in[i]); len(about) > 0 {
				concerning[i].Sent = sent[about[0].prospect]
			}
		}
	}
	return nil
}

// subject is what a received message is about: a message of ours to a prospect,
// or only the prospect.
type subject struct {
	message  *uuid.UUID
	prospect uuid.UUID
	since    *time.Time // when somebody first wrote to the prospect; of one found by address
}

// subjects is what a batch may be about.
type subjects struct {
	known     map[string]struct{} // keys of messages that were taken in before
	byHeader  map[string]subject
	byLink    map[string]subject // by the id of the message that a signed link is for
	byAddress map[string]subject
	companies map[string]struct{} // domains of companies that were written to
	own       map[string]struct{} // addresses of mailboxes of the workspace
	connected time.Time           // when the mailbox was
}

const selectKnown = `SELECT message_key FROM incoming WHERE workspace_id = $1 AND message_key = ANY($2)`

const matchHeaders = `SELECT message_id, id, prospect_id, NULL::timestamptz FROM messages WHERE workspace_id = $1 AND message_id = ANY($2)`

const matchLinks = `SELECT id::text, id, prospect_id, NULL::timestamptz FROM messages WHERE workspace_id = $1 AND id = ANY($2)`

const matchCompanies = `
SELECT c.domain FROM companies c
WHERE c.workspace_id = $1 AND c.domain = ANY($2)
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.company_id = c.id AND p.last_contacted_at IS NOT NULL)`

// Without a reference the address decides: the last message to it from a mailbox
// that reads this account, one of which it is known that it left if there is any,
// else the prospect alone. Each look goes by the order of one index, which also a
// table without statistics is then read by.
const matchAddresses = `
WITH readers AS MATERIALIZED (
	SELECT b.id FROM mailboxes b JOIN mailboxes own ON (b.imap_host, b.imap_username) = (own.imap_host, own.imap_username)
	WHERE b.workspace_id = $1 AND own.workspace_id = $1 AND own.id = $3
)
SELECT p.email_key, coalesce(
	(SELECT m.id` + toProspect + ` AND m.mailbox_id = ANY(ARRAY(SELECT id FROM readers))
		AND m.status IN ('sent', 'bounced') ORDER BY m.sent_at DESC, m.id DESC LIMIT 1),
	(SELECT m.id` + toProspect + ` AND m.mailbox_id = ANY(ARRAY(SELECT id FROM readers)) AND m.status = 'unknown'
		ORDER BY m.sent_at DESC, m.id DESC LIMIT 1)), p.id,
	(SELECT m.sent_at` + toProspect + ` ORDER BY m.sent_at, m.id LIMIT 1)
FROM prospects p WHERE p.workspace_id = $1 AND p.email_key = ANY($2)`

const toProspect = ` FROM messages m WHERE m.workspace_id = $1 AND m.prospect_id = p.id AND m.status IN ('sent', 'bounced', 'unknown')`

const matchOwn = `SELECT email_key FROM mailboxes WHERE workspace_id = $1 AND email_key = ANY($2)`

// findSubjects looks up all that a batch refers to, in one round trip.
func findSubjects(ctx context.Context, q interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}, box outreach.Mailbox, in []outreach.Received) (s subjects, err error) {
	var keys, headers, addresses, domains []string
	var links []uuid.UUID
	for i := range in {
		keys, headers, links = append(keys, in[i].Key), append(headers, in[i].References...), append(links, in[i].Links...)
		if in[i].Kind == outreach.ReceivedReply {
			domains = append(domains, domainsOf(in[i].From)...)
		}
		for _, address := range addressesIn(&in[i]) {
			addresses = append(addresses, outreach.FoldEmail(address))
		}
	}
	s = subjects{known: map[string]struct{}{}, byHeader: map[string]subject{}, byLink: map[string]subject{},
		byAddress: map[string]subject{}, connected: box.CreatedAt}
	batch := &pgx.Batch{}
	batch.Queue(selectKnown, box.WorkspaceID, keys).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		s.known = setOf(found)
		return err
	})
	batch.Queue(matchOwn, box.WorkspaceID, addresses).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		s.own = setOf(found)
		return err
	})
	batch.Queue(matchCompanies, box.WorkspaceID, domains).Query(func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		s.companies = setOf(found)
		return err
	})
	batch.Queue(matchHeaders, box.WorkspaceID, headers).Query(scanSubjects(s.byHeader))
	batch.Queue(matchLinks, box.WorkspaceID, links).Query(scanSubjects(s.byLink))
	batch.Queue(matchAddresses, box.WorkspaceID, addresses, box.ID).Query(scanSubjects(s.byAddress))
	if err := q.SendBatch(ctx, batch).Close(); err != nil {
		return s, fmt.Errorf("match received messages: %w", err)
	}
	return s, nil
}

func scanSubjects(into map[string]subject) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var name string
		var one subject
		_, err := pgx.ForEachRow(rows, []any{&name, &one.message, &one.prospect, &one.since}, func() error {
			into[name] = one
			return nil
		})
		return err
	}
}

// addressesIn are those by which a message may be matched.
func addressesIn(in *outreach.Received) (all []string) {
	if in.Kind.Answer() {
		return []string{in.From}
	}
	for _, bounce := range in.Bounces {
		all = append(all, bounce.Address)
	}
	return all
}

// about is what a message is about: by the ids that it refers to, in their order, by
// the links that it holds, then by address.
func (s subjects) about(in *outreach.Received, address string) (found subject, byID, ok bool) {
	for _, header := range in.References {
		if found, ok = s.byHeader[header]; ok {
			return found, true, true
		}
	}
	for _, link := range in.Links {
		if found, ok = s.byLink[link.String()]; ok {
			return found, true, true
		}
	}
	found, ok = s.byAddress[outreach.FoldEmail(address)]
	return found, false, ok && !s.tooOld(in, found)
}

// mostApart is how far the clocks of mail servers may be behind. Besides, they give
// whole seconds, and an answer may come in the second in which it was asked for.
const mostApart = time.Hour

// tooOld holds for a letter that its mailbox had before it was connected and before
// anybody wrote to the prospect: there was nothing to answer.
func (s subjects) tooOld(in *outreach.Received, about subject) bool {
	before := func(t time.Time) bool { return !in.At.IsZero() && in.At.Before(t.Add(-mostApart)) }
	return in.Kind.Answer() && before(s.connected) && (about.since == nil || before(*about.since))
}

// fromOwn holds for what a mailbox of the workspace has written, unless a prospect
// has its address.
func (s subjects) fromOwn(in *outreach.Received) bool {
	from := outreach.FoldEmail(in.From)
	_, own := s.own[from]
	_, prospect := s.byAddress[from]
	return own && !prospect && in.Kind.Answer()
}

// of gives what a message is about, a report one for each of its recipients.
func (s subjects) of(in *outreach.Received) (all []subject) {
	if s.fromOwn(in) {
		return nil
	}
	for _, address := range append(addressesIn(in), "") { // "" for one that names nobody
		found, byID, ok := s.about(in, address)
		if ok {
			all = append(all, found)
		}
		if byID {
			return all
		}
	}
	return all
}
