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

// TakeIn ingests a batch of messages from one folder with all consequences, and records that
// reading continues after it, in one transaction: if the process dies before the commit, the batch
// is read again; if it dies after it, it is not. Each message is ingested exactly once by its key,
// however many mailboxes of the workspace hold it; taken marks those that were ingested now.
// Messages about the same person are handled in order.
//
// If the batch cannot be stored as a whole, each message gets its own transaction, and the position
// follows. A message that cannot be stored at all is skipped and logged. Any other error ends the
// batch; the messages ingested until then are skipped when the batch is read again.
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

// planOnce keeps Postgres from planning the statements again for each wave: most waves have two or
// three messages, for which planning costs more than running.
const planOnce = `SET LOCAL plan_cache_mode = force_generic_plan`

// A fixed order, because several mailboxes may read one account at the same time.
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
// to their authors. The others need not be interpreted: TakeIn only records their keys.
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
SELECT p.id, m.body_text
FROM unnest($2::uuid[]) p(id)
CROSS JOIN LATERAL (SELECT left(m.body_text, 65536) AS body_text` + toProspect + ` ORDER BY m.sent_at DESC, m.id DESC LIMIT 5) m`

// addSent adds to each reply the texts that were sent to its prospect.
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

// subject is what a received message is about: a message of ours, or only its prospect.
type subject struct {
	message  *uuid.UUID
	prospect uuid.UUID
	since    *time.Time // when the workspace first wrote to the prospect; set if found by address
}

// subjects is what the messages of a batch may be about.
type subjects struct {
	known     map[string]struct{} // keys of messages ingested before
	byHeader  map[string]subject
	byLink    map[string]subject // by the message of a signed link
	byAddress map[string]subject
	companies map[string]struct{} // domains of companies that were written to
	own       map[string]struct{} // addresses of mailboxes of the workspace
	connected time.Time           // when the mailbox was connected
}

const selectKnown = `SELECT message_key FROM incoming WHERE workspace_id = $1 AND message_key = ANY($2)`

const matchHeaders = `SELECT message_id, id, prospect_id, NULL::timestamptz FROM messages WHERE workspace_id = $1 AND message_id = ANY($2)`

const matchLinks = `SELECT id::text, id, prospect_id, NULL::timestamptz FROM messages WHERE workspace_id = $1 AND id = ANY($2)`

const matchCompanies = `
SELECT c.domain FROM companies c
WHERE c.workspace_id = $1 AND c.domain = ANY($2)
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.company_id = c.id AND p.last_contacted_at IS NOT NULL)`

// A message without a reference is matched by address: to the last sent message to that address
// from a mailbox that reads this account, else to the last unknown one, else to the prospect alone.
// Each subquery follows one index, also on a table without statistics.
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

// findSubjects looks up everything that a batch refers to, in one round trip.
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

// addressesIn returns the addresses by which a message may be matched.
func addressesIn(in *outreach.Received) (all []string) {
	if in.Kind.Answer() {
		return []string{in.From}
	}
	for _, bounce := range in.Bounces {
		all = append(all, bounce.Address)
	}
	return all
}

// about returns what a message is about: by the Message-IDs that it refers to, in order, then by
// its signed links, then by address.
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

// mostApart is the clock skew of mail servers that is tolerated. It also covers times in whole
// seconds.
const mostApart = time.Hour

// tooOld reports whether a message arrived before its mailbox was connected and before the
// workspace first wrote to the prospect. It then answers nothing.
func (s subjects) tooOld(in *outreach.Received, about subject) bool {
	before := func(t time.Time) bool { return !in.At.IsZero() && in.At.Before(t.Add(-mostApart)) }
	return in.Kind.Answer() && before(s.connected) && (about.since == nil || before(*about.since))
}

// fromOwn reports whether a mailbox of the workspace wrote the message and no prospect has its
// address.
func (s subjects) fromOwn(in *outreach.Received) bool {
	from := outreach.FoldEmail(in.From)
	_, own := s.own[from]
	_, prospect := s.byAddress[from]
	return own && !prospect && in.Kind.Answer()
}

// of returns what a message is about. A report has one subject for each recipient.
func (s subjects) of(in *outreach.Received) (all []subject) {
	if s.fromOwn(in) {
		return nil
	}
	for _, address := range append(addressesIn(in), "") { // "" for a report that names nobody
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
