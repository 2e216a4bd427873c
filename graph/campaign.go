package graph

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// CampaignReader reads campaigns.
type CampaignReader interface {
	Campaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error)
	ListCampaigns(ctx context.Context, workspace uuid.UUID, filter outreach.CampaignFilter,
		page outreach.Page) (outreach.Rows[outreach.Campaign], error)
}

// CampaignCounter counts what happened in campaigns. It counts only the figures that are named, each by
// its field of CampaignStats in the schema.
type CampaignCounter interface {
	CampaignStats(ctx context.Context, workspace, id uuid.UUID, figures []string) (outreach.CampaignStats, error)
	CampaignsStats(ctx context.Context, workspace uuid.UUID, ids []uuid.UUID, figures []string) ([]outreach.CampaignStats, error)
	CampaignReport(ctx context.Context, workspace, id uuid.UUID, days int) (outreach.CampaignReport, error)
}

// WaitingCounter counts the people who wait in a campaign by their next step.
type WaitingCounter interface {
	CampaignWaiting(ctx context.Context, workspace, id uuid.UUID) ([]outreach.WaitingStep, error)
}

// CampaignWriter creates, changes and deletes campaigns.
type CampaignWriter interface {
	CreateCampaign(ctx context.Context, c outreach.Campaign) (outreach.Campaign, error)
	UpdateCampaign(ctx context.Context, workspace, id uuid.UUID, change func(*outreach.Campaign)) (outreach.Campaign, error)
	DeleteCampaign(ctx context.Context, workspace, id uuid.UUID) error
}

// CampaignReviser changes a campaign unless it was changed meanwhile.
type CampaignReviser interface {
	// ReviseCampaign is UpdateCampaign. It returns CodeConflict if the campaign's revision is not
	// basedOn.
	ReviseCampaign(ctx context.Context, workspace, id uuid.UUID, basedOn string, change func(*outreach.Campaign)) (outreach.Campaign, error)
}

// CampaignSwitch activates, pauses and archives campaigns.
type CampaignSwitch interface {
	ActivateCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error)
	PauseCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error)
	ArchiveCampaign(ctx context.Context, workspace, id uuid.UUID) (outreach.Campaign, error)
}

// Continuer continues the finished enrollments of a campaign, and previews the effect.
type Continuer interface {
	ContinueFinished(ctx context.Context, workspace, id uuid.UUID) (outreach.CampaignContinuation, error)
	FinishedContinuation(ctx context.Context, workspace, id uuid.UUID) (outreach.CampaignContinuation, error)
	EnrollmentContinuation(ctx context.Context, workspace, id uuid.UUID) (outreach.Continuation, error)
}

// Templates checks and previews the templates of steps.
type Templates interface {
	// Check returns the faults of a step's templates; paths are relative to the step. It returns an
	// error if the workspace has checked and previewed too much in the last minute.
	Check(ctx context.Context, workspace uuid.UUID, step outreach.Step) (outreach.Faults, error)
	// Preview renders a step for a prospect, and for a mailbox if there is one. Its time is limited
	// like that of checks.
	Preview(ctx context.Context, step outreach.Step, p outreach.Prospect, from *outreach.Mailbox) (outreach.Preview, error)
	// Lacks returns what would hold the steps of each person, in the order of people. Its time is
	// limited like that of checks.
	Lacks(ctx context.Context, workspace uuid.UUID, steps []outreach.Step, people []outreach.Candidate,
		from outreach.Mailbox) ([]outreach.Lack, error)
}

func (q queries) Campaign(ctx context.Context, id uuid.UUID) (outreach.Campaign, error) {
	return inWorkspace(ctx, id, q.Stores.CampaignReader.Campaign)
}

func (q queries) Campaigns(ctx context.Context, first int, after *string, status *outreach.CampaignStatus,
	createdSince *time.Time, search *string) (c exec.CampaignConnection, err error) {
	if err := checkPart(search); err != nil {
		return c, err
	}
	filter := outreach.CampaignFilter{Status: status, CreatedSince: createdSince, Search: search}
	c.Nodes, c.NextCursor, err = listed(ctx, q.Resolver, request{"campaigns", first, after}, filter,
		q.Stores.CampaignReader.ListCampaigns)
	return c, err
}

