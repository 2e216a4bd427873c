package engine

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

// Composer turns a step into a message for one prospect. It is safe for
// concurrent use once its fields are set.
type Composer struct {
	// BaseURL is the public URL of the service. The unsubscribe page is below it.
	BaseURL string
	// Keyring signs tracked links and unsubscribe links.
	Keyring *outreach.Keyring
	// TrackingURL returns the URL prefix of a verified tracking host. If nil, it is https and the
	// host.
	TrackingURL func(host string) string
	// Random is the source of Message-IDs. If nil, crypto/rand.
	Random io.Reader
	// PreviewTime bounds the processor time that the previews, and the checks of templates, of one
	// workspace use in a minute. Zero means no limit.
	PreviewTime time.Duration

	templates mail.Renderer
	previews  previewTime
}

// Compose renders the draft's step for its prospect and returns the message with its bytes. It
// returns an *outreach.HoldError with a text for users if the step, the prospect or the mailbox
// causes the failure: a variable without a value, an invalid template, an address that a header
// cannot hold. Such a draft holds its own enrollment only.
func (c *Composer) Compose(ctx context.Context, d outreach.Draft) (outreach.Composed, error) {
	return c.compose(ctx, d, func(*mail.Draft) {})
}

// compose is Compose with a last change to the message before it is encoded.
func (c *Composer) compose(ctx context.Context, d outreach.Draft, change func(*mail.Draft)) (outreach.Composed, error) {
	compiled, err := c.templates.Take(owner(d.Campaign.WorkspaceID), templatesOf(d.Step))
	if err != nil {
		return outreach.Composed{}, held(d.Number, err)
	}
	defer c.templates.Put(owner(d.Campaign.WorkspaceID), compiled)
	return c.composeWith(ctx, compiled, d, change)
}

// owner returns the key under which compiled templates of a workspace are cached.
func owner(workspace uuid.UUID) string { return string(workspace[:]) }

func (c *Composer) composeWith(ctx context.Context, compiled *mail.Compiled, d outreach.Draft,
	change func(*mail.Draft)) (out outreach.Composed, err error) {
	defer func() {
		if broken := recover(); broken != nil { // the template engine panicked
			err = &outreach.HoldError{Reason: fmt.Sprintf("step %d cannot be rendered", d.Number)}
		}
	}()
	rendered, err := compiled.Render(ctx, c.variables(d.Ref(), &d.Prospect, &d.Mailbox))
	if err != nil && ctx.Err() != nil {
		return out, ctx.Err()
	}
	if err != nil {
		return out, held(d.Number, err)
	}
	out.MessageID, err = mail.NewMessageID(d.Mailbox.Email, cmp.Or(c.Random, rand.Reader))
	if err != nil {
		return out, held(d.Number, err)
	}
	if rendered.Subject != "" { // the step begins a new thread
		d.Thread, d.ThreadSubject, d.BouncedSubject = nil, "", ""
	}
	out.Root = len(d.Thread) == 0
	if out.Subject, err = subjectOf(&d, rendered.Subject); err != nil {
		return out, err
	}
	out.Text, out.HTML = cmp.Or(rendered.Text, mail.PlainText(rendered.HTML)), rendered.HTML
	if !readable(&d.Step, rendered) {
		return out, noText(d.Number)
	}
	m := c.draft(&d, out, rendered.HTML)
	c.track(&d, &m)
	change(&m)
	out.Subject = m.Subject
	if out.Raw, err = mail.Compose(m); err != nil {
		return out, held(d.Number, err)
	}
	return out, nil
}

func (c *Composer) draft(d *outreach.Draft, out outreach.Composed, page string) mail.Draft {
	m := mail.Draft{
		From: d.Mailbox.Email, FromName: value(d.Mailbox.DisplayName),
		To: d.Prospect.Email, ToName: strings.TrimSpace(value(d.Prospect.FirstName) + " " + value(d.Prospect.LastName)),
		Subject: out.Subject, HTML: page, Text: out.Text, SignatureHTML: value(d.Mailbox.SignatureHTML),
		MessageID: out.MessageID, References: d.Thread, Date: d.Date,
		UnsubscribeURL:     outreach.Links{Keyring: c.Keyring, Origin: c.BaseURL}.Unsubscribe(d.Ref()),
		UnsubscribeSubject: unsubscribeWord + outreach.SignLink(c.Keyring, outreach.LinkUnsubscribe, d.Ref(), 0, ""),
		Ref:                c.reference(d.Ref()),
	}
	if n := len(d.Thread); n > 0 {
		m.InReplyTo = d.Thread[n-1]
	}
	return m
}

// readable reports whether the body that a mail program shows has visible text: the HTML body if
// the step has one, else the text body.
func readable(step *outreach.Step, rendered mail.Rendered) bool {
	if value(step.BodyHTML) != "" {
		return mail.HasText(rendered.HTML)
	}
	return mail.HasText(html.EscapeString(rendered.Text))
}

