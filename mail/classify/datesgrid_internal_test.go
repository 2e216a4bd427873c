package classify

import (
	"slices"
	"testing"
	"time"
)

// dateKinds are the kinds of dates of testdata/grid/dates.tsv, with the day of return for a note of Monday, 6 July 2026.
var dateKinds = map[string]string{
	"until": "2026-07-24", "through": "2026-07-25", "range": "2026-07-25", "short": "2026-07-25", "across": "2026-08-08",
	"back": "2026-07-27", "from": "2026-07-27", "both": "2026-07-27", "weekday": "2026-07-09", "tomorrow": "2026-07-07",
	"month": "2026-08-01", "month end": "2026-08-01", "first": "2026-08-03", "last": "2026-08-01",
	"week": "2026-07-27", "this week": "2026-07-13", "next week": "2026-07-20", "back next week": "2026-07-13",
}

// roleKinds are the kinds of testdata/grid/roles.tsv: dates of others beside the author's, and relative ones.
var roleKinds = map[string]string{
	"deadline": "2026-07-18", "event": "2026-07-18", "colleague": "2026-07-20", "hours": "2026-07-18", "holidays": "2026-07-18",
	"changed": "2026-07-27", "weeks": "2026-07-20", "after next": "2026-07-20", "next monday": "2026-07-13",
	"day after": "2026-07-08", "from month": "2026-09-01", "end next week": "2026-07-20",
}

// scarce are the kinds that not every language has: weeks are counted in few, and "until" includes its day in some.
var scarce = []string{"week", "until", "through"}

// Each kind of date is read in each language.
func TestDateGrid(t *testing.T) {
	t.Parallel()
	readDateGrid(t, "dates.tsv", dateKinds)
}

// The date of the author's return is told from other dates, and relative dates are read, in each language.
func TestRoleGrid(t *testing.T) {
	t.Parallel()
	readDateGrid(t, "roles.tsv", roleKinds)
}

func readDateGrid(t *testing.T, file string, kinds map[string]string) {
	t.Helper()
	from := time.Date(2026, 7, 6, 9, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for _, s := range readGrid(t, file) {
		want, ok := kinds[s.situation]
		if !ok {
			t.Errorf("unknown kind: %+v", s)
		}
		seen[s.language+" "+s.situation] = true
		got := "none"
		if day := returnDate("", s.text, from); day != nil {
			got = day.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s %s: got %s, want %s: %s", s.language, s.situation, got, want, s.text)
		}
	}
	for _, language := range languages[1:] {
		for kind := range kinds {
			if !seen[language+" "+kind] && !slices.Contains(scarce, kind) {
				t.Errorf("%s has no sentence of %s", language, kind)
			}
		}
	}
}
