package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

// Lacks returns what would hold the steps of each person, from the person's next step on, when from
// sends them. It stores and sends nothing.
//
// It ends with ctx. It uses the time for previews of the workspace, and returns CodeRateLimited when
// that is used up for this minute.
func (c *Composer) Lacks(ctx context.Context, workspace uuid.UUID, steps []outreach.Step, people []outreach.Candidate,
	from outreach.Mailbox) ([]outreach.Lack, error) {
	lacks := make([]outreach.Lack, len(people))
	for i, step := range steps {
		err := c.previews.run(ctx, workspace, c.PreviewTime, func() error {
			return c.addLacks(ctx, workspace, i+1, step, people, from, lacks)
		})
		if err != nil {
			return nil, err
		}
	}
	return lacks, nil
}

// addLacks adds what would hold one step to lacks.
func (c *Composer) addLacks(ctx context.Context, workspace uuid.UUID, number int, step outreach.Step, people []outreach.Candidate,
	from outreach.Mailbox, lacks []outreach.Lack) error {
	compiled, err := c.templates.Take(owner(workspace), templatesOf(step))
	if err != nil {
		for i := range people {
			lacks[i].Faults = append(lacks[i].Faults, held(number, err).Error())
		}
		return nil
	}
	defer c.templates.Put(owner(workspace), compiled)
	for i := range people {
		if people[i].Step > number {
			continue
		}
		missing, fault := c.lackOf(ctx, compiled, outreach.Draft{Step: step, Number: number, Prospect: people[i].Prospect,
			Mailbox: from, ThreadSubject: "thread"})
		if ended := ctx.Err(); ended != nil {
			return ended
		}
		for _, name := range missing {
			if !slices.Contains(lacks[i].Missing, name) {
				lacks[i].Missing = append(lacks[i].Missing, name)
			}
		}
		if fault != "" {
			lacks[i].Faults = append(lacks[i].Faults, fault)
		}
	}
	return nil
}

// lackOf returns the variables that a draft prints and that have no value, or why else it would be
// held.
func (c *Composer) lackOf(ctx context.Context, compiled *mail.Compiled, d outreach.Draft) (missing []string, fault string) {
	defer func() {
		if broken := recover(); broken != nil { // the template engine panicked
			missing, fault = nil, fmt.Sprintf("step %d cannot be rendered", d.Number)
		}
	}()
	rendered, missing, err := compiled.RenderWithHoles(ctx, c.variables(d.Ref(), &d.Prospect, &d.Mailbox))
	if err != nil {
		return nil, held(d.Number, err).Error()
	}
	if len(missing) > 0 {
		return missing, ""
	}
	if _, err := subjectOf(&d, rendered.Subject); err != nil {
		return nil, err.Error()
	}
	if !readable(&d.Step, rendered) {
		return nil, noText(d.Number).Error()
	}
	return nil, ""
}