func noText(step int) error {
	return &outreach.HoldError{Reason: fmt.Sprintf("step %d has no text for this prospect", step)}
}

// unsubscribeWord stands before the token in the subject of an unsubscribe mail.
const unsubscribeWord = "unsubscribe "

// unsubscribes returns the message that an unsubscribe mail with this subject refers to.
func (c *Composer) unsubscribes(subject *string) (message outreach.Ref, ok bool) {
	if subject == nil {
		return message, false
	}
	token, ok := strings.CutPrefix(strings.TrimSpace(*subject), unsubscribeWord)
	if !ok {
		return message, false
	}
	message, _, _, ok = outreach.OpenLink(c.Keyring, outreach.LinkUnsubscribe, token)
	return message, ok && message.ID != uuid.Nil
}

// subjectOf returns the subject of the step, or that of its thread if the step has none. If no
// message of the thread was delivered, the subject gets no "Re:".
func subjectOf(d *outreach.Draft, rendered string) (string, error) {
	switch {
	case rendered != "":
		return rendered, nil
	case d.Step.Subject != nil && d.Number == 1:
		return "", &outreach.HoldError{Reason: fmt.Sprintf("step %d has no subject for this prospect", d.Number)}
	case len(d.Thread) == 0 && d.BouncedSubject != "":
		return d.BouncedSubject, nil
	case d.ThreadSubject == "" && len(d.Thread) == 0:
		return "", &outreach.HoldError{Reason: fmt.Sprintf("step %d has no subject and no thread to go on", d.Number)}
	}
	return outreach.AnswerSubject(d.ThreadSubject), nil
}

// track replaces links in both bodies and in the signature by tracked links and adds the pixel, if
// the campaign wants it and a tracking domain is verified. Links of the service itself are not
// changed. Each target gets a number, so that a scanner that opens all links of a message is
// recognised.
func (c *Composer) track(d *outreach.Draft, m *mail.Draft) {
	if d.TrackingHost == nil {
		return
	}
	links := outreach.Links{Keyring: c.Keyring, Origin: c.trackingURL(*d.TrackingHost)}
	own := map[string]bool{hostOf(c.BaseURL): true, hostOf(links.Origin): true, *d.TrackingHost: true}
	tracked := map[string]string{}
	click := func(target string) string {
		if own[hostOf(target)] {
			return target
		}
		if tracked[target] == "" {
			tracked[target] = links.Click(d.Ref(), len(tracked)+1, target)
		}
		return tracked[target]
	}
	if d.Campaign.TrackClicks {
		m.HTML, _ = mail.RewriteLinks(m.HTML, click)
		m.SignatureHTML, _ = mail.RewriteLinks(m.SignatureHTML, click)
		m.Text = mail.RewriteTextLinks(m.Text, click)
	}
	if d.Campaign.TrackOpens && m.HTML != "" {
		m.HTML = mail.InsertPixel(m.HTML, links.Open(d.Ref()))
	}
}

// hostOf returns the host of a URL with its port, in lower case; "" without one.
func hostOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

func (c *Composer) trackingURL(host string) string {
	if c.TrackingURL == nil {
		return "https://" + host
	}
	return strings.TrimRight(c.TrackingURL(host), "/")
}

// held returns the HoldError for a failure to compose a step.
func held(step int, err error) error {
	if missing, ok := errors.AsType[*mail.MissingVariableError](err); ok {
		return &outreach.HoldError{Reason: fmt.Sprintf("step %d needs a value for %s", step, missing.Name)}
	}
	return &outreach.HoldError{Reason: fmt.Sprintf("step %d cannot be composed: %v", step, err)}
}

func templatesOf(step outreach.Step) mail.Templates {
	return mail.Templates{Subject: value(step.Subject), HTML: value(step.BodyHTML), Text: value(step.BodyText)}
}

// variables returns what templates can print: the fields of the prospect, the sending mailbox and
// the URL of the unsubscribe page.
func (c *Composer) variables(message outreach.Ref, p *outreach.Prospect, from *outreach.Mailbox) map[string]any {
	custom := make(map[string]any, len(p.CustomFields))
	for name, v := range p.CustomFields {
		custom[name] = v
	}
	return map[string]any{
		"first_name": p.FirstName, "last_name": p.LastName, "email": p.Email, "company_name": p.CompanyName,
		"job_title": p.JobTitle, "phone": p.Phone, "website": p.Website, "linkedin_url": p.LinkedinURL,
		"timezone": p.Timezone, "custom_fields": custom,
		"mailbox":         map[string]any{"email": from.Email, "display_name": value(from.DisplayName)},
		"unsubscribe_url": outreach.Links{Keyring: c.Keyring, Origin: c.BaseURL}.Unsubscribe(message),
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
