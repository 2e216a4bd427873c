package mail

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A missing or blank value is false and equal to the empty text, wherever it comes
// from, and nothing is more, less or part of it.
func TestMissingValuesInConditions(t *testing.T) {
	t.Parallel()
	values := map[string]any{
		"none": nil, "empty_text": "", "blank_text": " \n", "word": "x",
		"custom_fields": map[string]any{"gap": "", "mis.sing": "", "dot.ted": "y", "zero": 0.0},
	}
	yes := []string{
		`none == ""`, `"" == none`, `nobody == ''`, `empty_text == ""`, `blank_text == ""`, `blank_text == "  "`, `none == nil`,
		`custom_fields.gap == ""`, `custom_fields.none == ""`, `custom_fields["mis.sing"] == ""`, `custom_fields.none.deeper == ""`,
		`word != ""`, `custom_fields["dot.ted"] == "y"`, `custom_fields.zero != ""`, `custom_fields.zero >= 0`, `custom_fields.zero <= 0`,
		`none == empty_text`, `word == "x" and none == ""`, `(none == "")`, `word >= "a"`,
	}
	no := []string{
		`none`, `empty_text`, `blank_text`, `custom_fields.gap`, `none != ""`, `blank_text != ""`, `custom_fields.none != ""`, `word == ""`,
		`none < 1`, `none > 1`, `none >= 1`, `none <= 1`, `none >= none`, `none <= ""`, `none >= nobody`, `1 > none`,
		`custom_fields.gap >= custom_fields.none`,
		`none contains "x"`, `none contains ""`, `word contains none`, `word contains ""`, `custom_fields.gap contains custom_fields.none`,
	}
	for condition, want := range map[*[]string]string{&yes: "yes", &no: "no"} {
		for _, c := range *condition {
			for _, source := range []string{
				`{% if ` + c + ` %}yes{% else %}no{% endif %}`,
				`{% unless ` + c + ` %}no{% else %}yes{% endunless %}`,
				`{% assign r = ` + c + ` %}{% if r %}yes{% else %}no{% endif %}`,
			} {
				if got, err := renderTwice(t, Templates{Text: source}, values); err != nil || got.Text != want {
					t.Errorf("%s: %q, %v, want %s", source, got.Text, err, want)
				}
			}
		}
	}
}

func TestMissingValuesAfterAssignAndInCase(t *testing.T) {
	t.Parallel()
	values := map[string]any{"word": "x", "custom_fields": map[string]any{}}
	tests := []struct{ source, want string }{
		{`{% assign a = nobody %}{% if a == "" %}yes{% endif %}`, "yes"},
		{`{% assign a = "" %}{% if a == "" %}yes{% endif %}{% if a %}no{% endif %}`, "yes"},
		{`{% assign a = "  " %}{% if a %}no{% else %}yes{% endif %}`, "yes"},
		{`{% assign a = nobody | default: "" %}{% if a != "" %}no{% else %}yes{% endif %}`, "yes"},
		{`{% assign a = word | remove: "x" %}{% if a == "" %}yes{% endif %}`, "yes"},
		{`{% assign a = word | append: "" %}{{ a }}`, "x"},
		{`{% assign a = nobody %}{{ a | default: "there" }}`, "there"},
		{`{% case nobody %}{% when "" %}yes{% else %}no{% endcase %}`, "yes"},
		{`{% case nobody %}{% when "x", "" %}yes{% else %}no{% endcase %}`, "yes"},
		{`{% case word %}{% when "" %}no{% else %}yes{% endcase %}`, "yes"},
		{`{% case custom_fields.none %}{% when "a" %}no{% when nil %}yes{% endcase %}`, "yes"},
		{`{{ nobody | default: "" }}.`, "."},
		{`{{ word | replace: "x", "" | default: "there" }}`, "there"},
	}
	for _, c := range tests {
		if got, err := renderTwice(t, Templates{Text: c.source}, values); err != nil || got.Text != c.want {
			t.Errorf("%s: %q, %v, want %q", c.source, got.Text, err, c.want)
		}
	}
	for _, source := range []string{`{% assign a = nobody %}{{ a }}`, `{% assign a = "" %}{{ a }}`,
		`{% assign a = nobody | default: "" %}{{ a }}`} {
		var missing *MissingVariableError
		if _, err := renderTwice(t, Templates{Text: source}, values); !errors.As(err, &missing) || missing.Name != "a" {
			t.Errorf("%s: %v, want that a is missing", source, err)
		}
	}
}

