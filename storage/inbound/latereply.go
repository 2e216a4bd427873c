package inbound

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
	"outreach/storage"
)

// lateReply is a reply to a message of a prospect who was deleted since.
type lateReply struct {
	Address  string
	Message  *uuid.UUID
	Campaign *uuid.UUID
	Interest *outreach.Interest
}

const selectDeleted = `
SELECT m.recipient, one.message_id, one.campaign_id, one.interest
FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[]) one(prospect_id, message_id, campaign_id, interest)
	JOIN messages m ON m.workspace_id = $1 AND m.id = one.message_id
WHERE NOT EXISTS (SELECT FROM prospects p WHERE p.workspace_id = $1 AND p.id = one.prospect_id)`

// stopColleaguesOfAddress is stopColleagues for the address of a deleted prospect.
const stopColleaguesOfAddress = `
UPDATE enrollments e` + endColleagues + `
FROM unnest($2::text[], $6::text[]) one(email_key, site)
	CROSS JOIN LATERAL (SELECT p.id FROM prospects p WHERE p.workspace_id = $1 AND p.email_key <> one.email_key
		AND p.company_id = ANY(ARRAY(SELECT k.id FROM companies k WHERE k.workspace_id = $1 AND k.site = one.site)) OFFSET 0) p` +
	inStoppingCampaigns

// takeLate applies the consequences of replies to prospects who were deleted. That the address replied
// is kept, colleagues stop, and the reply counts for a prospect who was added with the address since.
func (b *Inbox) takeLate(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, at time.Time, late []lateReply,
	company bool) error {
	former := make([]storage.FormerReply, len(late))
	keys, sites := make([]string, len(late)), make([]string, len(late))
	for i, r := range late {
		former[i] = storage.FormerReply{Address: r.Address, Interest: r.Interest}
		keys[i], sites[i] = outreach.CanonicalEmail(r.Address), outreach.Site(outreach.EmailDomain(r.Address))
	}
	if err := b.db.KeepFormerReplies(ctx, tx, workspace, former); err != nil {
		return err
	}
	if company {
		if err := storage.Exec(ctx, tx, "set planning", planByIndex); err != nil {
			return err
		}
		end, paused := outreach.EndColleagueReplied.Ending(), outreach.EndColleaguePaused.Ending()
		stopped, err := storage.Values[uuid.UUID](ctx, tx, "stop colleagues", stopColleaguesOfAddress, workspace, keys,
			end.Status, end.Reason, paused.Reason, sites)
		if err != nil {
			return err
		}
		if err := afterStop(ctx, tx, workspace, stopped); err != nil {
			return err
		}
	}
	present, err := prospectsAt(ctx, tx, workspace, keys)
	if err != nil {
		return err
	}
	var c replyColumns
	for i, r := range late {
		if id, ok := present[keys[i]]; ok {
			c.prospects, c.messages = append(c.prospects, id), append(c.messages, r.Message)
			c.campaigns, c.interests = append(c.campaigns, r.Campaign), append(c.interests, r.Interest)
			c.back = append(c.back, id)
		}
	}
	if len(c.prospects) == 0 {
		return nil
	}
	return b.stopOnReply(ctx, tx, workspace, at, &c, false)
}

const selectProspectsAt = `SELECT p.email_key, p.id FROM prospects p WHERE p.workspace_id = $1 AND p.email_key = ANY($2)`

// prospectsAt returns the prospects with the given canonical addresses, by address.
func prospectsAt(ctx context.Context, tx pgx.Tx, workspace uuid.UUID, keys []string) (map[string]uuid.UUID, error) {
	found := map[string]uuid.UUID{}
	var key string
	var id uuid.UUID
	err := storage.ForEach(ctx, tx, "look for prospects by address", selectProspectsAt, []any{workspace, keys},
		[]any{&key, &id}, func() { found[key] = id })
	return found, err
}
