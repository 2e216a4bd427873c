package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clumsy are words and phrases that a reader of English as a second language stumbles over, with
// what to write instead.
var clumsy = map[string]*regexp.Regexp{
	"name the user, the prospect or the process": regexp.MustCompile(
		`(?i)\b(whom|whoever|whomever|whosoever|nobody|somebody|anybody|everybody else)\b`),
	"use the common word": regexp.MustCompile(
		`(?i)\b(lest|thereof|therein|therefrom|whereof|wherein|hereof|albeit|save for|for want of|unto|amongst|whilst)\b`),
	`write "is not a"`: regexp.MustCompile(
		`(?i)\b(is|are|was|were) no (answer|bounce|comments?|fault|word|domain|matter|reason|news|person's|part|use)\b`),
	"give the reason instead of a maxim": regexp.MustCompile(
		`(?i)\b(come what may|none of its business|the engine is no news|waits? for nobody|is no news)\b`),
	"use the term of the glossary": regexp.MustCompile(
		`\b(TakeIn|TakenIn|takes? in (?:a|an|the) (?:mail|message|reply)|taken in)\b`),
	"use released, returned, closed or removed": regexp.MustCompile(
		`(?i)\b(lets? go of|has let go|lain about|thrown away|of no more use|sees? to it that|take[sn]? up the mail)\b`),
}

// firstVerb matches a doc comment that begins with another verb than those of Go's own libraries.
var firstVerb = regexp.MustCompile(
	`^[A-Za-z]\w* (gives (?:the|a|an|its|how|why|where|every)|tells (?:whether|which|a|an|the)|hears|bears|minds)\b`)

// TestWords looks for clumsy words in comments, in the texts of the program and in the documents.
// Samples of mail in tests, and lists of words, are not read.
func TestWords(t *testing.T) {
	t.Parallel()
	seen := 0
	walk(t, func(name string) {
		if generated(name) || name == "house/words_test.go" {
			return
		}
		for line, text := range prose(t, name) {
			seen++
			if strings.HasPrefix(name, "devstack/") { // nobody is a user of Unix there
				text = strings.ReplaceAll(text, "nobody", "")
			}
			for advice, pattern := range clumsy {
				if found := pattern.FindString(text); found != "" {
					t.Errorf("%s:%d says %q: %s", name, line, found, advice)
				}
			}
		}
	})
	if seen < 5000 {
		t.Errorf("read %d texts, want those of all files", seen)
	}
}

// prose returns the texts of a file that people read, by line.
func prose(t *testing.T, name string) map[int]string {
	t.Helper()
	switch path.Ext(name) {
	case ".go":
		return goProse(t, name)
	case ".md", ".graphqls":
		return linesOf(read(t, name), func(line string) string { return line })
	case ".yaml", ".yml":
		return linesOf(read(t, name), func(line string) string { return line })
	case ".sql":
		return linesOf(read(t, name), after("--"))
	case ".txt": // the lines of tables are words that people write
		return linesOf(read(t, name), tableComment)
	case ".ts", ".tsx", ".mjs", ".css":
		return linesOf(read(t, name), scriptComment)
	}
	return nil
}

// linesOf returns what pick keeps of each line.
func linesOf(text string, pick func(line string) string) map[int]string {
	kept := map[int]string{}
	for i, line := range strings.Split(text, "\n") {
		if picked := pick(line); picked != "" {
			kept[i+1] = picked
		}
	}
	return kept
}

func after(mark string) func(string) string {
	return func(line string) string {
		_, rest, _ := strings.Cut(line, mark)
		return rest
	}
}

// tableComment returns a line of a table that is a comment.
func tableComment(line string) string {
	if strings.HasPrefix(line, "#") {
		return line
	}
	return ""
}

// scriptComment returns the comment of a line of TypeScript or CSS.
func scriptComment(line string) string {
	trimmed := strings.TrimSpace(line)
	for _, mark := range []string{"/*", "*", "//"} {
		if strings.HasPrefix(trimmed, mark) {
			return trimmed
		}
	}
	return after(" // ")(line)
}

// goProse returns the comments of a Go file and, of one that is not a test, its texts of several words.
func goProse(t *testing.T, name string) map[int]string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, parser.ParseComments)
	if err != nil {
		t.Fatalf("parse %s: %v", name, err)
	}
	texts := map[int]string{}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			texts[files.Position(comment.Pos()).Line] = comment.Text
		}
		if first, _, _ := strings.Cut(group.Text(), "\n"); firstVerb.MatchString(first) {
			t.Errorf("%s:%d begins %q: write returns, reports whether or sets", name, files.Position(group.Pos()).Line, first)
		}
	}
	if strings.HasSuffix(name, "_test.go") {
		return texts
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if text, ok := node.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Count(text.Value, " ") >= 2 {
			texts[files.Position(text.Pos()).Line] += text.Value
		}
		return true
	})
	return texts
}