func TestDottedNames(t *testing.T) {
	t.Parallel()
	values := map[string]any{"custom_fields": map[string]any{"dot.ted": "y", "with space": "z"}}
	got, err := renderTwice(t, Templates{Text: `{{ custom_fields["dot.ted"] }}{{ custom_fields["with space"] }}`}, values)
	if err != nil || got.Text != "yz" {
		t.Error(got, err)
	}
	var missing *MissingVariableError
	if _, err := renderTwice(t, Templates{Text: `{{ custom_fields["mis.sing"] }}`}, values); !errors.As(err, &missing) ||
		missing.Name != `custom_fields["mis.sing"]` {
		t.Error(err)
	}
}

// Everything that is missing is found in one rendering.
func TestRenderWithHoles(t *testing.T) {
	t.Parallel()
	c, err := Compile(Templates{
		Subject: `{{ a }} {{ b | upcase }} {{ a }}`,
		HTML:    `<p>{{ custom_fields["<x.y>"] }}{{ here }}{% if a %}{{ never }}{% endif %}</p>`,
		Text:    `{{ here | append: c }}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	got, missing, err := c.RenderWithHoles(t.Context(), map[string]any{"here": "&"})
	if err != nil {
		t.Fatal(err)
	}
	want := Rendered{Subject: "[a] [b] [a]", HTML: "<p>[custom_fields[&#34;&lt;x.y&gt;&#34;]]&amp;</p>", Text: "[c]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", `custom_fields["<x.y>"]`, "c"}, missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestRenderEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := Compile(Templates{Text: `{{ "a" }}`})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Render(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCheckRefusesWhatNobodyCanGet(t *testing.T) {
	t.Parallel()
	impossible := []string{
		`{{ "now" | date: "%A" }}`, `{{ custom_fields }}`, `{{ nil }}`, `{{ "" }}`, `{{ "a" | plus: 1 }}`, `{{ mailbox }}`,
		`Hi {{ first_name }}, {{ custom_fields | upcase }}`, `{% assign x = nil %}{{ x }}`, `{{ 1 | divided_by: 0 }}`,
		`{{ first_name | split: "," }}`,
	}
	for _, source := range impossible {
		var fault *TemplateError
		err := Check(t.Context(), Templates{Text: "\n" + source}, nil)
		if !errors.As(err, &fault) || fault.Line != 2 || !strings.Contains(fault.Detail, "cannot be printed for any prospect") {
			t.Errorf("%s: %v", source, err)
		}
	}
	possible := []string{
		`{{ first_name }}`, `{{ custom_fields.x | plus: 1 }}`, `{{ custom_fields.x | date: "%d %B" }}`,
		`{{ custom_fields["a.b"] | split: "," | last }}`,
		`{% if first_name %}{{ nil }}{% endif %}`, `{{ nobody }}`, `{{ first_name.size }} {{ first_name }}`, `{{ custom_fields.vip }}`,
		`{% assign x = custom_fields.a | times: 2 %}{{ x | round }}`, `{{ first_name | default: "" }}`,
		`{{ unsubscribe_url }}{{ mailbox.email }}{{ mailbox.display_name }}`,
		`{{ custom_fields.n | times: 2 }} {{ custom_fields.d | date: "%d" }} {{ first_name | upcase }}`, `plain`, ``,
	}
	for _, source := range possible {
		if err := Check(t.Context(), Templates{Text: source}, nil); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

// The largest templates that are accepted take little time to compile and render.
func TestLargeTemplatesAreCheap(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"prints":     strings.Repeat(`{{ 'a' }}`, maxTags) + strings.Repeat("<p>x</p>", 20_000),
		"conditions": strings.Repeat(`{% if a %}b{% endif %}`, 1_000),
		"chain":      `{{ 'a'` + strings.Repeat(` | upcase`, 9_000) + ` }}`,
		"dates":      strings.Repeat(`{{ "2026-01-01" | date: "%d" }}`, 900),
		"brackets":   strings.Repeat("{{", 1) + strings.Repeat("(", 9_000) + "1" + strings.Repeat(")", 9_000) + "}}",
	} {
		began := time.Now()
		c, err := Compile(Templates{Text: source})
		if err != nil {
			t.Fatal(name, err)
		}
		compiled := time.Since(began)
		_, err = c.Render(t.Context(), nil)
		t.Logf("%s: compiled in %v, rendered in %v (%v)", name, compiled, time.Since(began)-compiled, err)
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
