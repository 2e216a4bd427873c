package classify_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"outreach/mail/classify"
)

// wholeSet is a set in the form of testdata/eighth/README.md.
type wholeSet struct {
	dir  string
	ours map[string]string // our mail by language
}

// wholeRates counts what a run over a whole set yields.
type wholeRates struct {
	people, texts, optouts, programs, calendars          rate
	reports, addresses, falseFinals                      rate
	dates, positive, notPositive, threeWay, interestOpts rate
}

func openWholeSet(t testing.TB, dir string) wholeSet {
	t.Helper()
	set := wholeSet{dir: filepath.Join("testdata", dir), ours: map[string]string{}}
	for _, s := range readSamples(t, filepath.Join("testdata", "eighth", "ours.txt")) {
		set.ours[s.keys["lang"]] = strings.TrimRight(s.raw, "\n")
	}
	return set
}

// each calls judge with every mail of a file.
func (set wholeSet) each(t testing.TB, file string, judge func(s sample, m *classify.Message)) {
	t.Helper()
	for _, s := range readSamples(t, filepath.Join(set.dir, file)) {
		after := 3 * time.Hour
		if s.keys["after"] != "" {
			var err error
			if after, err = time.ParseDuration(s.keys["after"]); err != nil {
				t.Fatal(err)
			}
		}
		ours := set.ours[cmp.Or(s.keys["lang"], "en")]
		s.raw = strings.ReplaceAll(s.raw, "%OURS%", ours)
		s.raw = strings.ReplaceAll(s.raw, "%>%", "> "+strings.ReplaceAll(ours, "\n", "\n> "))
		header := "To: Lena Brandt <lena@ours.example>\nMessage-ID: <in@client.example>\n"
		sent := oursSent.Add(after)
		if base, err := time.Parse(time.DateOnly, s.keys["base"]); err == nil {
			sent = base.Add(9 * time.Hour)
		}
		header += "Date: " + sent.Format(time.RFC1123Z) + "\n"
		if answers := []string{"people.txt", "interest.txt"}; slices.Contains(answers, file) || s.keys["kind"] == "absence" {
			header += "In-Reply-To: " + oursID + "\nReferences: " + oursID + "\n"
		}
		head, _, _ := strings.Cut(s.raw, "\n\n")
		if !strings.Contains(head, "Content-Type:") {
			header += utf8Plain
		}
		judge(s, read(t, header+s.raw))
	}
}

// answer judges a mail as the service does: our message in its thread is known.
func (set wholeSet) answer(s sample, m *classify.Message) classify.Answer {
	if v, ok := m.Report(); ok {
		return classify.Answer{Verdict: v}
	}
	return m.Answer(m.Date, classify.Sent{Text: set.ours[s.keys["lang"]], At: oursSent})
}

func (set wholeSet) measure(t testing.TB) (r wholeRates) {
	t.Helper()
	set.measurePeople(t, &r)
	set.each(t, "programs.txt", func(s sample, m *classify.Message) {
		a := set.answer(s, m)
		r.programs.count(s, (a.Class == classify.Automatic || a.Class == classify.None) && !a.OptOut, fmt.Sprintf("%s (%s)", a.Class, a.Reason))
	})
	set.measureReports(t, &r)
	set.each(t, "dates.txt", func(s sample, m *classify.Message) {
		a, got := set.answer(s, m), "none"
		if a.ReturnDate != nil {
			got = a.ReturnDate.Format(time.DateOnly)
		}
		r.dates.count(s, got == s.keys["return"], fmt.Sprintf("%s, %s (%s), want %s", got, a.Class, a.Reason, s.keys["return"]))
	})
	set.each(t, "interest.txt", func(s sample, m *classify.Message) {
		a := set.answer(s, m)
		got := fmt.Sprintf("%s %s (%s), opt-out %v, want %s", a.Class, a.Interest, a.InterestReason, a.OptOut, s.keys["interest"])
		into := &r.notPositive
		if s.keys["interest"] == classify.Positive {
			into = &r.positive
		}
		into.count(s, (a.Interest == classify.Positive) == (s.keys["interest"] == classify.Positive), got)
		r.threeWay.count(s, a.Interest == s.keys["interest"], got)
		r.interestOpts.count(s, a.OptOut == (s.keys["optout"] == "yes"), got)
	})
	return r
}

