package engine_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail/engine"
)

// randomStep is a template that a person might write, or a wrong one.
func randomStep(r *rand.Rand) outreach.Step {
	names := []string{"first_name", "last_name", "company_name", "custom_fields.city", `custom_fields["a.b"]`,
		"custom_fields.n", "mailbox.email", "mailbox.display_name"}
	name := func() string {
		if r.IntN(50) == 0 {
			return "nobody"
		}
		return names[r.IntN(len(names))]
	}
	pieces := []func() string{
		func() string { return "words & <b>more</b> " },
		func() string { return "{{ " + name() + " }}" },
		func() string { return "{{ " + name() + ` | default: "there" }}` },
		func() string { return "{{ " + name() + ` | default: "" | upcase }}` },
		func() string { return "{% if " + name() + ` == "" %}none{% else %}some{% endif %}` },
		func() string { return "{% unless " + name() + ` %}no {% endunless %}` },
		func() string {
			return "{% case " + name() + ` %}{% when "" %}blank{% when "Bern" %}BE{% else %}else{% endcase %}`
		},
		func() string { return "{% assign v = " + name() + ` | append: "!" %}{{ v | default: "v" }}` },
		func() string { return "{% if " + name() + " >= " + name() + " %}more{% endif %}" },
		func() string { return "{{ " + name() + ` | date: "%d %B" }}` },
		func() string { return "\n\n<p>{{ " + name() + " | truncate: 3 }}</p>" },
		func() string {
			return `<a href="https://x.test/?q={{ ` + name() + ` | default: "" | url_encode }}">see</a> `
		},
		func() string { return " https://x.test/{{ " + name() + ` | default: "all" }} ` },
		func() string { return `<a href="{{ unsubscribe_url }}">leave</a>` },
		func() string { return "{{ mailbox.email }}{{ mailbox.display_name }}" },
		func() string {
			wrong := []string{"{{ first_name", "{% if first_name %}", `{{ "now" | date: "%A" }}`, "{{ nil }}"}
			if n := r.IntN(16); n < len(wrong) {
				return wrong[n]
			}
			return ""
		},
	}
	text := func(n int) *string {
		var out strings.Builder
		for range 1 + r.IntN(n) {
			out.WriteString(pieces[r.IntN(len(pieces))]())
		}
		return new(out.String())
	}
	step := outreach.Step{Subject: text(3)}
	if r.IntN(3) > 0 {
		step.BodyHTML = text(6)
	}
	if step.BodyHTML == nil || r.IntN(2) == 0 {
		step.BodyText = text(6)
	}
	return step
}

func randomProspect(r *rand.Rand) outreach.Prospect {
	values := []*string{nil, new(""), new("  "), new("Ann"), new("A&B <i>"), new("2026-03-09")}
	value := func() *string { return values[r.IntN(len(values))] }
	custom := map[string]any{}
	for _, name := range []string{"city", "a.b", "n"} {
		switch r.IntN(4) {
		case 0:
			custom[name] = float64(r.IntN(100))
		case 1:
			custom[name] = "Bern"
		case 2:
			custom[name] = ""
		}
	}
	return outreach.Prospect{ID: uuid.New(), Email: "ada@away.test", FirstName: value(), LastName: value(),
		CompanyName: value(), CustomFields: custom}
}

// A preview, the check before activation, a test mail and the mail that is sent agree byte for byte,
// and fail for the same reason: the rendered fields, before links are tracked.
func TestPreviewTestAndSentMailAgree(t *testing.T) {
	t.Parallel()
	agreeAll(t, 0)
}

// agreeAll compares 1,000 templates and people that a seed draws.
func agreeAll(t *testing.T, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	a := agreement{T: t, c: composer(t)}
	for n := range 1000 {
		d := draft(randomStep(r))
		d.Prospect = randomProspect(r)
		if r.IntN(2) == 0 {
			d.Mailbox.SignatureHTML = nil
		}
		if r.IntN(2) == 0 {
			d.TrackingHost, d.Campaign.TrackClicks, d.Campaign.TrackOpens = new("go.acme.test"), true, true
		}
		a.where = fmt.Sprintf("seed %d, case %d: %q for %+v", seed, n,
			[]string{*d.Step.Subject, text(d.Step.BodyHTML), text(d.Step.BodyText)}, d.Prospect)
		a.compare(d)
	}
	t.Logf("seed %d: of 1000, %d were sent; the check refused %d", seed, a.sent, a.refused)
	if a.sent < 100 || a.refused < 20 || a.sent+a.refused > 900 {
		t.Errorf("of 1000, %d were sent and the check refused %d; the test compares too little", a.sent, a.refused)
	}
}

