package storage

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

// Campaigns holds the columns of campaigns. The steps are one JSON column, so that a page of campaigns
// is one statement.
var Campaigns = List[outreach.Campaign]{
	Reads: NewColumns(func(c *outreach.Campaign) []Column {
		return []Column{
			{"c.id", &c.ID},
			{"c.workspace_id", &c.WorkspaceID},
			{"c.name", &c.Name},
			{"c.status", &c.Status},
			{"c.timezone", &c.Timezone},
			{"c.send_days", &c.SendDays},
			{"c.send_from", &c.SendFrom},
			{"c.send_until", &c.SendUntil},
			{"c.skip_dates::text[]", &c.SkipDates},
			{"c.starts_on::text", &c.StartsOn},
			{"c.ends_on::text", &c.EndsOn},
			{"c.daily_new_limit", &c.DailyNewLimit},
			{"c.company_daily_limit", &c.CompanyDailyLimit},
			{"c.stop_on_reply", &c.StopOnReply},
			{"c.stop_company_on_reply", &c.StopCompanyOnReply},
			{"c.track_clicks", &c.TrackClicks},
			{"c.track_opens", &c.TrackOpens},
			{"c.mailbox_ids", &c.MailboxIDs},
			{"c.created_at", &c.CreatedAt},
			{`coalesce((SELECT jsonb_agg(jsonb_build_object('ID', s.id, 'DelayMinutes', s.delay_minutes, 'Subject', s.subject,
			'BodyHTML', s.body_html, 'BodyText', s.body_text) ORDER BY s.position)
			FROM steps s WHERE s.workspace_id = $1 AND s.campaign_id = c.id), '[]')`, &c.Steps},
		}
	}),
	Then: func(c *outreach.Campaign) { c.NotSendingReason = c.Idle() },
	From: "campaigns c WHERE c.workspace_id = $1",
	At:   "c.created_at", ID: "c.id",
	Key: func(c *outreach.Campaign) outreach.Key { return outreach.Key{At: c.CreatedAt, ID: c.ID} },
}

var campaignMatches = plainText("c.name") + " LIKE " + plainText("?")

// ListCampaigns returns one page, newest first by creation.
func (db *DB) ListCampaigns(ctx context.Context, workspace uuid.UUID, filter outreach.CampaignFilter,
	page outreach.Page) (outreach.Rows[outreach.Campaign], error) {
	f := InWorkspace(workspace)
	Where(f, "c.status = ?", filter.Status)
	Where(f, "c.created_at >= ?", filter.CreatedSince)
	Where(f, campaignMatches, likePattern(filter.Search))
	rows, err := Campaigns.Fetch(ctx, db.pool, f, page)
	if err != nil {
		return rows, err
	}
	return rows, db.explainAll(ctx, workspace, rows.Rows)
}

// Campaign returns one campaign with its steps.
func (db *DB) Campaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error) {
	c, err := Campaigns.One(ctx, db.pool, workspace, id)
	if err != nil {
		return c, err
	}
	return db.explained(ctx, c)
}

// explained sets not_sending_reason of one campaign.
func (db *DB) explained(ctx context.Context, c outreach.Campaign) (outreach.Campaign, error) {
	one := []outreach.Campaign{c}
	err := db.explainAll(ctx, c.WorkspaceID, one)
	return one[0], err
}

// explainAll sets not_sending_reason of the active ones of campaigns.
func (db *DB) explainAll(ctx context.Context, workspace uuid.UUID, rows []outreach.Campaign) error {
	var ids []uuid.UUID
	for i := range rows {
		if rows[i].Status == outreach.CampaignActive {
			ids = append(ids, rows[i].ID)
		}
	}
	if len(ids) == 0 || db.explain == nil {
		return nil
	}
	reasons, err := db.explain(ctx, workspace, ids)
	if err != nil {
		return fmt.Errorf("explain campaigns: %w", err)
	}
	for i := range rows {
		if reason, ok := reasons[rows[i].ID]; ok {
			rows[i].NotSendingReason = &reason
		}
	}
	return nil
}

// Campaigns returns those of ids that the workspace has.
func (db *DB) Campaigns(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) ([]outreach.Campaign, error) {
	rows, err := Campaigns.Many(ctx, db.pool, workspace, ids)
	if err != nil {
		return nil, err
	}
	return rows, db.explainAll(ctx, workspace, rows)
}

