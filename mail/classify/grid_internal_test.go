package classify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// gridDay is the day on which the notes of the grid come.
var gridDay = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// situations are those of testdata/grid, with the least weight of what a sentence of each says for a
// program. Sentences of no weight need only be known as ones that notes contain.
var situations = map[string]int{
	"away": hinting, "until": likely, "holiday": likely, "parental": likely, "trip": hinting,
	"limited": slight, "urgent": slight, "after": slight, "hours": 0,
	"received": hinting, "number": hinting, "within": slight, "held": hinting,
	"unread": likely, "automatic": likely, "left": hinting,
}

// gridSentence is a line of testdata/grid/sentences.tsv.
type gridSentence struct{ language, situation, text string }

func readGrid(t *testing.T, file string) (all []gridSentence) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "grid", file))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			t.Fatalf("want language, situation and sentence: %q", line)
		}
		all = append(all, gridSentence{fields[0], fields[1], fields[2]})
	}
	return all
}

// Each language has at least two wordings of each situation.
func TestGridIsWhole(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for _, s := range readGrid(t, "sentences.tsv") {
		count[s.language+" "+s.situation]++
		if _, ok := situations[s.situation]; !ok || !slices.Contains(languages, s.language) {
			t.Errorf("unknown language or situation: %+v", s)
		}
	}
	for _, language := range languages[1:] { // the first is for words of several
		for situation := range situations {
			if n := count[language+" "+situation]; n < 2 {
				t.Errorf("%s has %d sentences of %s, want at least 2", language, n, situation)
			}
		}
	}
}

// Each sentence of the grid counts as one of a program, and nothing in it as one of a person.
func TestGrid(t *testing.T) {
	t.Parallel()
	for _, s := range readGrid(t, "sentences.tsv") {
		w := weighed{}
		for _, part := range sentencesOf(s.text) {
			w.weighSentence(part)
		}
		program := sumOf(w.program)
		if s.situation == "until" || s.situation == "holiday" {
			w.weighDates("", s.text, gridDay)
			program = sumOf(w.program)
		}
		if program < situations[s.situation] || w.unknown > 0 || len(w.person) > 0 {
			t.Errorf("%s %s: %s\n\tprogram %d, want %d; unknown %d; person %v; clues %v", s.language, s.situation, s.text, program,
				situations[s.situation], w.unknown, w.person, w.program)
		}
	}
}

// notes are the mails that programs write of sentences of the grid.
var notes = [][]string{
	{"holiday", "urgent"}, {"until", "after"}, {"away", "until"}, {"parental", "urgent"}, {"until", "limited", "urgent"},
	{"trip", "after", "urgent"}, {"received", "within"}, {"received", "number", "hours"}, {"number", "within", "hours"},
	{"left", "urgent"}, {"unread", "left"}, {"automatic", "received"}, {"held"},
}

// Mails of the sentences of the grid are automatic, without any field that says so, even hours after ours.
func TestGridMails(t *testing.T) {
	t.Parallel()
	sentences := map[string][]string{}
	for _, s := range readGrid(t, "sentences.tsv") {
		key := s.language + " " + s.situation
		sentences[key] = append(sentences[key], s.text)
	}
	for _, language := range languages[1:] {
		for _, note := range notes {
			for n := range 2 {
				var text []string
				for _, situation := range note {
					text = append(text, sentences[language+" "+situation][n])
				}
				if note[0] == "held" {
					text = sentences[language+" held"]
				}
				if v := noteOf(t, strings.Join(text, "\n")); v.Class != Automatic {
					t.Errorf("%s %v: %s (%s)\n%s", language, note, v.Class, v.Reason, strings.Join(text, "\n"))
				}
			}
		}
	}
}

// The whole mails of testdata/grid/mails.tsv, without any field that shows what they are.
//
//	go test ./mail/classify -run TestGridWholeMails -v
func TestGridWholeMails(t *testing.T) {
	t.Parallel()
	for _, s := range readGrid(t, "mails.tsv") {
		v := noteOf(t, s.text)
		want := Reply
		if s.situation == "program" {
			want = Automatic
		}
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s\n%s", s.language, v.Class, v.Reason, want, s.text)
		}
	}
}

// noteOf judges a text as that of a mail with an ordinary header.
func noteOf(t *testing.T, text string) Verdict {
	t.Helper()
	raw := "From: Ann <ann@b.example>\nSubject: Re: Offer\nDate: Mon, 2 Mar 2026 12:00:00 +0000\n" +
		"Content-Type: text/plain; charset=utf-8\n\n" + text + "\n"
	m, err := Read(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return m.Kind(gridDay)
}