// agreement compares what becomes of one step for one prospect.
type agreement struct {
	*testing.T
	c             *engine.Composer
	where         string
	sent, refused int
}

func (a *agreement) compare(d outreach.Draft) {
	a.Helper()
	faults, checkErr := a.c.Check(a.Context(), uuid.New(), d.Step)
	must(a.T, checkErr)
	out, err := a.c.Compose(a.Context(), d)
	test, testErr := engine.ComposeTrial(a.Context(), a.c, d, "me@acme.test")
	view, previewErr := a.c.Preview(a.Context(), d.Step, d.Prospect, &d.Mailbox)
	must(a.T, previewErr)
	if fmt.Sprint(err) != fmt.Sprint(testErr) {
		a.Fatalf("%s\nsent: %v\ntest: %v", a.where, err, testErr)
	}
	if len(faults) > 0 {
		a.refused++
	}
	if held, ok := errors.AsType[*outreach.HoldError](err); ok {
		a.compareFailure(held.Reason, view, faults)
		return
	}
	must(a.T, err)
	a.sent++
	for _, fault := range faults { // an unknown name may stand in a condition, where it prints nothing
		if !strings.Contains(fault.Detail, "there is no variable") {
			a.Fatalf("%s\nis sent, and the check says %s", a.where, fault.Detail)
		}
	}
	a.compareSent(d, out, test, view)
}

// compareFailure compares why a step is held with what the preview and the check say.
func (a *agreement) compareFailure(reason string, view outreach.Preview, faults outreach.Faults) {
	a.Helper()
	name, needs := strings.CutPrefix(reason, "step 1 needs a value for ")
	why, broken := strings.CutPrefix(reason, "step 1 cannot be composed: ")
	switch {
	case needs && view.Error == nil && (len(view.Missing) == 0 || view.Missing[0] != name):
		a.Fatalf("%s\nheld: %s\npreview: %+v", a.where, reason, view)
	case broken && text(view.Error) != why:
		a.Fatalf("%s\nheld: %s\npreview: %s", a.where, reason, text(view.Error))
	case broken && len(faults) == 0 && (strings.Contains(why, "there is no") || strings.Contains(why, "not closed")):
		a.Fatalf("%s\nheld: %s, and the check accepts it", a.where, reason)
	case !needs && !broken && (view.Error != nil || len(view.Missing) > 0):
		a.Fatalf("%s\nheld: %s\npreview: %+v", a.where, reason, view)
	case !needs && !broken && !strings.HasSuffix(reason, "for this prospect"):
		a.Fatalf("%s\nheld: %s", a.where, reason)
	}
}

// leaving matches the unsubscribe link, which differs: that of a test or a preview has no effect.
var leaving = regexp.MustCompile(`https://app\.test/u/[\w.~-]+`)

func withoutLeaving(s string) string { return leaving.ReplaceAllString(s, "https://app.test/u/") }

