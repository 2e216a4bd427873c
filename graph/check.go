package graph

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
	"outreach/graph/page"
)

// CandidateReader reads the people that a campaign will write to.
type CandidateReader interface {
	// ChosenPeople returns those of the prospects that the workspace has.
	ChosenPeople(ctx context.Context, workspace, campaign uuid.UUID, prospects []uuid.UUID) ([]outreach.Candidate, error)
	// EnrolledPeople returns the people of the campaign who wait for a step.
	EnrolledPeople(ctx context.Context, workspace, campaign uuid.UUID, page outreach.Page) (outreach.Rows[outreach.Candidate], error)
}

func (q queries) CheckPeople(ctx context.Context, campaignID uuid.UUID, prospectIDs []uuid.UUID) (k outreach.PeopleCheck, err error) {
	c, err := inWorkspace(ctx, campaignID, q.Stores.CampaignReader.Campaign)
	if err != nil {
		return k, err
	}
	done, err := q.beginBulk(ctx, c.WorkspaceID, "prospect_ids", len(prospectIDs))
	if err != nil {
		return k, err
	}
	defer done()
	people, err := q.Stores.Candidates.ChosenPeople(ctx, c.WorkspaceID, c.ID, prospectIDs)
	if err != nil {
		return k, err
	}
	return q.check(ctx, &c, people, true)
}

func (q queries) CheckCampaign(ctx context.Context, id uuid.UUID, after *string) (k exec.CampaignCheck, err error) {
	c, err := inWorkspace(ctx, id, q.Stores.CampaignReader.Campaign)
	if err != nil {
		return k, err
	}
	asked := request{"check", outreach.MaxBulk, after}
	scope := page.Scope{List: asked.list, Workspace: c.WorkspaceID, Filter: id}
	people, next, err := paged(q.Resolver, scope, asked, func(p outreach.Page) (outreach.Rows[outreach.Candidate], error) {
		return q.Stores.Candidates.EnrolledPeople(ctx, c.WorkspaceID, c.ID, p)
	})
	if err != nil {
		return k, err
	}
	k.NextCursor = next
	k.Check, err = q.check(ctx, &c, people, false)
	return k, err
}

// check judges people that the campaign will enroll, or has enrolled.
func (q queries) check(ctx context.Context, c *outreach.Campaign, people []outreach.Candidate,
	enrolling bool) (k outreach.PeopleCheck, err error) {
	from, err := q.mailboxToCheck(ctx, c)
	if err != nil {
		return k, err
	}
	free := make([]outreach.Candidate, 0, len(people))
	for i := range people {
		if refused := c.Refused(&people[i], enrolling); refused != "" {
			k.Add(&people[i], refused, outreach.Lack{})
		} else {
			free = append(free, people[i])
		}
	}
	lacks, err := q.Templates.Lacks(ctx, c.WorkspaceID, c.Steps, free, from)
	if err != nil {
		return k, err
	}
	for i := range free {
		k.Add(&free[i], "", lacks[i])
	}
	return k, nil
}

// mailboxToCheck returns a mailbox of the campaign, one without a display name if there is one: its
// variables are the first to lack a value.
func (q queries) mailboxToCheck(ctx context.Context, c *outreach.Campaign) (from outreach.Mailbox, err error) {
	from = outreach.Mailbox{Email: "mailbox@example.com", DisplayName: new("Name")} // of a campaign without mailboxes
	boxes, err := q.Stores.MailboxReader.ListMailboxes(ctx, c.WorkspaceID)
	if err != nil {
		return from, err
	}
	for _, box := range boxes {
		if !slices.Contains(c.MailboxIDs, box.ID) {
			continue
		}
		if from = box; filled(box.DisplayName) == nil {
			break
		}
	}
	return from, nil
}
