package mail

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// prospect is what the tests fill templates with.
func prospect() map[string]any {
	return map[string]any{
		"first_name": "Ann", "last_name": "", "company_name": `<b>A&B "Ltd"</b>`, "job_title": nil, "phone": "  \n",
		"custom_fields": map[string]any{
			"city": "Bern", "seats": float64(1234567), "share": 0.25, "vip": true, "old": false, "empty": "",
			"renewal": "2026-03-09", "note": "one\r\nBcc: evil@example.com", "with-dash": "dash", "list": "a, b, c",
		},
	}
}

func TestRenderValues(t *testing.T) {
	t.Parallel()
	tests := []struct{ source, want string }{
		{`plain, no braces`, `plain, no braces`},
		{`Hi {{ first_name }}!`, `Hi Ann!`},
		{`{{first_name}}{{ first_name}}`, `AnnAnn`},
		{`{{ last_name | default: "there" }}`, `there`},
		{`{{ job_title | default: 'there' }}`, `there`},
		{`{{ phone | default: "no phone" }}`, `no phone`},
		{`{{ nobody | default: first_name }}`, `Ann`},
		{`{{ nobody | default: job_title | default: "third" }}`, `third`},
		{`[{{ nobody | default: "" }}]`, `[]`},
		{`{{ custom_fields.city }}`, `Bern`},
		{`{{ custom_fields["city"] }}`, `Bern`},
		{`{{ custom_fields.with-dash }}`, `dash`},
		{`{{ custom_fields.seats }}`, `1234567`},
		{`{{ custom_fields.share | times: 100 | round }} %`, `25 %`},
		{`{{ custom_fields.vip }} {{ custom_fields.old }}`, `true false`},
		{`{{ custom_fields.renewal | date: "%d %B %Y" }}`, `09 March 2026`},
		{`{{ custom_fields.list | split: ", " | last | upcase }}`, `C`},
		{`{{ custom_fields.list | split: ", " | join: "/" }}`, `a/b/c`},
		{`{{ first_name | append: "a" | prepend: "Jo" | downcase | capitalize }}`, `Joanna`},
		{`{{ first_name | truncate: 2, "" }} {{ first_name | slice: 0 }} {{ first_name | slice: -2, 9 }}`, `An A nn`},
		{`{{ "one two three" | truncatewords: 2 }}`, `one two...`},
		{`{{ first_name | replace: "n", "m" }} {{ first_name | remove: "n" }}`, `Amm A`},
		{`{{ first_name | size }} {{ first_name.size }}`, `3 3`},
		{`{{ 7 | divided_by: 2 }} {{ 7 | modulo: 4 }} {{ 2.4 | ceil }} {{ 2.6 | floor }}`, `3.5 3 3 2`},
		{`{% if nobody %}yes{% else %}no{% endif %}`, `no`},
		{`{% if last_name == nil and first_name == "Ann" %}yes{% endif %}`, `yes`},
		{`{% unless phone %}no phone{% endunless %}`, `no phone`},
		{`{% case custom_fields.city %}{% when "Bern", "Basel" %}CH{% else %}?{% endcase %}`, `CH`},
		{`{% assign name = last_name | default: first_name %}{{ name }}`, `Ann`},
		{"a {%- if true -%} b {%- endif -%} c", `abc`},
		{"a  {{- first_name -}}  b", `aAnnb`},
		{`{% raw %}{{ first_name }}{% endraw %}`, `{{ first_name }}`},
		{`x{% comment %}{{ nobody }}{% for %}{% endcomment %}y`, `xy`},
		{`{{ first_name | default: "}" }}`, `Ann`},
		{`a { b } c % }} d`, `a { b } c % }} d`},
	}
	for _, test := range tests {
		got, err := renderTwice(t, Templates{Text: test.source}, prospect())
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
		} else if diff := cmp.Diff(test.want, got.Text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.source, diff)
		}
		if err := Check(t.Context(), Templates{HTML: test.source}, nil); err != nil {
			t.Errorf("check %s: %v", test.source, err)
		}
	}
}