const insertCampaign = `
INSERT INTO campaigns (id, workspace_id, name, status, timezone, send_days, send_from, send_until, daily_new_limit, stop_on_reply,
	stop_company_on_reply, track_clicks, track_opens, mailbox_ids, created_at, skip_dates, starts_on, ends_on,
	company_daily_limit)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16::text[]::date[], $17::text::date, $18::text::date,
	$19)`

// CreateCampaign stores a draft with its steps. It sends nothing.
func (db *DB) CreateCampaign(ctx context.Context, c outreach.Campaign) (outreach.Campaign, error) {
	c.Steps = slices.Clone(c.Steps) // the caller's slice is not changed
	c.Normalize()
	c.ID, c.CreatedAt, c.Status = NewID(), db.Now(), outreach.CampaignDraft
	err := db.Tx(ctx, func(tx pgx.Tx) error {
		err := outreach.FindAll(ctx,
			func(context.Context) error { return c.Validate() },
			func(context.Context) error { return checkStepIDs(c.Steps, nil) },
			func(ctx context.Context) error { return checkMailboxes(ctx, tx, &c) })
		if err != nil {
			return err
		}
		err = Exec(ctx, tx, "insert campaign", insertCampaign, c.ID, c.WorkspaceID, c.Name, c.Status, c.Timezone, c.SendDays, c.SendFrom,
			c.SendUntil, c.DailyNewLimit, c.StopOnReply, c.StopCompanyOnReply, c.TrackClicks, c.TrackOpens, c.MailboxIDs, c.CreatedAt,
			c.SkipDates, c.StartsOn, c.EndsOn, c.CompanyDailyLimit)
		if err != nil {
			return err
		}
		if err := storeSteps(ctx, tx, &c); err != nil {
			return err
		}
		c, err = Campaigns.One(ctx, tx, c.WorkspaceID, c.ID)
		return err
	})
	return c, err
}

const updateCampaign = `
UPDATE campaigns SET name = $3, timezone = $4, send_days = $5, send_from = $6, send_until = $7, daily_new_limit = $8, stop_on_reply = $9,
	stop_company_on_reply = $10, track_clicks = $11, track_opens = $12, mailbox_ids = $13,
	skip_dates = $14::text[]::date[], starts_on = $15::text::date, ends_on = $16::text::date, company_daily_limit = $17
WHERE workspace_id = $1 AND id = $2`

const lockCampaignRow = `SELECT FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR UPDATE`

// lockCampaign locks the row of a campaign and then reads it. One statement for both would return
// the steps as they were before it waited for the lock.
func lockCampaign(ctx context.Context, tx pgx.Tx, workspace, id uuid.UUID) (c outreach.Campaign, err error) {
	if err := Exec(ctx, tx, "lock campaign", lockCampaignRow, workspace, id); err != nil {
		return c, err
	}
	return Campaigns.One(ctx, tx, workspace, id)
}

// UpdateCampaign calls change with the locked campaign and stores the result. A step that was sent
// to a prospect can be edited but not removed or moved: CodeCampaignStepInUse. Enrollments that
// were held because a step could not be composed continue when steps change.
func (db *DB) UpdateCampaign(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Campaign)) (outreach.Campaign, error) {
	return db.changeCampaign(ctx, workspace, id, nil, change)
}

// ReviseCampaign is UpdateCampaign for an edit of the revision basedOn. It returns CodeConflict and
// changes nothing if the campaign has another revision.
func (db *DB) ReviseCampaign(ctx context.Context, workspace, id uuid.UUID, basedOn string,
	change func(*outreach.Campaign)) (outreach.Campaign, error) {
	return db.changeCampaign(ctx, workspace, id, &basedOn, change)
}

