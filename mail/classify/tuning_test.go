package classify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"outreach/mail/classify"
)

// lines returns the fields of a table of mails: language, what the set asks, and the
// body last, in which \n is a line end.
func lines(t testing.TB, path string, fields int) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != fields {
			t.Fatalf("%s: %d fields, want %d: %q", path, len(row), fields, line)
		}
		row[fields-1] = strings.ReplaceAll(row[fields-1], `\n`, "\n")
		all = append(all, row)
	}
	return all
}

// measureTables measures the tables of a folder as measureSamples does the sets.
func measureTables(t testing.TB, dir string) (m measured, optouts rate) {
	t.Helper()
	m, optouts = measureDatesAndInterest(t, dir)
	for file, want := range map[string]classify.Class{"people.tsv": classify.Reply, "programs.tsv": classify.Automatic} {
		into := &m.people
		if want == classify.Automatic {
			into = &m.programs
		}
		for _, row := range lines(t, filepath.Join(dir, file), 3) {
			a := judgeRow(t, row[1], row[2], clock)
			into.count(sampleOf(row), a.Class == want, fmt.Sprintf("%s (%s)", a.Class, a.Reason))
		}
	}
	return m, optouts
}

// judgeRow judges a mail that is nothing but a subject and a text.
func judgeRow(t testing.TB, subject, body string, now time.Time) classify.Answer {
	t.Helper()
	msg := read(t, "From: Ann <ann@nord.example>\nSubject: "+subject+"\n\n"+body)
	if v, ok := msg.Report(); ok {
		return classify.Answer{Verdict: v}
	}
	return msg.Answer(now)
}

func sampleOf(row []string) sample {
	return sample{keys: map[string]string{"lang": row[0], "id": row[0]}, raw: row[len(row)-1]}
}

func measureDatesAndInterest(t testing.TB, dir string) (m measured, optouts rate) {
	t.Helper()
	for _, row := range lines(t, filepath.Join(dir, "dates.tsv"), 4) {
		base, err := time.Parse(time.DateOnly, row[1])
		if err != nil {
			t.Fatal(err)
		}
		a := judgeRow(t, "Out of office", row[3], base)
		got := "none"
		if a.ReturnDate != nil {
			got = a.ReturnDate.Format(time.DateOnly)
		}
		m.dates.count(sampleOf(row), got == row[2], fmt.Sprintf("%s, %s (%s), want %s", got, a.Class, a.Reason, row[2]))
	}
	for _, row := range lines(t, filepath.Join(dir, "interest.tsv"), 3) {
		a := judgeRow(t, "Re: Offer", row[2], clock)
		s, got := sampleOf(row), fmt.Sprintf("%s (%s), opt-out %v, want %s", a.Interest, a.InterestReason, a.OptOut, row[1])
		if row[1] == classify.Positive {
			m.positive.count(s, a.Interest == classify.Positive, got)
		} else {
			m.notPositive.count(s, a.Class == classify.Reply && a.Interest != classify.Positive, got)
		}
		optouts.count(s, a.OptOut == (row[1] == "optout"), got)
	}
	return m, optouts
}

// The tuning sets are those that the phrases and rules were made with: they show that
// nothing is lost, and measure nothing.
//
//	OUTREACH_MISSES=all go test ./mail/classify -run TestTuningSets -v
func TestTuningSets(t *testing.T) {
	t.Parallel()
	m, optouts := measureTables(t, filepath.Join("testdata", "tuning"))
	m.log(t)
	t.Logf("opt-outs %s", &optouts)
	for name, r := range map[string]*rate{"people": &m.people, "programs": &m.programs, "return dates": &m.dates,
		"sales answers": &m.positive, "other answers": &m.notPositive, "opt-outs": &optouts} {
		if r.right*100 < 95*r.all {
			t.Errorf("%s: %s, want 95 %% of those that the phrases were made with", name, r)
		}
	}
	if os.Getenv("OUTREACH_MISSES") == "all" {
		t.Log(strings.Join(optouts.misses, "\n-----\n"))
	}
}

// Each of the fresh sets was written after the rules and before it was first run.
//
//	go test ./mail/classify -run TestFreshSets -v
func TestFreshSets(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"fresh", "second", "third", "fourth"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			m, optouts := measureTables(t, filepath.Join("testdata", dir))
			m.log(t)
			t.Logf("opt-outs %s", &optouts)
		})
	}
}