func TestRenderEscapesByField(t *testing.T) {
	t.Parallel()
	source := `{{ company_name }} {{ nobody | default: "<i>" }} {{ custom_fields.note | default: &quot;x&quot; }}`
	got, err := renderTwice(t,
		Templates{HTML: source, Text: `{{ company_name }}`, Subject: "Re:\r\n {{ custom_fields.note }}\t{{ company_name | escape }}"}, prospect())
	if err != nil {
		t.Fatal(err)
	}
	want := Rendered{
		HTML:    "&lt;b&gt;A&amp;B &#34;Ltd&#34;&lt;/b&gt; &lt;i&gt; one\r\nBcc: evil@example.com",
		Text:    `<b>A&B "Ltd"</b>`,
		Subject: `Re: one Bcc: evil@example.com &lt;b&gt;A&amp;B &#34;Ltd&#34;&lt;/b&gt;`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestRenderNeverPrintsAHole(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{{ nobody }}`:                                       "nobody",
		`{{ last_name }}`:                                    "last_name",
		`{{ job_title }}`:                                    "job_title",
		`{{ phone }}`:                                        "phone",
		`{{ custom_fields.none }}`:                           "custom_fields.none",
		`{{ custom_fields["empty"] }}`:                       "custom_fields.empty",
		`{{ custom_fields.none.deeper }}`:                    "custom_fields.none.deeper",
		`{{ nobody | upcase }}`:                              "nobody",
		`{{ nobody | append: "!" }}`:                         "nobody",
		`{{ first_name | append: last_name }}`:               "last_name",
		`{{ "Dear " | append: last_name }}`:                  "last_name",
		`{{ first_name | append: last_name | append: "x" }}`: "last_name",
		`{{ nobody | default: job_title }}`:                  "nobody",
		`{{ nobody | plus: 1 }}`:                             "nobody",
		`{{ nobody | size }}`:                                "nobody",
		`{{ nobody | split: "," | first }}`:                  "nobody",
		`{{ first_name | remove: "Ann" }}`:                   "first_name",
		`{% if true %}{{ nobody }}{% endif %}`:               "nobody",
		`{% assign x = nobody | append: "!" %}{{ x }}`:       "x",
		`{{ nil }}`:                                          "an expression",
	}
	for source, name := range tests {
		for _, tpl := range []Templates{{Subject: source}, {HTML: source}, {Text: source}} {
			got, err := renderTwice(t, tpl, prospect())
			var missing *MissingVariableError
			if !errors.As(err, &missing) || missing.Name != name || missing.Field == "" {
				t.Errorf("%s: %q, %v; want %s", source, got, err, name)
			}
		}
	}
	// What is not printed may be missing.
	if got, err := renderTwice(t, Templates{Text: `{% if nobody %}{{ nobody }}{% endif %}.`}, nil); err != nil || got.Text != "." {
		t.Error(got, err)
	}
}

func TestCheckNamesFieldAndLine(t *testing.T) {
	t.Parallel()
	tests := []struct{ source, detail string }{
		{"{{ first_name", "not closed"},
		{"{{ first_name\n | upcase }}", "not closed"},
		{"{% if x %", "not closed"},
		{"{{ first_name | shout }}", `the filter "shout"`},
		{"{{ first_name | json }}", `the filter "json"`},
		{"{{ first_name | outreach_print: 0 }}", `the filter "outreach_print"`},
		{"{{ first_name | }}", "a filter is missing"},
		{"{{ first_name first_name }}", "syntax error"},
		{"{{ first_name }}{{ a; b }}", "unexpected ;"},
		{"{{ }}", "syntax error"},
		{`{{ "open }}`, "syntax error"},
		{"{{ a) | upcase | (b }}", "the filter"},
		{"{{ (1..9) | first }}", "ranges"},
		{"{{ first_name[last_name] }}", "square brackets"},
		{"{% for i in list %}x{% endfor %}", `the tag "for"`},
		{"{% tablerow i in list %}x{% endtablerow %}", `the tag "tablerow"`},
		{`{% include "/etc/passwd" %}`, `the tag "include"`},
		{"{% capture x %}y{% endcapture %}", `the tag "capture"`},
		{"{% if x %}", "unterminated"},
		{"{% endif %}", "not inside"},
		{"{% if (1..3) contains 2 %}{% endif %}", "ranges"},
		{"{% assign x %}", "syntax error"},
		{"{% raw %}", "endraw is missing"},
		{"{{ 99999999999999999999 }}", "cannot be parsed"},
		{strings.Repeat("x", maxTemplate+1), "longer than"},
		{strings.Repeat("{{ 'a' }}", maxTags+1), "more than 2000 tags"},
		{strings.Repeat("{% if true %}{% endif %}", maxTags/2+1), "more than 2000 tags"},
		{"{{ 'a'" + strings.Repeat(" | upcase", maxLexemes/2) + " }}", "too long"},
	}
	for _, test := range tests {
		for name, tpl := range map[string]Templates{"subject": {Subject: "\n" + test.source},
			"body_html": {HTML: "\n" + test.source}, "body_text": {Text: "\n" + test.source}} {
			err := Check(t.Context(), tpl, nil)
			var fault *TemplateError
			if !errors.As(err, &fault) || fault.Field != name || !strings.Contains(fault.Detail, test.detail) {
				t.Errorf("%.40q in %s: %v", test.source, name, err)
				continue
			}
			if fault.Line != 2 && fault.Line != 0 {
				t.Errorf("%.40q: line %d", test.source, fault.Line)
			}
			if strings.Contains(err.Error(), printFilter) && !strings.Contains(test.source, printFilter) {
				t.Errorf("%.40q: the error shows our own marks: %v", test.source, err)
			}
		}
	}
}

func TestRenderFaultsOfValues(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{{ first_name | plus: 1 }}`:                     "is not a number",
		`{{ first_name | date: "%d" }}`:                  "is not a date",
		`{{ "now" | date: "%d" }}`:                       "not available",
		`{{ custom_fields.renewal | date: "%999999d" }}`: "date format",
		`{{ custom_fields.list | split: "," }}`:          "a list cannot be printed",
		`{{ custom_fields }}`:                            "a list cannot be printed",
		`{{ first_name | truncate: "x" }}`:               "must be an integer",
		`{{ first_name | truncate: 999999999999 }}`:      "must be an integer",
		`{{ first_name | upcase: 1 }}`:                   "number of arguments",
		`{{ first_name | append }}`:                      "number of arguments",
		`{{ 1 | divided_by: 0 }}`:                        "is not a number",
		`{{ first_name | first }}`:                       "need a list",
	}
	for source, detail := range tests {
		_, err := renderTwice(t, Templates{Text: source}, prospect())
		var fault *TemplateError
		if !errors.As(err, &fault) || fault.Field != "body_text" || !strings.Contains(fault.Detail, detail) {
			t.Errorf("%s: %v, want %q", source, err, detail)
		}
	}
}

// What grows without bounds in other engines ends here with an error, or small.
func TestRenderHostileTemplates(t *testing.T) {
	t.Parallel()
	grown := `{% assign x = "0123456789" %}` + strings.Repeat(`{% assign x = x | append: x %}`, 12)
	double := strings.Repeat(`{% assign x = x | append: x %}`, 60)
	square := strings.Repeat(` | replace: "a", "aaaaaaaaaaaaaaaa"`, 40)
	for name, source := range map[string]string{
		"doubling":     `{% assign x = "0123456789" %}` + double + `{{ x }}`,
		"replacing":    `{{ "a"` + square + ` }}`,
		"joining":      `{% assign x = "0123456789" %}` + strings.Repeat(`{% assign x = x | append: x %}`, 16) + `{{ x | split: "" | join: x }}`,
		"many prints":  grown + strings.Repeat(`{{ x }}`, 900),
		"many copies":  grown + strings.Repeat(`{% assign y = x | upcase %}`, 400),
		"many slices":  grown + strings.Repeat(`{{ x | slice: 0 }}`, 900),
		"many sizes":   grown + strings.Repeat(`{{ x | size }}`, 900),
		"many cuts":    grown + `{{ x` + strings.Repeat(` | truncate: 99999`, 900) + ` }}`,
		"needles":      grown + strings.Repeat(`{{ "a" | remove: x }}`, 900),
		"a large list": `{% assign x = "` + strings.Repeat("a", 9000) + `" | split: "" %}{% if x contains "b" %}{% endif %}`,
		"a large text": grown + `{% assign x = x | append: x %}{% if x contains "b" %}{% endif %}`,
	} {
		_, err := renderTwice(t, Templates{Text: source}, nil)
		if err == nil || !strings.Contains(err.Error(), errTooMuch.Error()) {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	for name, source := range map[string]string{
		"deep brackets": `{{ ` + strings.Repeat("(", 9_000) + "1" + strings.Repeat(")", 9_000) + ` }}`,
		"deep blocks":   strings.Repeat(`{% if true %}`, 900) + "x" + strings.Repeat(`{% endif %}`, 900),
	} {
		if got, err := renderTwice(t, Templates{Text: source}, nil); err != nil || len(got.Text) != 1 {
			t.Errorf("%s: %.200v", name, err)
		}
	}
}

// A condition reads its variables whole and uncounted, so there are so many of them.
func TestCheckBoundsConditions(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"many tags":   strings.Repeat(`{% if x contains "b" or x %}{% endif %}`, 501),
		"one tag":     `{% if x` + strings.Repeat(` or x contains "b"`, 1_000) + ` %}{% endif %}`,
		"comparisons": `{% if x` + strings.Repeat(` == x`, 1_000) + ` %}{% endif %}`,
		"cases":       `{% case x %}` + strings.Repeat(`{% when x %}`, 1_000) + `{% endcase %}`,
		"prints":      strings.Repeat(`{{ x }}`, 1_001),
	} {
		if err := Check(t.Context(), Templates{Text: source}, nil); err == nil || !strings.Contains(err.Error(), "more than 1000 times") {
			t.Errorf("%s: %.200v", name, err)
		}
	}
	if err := Check(t.Context(), Templates{Text: strings.Repeat(`{% if x contains "b" %}{% endif %}`, 1_000)}, nil); err != nil {
		t.Error(err)
	}
}

func TestRenderLeavesVariablesAlone(t *testing.T) {
	t.Parallel()
	vars := prospect()
	if _, err := renderTwice(t,
		Templates{Text: `{% assign first_name = "Bob" %}{{ first_name }}`, HTML: `{{ first_name }}`}, vars); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(prospect(), vars); diff != "" {
		t.Fatal(diff)
	}
}

// renderTwice renders with what was compiled for the first time, which must give
// the same.
func renderTwice(t *testing.T, tpl Templates, vars map[string]any) (Rendered, error) {
	t.Helper()
	var r Renderer
	first, firstErr := r.Render(t.Context(), "", tpl, vars)
	again, err := r.Render(t.Context(), "", tpl, vars)
	if diff := cmp.Diff(first, again); diff != "" || fmt.Sprint(firstErr) != fmt.Sprint(err) {
		t.Fatalf("%+v: second rendering differs: %v, then %v\n%s", tpl, firstErr, err, diff)
	}
	return again, err
}

// What is kept stays bounded, and one renderer serves many at once, each with its
// own values.
func TestRendererKeepsABoundedLot(t *testing.T) {
	t.Parallel()
	var r Renderer
	var all sync.WaitGroup
	for worker := range 2 {
		all.Go(func() {
			name := fmt.Sprint("W", worker)
			for i := range 100 {
				source := strings.Repeat(" ", 48<<10) + fmt.Sprintf("%d{{ first_name }}", i%50)
				got, err := r.Render(t.Context(), name, Templates{Text: source, Subject: `{{ first_name | append: "!" }}`},
					map[string]any{"first_name": name})
				want := Rendered{Subject: name + "!", Text: strings.Repeat(" ", 48<<10) + fmt.Sprint(i%50) + name}
				if diff := cmp.Diff(want, got); diff != "" || err != nil {
					t.Errorf("%v (-want +got):\n%s", err, diff)
				}
			}
		})
	}
	all.Wait()
	kept := 0
	for owner, s := range r.ready {
		own := 0
		for _, idle := range s.ready {
			for _, c := range idle {
				own += c.cost
			}
		}
		if own != s.kept || own > maxKeptOwner {
			t.Errorf("%d bytes are kept for %s, counted %d, bound %d", own, owner, s.kept, maxKeptOwner)
		}
		kept += own
	}
	if kept != r.kept || kept > maxKept || kept == 0 {
		t.Errorf("%d bytes are kept, counted %d, bound %d", kept, r.kept, maxKept)
	}
}

// FuzzRender looks for panics, for text that escapes the HTML field, for line
// breaks in the subject, and for output that is too large.
func FuzzRender(f *testing.F) {
	for _, source := range []string{`Hi {{ v | default: "x" }}`, `{% if v == "a" %}{{ v | upcase }}{% endif %}`,
		`{{ v | split: "," | join: "<" }}`,
		`{% assign a = v | append: "\n" %}{{ a | escape }}`, `{% raw %}{{{% endraw %}`, `{%- comment -%}`, `{{ v["x"].y | slice: -1, 2 }}`} {
		f.Add(source, "<script>\r\n&")
	}
	f.Fuzz(func(t *testing.T, source, value string) {
		out, err := renderTwice(t, Templates{Subject: source, HTML: source, Text: source}, map[string]any{"v": value})
		if err != nil {
			return
		}
		if strings.ContainsAny(out.Subject, "\r\n\x00") {
			t.Fatalf("line break in subject %q", out.Subject)
		}
		if len(out.HTML) > maxRendered || len(out.Text) > maxRendered {
			t.Fatal("too large")
		}
		// The template has no markup, so neither may the result.
		if !strings.ContainsAny(source, "<>") && strings.ContainsAny(out.HTML, "<>") {
			t.Fatalf("markup from a value: %q", out.HTML)
		}
	})
}
