package engine

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/microcosm-cc/bluemonday"

	"outreach"
	"outreach/mail"
)

// Check returns what is wrong with the templates of a step, at most one fault for
// each field, with paths that begin at the step. Variables are not checked: they
// depend on the prospect.
func (c *Composer) Check(step outreach.Step) outreach.Faults {
	var faults outreach.Faults
	all := templatesOf(step)
	for _, one := range []mail.Templates{{Subject: all.Subject}, {HTML: all.HTML}, {Text: all.Text}} {
		err := mail.Check(one)
		if fault, ok := errors.AsType[*mail.TemplateError](err); ok {
			faults.Add(outreach.At(fault.Field), outreach.FieldInvalid, "%s", fault.Error())
		} else if err != nil {
			faults.Add(outreach.At("body_text"), outreach.FieldInvalid, "body_text is not a valid template.")
		}
	}
	return faults
}

// maxMissing bounds how many holes a preview looks for.
const maxMissing = 100

// Preview shows a step as a prospect would get it from a mailbox, nil for none.
// Variables without a value stand in brackets and are listed, all of them, in the
// order in which they are met. The HTML is fit to be shown inside the application;
// nothing in it is tracked.
func (c *Composer) Preview(step outreach.Step, p outreach.Prospect, from *outreach.Mailbox) (view outreach.Preview) {
	view.Missing = []string{}
	defer func() {
		if broken := recover(); broken != nil {
			view.Error = new("The step cannot be rendered.")
		}
	}()
	rendered, missing, err := c.renderWithHoles(templatesOf(step), variables(&p))
	view.Missing = append(view.Missing, missing...)
	if err != nil {
		view.Error = new(err.Error())
		return view
	}
	signature := ""
	if from != nil {
		signature = value(from.SignatureHTML)
	}
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
	return view
}

// renderWithHoles renders again and again, each time with one more placeholder,
// until nothing is missing.
func (c *Composer) renderWithHoles(tpl mail.Templates, vars map[string]any) (mail.Rendered, []string, error) {
	var missing []string
	for {
		rendered, err := c.templates.Render(tpl, vars)
		hole, ok := errors.AsType[*mail.MissingVariableError](err)
		if !ok || len(missing) == maxMissing || slices.Contains(missing, hole.Name) {
			return rendered, missing, err
		}
		missing = append(missing, hole.Name)
		vars = withValue(vars, strings.Split(hole.Name, "."), "["+hole.Name+"]")
	}
}

// withValue copies vars with one value put in, inner maps made on the way.
func withValue(vars map[string]any, path []string, value string) map[string]any {
	out := maps.Clone(vars)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) == 1 {
		out[path[0]] = value
		return out
	}
	inner, _ := out[path[0]].(map[string]any)
	out[path[0]] = withValue(inner, path[1:], value)
	return out
}

// sanitise keeps what mail may show, inline styles included, and no script, form
// or frame. Whoever shows it gives it a document of its own that loads nothing, so
// that no style reaches beyond the letter.
func sanitise(page string) string {
	policy := bluemonday.UGCPolicy()
	policy.AllowStyling()
	policy.AllowAttrs("style").Globally()
	return policy.Sanitize(page)
}
