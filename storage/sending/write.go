package sending

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// An enrollment whose step was sent before gets no message and is held.
const writeClaims = `
WITH fresh AS (
	INSERT INTO messages (id, workspace_id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient,
		subject, body_text, body_html,
		message_id, status, raw, holder, lease_until, tries, gap_factor, thread_root, begun_on, words, company_id, created_at)
	SELECT id, @workspace, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text,
		nullif(body_html, ''),
		message_id, 'claimed', raw, holder, statement_timestamp() + @lease::interval, 1, factor, root, CASE
			WHEN step = 1 THEN day::date END, words, CASE WHEN step = 1 THEN company_id END, @now
	FROM unnest(@ids::uuid[], @campaigns::uuid[], @prospects::uuid[], @mailboxes::uuid[], @enrollments::uuid[],
		@runs::int[], @steps::int[],
		@recipients::text[], @subjects::text[], @texts::text[], @pages::text[], @headers::text[], @raws::bytea[],
			@holders::text[], @factors::float8[], @roots::bool[], @days::text[],
		@words::text[], @companies::uuid[])
		AS one(id, campaign_id, prospect_id, mailbox_id, enrollment_id, run, step, recipient, subject, body_text, body_html,
			message_id, raw, holder, factor, root, day, words, company_id)
	ON CONFLICT (workspace_id, enrollment_id, run, step) WHERE status NOT IN ('not_sent', 'bounced') OR reported DO NOTHING
	RETURNING id, campaign_id, mailbox_id, step, begun_on
), turn AS (
	INSERT INTO turns (workspace_id, mailbox_id, campaign_id, followup, served_at)
	SELECT @workspace, mailbox_id, campaign_id, step > 1, statement_timestamp() FROM fresh
	ON CONFLICT (workspace_id, mailbox_id, campaign_id, followup) DO UPDATE SET served_at = excluded.served_at
), begun AS (
	UPDATE campaigns c SET new_on = n.day, new_count = CASE WHEN new_on = n.day THEN new_count + n.count ELSE n.count END
	FROM (SELECT campaign_id, begun_on AS day, count(*)::int AS count FROM fresh WHERE step = 1 GROUP BY campaign_id, begun_on) n
	WHERE c.workspace_id = @workspace AND c.id = n.campaign_id
)
SELECT id FROM fresh`

const waitEnrollments = `
UPDATE enrollments e SET next_send_at = one.until, company_until = CASE WHEN one.company THEN one.until END,
	gap_until = CASE WHEN NOT one.company THEN one.until END, gap_hours = CASE WHEN NOT one.company THEN $5::int END
FROM unnest($2::uuid[], $3::timestamptz[], $4::bool[]) one(id, until, company)
WHERE e.workspace_id = $1 AND e.id = one.id`

// write stores the outcome of a round.
func (b *claimTx) write(ctx context.Context, o *outcome) error {
	b.postponed = len(o.ends)+len(o.holds)+len(o.waits) > 0
	for _, e := range o.ends {
		if err := storage.EndOne(ctx, b.tx, b.workspace, e.id, e.prospect, e.cause.Ending()); err != nil {
			return err
		}
	}
	for i, d := range o.holds {
		if err := storage.HoldOne(ctx, b.tx, b.workspace, d.id, storage.Hold{Kind: outreach.HoldContent, Reason: o.why[i]}); err != nil {
			return err
		}
	}
	if err := b.writeWaits(ctx, o.waits); err != nil || len(o.claims) == 0 {
		return err
	}
	return b.writeClaims(ctx, o.claims)
}

// writeWaits postpones enrollments. If contact_gap_hours has been lowered since the claim read it, the
// wake makes the next tick shorten the waits.
func (b *claimTx) writeWaits(ctx context.Context, waits []wait) error {
	if len(waits) == 0 {
		return nil
	}
	ids, until, company := make([]uuid.UUID, len(waits)), make([]time.Time, len(waits)), make([]bool, len(waits))
	for i, w := range waits {
		ids[i], until[i], company[i] = w.id, w.until, w.company
	}
	if err := storage.Exec(ctx, b.tx, "make enrollments wait", waitEnrollments, b.workspace, ids, until, company,
		int(b.gap/time.Hour)); err != nil {
		return err
	}
	if !slices.Contains(company, false) {
		return nil
	}
	return storage.WakeCampaigns(ctx, b.tx, b.workspace)
}

