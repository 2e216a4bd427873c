package inbound

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

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

// A message is found by each of its Message-IDs (docs/reference.md#replaced-message-ids). The last
// row of an id counts: a message whose own id it is comes before others, a newer message before an older.
const matchHeaders = `
SELECT known.header, known.id, known.prospect_id, NULL::timestamptz FROM (
	SELECT message_id AS header, id, prospect_id, true AS own FROM messages WHERE workspace_id = $1 AND message_id = ANY($2)
	UNION ALL SELECT named_id, id, prospect_id, false FROM messages WHERE workspace_id = $1 AND named_id = ANY($2)
	UNION ALL SELECT filed_id, id, prospect_id, false FROM messages WHERE workspace_id = $1 AND filed_id = ANY($2)
) known ORDER BY known.own, known.id`

const matchLinks = `SELECT id::text, id, prospect_id, NULL::timestamptz FROM messages WHERE workspace_id = $1 AND id = ANY($2)`

const matchCompanies = `
SELECT c.domain FROM companies c
WHERE c.workspace_id = $1 AND c.domain = ANY($2)
	AND EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.company_id = c.id AND p.last_contacted_at IS NOT NULL)`

// A message without a reference is matched by address: to the last sent message to that address
// from a mailbox that reads this account, else to the last unknown one, else to the prospect alone.
// External answers do not count. Each subquery follows one index, also on a table without statistics.
const matchAddresses = `
WITH readers AS MATERIALIZED (
	SELECT b.id FROM mailboxes b JOIN mailboxes own ON (b.imap_host, b.imap_username) = (own.imap_host, own.imap_username)
	WHERE b.workspace_id = $1 AND own.workspace_id = $1 AND own.id = $3
)
SELECT p.email_key, coalesce(
	(SELECT m.id` + toProspect + ` AND m.mailbox_id = ANY(ARRAY(SELECT id FROM readers))
		AND m.status IN ('sent', 'bounced') AND NOT m.external ORDER BY m.sent_at DESC, m.id DESC LIMIT 1),
	(SELECT m.id` + toProspect + ` AND m.mailbox_id = ANY(ARRAY(SELECT id FROM readers)) AND m.status = 'unknown'
		ORDER BY m.sent_at DESC, m.id DESC LIMIT 1)), p.id,
	(SELECT m.sent_at` + toProspect + ` AND NOT m.external ORDER BY m.sent_at, m.id LIMIT 1)
FROM prospects p WHERE p.workspace_id = $1 AND p.email_key = ANY($2)`

const toProspect = ` FROM messages m WHERE m.workspace_id = $1 AND m.prospect_id = p.id AND m.status IN ('sent', 'bounced', 'unknown')`

const matchOwn = `SELECT email_key FROM mailboxes WHERE workspace_id = $1 AND email_key = ANY($2)`

// findSubjects looks up everything that a batch refers to, in one round trip.
func findSubjects(ctx context.Context, q batcher, box outreach.Mailbox, in []outreach.Received) (s subjects, err error) {
	var keys, headers, addresses, domains []string
	var links []uuid.UUID
	for i := range in {
		keys, headers, links = append(keys, in[i].Key), append(headers, in[i].References...), append(links, in[i].Links...)
		if in[i].Kind == outreach.ReceivedReply {
			domains = append(domains, domainsOf(in[i].From)...)
		}
		for _, address := range addressesIn(&in[i]) {
			addresses = append(addresses, outreach.CanonicalEmail(address))
		}
	}
	s = subjects{byHeader: map[string]subject{}, byLink: map[string]subject{},
		byAddress: map[string]subject{}, connected: box.CreatedAt}
	batch := &pgx.Batch{}
	batch.Queue(selectKnown, box.WorkspaceID, keys).Query(readSet(&s.known))
	batch.Queue(matchOwn, box.WorkspaceID, addresses).Query(readSet(&s.own))
	batch.Queue(matchCompanies, box.WorkspaceID, domains).Query(readSet(&s.companies))
	batch.Queue(matchHeaders, box.WorkspaceID, headers).Query(scanSubjects(s.byHeader))
	batch.Queue(matchLinks, box.WorkspaceID, links).Query(scanSubjects(s.byLink))
	batch.Queue(matchAddresses, box.WorkspaceID, addresses, box.ID).Query(scanSubjects(s.byAddress))
	if err := q.SendBatch(ctx, batch).Close(); err != nil {
		return s, fmt.Errorf("match received messages: %w", err)
	}
	return s, nil
}

// batcher is what a pool and a transaction have in common.
type batcher interface {
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

// readSet returns a function that reads rows of one text into set.
func readSet(set *map[string]struct{}) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		*set = storage.SetOf(found)
		return err
	}
}

func scanSubjects(into map[string]subject) func(pgx.Rows) error {
	var name string
	var one subject
	return storage.EachRow([]any{&name, &one.message, &one.prospect, &one.since}, func() { into[name] = one })
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
	found, ok = s.byAddress[outreach.CanonicalEmail(address)]
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
	from := outreach.CanonicalEmail(in.From)
	_, own := s.own[from]
	_, prospect := s.byAddress[from]
	return own && !prospect && in.Kind.Answer()
}

// of returns what a message is about. A report has one subject for each recipient.
func (s subjects) of(in *outreach.Received) (all []subject) {
	if s.fromOwn(in) {
		return nil
	}
	for _, address := range append(addressesIn(in), "") { // "" for a report without an address
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
