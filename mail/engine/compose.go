package engine

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

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

	templates mail.Renderer
}

// Compose renders the draft's step for its prospect and gives the message with
// its bytes. It fails with *outreach.HoldError, in words for a user, whenever the
// step, the prospect or the mailbox is to blame: a variable without a value, a
// template that cannot be read, an address that no header can hold. So one bad
// draft holds its own enrollment and no other.
func (c *Composer) Compose(d outreach.Draft) (outreach.Composed, error) {
	return c.compose(d, func(*mail.Draft) {})
}

// compose lets change have the last word on the message.
func (c *Composer) compose(d outreach.Draft, change func(*mail.Draft)) (out outreach.Composed, err error) {
	defer func() {
		if broken := recover(); broken != nil { // a template engine at its limits
			err = &outreach.HoldError{Reason: fmt.Sprintf("step %d cannot be rendered", d.Number)}
		}
	}()
	rendered, err := c.templates.Render(templatesOf(d.Step), variables(&d.Prospect))
	if err != nil {
		return out, held(d.Number, err)
	}
	out.MessageID, err = mail.NewMessageID(d.Mailbox.Email, cmp.Or(c.Random, rand.Reader))
	if err != nil {
		return out, held(d.Number, err)
	}
	if out.Subject, err = subjectOf(&d, rendered.Subject); err != nil {
		return out, err
	}
	// The plain text is made before links are rewritten: who reads it sees where
	// they lead.
	out.Text = cmp.Or(rendered.Text, mail.PlainText(rendered.HTML))
	if strings.TrimSpace(out.Text) == "" && strings.TrimSpace(rendered.HTML) == "" {
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

func (c *Composer) draft(d *outreach.Draft, out outreach.Composed, html string) mail.Draft {
	m := mail.Draft{
		From: d.Mailbox.Email, FromName: value(d.Mailbox.DisplayName),
		To: d.Prospect.Email, ToName: strings.TrimSpace(value(d.Prospect.FirstName) + " " + value(d.Prospect.LastName)),
		Subject: out.Subject, HTML: html, Text: out.Text, SignatureHTML: value(d.Mailbox.SignatureHTML),
		MessageID: out.MessageID, References: d.Thread, Date: d.Date,
		UnsubscribeURL: outreach.Links{Keyring: c.Keyring, Origin: c.BaseURL}.Unsubscribe(d.ID),
	}
	if n := len(d.Thread); n > 0 {
		m.InReplyTo = d.Thread[n-1]
	}
	return m
}

// subjectOf gives a step its own subject, or that of its thread. Where nothing of
// the thread arrived, it is no answer to it.
func subjectOf(d *outreach.Draft, rendered string) (string, error) {
	switch {
	case d.Step.Subject != nil:
		return rendered, nil
	case len(d.Thread) == 0 && d.BouncedSubject != "":
		return d.BouncedSubject, nil
	case d.ThreadSubject == "" && len(d.Thread) == 0:
		return "", &outreach.HoldError{Reason: fmt.Sprintf("step %d has no subject and no thread to go on", d.Number)}
	case len(d.ThreadSubject) >= 3 && strings.EqualFold(d.ThreadSubject[:3], "re:"):
		return d.ThreadSubject, nil
	}
	return strings.TrimSpace("Re: " + d.ThreadSubject), nil
}

// track leads links over the tracking domain and adds the pixel, as far as the
// campaign wants it and a verified domain is there. A plain text has its links
// led there only when it is all of the message; beside HTML it shows where they
// lead. The number tells the links of a message apart, which is how a scanner that
// opens all of them is known.
func (c *Composer) track(d *outreach.Draft, m *mail.Draft) {
	if d.TrackingHost == nil {
		return
	}
	links := outreach.Links{Keyring: c.Keyring, Origin: c.trackingURL(*d.TrackingHost)}
	number := 0
	click := func(target string) string {
		number++
		return links.Click(d.ID, number, target)
	}
	switch {
	case d.Campaign.TrackClicks && m.HTML != "":
		m.HTML, _ = mail.RewriteLinks(m.HTML, click)
	case d.Campaign.TrackClicks:
		m.Text = mail.RewriteTextLinks(m.Text, click)
	}
	if d.Campaign.TrackOpens && m.HTML != "" {
		m.HTML = mail.InsertPixel(m.HTML, links.Open(d.ID))
	}
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

// variables are the names of mail.Variables with their values for a prospect.
func variables(p *outreach.Prospect) map[string]any {
	custom := make(map[string]any, len(p.CustomFields))
	for name, v := range p.CustomFields {
		custom[name] = v
	}
	return map[string]any{
		"first_name": p.FirstName, "last_name": p.LastName, "email": p.Email, "company_name": p.CompanyName,
		"job_title": p.JobTitle, "phone": p.Phone, "website": p.Website, "linkedin_url": p.LinkedinURL,
		"timezone": p.Timezone, "custom_fields": custom,
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
