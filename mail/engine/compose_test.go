package engine_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

func composer(t *testing.T) *engine.Composer {
	t.Helper()
	return &engine.Composer{BaseURL: "https://app.test/", Keyring: keyring(t, base64.StdEncoding.EncodeToString(make([]byte, 32)))}
}

func draft(step outreach.Step) outreach.Draft {
	return outreach.Draft{
		ID: uuid.MustParse("01933e1a-0000-7000-8000-000000000001"), Step: step, Number: 1,
		Mailbox: outreach.Mailbox{Email: "me@acme.test", DisplayName: new("Me Myself"),
			SignatureHTML: new(`<p>Me, <a href="https://acme.test">Acme</a></p>`)},
		Prospect: outreach.Prospect{Email: "ada@away.test", FirstName: new("Ada"), LastName: new("L."),
			CustomFields: map[string]any{"city": "Ulm", "size": 12.0}},
		Date: time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC),
	}
}

// bodies returns the parts of a message by their type, and its header.
func bodies(t *testing.T, raw []byte) (mail.Header, map[string]string) {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(t, err)
	parts := map[string]string{}
	if !strings.HasPrefix(kind, "multipart/") {
		text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		must(t, err)
		return m.Header, map[string]string{kind: string(text)}
	}
	for reader := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := reader.NextPart()
		if err == io.EOF {
			return m.Header, parts
		}
		must(t, err)
		text, err := io.ReadAll(part)
		must(t, err)
		kind, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		parts[kind] = string(text)
	}
}

func compose(t *testing.T, c *engine.Composer, d outreach.Draft) outreach.Composed {
	t.Helper()
	out, err := c.Compose(t.Context(), d)
	must(t, err)
	return out
}

func TestComposeFollowUps(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		subject *string
		thread  string
		want    string
		root    bool
	}{
		"in the thread":              {nil, "Hello Ada", "Re: Hello Ada", false},
		"already an answer":          {nil, "RE: Hello Ada", "RE: Hello Ada", false},
		"a subject of its own":       {new("News for {{ first_name }}"), "Hello Ada", "News for Ada", true},
		"its subject renders empty":  {new("{% if job_title %}News{% endif %}"), "Hello Ada", "Re: Hello Ada", false},
		"its subject renders blanks": {new(" {% if job_title %}News{% endif %} "), "Hello Ada", "Re: Hello Ada", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(outreach.Step{Subject: c.subject, BodyText: new("Hi")})
			d.Number, d.Thread, d.ThreadSubject = 3, []string{"<a@acme.test>", "<b@acme.test>"}, c.thread
			out := compose(t, composer(t), d)
			header, _ := bodies(t, out.Raw)
			got := []string{out.Subject, header.Get("Subject"), header.Get("In-Reply-To"), header.Get("References"), header.Get("Message-Id")}
			want := []string{c.want, c.want, "<b@acme.test>", "<a@acme.test> <b@acme.test>", out.MessageID}
			if c.root {
				want[2], want[3] = "", ""
			}
			if diff := cmp.Diff(want, got); diff != "" || out.Root != c.root {
				t.Errorf("begins a thread %v, want %v (-want +got):\n%s", out.Root, c.root, diff)
			}
		})
	}
}

var trackedLink = regexp.MustCompile(`https://go\.acme\.test/t/c/([A-Za-z0-9_-]+)`)

