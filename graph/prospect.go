package graph

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// ProspectReader reads prospects and their events.
type ProspectReader interface {
	Prospect(ctx context.Context, workspace, id uuid.UUID) (outreach.Prospect, error)
	ListProspects(ctx context.Context, workspace uuid.UUID, filter outreach.ProspectFilter,
		page outreach.Page) (outreach.Rows[outreach.Prospect], error)
	ListHistory(ctx context.Context, workspace, prospect uuid.UUID, page outreach.Page) (outreach.Rows[outreach.History], error)
}

// MailStatusReader says why prospects are mailed or not.
type MailStatusReader interface {
	MailStatus(ctx context.Context, workspace, prospect uuid.UUID) (outreach.MailStatus, error)
	MailStatuses(ctx context.Context, workspace uuid.UUID, prospects []uuid.UUID) ([]outreach.MailStatus, error)
}

// ProspectWriter creates and changes prospects.
type ProspectWriter interface {
	CreateProspect(ctx context.Context, p outreach.Prospect) (outreach.Prospect, error)
	UpdateProspect(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Prospect)) (outreach.Prospect, error)
}

// ProspectDeleter deletes prospects.
type ProspectDeleter interface {
	DeleteProspect(ctx context.Context, workspace, id uuid.UUID) error
	DeleteProspects(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (deleted int, err error)
}

// ProspectEraser deletes prospects with the texts of their mail.
type ProspectEraser interface {
	EraseProspect(ctx context.Context, workspace, id uuid.UUID) error
}

// ProspectImporter creates or changes up to outreach.MaxBulk prospects.
type ProspectImporter interface {
	BulkProspects(ctx context.Context, workspace uuid.UUID, elements []outreach.BulkElement,
		mode outreach.BulkMode) ([]outreach.BulkResult, error)
}

func (q queries) Prospect(ctx context.Context, id uuid.UUID) (outreach.Prospect, error) {
	return inWorkspace(ctx, id, q.Stores.ProspectReader.Prospect)
}

func (q queries) MailStatus(ctx context.Context, prospectID uuid.UUID) (outreach.MailStatus, error) {
	return inWorkspace(ctx, prospectID, q.Stores.MailStatuses.MailStatus)
}

func (q queries) MailStatuses(ctx context.Context, prospectIDs []uuid.UUID) ([]outreach.MailStatus, error) {
	return ofSeveral(ctx, prospectIDs, q.Stores.MailStatuses.MailStatuses)
}

func (q queries) Prospects(ctx context.Context, first int, after *string, status *outreach.ProspectStatus, email *string,
	campaignID, companyID *uuid.UUID, createdSince *time.Time, search *string) (c exec.ProspectConnection, err error) {
	if err := checkPart(search); err != nil {
		return c, err
	}
	filter := outreach.ProspectFilter{Status: status, Email: email, CampaignID: campaignID, CompanyID: companyID,
		CreatedSince: createdSince, Search: search}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"prospects", first, after}, filter,
		q.Stores.ProspectReader.ListProspects)
	return c, err
}

func (q queries) History(ctx context.Context, prospectID uuid.UUID, first int, after *string) (c exec.HistoryConnection, err error) {
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"history", first, after}, prospectID,
		q.Stores.ProspectReader.ListHistory)
	return c, err
}

func (m mutations) CreateProspect(ctx context.Context, input exec.ProspectInput) (outreach.Prospect, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Prospect{}, err
	}
	p := outreach.Prospect{WorkspaceID: ws}
	changeProspect(input)(&p)
	return m.Stores.ProspectWriter.CreateProspect(ctx, p)
}

func (m mutations) UpdateProspect(ctx context.Context, id uuid.UUID, input exec.ProspectInput) (outreach.Prospect, error) {
	return inWorkspaceWith(ctx, id, changeProspect(input), m.Stores.ProspectWriter.UpdateProspect)
}

