package page

import (
	"errors"

	"github.com/google/uuid"

	"outreach"
)

var errOutputOnly = errors.New("a connection cannot be input")

// prospectBeside is null once the prospect was deleted.
func prospectBeside[T any](workspace func(*T) uuid.UUID, id func(*T) *uuid.UUID) nested[T] {
	return beside(&prospectObject, id, func(p *outreach.Prospect) uuid.UUID { return p.ID },
		func(p *writer, ids []uuid.UUID, rows []T) ([]outreach.Prospect, error) {
			if len(ids) == 0 {
				return nil, nil
			}
			return p.near().Prospects(p.ctx, workspace(&rows[0]), ids)
		})
}

func campaignBeside[T any](workspace func(*T) uuid.UUID, id func(*T) *uuid.UUID) nested[T] {
	return beside(&campaignObject, id, func(c *outreach.Campaign) uuid.UUID { return c.ID },
		func(p *writer, ids []uuid.UUID, rows []T) ([]outreach.Campaign, error) {
			if len(ids) == 0 {
				return nil, nil
			}
			return p.near().Campaigns(p.ctx, workspace(&rows[0]), ids)
		})
}
