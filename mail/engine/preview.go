package engine

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/microcosm-cc/bluemonday"

	"outreach"
	"outreach/mail"
)

// Check returns the faults in the templates of a step, at most one for each field, with paths
// relative to the step. A variable that no prospect can have is a fault; whether prospects have values
// is not checked.
//
// It ends with ctx. It uses the time for previews of the workspace, and returns CodeRateLimited when
// that is used up for this minute.
func (c *Composer) Check(ctx context.Context, workspace uuid.UUID, step outreach.Step) (faults outreach.Faults, err error) {
	err = c.previews.run(ctx, workspace, c.PreviewTime, func() error {
		faults, err = c.check(ctx, step)
		return err
	})
	return faults, err
}

func (c *Composer) check(ctx context.Context, step outreach.Step) (faults outreach.Faults, err error) {
	all := templatesOf(step)
	known := c.variables(outreach.Ref{}, &outreach.Prospect{}, &outreach.Mailbox{})
	for _, one := range []mail.Templates{{Subject: all.Subject}, {HTML: all.HTML}, {Text: all.Text}} {
		err := mail.Check(ctx, one, known)
		if ended := ctx.Err(); ended != nil {
			return nil, ended
		}
		if fault, ok := errors.AsType[*mail.TemplateError](err); ok {
			faults.Add(outreach.At(fault.Field), outreach.FieldInvalid, "%s", fault.Error())
		} else if err != nil {
			faults.Add(outreach.At("body_text"), outreach.FieldInvalid, "body_text is not a valid template.")
		}
	}
	return faults, nil
}

// Preview returns a step as a prospect would receive it from a mailbox, which may be nil. Variables
// without a value are shown in brackets and listed in the order of their first use. The HTML is
// safe to show in the application. Links are not tracked, and the unsubscribe link has no effect.
//
// It ends with ctx. It returns CodeRateLimited when the previews of the workspace have used their
// time in this minute.
func (c *Composer) Preview(ctx context.Context, step outreach.Step, p outreach.Prospect,
	from *outreach.Mailbox) (view outreach.Preview, err error) {
	err = c.previews.run(ctx, p.WorkspaceID, c.PreviewTime, func() error {
		view, err = c.preview(ctx, step, p, from)
		return err
	})
	return view, err
}

func (c *Composer) preview(ctx context.Context, step outreach.Step, p outreach.Prospect,
	from *outreach.Mailbox) (view outreach.Preview, err error) {
	if from == nil {
		from = &outreach.Mailbox{}
	}
	view.Missing = []string{}
	vars := c.variables(outreach.Ref{}, &p, from)
	rendered, missing, fault := c.templates.RenderWithHoles(ctx, owner(p.WorkspaceID), templatesOf(step), vars)
	view.Missing = append(view.Missing, missing...)
	if ended := ctx.Err(); ended != nil {
		return view, ended
	}
	if fault != nil {
		view.Error = new(fault.Error())
	} else {
		show(&view, step, rendered, value(from.SignatureHTML))
	}
	return view, nil
}

// show adds a rendered step and a signature to a preview.
func show(view *outreach.Preview, step outreach.Step, rendered mail.Rendered, signature string) {
	text := cmp.Or(rendered.Text, mail.PlainText(rendered.HTML))
	if signature != "" {
		text = strings.TrimRight(text, "\r\n") + "\n\n" + mail.PlainText(signature)
	}
	view.Text = &text
	if step.Subject != nil {
		view.Subject = &rendered.Subject
	}
	if step.BodyHTML != nil {
		view.HTML = new(sanitise(rendered.HTML + signature))
	}
}

// sanitise removes scripts, forms and frames from a page and keeps inline styles. The result must
// be shown in a frame that loads nothing, because its styles apply to the whole document.
func sanitise(page string) string { return pagePolicy().Sanitize(page) }

// sanitiseMail is sanitise for a mail that brings pictures along.
func sanitiseMail(page string) string {
	policy := pagePolicy()
	policy.AllowDataURIImages()
	return policy.Sanitize(page)
}

func pagePolicy() *bluemonday.Policy {
	policy := bluemonday.UGCPolicy()
	policy.AllowStyling()
	policy.AllowAttrs("style").Globally()
	return policy
}
