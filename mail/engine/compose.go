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
	"sync"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
)

// Composer turns a step into a message for one prospect. It is safe for
// concurrent use once its fields are set.
type Composer struct {
	// BaseURL is where the service is reached; the unsubscribe page is there.
	BaseURL string
	// Keyring signs links.
	Keyring *outreach.Keyring
	// TrackingURL gives the address before /t/ for a verified tracking host;
	// https and the host when nil.
	TrackingURL func(host string) string
	// Random is where Message-IDs come from; crypto/rand when nil.
	Random io.Reader
	// PreviewTime is how long the previews of one workspace may take in a minute,
	// together; no limit when zero.
	PreviewTime time.Duration

	templates mail.Renderer
	previews  budget // in seconds

	previewLimit sync.Once
}

// Compose renders the draft's step for its prospect and gives the message with
// its bytes. It fails with *outreach.HoldError, in words for a user, whenever the
// step, the prospect or the mailbox is to blame: a variable without a value, a
// template that cannot be read, an address that no header can hold. So one bad
// draft holds its own enrollment and no other.
func (c *Composer) Compose(ctx context.Context, d outreach.Draft) (outreach.Composed, error) {
	return c.compose(ctx, d, func(*mail.Draft) {})
}

// compose lets change have the last word on the message.
func (c *Composer) compose(ctx context.Context, d outreach.Draft, change func(*mail.Draft)) (outreach.Composed, error) {
	compiled, err := c.templates.Take(owner(d.Campaign.WorkspaceID), templatesOf(d.Step))
	if err != nil {
		return outreach.Composed{}, held(d.Number, err)
	}
	defer c.templates.Put(owner(d.Campaign.WorkspaceID), compiled)
	return c.composeWith(ctx, compiled, d, change)
}

// owner is a workspace as the owner of compiled templates.
func owner(workspace uuid.UUID) string { return string(workspace[:]) }

func (c *Composer) composeWith(ctx context.Context, compiled *mail.Compiled, d outreach.Draft,
	change func(*mail.Draft)) (out outreach.Composed, err error) {
	defer func() {
		if broken := recover(); broken != nil { // a template engine at its limits
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
	if rendered.Subject != "" { // it begins a new thread
		d.Thread, d.ThreadSubject, d.BouncedSubject = nil, "", ""
	}
	out.Root = len(d.Thread) == 0
	if out.Subject, err = subjectOf(&d, rendered.Subject); err != nil {
		return out, err
	}
	out.Text, out.HTML = cmp.Or(rendered.Text, mail.PlainText(rendered.HTML)), rendered.HTML
	if !readable(&d.Step, rendered) {
		return out, &outreach.HoldError{Reason: fmt.Sprintf("step %d has no text for this prospect", d.Number)}
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
		Ref:                outreach.SignLink(c.Keyring, outreach.LinkMessage, d.Ref(), 0, ""),
	}
	if n := len(d.Thread); n > 0 {
		m.InReplyTo = d.Thread[n-1]
	}
	return m
}

// readable reports whether the body that a mail program shows has visible text:
// the HTML where the step has one, and the plain text otherwise.
func readable(step *outreach.Step, rendered mail.Rendered) bool {
	if value(step.BodyHTML) != "" {
		return mail.HasText(rendered.HTML)
	}
	return mail.HasText(html.EscapeString(rendered.Text))
}

// unsubscribeWord stands before the token in the subject of a mail that
// unsubscribes its sender.
const unsubscribeWord = "unsubscribe "

// unsubscribes returns the message whose recipient asks for no more mail by this
// subject.
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

// subjectOf returns the step's own subject, or that of its thread. Where no message
// of the thread arrived, the step is no answer to it.
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

// track leads the links of both bodies and of the signature over the tracking
// domain, and adds the pixel, as far as the campaign wants it and a verified domain
// is there. Links of the service itself stay as they are. Each target has a number,
// by which a scanner that opens all links of a message is known.
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

// held words a failure to compose for whoever looks at the enrollment.
func held(step int, err error) error {
	if missing, ok := errors.AsType[*mail.MissingVariableError](err); ok {
		return &outreach.HoldError{Reason: fmt.Sprintf("step %d needs a value for %s", step, missing.Name)}
	}
	return &outreach.HoldError{Reason: fmt.Sprintf("step %d cannot be composed: %v", step, err)}
}

func templatesOf(step outreach.Step) mail.Templates {
	return mail.Templates{Subject: value(step.Subject), HTML: value(step.BodyHTML), Text: value(step.BodyText)}
}

// variables are what templates can print: the fields of the prospect, the sending
// mailbox, and the page on which the recipient of a message unsubscribes.
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
