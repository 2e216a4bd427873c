package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// maxByPosition is how many columns a statement may read by position.
const maxByPosition = 5

// byPosition are the functions that read more columns by position, with the reason.
var byPosition = map[string]string{}

// A statement that reads more than a few columns declares each with its variable
// (docs/decisions/0014-columns.md): two that changed places would compile.
func TestColumnsAreNotReadByPosition(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for folder, files := range goFiles(t) {
		if folder != "storage" && !strings.HasPrefix(folder, "storage/") {
			continue
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, declared := range parseText(t, read(t, folder+"/"+name)).Decls {
				where := folder + "." + nameOf(declared)
				n := readByPosition(declared)
				if n <= maxByPosition {
					continue
				}
				met[where] = true
				if byPosition[where] == "" {
					t.Errorf("%s in %s reads %d columns by position, at most %d are allowed: declare them with storage.NewColumns",
						where, name, n, maxByPosition)
				}
			}
		}
	}
	for where := range byPosition {
		if !met[where] {
			t.Errorf("%s needs no exception", where)
		}
	}
}

func TestReadByPositionCounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"row.Scan(&a, &b.c)":                           2,
		"pgx.ForEachRow(rows, []any{&a, &b, &c}, nil)": 3,
		"row.Scan(append([]any{&a, &b}, more...)...)":  2,
		"[]Column{{\"a\", &a}}":                        0,
		"f(&a, &b)":                                    0,
	} {
		if got := readByPosition(parseText(t, "package p\nfunc f() { _ = "+text+" }")); got != want {
			t.Errorf("%s reads %d columns by position, want %d", text, got, want)
		}
	}
}

func parseText(t *testing.T, text string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// readByPosition returns the most addresses that one Scan or one []any below n has.
func readByPosition(n ast.Node) (most int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if called, ok := n.Fun.(*ast.SelectorExpr); ok && called.Sel.Name == "Scan" {
				most = max(most, addresses(n.Args))
			}
		case *ast.CompositeLit:
			if list, ok := n.Type.(*ast.ArrayType); ok && isAny(list.Elt) {
				most = max(most, addresses(n.Elts))
			}
		}
		return true
	})
	return most
}

func isAny(e ast.Expr) bool {
	name, ok := e.(*ast.Ident)
	return ok && name.Name == "any"
}

func addresses(list []ast.Expr) (n int) {
	for _, e := range list {
		if address, ok := e.(*ast.UnaryExpr); ok && address.Op.String() == "&" {
			n++
		}
	}
	return n
}

// nameOf returns the first name that a declaration declares.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		if value, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return value.Names[0].Name
		}
	}
	return ""
}
