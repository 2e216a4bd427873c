package mail

import (
	"context"
	"slices"
)

// Check reports whether the templates can be rendered for any prospect: syntax, tags and
// filters, that vars has each variable (checked unless vars is nil), and that each {{ }}
// outside of conditions has a value for some prospect. The first fault is returned as a
// *TemplateError. It says nothing about whether prospects have values.
func Check(ctx context.Context, tpl Templates, vars map[string]any) error {
	c, err := Compile(tpl)
	if err != nil {
		return err
	}
	for _, m := range c.fields {
		if m == nil {
			continue
		}
		if err := m.checkNames(vars); err != nil {
			return err
		}
		if err := m.tryOut(ctx); err != nil {
			return err
		}
	}
	return nil
}

// samples are possible values of variables: words, numbers, booleans, dates, nothing. The others
// are for filters: words with a comma, a number as text.
var samples = []any{"word", "some words, and more", 42.0, "42", true, "2026-03-09", "2026-03-09T10:00:00Z", nil}

// tryOut renders the field with each sample as the value of all variables. A print that fails for
// all samples fails for every prospect.
func (m *machine) tryOut(ctx context.Context) error {
	succeeded := make([]bool, len(m.prints))
	for _, sample := range samples {
		m.failed = make([]bool, len(m.prints))
		_, err := m.render(ctx, m.withSample(sample), recordFaults)
		if ended := ctx.Err(); ended != nil {
			return ended
		}
		if err != nil {
			continue // the whole field fails with this sample
		}
		for i, failed := range m.failed {
			succeeded[i] = succeeded[i] || !failed
		}
	}
	m.failed = nil
	for i, p := range m.prints {
		if p.unconditional && !succeeded[i] {
			return m.field.fault(p.line, "{{ %s }} cannot be printed for any prospect", shorten(p.source))
		}
	}
	return nil
}

// withSample returns variables in which every variable that the field reads has the sample as its
// value.
func (m *machine) withSample(sample any) map[string]any {
	vars := map[string]any{"custom_fields": map[string]any{}, "mailbox": map[string]any{}}
	reads := slices.Clone(m.reads)
	slices.SortStableFunc(reads, func(a, b variable) int { return len(a.path) - len(b.path) })
	for _, v := range reads {
		place(vars, v.path, sample)
	}
	return present(vars)
}

// place sets a value at a path, unless a value that is not a map is on the path, or a map is at
// its end.
func place(vars map[string]any, path []string, value any) {
	for i, name := range path {
		inner, isMap := vars[name].(map[string]any)
		switch {
		case i == len(path)-1 && !isMap:
			vars[name] = value
		case isMap:
			vars = inner
		case vars[name] == nil:
			inner = map[string]any{}
			vars[name] = inner
			vars = inner
		default:
			return
		}
	}
}