func (m mutations) DeleteProspect(ctx context.Context, id uuid.UUID, erase bool) (bool, error) {
	if erase {
		return deleted(ctx, id, m.Stores.ProspectEraser.EraseProspect)
	}
	return deleted(ctx, id, m.Stores.ProspectDeleter.DeleteProspect)
}

func (m mutations) DeleteProspects(ctx context.Context, ids []uuid.UUID) (deleted int, err error) {
	return m.changeMany(ctx, ids, m.Stores.ProspectDeleter.DeleteProspects)
}

// BulkProspects checks each element separately. Elements that REST could not decode keep their
// index and their faults.
func (m mutations) BulkProspects(ctx context.Context, input exec.BulkProspectsInput, dryRun bool) (out exec.BulkProspects, err error) {
	ws, err := workspace(ctx)
	if err != nil {
		return out, err
	}
	prospects := input.Prospects.Value()
	done, err := m.beginBulk(ctx, ws, "prospects", len(prospects))
	if err != nil {
		return out, err
	}
	defer done()
	elements := make([]outreach.BulkElement, len(prospects))
	for i := range prospects {
		elements[i].Change = changeProspect(prospects[i])
	}
	for _, fault := range input.Unreadable.Value() {
		if fault.Index < 0 || fault.Index >= len(elements) {
			return out, errors.New("unreadable names an index outside of prospects")
		}
		elements[fault.Index].Faults.Add(fault.Path, outreach.Code(fault.Code), "%s", fault.Detail)
	}
	update, err := updates(input.OnExisting.Value())
	if err != nil {
		return out, err
	}
	out.Results, err = m.Stores.ProspectImporter.BulkProspects(ctx, ws, elements, outreach.BulkMode{Update: update, DryRun: dryRun})
	return out, err
}

// beginBulk refuses a bulk request with no elements or too many, and waits while another one of the
// workspace runs in this process: one import must not keep all processors busy. The caller calls
// done when the request has ended.
func (r *Resolver) beginBulk(ctx context.Context, workspace uuid.UUID, name string, n int) (done func(), err error) {
	if n == 0 || n > outreach.MaxBulk {
		var faults outreach.Faults
		faults.Add(outreach.At(name), outreach.FieldInvalid, "%s must have 1 to %d elements.", name, outreach.MaxBulk)
		return nil, faults.Err()
	}
	return r.bulks.Take(ctx, workspace, 1)
}

// changeMany calls change for the rows of a bulk request and returns how many it changed.
func (r *Resolver) changeMany(ctx context.Context, ids []uuid.UUID,
	change func(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID) (changed int, err error)) (int, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return 0, err
	}
	done, err := r.beginBulk(ctx, ws, "ids", len(ids))
	if err != nil {
		return 0, err
	}
	defer done()
	return change(ctx, ws, ids)
}

func updates(mode *outreach.OnExisting) (bool, error) {
	switch {
	case mode == nil, *mode == outreach.OnExistingSkip:
		return false, nil
	case *mode == outreach.OnExistingUpdate:
		return true, nil
	}
	return false, fmt.Errorf("unknown on_existing %q", *mode)
}

// changeProspect returns a function that applies an input to a prospect.
func changeProspect(in exec.ProspectInput) func(*outreach.Prospect) {
	return func(p *outreach.Prospect) {
		setOr(&p.Email, in.Email, "")
		set(&p.FirstName, in.FirstName)
		set(&p.LastName, in.LastName)
		set(&p.CompanyName, in.CompanyName)
		set(&p.JobTitle, in.JobTitle)
		set(&p.Phone, in.Phone)
		set(&p.Website, in.Website)
		set(&p.LinkedinURL, in.LinkedinURL)
		set(&p.Timezone, in.Timezone)
		if fields, ok := in.CustomFields.ValueOK(); ok {
			p.MergeCustomFields(fields)
		}
	}
}
