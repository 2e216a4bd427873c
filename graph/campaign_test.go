package graph_test

import (
	"encoding/json"
	"errors"
	"testing"

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