func (q queries) CampaignStats(ctx context.Context, id uuid.UUID) (outreach.CampaignStats, error) {
	return inWorkspaceWith(ctx, id, selected(ctx, "CampaignStats"), q.Stores.CampaignCounter.CampaignStats)
}

// checkDays checks the number of days of a report or an overview.
func checkDays(days int) error {
	if days < 1 || days > 90 {
		return outreach.Errorf(outreach.CodeInvalidParameter, "days must be between 1 and 90.")
	}
	return nil
}

func (q queries) CampaignReport(ctx context.Context, id uuid.UUID, days int) (outreach.CampaignReport, error) {
	if err := checkDays(days); err != nil {
		return outreach.CampaignReport{}, err
	}
	return inWorkspaceWith(ctx, id, days, q.Stores.CampaignCounter.CampaignReport)
}

func (q queries) CampaignWaiting(ctx context.Context, id uuid.UUID) ([]outreach.WaitingStep, error) {
	return inWorkspace(ctx, id, q.Stores.WaitingCounter.CampaignWaiting)
}

func (q queries) CampaignsStats(ctx context.Context, ids []uuid.UUID) ([]outreach.CampaignStats, error) {
	figures := selected(ctx, "CampaignStats")
	return ofSeveral(ctx, ids, func(ctx context.Context, ws uuid.UUID, ids []uuid.UUID) ([]outreach.CampaignStats, error) {
		return q.Stores.CampaignCounter.CampaignsStats(ctx, ws, ids, figures)
	})
}

func (q queries) PreviewStep(ctx context.Context, in exec.PreviewInput) (outreach.Preview, error) {
	p, err := inWorkspace(ctx, in.ProspectID, q.Stores.ProspectReader.Prospect)
	if err != nil {
		return outreach.Preview{}, err
	}
	var from *outreach.Mailbox
	if id := in.MailboxID.Value(); id != nil {
		mailbox, err := inWorkspace(ctx, *id, q.Stores.MailboxReader.Mailbox)
		if err != nil {
			return outreach.Preview{}, err
		}
		from = &mailbox
	}
	step := outreach.Step{Subject: in.Subject.Value(), BodyHTML: in.BodyHTML.Value(), BodyText: in.BodyText.Value()}
	return q.Templates.Preview(ctx, step, p, from)
}

func (m mutations) CreateCampaign(ctx context.Context, in exec.CampaignInput) (outreach.Campaign, error) {
	c := outreach.NewCampaign()
	changeCampaign(in)(&c)
	var err error
	if c.WorkspaceID, err = workspace(ctx); err != nil {
		return c, err
	}
	err = outreach.FindAll(ctx,
		func(ctx context.Context) error { return m.checkTemplates(ctx, c.WorkspaceID, in) },
		func(ctx context.Context) (err error) {
			c, err = m.Stores.CampaignWriter.CreateCampaign(ctx, c)
			return err
		})
	return c, err
}

func (m mutations) UpdateCampaign(ctx context.Context, id uuid.UUID, in exec.CampaignInput, basedOn *string) (outreach.Campaign, error) {
	ws, err := workspace(ctx)
	if err != nil {
		return outreach.Campaign{}, err
	}
	var c outreach.Campaign
	err = outreach.FindAll(ctx,
		func(ctx context.Context) error { return m.checkTemplates(ctx, ws, in) },
		func(ctx context.Context) (err error) {
			if basedOn != nil {
				c, err = m.Stores.CampaignReviser.ReviseCampaign(ctx, ws, id, *basedOn, changeCampaign(in))
			} else {
				c, err = m.Stores.CampaignWriter.UpdateCampaign(ctx, ws, id, changeCampaign(in))
			}
			return err
		})
	return c, err
}

func (m mutations) DuplicateCampaign(ctx context.Context, id uuid.UUID) (outreach.Campaign, error) {
	c, err := inWorkspace(ctx, id, m.Stores.CampaignReader.Campaign)
	if err != nil {
		return c, err
	}
	return m.Stores.CampaignWriter.CreateCampaign(ctx, c.Copy())
}

