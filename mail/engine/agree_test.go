package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/mail"
	"outreach/mail/engine"
)

// randomStep is a template that a person might write, or a wrong one.
func randomStep(r *rand.Rand) outreach.Step {
	names := []string{"first_name", "last_name", "company_name", "custom_fields.city", `custom_fields["a.b"]`,
		"custom_fields.n", "mailbox.email", "mailbox.display_name", "nobody"}
	name := func() string { return names[r.IntN(len(names))] }
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
	}
	text := func(n int) *string {
		var out strings.Builder
		for range 1 + r.IntN(n) {
			out.WriteString(pieces[r.IntN(len(pieces))]())
		}
		return ptr(out.String())
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
	values := []*string{nil, ptr(""), ptr("  "), ptr("Ann"), ptr("A&B <i>"), ptr("2026-03-09")}
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

// A preview, a test mail and the mail that is sent have the same fields, and fail
// for the same reason.
func TestPreviewTestAndSentMailAgree(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 1))
	c := composer(t)
	sent := 0
	for n := range 1000 {
		d := draft(randomStep(r))
		d.Prospect = randomProspect(r)
		d.Mailbox.SignatureHTML = nil
		out, err := c.Compose(t.Context(), d)
		test, testErr := engine.ComposeTrial(t.Context(), c, d, "me@acme.test")
		view, previewErr := c.Preview(t.Context(), d.Step, d.Prospect, &d.Mailbox)
		must(t, previewErr)
		where := fmt.Sprintf("seed %d, case %d: %q for %+v", seed, n,
			[]string{*d.Step.Subject, text(d.Step.BodyHTML), text(d.Step.BodyText)}, d.Prospect)
		if fmt.Sprint(err) != fmt.Sprint(testErr) {
			t.Fatalf("%s\nsent: %v\ntest: %v", where, err, testErr)
		}
		previewed := view.Error == nil && len(view.Missing) == 0
		if held, ok := errors.AsType[*outreach.HoldError](err); ok {
			if previewed && !strings.Contains(held.Reason, "has no text") && !strings.Contains(held.Reason, "has no subject") {
				t.Fatalf("%s\nheld: %v\npreview: %+v", where, err, view)
			}
			continue
		}
		must(t, err)
		sent++
		if !previewed || "[Test] "+out.Subject != test.Subject || out.Subject != *view.Subject || out.Text != test.Text ||
			out.Text != *view.Text {
			t.Fatalf("%s\nsent:    %q %q\ntest:    %q %q\npreview: %q %q %v", where, out.Subject, out.Text, test.Subject,
				test.Text, text(view.Subject), text(view.Text), view)
		}
		_, sentParts := bodies(t, out.Raw)
		_, testParts := bodies(t, test.Raw)
		if sentParts["text/html"] != testParts["text/html"] || sentParts["text/plain"] != testParts["text/plain"] {
			t.Fatalf("%s\nsent: %q\ntest: %q", where, sentParts, testParts)
		}
	}
	if sent < 100 {
		t.Errorf("%d of 1000 were sent; the test compares too little", sent)
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
	c, d := composer(t), draft(outreach.Step{Subject: ptr("Hi"), BodyText: ptr("{{ unsubscribe_url }}")})
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

func TestPreviewsHaveTheirTime(t *testing.T) {
	t.Parallel()
	c := composer(t)
	c.PreviewTime = time.Millisecond
	step := outreach.Step{Subject: ptr("Hi"), BodyText: ptr(strings.Repeat("{{ 'a' }}", 1500))}
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

// claimingStore composes during the claim, as the real one does.
type claimingStore struct {
	*fakeStore
	drafts   []outreach.Draft
	composed []time.Duration
}

func (s *claimingStore) ClaimSend(ctx context.Context, box outreach.Mailbox, holder string,
	compose func(outreach.Draft) (outreach.Composed, error)) (*outreach.Outgoing, error) {
	if len(s.drafts) == 0 {
		return nil, nil
	}
	d := s.drafts[0]
	d.Mailbox = box
	began := time.Now()
	out, err := compose(d)
	s.composed = append(s.composed, time.Since(began))
	if err != nil {
		return nil, err
	}
	s.drafts = s.drafts[1:]
	s.queue[box.ID] = append(s.queue[box.ID],
		outreach.Outgoing{ID: uuid.New(), MessageID: out.MessageID, Recipient: d.Prospect.Email, Raw: out.Raw, Tries: 1})
	return s.fakeStore.ClaimSend(ctx, box, holder, compose)
}

// A step is compiled between two tries of the claim, and a workspace with large
// messages stops when its budget is spent.
func TestClaimsComposeQuickly(t *testing.T) {
	t.Parallel()
	server := startSMTP(t, fine)
	store := &claimingStore{fakeStore: newFakeStore()}
	box := store.box("me@acme.test", server.MailServer, "waiting@away.test")
	store.queue[box.ID] = nil
	large := draft(outreach.Step{Subject: ptr("Hi"), BodyText: ptr(strings.Repeat("x", 200<<10) + strings.Repeat("{{ 'a' }}", 1000))})
	for range 60 {
		store.drafts = append(store.drafts, large)
	}
	store.queue[box.ID] = nil
	e := engine.New(
		engine.Config{Store: store, Composer: composer(t), Withdrawn: errWithdrawn, Network: mail.Network{AllowNetworks: loopback.AllowNetworks}})
	e.StopSaving()
	e.Serve(t.Context(), outreach.MailboxRef{ID: box.ID})
	sent := len(server.received())
	if sent < 15 || sent > 30 {
		t.Errorf("%d of 60 large messages were sent in one turn, want those that the budget allows", sent)
	}
	if tries := len(store.composed) - sent; tries != 2 {
		t.Errorf("%d claims were tried in vain, want one to compile and one at the end of the budget", tries)
	}
}
