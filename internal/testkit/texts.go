package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// Text is a string constant of a program, with "…" in place of what is put into it. Name is the field
// or the variable that it is assigned to, empty if there is none.
type Text struct{ Name, Value string }

// Texts returns the string constants of Go files, for tests that compare them with a document. A
// concatenation is one text.
func Texts(t testing.TB, files ...string) (all []Text) {
	t.Helper()
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr:
				return !add(&all, n.Key, n.Value)
			case *ast.AssignStmt:
				return len(n.Lhs) != 1 || len(n.Rhs) != 1 || !add(&all, n.Lhs[0], n.Rhs[0])
			case ast.Expr:
				return !add(&all, nil, n)
			}
			return true
		})
	}
	return all
}

// add appends the text of an expression and reports whether it is one.
func add(all *[]Text, name, value ast.Expr) bool {
	text, ok := textOf(value)
	if ok {
		id, _ := name.(*ast.Ident)
		found := Text{Value: text}
		if id != nil {
			found.Name = id.Name
		}
		*all = append(*all, found)
	}
	return ok
}

var verb = regexp.MustCompile(`%[a-z]`)

// textOf returns a literal, a concatenation with one, or the format of Sprintf.
func textOf(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		plain, err := strconv.Unquote(e.Value)
		return verb.ReplaceAllString(plain, "…"), err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, first := textOf(e.X)
		right, second := textOf(e.Y)
		if !first {
			left = "…"
		}
		if !second {
			right = "…"
		}
		return left + right, e.Op == token.ADD && (first || second)
	case *ast.CallExpr:
		if called, is := e.Fun.(*ast.SelectorExpr); is && called.Sel.Name == "Sprintf" {
			return textOf(e.Args[0])
		}
	}
	return "", false
}