// checkTemplates returns the faults of the templates of the steps. It skips a list with too many
// steps, which validation refuses: parsing each would take long.
func (m mutations) checkTemplates(ctx context.Context, ws uuid.UUID, in exec.CampaignInput) error {
	var faults outreach.Faults
	if len(in.Steps.Value()) > outreach.MaxSteps {
		return nil
	}
	for i, step := range in.Steps.Value() {
		found, err := m.Templates.Check(ctx, ws, stepOf(step))
		if err != nil {
			return err
		}
		faults = append(faults, found.Under(outreach.At("steps").Index(i))...)
	}
	return faults.Err()
}

func (m mutations) DeleteCampaign(ctx context.Context, id uuid.UUID) (bool, error) {
	return deleted(ctx, id, m.Stores.CampaignWriter.DeleteCampaign)
}

func (m mutations) ActivateCampaign(ctx context.Context, id uuid.UUID) (outreach.Campaign, error) {
	c, err := inWorkspace(ctx, id, m.Stores.CampaignReader.Campaign)
	if err != nil {
		return c, err
	}
	return m.Stores.CampaignSwitch.ActivateCampaign(audited(ctx, outreach.AuditCampaignActivated, c.Name), c.WorkspaceID, id)
}

func (m mutations) PauseCampaign(ctx context.Context, id uuid.UUID) (outreach.Campaign, error) {
	return inWorkspace(ctx, id, m.Stores.CampaignSwitch.PauseCampaign)
}

func (m mutations) ArchiveCampaign(ctx context.Context, id uuid.UUID) (outreach.Campaign, error) {
	return inWorkspace(ctx, id, m.Stores.CampaignSwitch.ArchiveCampaign)
}

func (m mutations) ContinueFinished(ctx context.Context, id uuid.UUID) (outreach.CampaignContinuation, error) {
	return inWorkspace(ctx, id, m.Stores.Continuer.ContinueFinished)
}

func (q queries) CampaignContinuation(ctx context.Context, id uuid.UUID) (outreach.CampaignContinuation, error) {
	return inWorkspace(ctx, id, q.Stores.Continuer.FinishedContinuation)
}

// changeCampaign returns a function that applies an input to a campaign; null restores a default.
func changeCampaign(in exec.CampaignInput) func(*outreach.Campaign) {
	return func(c *outreach.Campaign) {
		byDefault := outreach.NewCampaign()
		setOr(&c.Name, in.Name, "")
		setOr(&c.Timezone, in.Timezone, byDefault.Timezone)
		setOr(&c.SendFrom, in.SendFrom, byDefault.SendFrom)
		setOr(&c.SendUntil, in.SendUntil, byDefault.SendUntil)
		set(&c.StartsOn, in.StartsOn)
		set(&c.EndsOn, in.EndsOn)
		if dates, ok := in.SkipDates.ValueOK(); ok {
			c.SkipDates = append([]string{}, dates...)
		}
		set(&c.DailyNewLimit, in.DailyNewLimit)
		set(&c.CompanyDailyLimit, in.CompanyDailyLimit)
		setOr(&c.StopOnReply, in.StopOnReply, byDefault.StopOnReply)
		setOr(&c.StopCompanyOnReply, in.StopCompanyOnReply, byDefault.StopCompanyOnReply)
		setOr(&c.TrackClicks, in.TrackClicks, byDefault.TrackClicks)
		setOr(&c.TrackOpens, in.TrackOpens, byDefault.TrackOpens)
		if days, ok := in.SendDays.ValueOK(); ok {
			if c.SendDays = days; days == nil {
				c.SendDays = byDefault.SendDays
			}
		}
		if ids, ok := in.MailboxIds.ValueOK(); ok {
			c.MailboxIDs = append([]uuid.UUID{}, ids...)
		}
		if steps, ok := in.Steps.ValueOK(); ok {
			c.Steps = make([]outreach.Step, len(steps))
			for i, step := range steps {
				c.Steps[i] = stepOf(step)
			}
		}
	}
}

func stepOf(in exec.StepInput) (s outreach.Step) {
	if id := in.ID.Value(); id != nil {
		s.ID = *id
	}
	setOr(&s.DelayMinutes, in.DelayMinutes, 0)
	s.Subject, s.BodyHTML, s.BodyText = filled(in.Subject.Value()), filled(in.BodyHTML.Value()), filled(in.BodyText.Value())
	return s
}

// filled returns nil for a text that is empty or only white space.
func filled(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	return text
}
