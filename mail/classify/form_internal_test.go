package classify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forms are all of the package.
var forms = map[string]form{
	"autoSubject": autoSubject, "autoText": autoText, "awayText": awayText, "awayMore": awayMore,

	"wroteVerb": wroteVerb, "divider": divider, "signature": signature, "blockFrom": blockFrom, "blockField": blockField,
}

// Letters are looked for in place of the expression only where they decide the
// same: in every line of real mail, in each case.
func TestFormsHideNothing(t *testing.T) {
	t.Parallel()
	for name, f := range forms {
		if len(f.needles) == 0 && name != "signature" {
			t.Errorf("%s has nothing to look for", name)
		}
	}
	found := 0
	for _, text := range mailTexts(t) {
		for _, s := range append(strings.Split(text, "\n"), text) {
			for _, s := range []string{s, strings.ToUpper(s)} {
				for name, f := range forms {
					want := f.Regexp.MatchString(s)
					if got := f.MatchString(s); got != want {
						t.Fatalf("%s: got %v, want %v for %.200q", name, got, want, s)
					}
					if want {
						found++
					}
				}
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d matches in all", found)
	}
}

func mailTexts(t *testing.T) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.eml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no messages: %v", err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(strings.NewReader(string(raw)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, clip(m.Text, 4<<10), m.Subject, m.FromName)
	}
	return all
}

func TestLetters(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		`(?i)delivery (failed|delay)`:    "delivery failed|delivery delay",
		`(?i)mail.{0,12}(returned|gone)`: "mail",
		`^\W*(ooo\b|away( now)?)`:        "ooo|away now|away",
		`x?`:                             "",
		`a|b*`:                           "",
		`(ab|cd)+e?[0-9]{2}`:             "ab|cd",
		`\d*Re:`:                         "re:",
	} {
		if got := strings.Join(mustForm(expr).needles, "|"); got != want {
			t.Errorf("%s: got %q, want %q", expr, got, want)
		}
	}
}