// changeCampaign edits a locked campaign. If basedOn is set, the campaign must have that revision.
func (db *DB) changeCampaign(ctx context.Context, workspace, id uuid.UUID, basedOn *string,
	change func(*outreach.Campaign)) (c outreach.Campaign, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if c, err = lockCampaign(ctx, tx, workspace, id); err != nil {
			return err
		}
		if basedOn != nil && c.Revision() != *basedOn {
			return outreach.Errorf(outreach.CodeConflict, "Cannot save: another user has changed the campaign. "+
				"Reload it and repeat your changes.")
		}
		before := c
		before.Steps, before.SendDays, before.MailboxIDs = slices.Clone(c.Steps), slices.Clone(c.SendDays), slices.Clone(c.MailboxIDs)
		change(&c)
		c.Normalize()
		err = outreach.FindAll(ctx,
			func(context.Context) error { return c.Validate() },
			func(context.Context) error { return checkStepIDs(c.Steps, before.Steps) },
			func(ctx context.Context) error { return checkMailboxes(ctx, tx, &c, before.MailboxIDs...) })
		if err != nil {
			return err
		}
		if err := checkSteps(ctx, tx, &c, before.Steps); err != nil {
			return err
		}
		if c.Status == outreach.CampaignActive && (len(c.Steps) == 0 || len(c.MailboxIDs) == 0) {
			return outreach.Errorf(outreach.CodeInvalidState, "An active campaign needs at least one step and one mailbox; pause it first.")
		}
		if err := rewriteCampaign(ctx, tx, &c); err != nil {
			return err
		}
		return db.followCampaign(ctx, tx, &before, &c)
	})
	if err != nil {
		return c, err
	}
	return db.explained(ctx, c)
}

// followCampaign updates the enrollments of a campaign after a change of the campaign.
func (db *DB) followCampaign(ctx context.Context, tx pgx.Tx, before, c *outreach.Campaign) error {
	if err := releaseFrom(ctx, tx, c.WorkspaceID, c.ID, before.MailboxIDs, c.MailboxIDs, db.Now()); err != nil {
		return err
	}
	if otherSteps(before, c) {
		if err := wakeContent(ctx, tx, wakeCampaign, c.WorkspaceID, c.ID, db.Now()); err != nil {
			return err
		}
	}
	if otherDelays(before, c) {
		if err := Exec(ctx, tx, "derive due times", replanCampaign, c.WorkspaceID, c.ID); err != nil {
			return err
		}
	}
	if !reflect.DeepEqual(before.CompanyDailyLimit, c.CompanyDailyLimit) {
		if err := Exec(ctx, tx, "make enrollments of companies due", freeCompanies, c.WorkspaceID, c.ID,
			db.Now()); err != nil {
			return err
		}
	}
	return Wake(ctx, tx, c.WorkspaceID)
}

// freeCompanies makes the enrollments due that waited for company_daily_limit: the next claim
// checks them against the new limit.
const freeCompanies = `
UPDATE enrollments e SET next_send_at = $3
WHERE e.workspace_id = $1 AND e.campaign_id = $2 AND e.next_send_at = e.company_until AND e.next_send_at > $3`

func rewriteCampaign(ctx context.Context, tx pgx.Tx, c *outreach.Campaign) error {
	err := Exec(ctx, tx, "update campaign", updateCampaign, c.WorkspaceID, c.ID, c.Name, c.Timezone, c.SendDays, c.SendFrom, c.SendUntil,
		c.DailyNewLimit, c.StopOnReply, c.StopCompanyOnReply, c.TrackClicks, c.TrackOpens, c.MailboxIDs, c.SkipDates, c.StartsOn, c.EndsOn,
		c.CompanyDailyLimit)
	if err != nil {
		return err
	}
	if err := storeSteps(ctx, tx, c); err != nil {
		return err
	}
	*c, err = Campaigns.One(ctx, tx, c.WorkspaceID, c.ID)
	return err
}

const selectKnownMailboxes = `SELECT id FROM mailboxes WHERE workspace_id = $1 AND id = ANY($2) ORDER BY id FOR SHARE`

// checkMailboxes returns an error for mailboxes that do not exist. It locks them and those that the
// campaign had before, so that a claim composes either with the old or with the new campaign.
func checkMailboxes(ctx context.Context, tx pgx.Tx, c *outreach.Campaign, before ...uuid.UUID) error {
	concerned := slices.Concat(c.MailboxIDs, before)
	if len(concerned) == 0 {
		return nil
	}
	known, err := Values[uuid.UUID](ctx, tx, "look up mailboxes", selectKnownMailboxes, c.WorkspaceID, concerned)
	if err != nil {
		return err
	}
	var faults outreach.Faults
	for i, id := range c.MailboxIDs {
		at := outreach.At("mailbox_ids").Index(i)
		if !slices.Contains(known, id) {
			faults.AddUnknown(at)
		} else if slices.Contains(c.MailboxIDs[:i], id) {
			faults.Add(at, outreach.FieldInvalid, "mailbox_ids must contain each mailbox only once.")
		}
	}
	return faults.Err()
}