// Links lead over the tracking domain only where the campaign wants it and the
// domain is verified, in both bodies and in the signature.
func TestComposeTracks(t *testing.T) {
	t.Parallel()
	step := outreach.Step{Subject: new("Hello"),
		BodyHTML: new(`<p><a href="https://x.test/a?b=1&amp;c=2">one</a> <a href="https://x.test/b">two</a> <a ` +
			`href="mailto:x@y.test">three</a></p>`)}
	cases := map[string]struct {
		host          *string
		clicks, opens bool
		links, pixels int
	}{
		"all":                   {new("go.acme.test"), true, true, 3, 1},
		"clicks":                {new("go.acme.test"), true, false, 3, 0},
		"opens":                 {new("go.acme.test"), false, true, 0, 1},
		"no verified domain":    {nil, true, true, 0, 0},
		"the campaign does not": {new("go.acme.test"), false, false, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(step)
			d.TrackingHost, d.Campaign.TrackClicks, d.Campaign.TrackOpens = c.host, c.clicks, c.opens
			composer := composer(t)
			out := compose(t, composer, d)
			_, parts := bodies(t, out.Raw)
			links := trackedLink.FindAllStringSubmatch(parts["text/html"], -1)
			if len(links) != c.links || strings.Count(parts["text/html"], "/t/o/") != c.pixels {
				t.Errorf("%d tracked links, want %d, in\n%s", len(links), c.links, parts["text/html"])
			}
			for i, link := range links {
				id, number, target, ok := outreach.OpenLink(composer.Keyring, outreach.LinkClick, link[1])
				want := []string{"https://x.test/a?b=1&c=2", "https://x.test/b", "https://acme.test"}[i]
				if !ok || id != d.Ref() || number != i+1 || target != want {
					t.Errorf("link %d leads to %q of %v (%d, %v)", i, target, id, number, ok)
				}
			}
			text := parts["text/plain"]
			if tracked := strings.Count(text, "/t/c/"); tracked != c.links {
				t.Errorf("%d tracked links in the plain text, want %d:\n%s", tracked, c.links, text)
			}
			for _, link := range links {
				if !strings.Contains(text, link[0]) {
					t.Errorf("the plain text has other links than the HTML:\n%s", text)
				}
			}
			if strings.Contains(out.Text, "/t/") || !strings.Contains(out.Text, "https://x.test/b") {
				t.Errorf("the stored text is\n%s", out.Text)
			}
		})
	}
}

// Links of the service itself stay as they are, wherever they come from.
func TestComposeLeavesOwnLinks(t *testing.T) {
	t.Parallel()
	page := `<p><a href="{{ unsubscribe_url }}">stop</a> <a href="https://app.test/o/abc">offer</a> <a ` +
		`href="https://GO.acme.test/t/c/x">old</a> <a href="https://x.test/">x</a></p>`
	d := draft(outreach.Step{Subject: new("Hello"), BodyHTML: &page})
	d.TrackingHost, d.Campaign.TrackClicks, d.Mailbox.SignatureHTML = new("go.acme.test"), true, nil
	composer := composer(t)
	_, parts := bodies(t, compose(t, composer, d).Raw)
	unsubscribe := outreach.Links{Keyring: composer.Keyring, Origin: "https://app.test"}.Unsubscribe(d.Ref())
	for _, want := range []string{unsubscribe, "https://app.test/o/abc", "https://GO.acme.test/t/c/x"} {
		if !strings.Contains(parts["text/html"], `"`+want+`"`) || !strings.Contains(parts["text/plain"], "("+want+")") {
			t.Errorf("%s is missing in\n%s\n%s", want, parts["text/html"], parts["text/plain"])
		}
	}
	if n := len(trackedLink.FindAllString(parts["text/html"], -1)); n != 1 {
		t.Errorf("%d links are tracked, want 1:\n%s", n, parts["text/html"])
	}
}

// A message that is plain text alone has its links led there too; what the
// application shows of it keeps them as they were written.
func TestComposeTracksPlainText(t *testing.T) {
	t.Parallel()
	for wanted, links := range map[bool]int{true: 2, false: 0} {
		d := draft(outreach.Step{Subject: new("Hello"), BodyText: new("See https://x.test/a?b=1.")})
		d.TrackingHost, d.Campaign.TrackClicks, d.Campaign.TrackOpens = new("go.acme.test"), wanted, true
		composer := composer(t)
		out := compose(t, composer, d)
		_, parts := bodies(t, out.Raw)
		found := trackedLink.FindAllStringSubmatch(parts["text/plain"], -1)
		if len(found) != links || out.Text != "See https://x.test/a?b=1." || parts["text/html"] != "" {
			t.Fatalf("%d tracked links in\n%s", len(found), parts["text/plain"])
		}
		if links == 0 {
			continue
		}
		if _, _, target, ok := outreach.OpenLink(composer.Keyring, outreach.LinkClick, found[0][1]); !ok || target != "https://x.test/a?b=1" {
			t.Errorf("the link leads to %q", target)
		}
	}
}

