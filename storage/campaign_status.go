package storage

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"outreach"
)

const selectHasSent = `SELECT has_sent FROM campaigns WHERE workspace_id = $1 AND id = $2 FOR UPDATE`

const selectEnrolledProspects = `SELECT prospect_id FROM enrollments WHERE workspace_id = $1 AND campaign_id = $2`

const deleteCampaign = `DELETE FROM campaigns WHERE workspace_id = $1 AND id = $2`

// DeleteCampaign deletes a campaign that has never sent, with its enrollments. It returns CodeInUse
// if the campaign has sent.
func (db *DB) DeleteCampaign(ctx context.Context, workspace, id uuid.UUID) error {
	return db.Tx(ctx, func(tx pgx.Tx) error {
		var sent bool
		if err := tx.QueryRow(ctx, selectHasSent, workspace, id).Scan(&sent); err != nil {
			return DomainError(err)
		}
		if !sent { // refused messages and messages in progress count too
			var err error
			if sent, err = stepPassed(ctx, tx, workspace, id, 1); err != nil {
				return err
			}
		}
		if sent {
			return outreach.Errorf(outreach.CodeInUse, "The campaign has sent messages: archive it instead.")
		}
		people, err := Values[uuid.UUID](ctx, tx, "list enrolled prospects", selectEnrolledProspects, workspace, id)
		if err != nil {
			return err
		}
		if err := Exec(ctx, tx, "delete campaign", deleteCampaign, workspace, id); err != nil {
			return err
		}
		return RefreshStatuses(ctx, tx, workspace, people)
	})
}

// ActivateCampaign sets a campaign to active.
func (db *DB) ActivateCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error) {
	return db.moveCampaign(ctx, workspace, id, outreach.CampaignActive, func(c *outreach.Campaign) error {
		if c.Status == outreach.CampaignActive {
			return outreach.Errorf(outreach.CodeInvalidState, "The campaign is already active.")
		}
		return c.CanActivate()
	})
}

// PauseCampaign pauses an active campaign. Enrollments keep their place.
func (db *DB) PauseCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error) {
	return db.moveCampaign(ctx, workspace, id, outreach.CampaignPaused, func(c *outreach.Campaign) error {
		if c.Status != outreach.CampaignActive {
			return outreach.Errorf(outreach.CodeInvalidState, "Cannot pause: the campaign is %s.", c.Status.Told())
		}
		return nil
	})
}

const stopArchived = `
UPDATE enrollments SET status = $3, stop_reason = $4, ` + Ended + `
WHERE workspace_id = $1 AND campaign_id = $2 AND status IN ('active', 'held', 'paused') RETURNING prospect_id`

// ArchiveCampaign ends a campaign for good and stops its running enrollments.
func (db *DB) ArchiveCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error) {
	return db.moveCampaign(ctx, workspace, id, outreach.CampaignArchived, func(c *outreach.Campaign) error {
		if c.Status == outreach.CampaignArchived {
			return outreach.Errorf(outreach.CodeInvalidState, "The campaign is already archived.")
		}
		return nil
	})
}

const setCampaignStatus = `UPDATE campaigns SET status = $3 WHERE workspace_id = $1 AND id = $2`

func (db *DB) moveCampaign(ctx context.Context, workspace, id uuid.UUID, to outreach.CampaignStatus,
	allowed func(*outreach.Campaign) error) (c outreach.Campaign, err error) {
	err = db.Tx(ctx, func(tx pgx.Tx) error {
		if c, err = lockCampaign(ctx, tx, workspace, id); err != nil {
			return err
		}
		if err := allowed(&c); err != nil {
			return err
		}
		if err := Exec(ctx, tx, "set campaign status", setCampaignStatus, workspace, id, to); err != nil {
			return err
		}
		if to == outreach.CampaignArchived {
			if err := stopEnrolled(ctx, tx, workspace, id); err != nil {
				return err
			}
		}
		if err := Wake(ctx, tx, workspace); err != nil {
			return err
		}
		c, err = Campaigns.One(ctx, tx, workspace, id)
		return err
	})
	if err != nil {
		return c, err
	}
	return db.explained(ctx, c)
}

func stopEnrolled(ctx context.Context, tx pgx.Tx, workspace, campaign uuid.UUID) error {
	end := outreach.EndCampaignArchived.Ending()
	people, err := Values[uuid.UUID](ctx, tx, "stop enrollments", stopArchived, workspace, campaign, end.Status, end.Reason)
	if err != nil {
		return err
	}
	return RefreshStatuses(ctx, tx, workspace, people)
}
