package graph_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// Too many steps are refused before any of their templates is read.
func TestTooManyStepsAreNotRead(t *testing.T) {
	t.Parallel()
	s := newStage(t) // without a reader of templates
	steps := make([]map[string]any, 51)
	for i := range steps {
		steps[i] = map[string]any{"subject": "S", "bodyText": "{{ nobody"}
	}
	_, err := s.run(`mutation q($input: CampaignInput!) { createCampaign(input: $input) { id } }`,
		map[string]any{"input": map[string]any{"name": "C", "steps": steps}})
	refused, ok := errors.AsType[*outreach.Error](err)
	if !ok || len(refused.Fields) != 1 || refused.Fields[0].Pointer() != "/steps" || refused.Fields[0].Code != outreach.FieldTooLong {
		t.Errorf("51 steps: %v", err)
	}
}

// An edit that names the revision it began with is refused once another person has
// edited; one that names none, as REST has none, is not.
func TestUpdateCampaignBasedOn(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	draft := outreach.NewCampaign()
	draft.WorkspaceID, draft.Name = s.ws, "C"
	c, err := s.db.CreateCampaign(s.ctx, draft)
	must(t, err)
	edit := func(name string, basedOn any) (string, error) {
		data, err := s.run(`mutation q($id: UUID!, $input: CampaignInput!, $basedOn: String) { updateCampaign(id: $id, `+
			`input: $input, basedOn: $basedOn) { revision } }`,
			map[string]any{"id": c.ID.String(), "input": map[string]any{"name": name}, "basedOn": basedOn})
		var got struct{ UpdateCampaign struct{ Revision string } }
		if err == nil {
			must(t, json.Unmarshal(data, &got))
		}
		return got.UpdateCampaign.Revision, err
	}
	first := c.Revision()
	second, err := edit("mine", first)
	must(t, err)
	_, err = edit("theirs", first)
	same(t, "too late", outreach.CodeOf(err), outreach.CodeConflict)
	_, err = edit("nonsense", "x")
	same(t, "no revision", outreach.CodeOf(err), outreach.CodeConflict)
	_, err = edit("theirs, on mine", second)
	must(t, err)
	_, err = edit("a program's", nil)
	must(t, err)
	same(t, "stored",
		string(s.field(`query q($id: UUID!) { campaign(id: $id) { name } }`, map[string]any{"id": c.ID.String()},
			"campaign", "name")), `"a program's"`)
}

// A copy is a draft with the settings and the texts of the campaign, with steps of its own and
// without its people. TestAnotherWorkspaceIsNowhereInGraphQL of rest has the other workspace.
func TestDuplicateCampaign(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	draft := outreach.NewCampaign()
	draft.WorkspaceID, draft.Name = s.ws, strings.Repeat("n", outreach.MaxText)
	draft.SendDays, draft.SkipDates, draft.DailyNewLimit = outreach.Weekdays, []string{"2030-01-01"}, new(7)
	draft.Steps = []outreach.Step{{Subject: new("S"), BodyHTML: new("<p>one")}, {DelayMinutes: 60, BodyText: new("two")}}
	c, err := s.db.CreateCampaign(s.ctx, draft)
	must(t, err)
	p, err := s.db.CreateProspect(s.ctx, outreach.Prospect{WorkspaceID: s.ws, Email: "ann@acme.test"})
	must(t, err)
	_, err = s.db.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: s.ws, CampaignID: c.ID, ProspectID: &p.ID})
	must(t, err)

	data, err := s.run(`mutation q($id: UUID!) { duplicateCampaign(id: $id) { id } }`, map[string]any{"id": c.ID.String()})
	must(t, err)
	var got struct{ DuplicateCampaign struct{ ID uuid.UUID } }
	must(t, json.Unmarshal(data, &got))
	made, err := s.db.Campaign(s.ctx, s.ws, got.DuplicateCampaign.ID)
	must(t, err)
	for i := range made.Steps {
		if made.Steps[i].ID == c.Steps[i].ID {
			t.Errorf("step %d of the copy is the step of the campaign", i+1)
		}
		made.Steps[i].ID = c.Steps[i].ID
	}
	want := c
	want.ID, want.CreatedAt, want.Name = made.ID, made.CreatedAt, "Copy of "+strings.Repeat("n", outreach.MaxText-8)
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("the copy (-campaign +copy):\n%s", diff)
	}
	stats, err := s.db.CampaignStats(s.ctx, s.ws, made.ID, []string{"prospects"})
	must(t, err)
	same(t, "people", stats.Prospects, 0)
}