func TestComposeUnsubscribe(t *testing.T) {
	t.Parallel()
	c, d := composer(t), draft(outreach.Step{Subject: new("Hello"), BodyText: new("Hi {{ custom_fields.city }} {{ custom_fields.size }}")})
	out := compose(t, c, d)
	header, parts := bodies(t, out.Raw)
	token, ok := strings.CutPrefix(header.Get("List-Unsubscribe"), "<https://app.test/u/")
	token, mailto, both := strings.Cut(token, ">, <mailto:me@acme.test?subject=unsubscribe%20")
	if !both || mailto != token+">" {
		t.Errorf("List-Unsubscribe is %q, want an address for mail beside it", header.Get("List-Unsubscribe"))
	}
	if ref, _, _, known := outreach.OpenLink(c.Keyring, outreach.LinkMessage, header.Get("X-Message-Ref")); !known || ref != d.Ref() {
		t.Errorf("X-Message-Ref is %q", header.Get("X-Message-Ref"))
	}
	id, _, _, signed := outreach.OpenLink(c.Keyring, outreach.LinkUnsubscribe, token)
	if !ok || !signed || id != d.Ref() || header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Errorf("List-Unsubscribe is %q", header.Get("List-Unsubscribe"))
	}
	if header.Get("From") != `"Me Myself" <me@acme.test>` || header.Get("To") != `"Ada L." <ada@away.test>` || out.Text != "Hi Ulm 12" {
		t.Errorf("header %v, text %q", header, out.Text)
	}
	if !strings.Contains(parts["text/plain"], "Hi Ulm 12") || !strings.Contains(parts["text/plain"], "Acme") {
		t.Errorf("body is %q", parts["text/plain"])
	}
}

// Any fault of a draft holds its enrollment, with the reason.
func TestComposeHolds(t *testing.T) {
	t.Parallel()
	sound := outreach.Step{Subject: new("Hello"), BodyText: new("Hi")}
	cases := map[string]struct {
		change func(*outreach.Draft)
		reason string
	}{
		"missing variable": {func(d *outreach.Draft) { d.Step.BodyText = new("Hi {{ custom_fields.dog }}") },
			"step 1 needs a value for custom_fields.dog"},
		"broken template": {func(d *outreach.Draft) { d.Step.BodyText = new("Hi {{ first_name") }, "step 1 cannot be composed: body_text"},
		"only blanks": {func(d *outreach.Draft) { d.Step.BodyHTML = new("<p>&nbsp;<br>\u200b</p><style>p{}</style>") },
			"step 1 has no text for this prospect"},
		"empty subject": {func(d *outreach.Draft) { d.Step.Subject = new(`{{ phone | default: "" }}`) },
			"step 1 has no subject for this prospect"},
		"nothing to say": {func(d *outreach.Draft) { d.Step.BodyText = new(`{{ phone | default: "" }}`) },
			"step 1 has no text for this prospect"},
		"bad address": {func(d *outreach.Draft) { d.Prospect.Email = "a b@x" }, "step 1 cannot be composed: recipient"},
		"bad sender":  {func(d *outreach.Draft) { d.Mailbox.Email = "nobody" + "@" }, "step 1 cannot be composed: message id"},
		"no thread":   {func(d *outreach.Draft) { d.Step.Subject = nil }, "step 1 has no subject and no thread to go on"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := draft(sound)
			c.change(&d)
			_, err := composer(t).Compose(t.Context(), d)
			held, ok := errors.AsType[*outreach.HoldError](err)
			if !ok || !strings.HasPrefix(held.Reason, c.reason) {
				t.Errorf("got %v, want it held: %s", err, c.reason)
			}
		})
	}
}