// columns returns claims as arrays, named as in writeClaims.
func (b *claimTx) columns(claims []claim) pgx.NamedArgs {
	n := len(claims)
	ids, campaigns, prospects, mailboxes, enrollments := make([]uuid.UUID, n), make([]uuid.UUID, n),
		make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	runs, steps := make([]int, n), make([]int, n)
	recipients, subjects, headers := make([]string, n), make([]string, n), make([]string, n)
	texts, pages := make([]string, n), make([]string, n)
	holders, days, raws := make([]string, n), make([]string, n), make([][]byte, n)
	factors, roots, words := make([]float64, n), make([]bool, n), make([]string, n)
	companies := make([]*uuid.UUID, n)
	for i, c := range claims {
		ids[i], campaigns[i], prospects[i], mailboxes[i], enrollments[i] = c.draft.ID, c.pick.campaign.ID, c.due.prospect, c.box.ID, c.due.id
		runs[i], steps[i] = c.run, c.step
		recipients[i], subjects[i], headers[i] = c.draft.Prospect.Email, c.composed.Subject, c.composed.MessageID
		texts[i], pages[i] = c.composed.Text, c.composed.HTML
		holders[i], days[i], raws[i] = c.holder, c.pick.campaign.Today(b.now), c.composed.Raw
		factors[i], roots[i] = gapFactor(), c.composed.Root
		words[i], companies[i] = wordsOfStep(c), c.draft.Prospect.CompanyID
	}
	return pgx.NamedArgs{"workspace": b.workspace, "now": b.now, "lease": outreach.LeaseLength,
		"ids": ids, "campaigns": campaigns, "prospects": prospects, "mailboxes": mailboxes, "enrollments": enrollments,
		"runs": runs, "steps": steps,
		"recipients": recipients, "subjects": subjects, "texts": texts, "pages": pages, "headers": headers, "raws": raws, "holders": holders,
		"factors": factors, "roots": roots, "days": days, "words": words, "companies": companies}
}

// wordsOfStep returns the words by which search finds a step, including the name of its prospect.
func wordsOfStep(c claim) string {
	texts := []string{c.draft.Prospect.Email, c.composed.Subject, c.composed.Text}
	for _, name := range []*string{c.draft.Prospect.FirstName, c.draft.Prospect.LastName} {
		if name != nil {
			texts = append(texts, *name)
		}
	}
	return outreach.SearchWords(texts...)
}

func (b *claimTx) writeClaims(ctx context.Context, claims []claim) error {
	fresh, err := storage.Values[uuid.UUID](ctx, b.tx, "write claims", writeClaims, b.columns(claims))
	if err != nil {
		return err
	}
	written := make(map[uuid.UUID]struct{}, len(fresh))
	for _, id := range fresh {
		written[id] = struct{}{}
	}
	for _, c := range claims {
		if _, ok := written[c.draft.ID]; !ok {
			if err := b.noteBlocked(ctx, c.due); err != nil {
				return err
			}
			continue
		}
		c.claiming.out = &outreach.Outgoing{WorkspaceID: b.workspace, ID: c.draft.ID, MessageID: c.composed.MessageID,
			Recipient: c.draft.Prospect.Email, Raw: c.composed.Raw, Tries: 1}
	}
	return nil
}

const selectOnItsWay = `
SELECT bool_or(m.status = 'claimed') FROM messages m
WHERE m.workspace_id = $1 AND m.enrollment_id = $2 AND m.run = $3 AND m.step = $4
	AND (m.status NOT IN ('not_sent', 'bounced') OR m.reported)`

// noteBlocked handles an enrollment for whose step a message exists already: another process has just
// claimed it, or it was sent before with an unknown result. In the second case the enrollment is held.
func (b *claimTx) noteBlocked(ctx context.Context, d due) error {
	var onItsWay *bool
	if err := b.tx.QueryRow(ctx, selectOnItsWay, b.workspace, d.id, d.run, d.step).Scan(&onItsWay); err != nil {
		return fmt.Errorf("look at the message in the way: %w", err)
	}
	if onItsWay == nil || *onItsWay {
		b.busy = true
		return nil
	}
	return storage.HoldOne(ctx, b.tx, b.workspace, d.id, storage.Hold{Kind: outreach.HoldUnknown,
		Reason: "it is not known whether this step was sent before; resolve its message"})
}