// has reports whether the set has a file.
func (set wholeSet) has(file string) bool {
	_, err := os.Stat(filepath.Join(set.dir, file))
	return err == nil
}

func (set wholeSet) measureReports(t testing.TB, r *wholeRates) {
	t.Helper()
	if !set.has("reports.txt") {
		return
	}
	set.each(t, "reports.txt", func(s sample, m *classify.Message) {
		v, ok := m.Report()
		if !ok || len(v.Recipients) == 0 {
			v.Recipients = []classify.Recipient{{Reason: fmt.Sprintf("report %v, %s", ok, v.Reason)}}
		}
		to := v.Recipients[0]
		late := s.keys["delayed"] == "yes"
		got := fmt.Sprintf("%s <%s>, delayed %v (%s), want %s, delayed %v", to.Class, to.Address, to.Delayed, to.Reason, s.keys["class"], late)
		r.reports.count(s, to.Delayed == late && (late || string(to.Class) == s.keys["class"]), got)
		r.addresses.count(s, to.Address == s.keys["recipient"], got)
		if late {
			r.falseFinals.count(s, !ok || to.Delayed || v.Class == classify.None, got)
		}
	})
}

func (set wholeSet) measurePeople(t testing.TB, r *wholeRates) {
	t.Helper()
	set.each(t, "people.txt", func(s sample, m *classify.Message) {
		a := set.answer(s, m)
		ours := strings.Split(set.ours[s.keys["lang"]], "\n")[2]
		got := fmt.Sprintf("%s (%s), opt-out %v, text %q", a.Class, a.Reason, a.OptOut, a.Text)
		r.people.count(s, a.Class == classify.Reply, got)
		r.texts.count(s, strings.Contains(a.Text, s.keys["wrote"]) && !strings.Contains(a.Text, ours), got)
		r.optouts.count(s, a.OptOut == (s.keys["optout"] == "yes"), got)
	})
	if !set.has("calendars.txt") {
		return
	}
	set.each(t, "calendars.txt", func(s sample, m *classify.Message) {
		a := set.answer(s, m)
		got := fmt.Sprintf("%s (%s), text %q", a.Class, a.Reason, a.Text)
		r.calendars.count(s, a.Class == classify.Reply && strings.Contains(a.Text, s.keys["wrote"]), got)
	})
}

// The eighth and later sets hold whole mails with their quotations, and reports.
//
//	OUTREACH_MISSES=all go test ./mail/classify -run TestWholeSets -v
func TestWholeSets(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"eighth", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			r := openWholeSet(t, dir).measure(t)
			for _, line := range []struct {
				what string
				rate *rate
			}{
				{"people as people", &r.people}, {"their texts", &r.texts}, {"their opt-outs", &r.optouts},
				{"programs as programs", &r.programs}, {"answers to invitations as people", &r.calendars},
				{"reports", &r.reports}, {"their addresses", &r.addresses}, {"delay notices not final", &r.falseFinals},
				{"return dates", &r.dates}, {"sales answers as positive", &r.positive},
				{"other answers as not positive", &r.notPositive}, {"interest of three", &r.threeWay},
				{"their opt-outs", &r.interestOpts},
			} {
				if line.rate.all > 0 {
					t.Logf("%s %s", line.what, line.rate)
				}
				if os.Getenv("OUTREACH_MISSES") == "all" && len(line.rate.misses) > 0 {
					t.Log("\n" + strings.Join(line.rate.misses, "\n-----\n"))
				}
			}
			if r.falseFinals.right < r.falseFinals.all {
				t.Errorf("delay notices not final %s", &r.falseFinals)
			}
		})
	}
}