func TestCheckNamesEachField(t *testing.T) {
	t.Parallel()
	faults, err := composer(t).Check(t.Context(), uuid.New(),
		outreach.Step{Subject: new("{{ a"), BodyHTML: new("{% for x in y %}"), BodyText: new("{{ first_name | nosuch }}")})
	must(t, err)
	var got []string
	for _, fault := range faults {
		got = append(got, fault.Pointer()+" "+string(fault.Code))
	}
	if diff := cmp.Diff([]string{"/subject invalid", "/body_html invalid", "/body_text invalid"}, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	if faults, err := composer(t).Check(t.Context(), uuid.New(),
		outreach.Step{Subject: new("{{ first_name }}"), BodyText: new("{{ custom_fields.x }}")}); err != nil || len(faults) != 0 {
		t.Errorf("sound templates have the faults %v, %v", faults, err)
	}
}

func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		`{{ frist_name | default: "there" }}`:               "there is no variable frist_name; the nearest name is first_name",
		"Hi\n{% if companyname %}you{% endif %}":            "there is no variable companyname; the nearest name is company_name",
		"{{ mailbox.name }}":                                "there is no variable mailbox.name; the nearest name is mailbox.email",
		"{{ my_city }}":                                     "there is no variable my_city; a custom field is written custom_fields.my_city",
		"{{ prospect.city }}":                               "there is no variable prospect.city; a custom field is written custom_fields.city",
		`{% assign x = nope %}{{ x | default: "you" }}`:     "there is no variable nope; a custom field is written custom_fields.nope",
		`{% assign x = first_name %}{{ x }}`:                "",
		"{{ custom_fields.nope }}{{ unsubscribe_url }}":     "",
		`{{ custom_fields["my city"] }} {{ email.size }}`:   "",
		"{{ mailbox.display_name }} {{ mailbox['email'] }}": "",
		"{% raw %}{{ nope }}{% endraw %}":                   "",
	} {
		got := ""
		faults, err := composer(t).Check(t.Context(), uuid.New(), outreach.Step{BodyText: new(source)})
		must(t, err)
		for _, fault := range faults {
			got = fault.Detail
		}
		if _, detail, _ := strings.Cut(got, ": "); detail != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

func TestPreview(t *testing.T) {
	t.Parallel()
	p := outreach.Prospect{Email: "ada@away.test", FirstName: new("Ada"), CustomFields: map[string]any{"size": 3.0}}
	step := outreach.Step{Subject: new("{{ first_name }} of {{ company_name }}"),
		BodyHTML: new(`<p onclick="x()">{{ custom_fields.city }} {{ phone | default: "none" }} <script>alert(1)</script>{{ company_name }}</p>`)}
	got, err := composer(t).Preview(t.Context(), step, p, &outreach.Mailbox{Email: "me@acme.test", SignatureHTML: new("<b>Me</b>")})
	must(t, err)
	want := outreach.Preview{
		Subject: new("Ada of [company_name]"), HTML: new("<p>[custom_fields.city] none [company_name]</p><b>Me</b>"),
		Missing: []string{"company_name", "custom_fields.city"},
	}
	text := got.Text
	got.Text = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text == nil || !strings.Contains(*text, "[custom_fields.city] none") || !strings.Contains(*text, "Me") {
		t.Errorf("text is %v", text)
	}
	broken, err := composer(t).Preview(t.Context(), outreach.Step{BodyText: new("{{ x")}, p, nil)
	must(t, err)
	if broken.Error == nil || broken.Missing == nil {
		t.Errorf("a broken template has the preview %+v", broken)
	}
}

// One click needs https (RFC 8058, section 3.1).
func TestComposeOffersOneClickByHTTPSAlone(t *testing.T) {
	t.Parallel()
	c, d := composer(t), draft(outreach.Step{Subject: new("Hello"), BodyText: new("Hi")})
	c.BaseURL = "http://app.test"
	header, _ := bodies(t, compose(t, c, d).Raw)
	if header.Get("List-Unsubscribe-Post") != "" || !strings.HasPrefix(header.Get("List-Unsubscribe"), "<http://app.test/u/") {
		t.Errorf("List-Unsubscribe %q, List-Unsubscribe-Post %q", header.Get("List-Unsubscribe"), header.Get("List-Unsubscribe-Post"))
	}
}