func (a *agreement) compareSent(d outreach.Draft, out, test outreach.Composed, view outreach.Preview) {
	a.Helper()
	equal := func(field, sent, tested, previewed string) {
		a.Helper()
		sent, tested, previewed = withoutLeaving(sent), withoutLeaving(tested), withoutLeaving(previewed)
		if sent != tested || sent != previewed {
			a.Fatalf("%s\n%s is sent:    %q\n%s of test:    %q\n%s of preview: %q", a.where, field, sent, field, tested, field, previewed)
		}
	}
	if view.Error != nil || len(view.Missing) > 0 {
		a.Fatalf("%s\nis sent, and previewed as %+v", a.where, view)
	}
	equal("subject", out.Subject, strings.TrimPrefix(test.Subject, "[Test] "), *view.Subject)
	signature := text(d.Mailbox.SignatureHTML)
	sign := func(body string) string {
		if signature == "" {
			return body
		}
		return strings.TrimRight(body, "\r\n") + "\n\nMe, Acme (https://acme.test)"
	}
	equal("text", sign(out.Text), sign(test.Text), *view.Text)
	if d.Step.BodyHTML != nil { // a preview shows only what is safe
		equal("html", out.HTML, test.HTML, out.HTML)
		safe := engine.Sanitise(out.HTML + signature)
		equal("safe html", safe, safe, *view.HTML)
	}
	if d.TrackingHost != nil {
		return
	}
	_, sent := bodies(a.T, out.Raw)
	_, tested := bodies(a.T, test.Raw)
	for _, kind := range []string{"text/plain", "text/html"} {
		equal(kind, sent[kind], tested[kind], cmp.Or(sent[kind], tested[kind]))
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// No person is unsubscribed by the link in a test mail or a preview.
func TestLinksOfTestMailsBelongToNoMessage(t *testing.T) {
	t.Parallel()
	c, d := composer(t), draft(outreach.Step{Subject: new("Hi"), BodyText: new("{{ unsubscribe_url }}")})
	test, err := engine.ComposeTrial(t.Context(), c, d, "me@acme.test")
	must(t, err)
	view, err := c.Preview(t.Context(), d.Step, d.Prospect, nil)
	must(t, err)
	for _, link := range []string{strings.TrimSpace(test.Text), *view.Text} {
		_, token, _ := strings.Cut(link, "/u/")
		id, _, _, ok := outreach.OpenLink(c.Keyring, outreach.LinkUnsubscribe, token)
		if !ok || id.ID != uuid.Nil {
			t.Errorf("%q is the link of %s", link, id)
		}
	}
}

// Previews and checks use the time of their workspace by what the processor did for them, one after
// the other, however many begin together.
func TestPreviewsRunInTurn(t *testing.T) {
	t.Parallel()
	c := composer(t)
	c.PreviewTime = time.Hour
	var running, most atomic.Int32
	c.SetMeter(func() func() time.Duration {
		if n := running.Add(1); n > most.Load() {
			most.Store(n)
		}
		return func() time.Duration {
			running.Add(-1)
			return 25 * time.Minute
		}
	})
	step := outreach.Step{Subject: new("Hi"), BodyText: new("{{ 'a' }}")}
	busy, other := uuid.New(), uuid.New()
	var passed atomic.Int32
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			var err error
			if i%2 == 0 {
				_, err = c.Check(t.Context(), busy, step)
			} else {
				_, err = c.Preview(t.Context(), step, outreach.Prospect{WorkspaceID: busy}, nil)
			}
			switch {
			case err == nil:
				passed.Add(1)
			case outreach.CodeOf(err) != outreach.CodeRateLimited:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if passed.Load() != 3 || most.Load() != 1 {
		t.Errorf("%d of 40 passed, %d at once, want the 3 that use up an hour, one after the other", passed.Load(), most.Load())
	}
	if _, err := c.Check(t.Context(), other, step); err != nil {
		t.Errorf("another workspace: %v", err)
	}
}

func TestPreviewsHaveTheirTime(t *testing.T) {
	t.Parallel()
	c := composer(t)
	c.PreviewTime = time.Millisecond
	step := outreach.Step{Subject: new("Hi"), BodyText: new(strings.Repeat("{{ 'a' }}", 1500))}
	hostile, honest := outreach.Prospect{WorkspaceID: uuid.New()}, outreach.Prospect{WorkspaceID: uuid.New()}
	var err error
	for n := 0; err == nil && n < 1000; n++ {
		_, err = c.Preview(t.Context(), step, hostile, nil)
	}
	if outreach.CodeOf(err) != outreach.CodeRateLimited {
		t.Errorf("a thousand previews end with %v", err)
	}
	if _, err := c.Preview(t.Context(), step, honest, nil); err != nil {
		t.Errorf("another workspace: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Preview(gone, step, outreach.Prospect{WorkspaceID: uuid.New()}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled preview: %v", err)
	}
}
