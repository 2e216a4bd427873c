package classify

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sources are the origins that a line of a table may name.
var sources = []string{
	"own",      // written for this project
	"bounces",  // seen in real bounces or in the replies of mail servers
	"programs", // written by mail programs and mail services in this language
	"rfc3834", "rfc5321", "rfc3464", "rfc3676",
	"cldr", // names of months and days as in the Unicode CLDR
}

// languages are those that a line may be in; "all" is for words of several.
var languages = strings.Fields("all en de fr es it nl pt pl sv da no fi cs hu ro tr el ru uk ja ko zh he")

func allEntries(t *testing.T) map[string][]entry {
	t.Helper()
	names, err := tables.ReadDir("tables")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]entry{}
	for _, file := range names {
		name := strings.TrimSuffix(file.Name(), ".txt")
		all[name] = readTable(name)
	}
	return all
}

func TestTablesNameLanguageAndSource(t *testing.T) {
	t.Parallel()
	for name, entries := range allEntries(t) {
		seen := map[string]bool{}
		for _, e := range entries {
			if !slices.Contains(languages, e.language) {
				t.Errorf("%s: %q: unknown language %q", name, e.phrase, e.language)
			}
			if !slices.Contains(sources, e.source) {
				t.Errorf("%s: %q: unknown source %q", name, e.phrase, e.source)
			}
			key := e.list + "\t" + e.label + "\t" + e.language + "\t" + e.phrase
			if seen[key] {
				t.Errorf("%s [%s]: %q stands there twice", name, e.list, e.phrase)
			}
			seen[key] = true
		}
	}
}

// Every phrase of every table is found in a text that is made of it.
func TestPhrasesFindThemselves(t *testing.T) {
	t.Parallel()
	for name, entries := range allEntries(t) {
		for _, e := range entries {
			l := newLexicon([]entry{e})
			all := spellings(e)
			for _, spelling := range all[:min(len(all), 50)] {
				text := strings.ReplaceAll(spelling, "*", "")
				if !l.has("Xyz, " + text) {
					t.Errorf("%s [%s]: %q is not found in %q", name, e.list, e.phrase, text)
				}
			}
		}
	}
}

func TestLexicon(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ phrase, text, want string }{
		{"out of office", "I am OUT-OF-OFFICE now", "out of office"},
		{"out of office", "about of office", ""},
		{"remove me", "remove measures", ""},
		{"interess*", "Interessiert mich", "interessiert"},
		{"{not|n't} interested", "I am not interested", "not interested"},
		{"ich bin ... im urlaub", "Ich bin vom 3. bis zum 5. im Urlaub", "ich bin vom 3. bis zum 5. im urlaub"},
		{"ich bin ... im urlaub", "Ich bin hier!\nim Urlaub", ""},
		{"不在", "只今不在です", "不在"},
		{"휴가*", "저는 휴가중입니다", "휴가중입니다"},
		{"réponse", "Reponse automatique", "reponse"},
		{"my e-mail", "My\nEmail", ""},
		{"no access to my e-mail", "I regret that I shall have no access to my\nEmail until next Monday morning, sorry.",
			"no access to my email"},
		{"don't", "I don’t know", "don't"},
	} {
		found, ok := newLexicon([]entry{{language: "en", phrase: c.phrase}}).first(prepare(c.text))
		got := ""
		if ok {
			got = prepare(c.text)[found.at:found.end]
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q in %q %s", c.phrase, c.text, diff)
		}
	}
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Grüße  aus ŁÓDŹ":       "grusse aus lodz",
		"E-Mail, out-of-office": "email, out of office",
		"«Bonjour», d’accord ?": "\"bonjour\", d'accord?",
		"Yes.\nTom":             "yes.\ntom",
		"不在です。":                 "不在です.",
		"ＦＵＬＬ　width！":           "full width!",
		"It was wrapped at this very\nplace by a program of the sender,\nwhich is not the end": "" +
			"it was wrapped at this very\nplace by a program of the sender, which is not the end",
	} {
		if diff := cmp.Diff(want, prepare(text)); diff != "" {
			t.Errorf("%q %s", text, diff)
		}
	}
}

const maxExpression = 120

// Words belong into the tables: an expression describes a form, and a form is
// short.
func TestExpressionsAreShort(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			selected, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || selected.Sel.Name != "MustCompile" {
				return true
			}
			literal, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the expression must be written as one literal", set.Position(call.Pos()))
				return true
			}
			expression, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := regexp.Compile(expression); err != nil || len(expression) > maxExpression {
				t.Errorf("%s: %d characters, want at most %d", set.Position(call.Pos()), len(expression), maxExpression)
			}
			return true
		})
	}
}
