package storage

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
)

// Every statement that the sources spell out whole is one that Postgres accepts:
// its tables, columns and types are those of the schema. Statements of lists are
// put together at run time; TestEveryCombinationOfFilters runs those.
func TestEveryStatementPrepares(t *testing.T) {
	t.Parallel()
	url := testdb.New(t, testdb.Template{Key: SchemaKey(), Build: Migrate})
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	statements := statementsOf(t)
	if len(statements) < 100 {
		t.Fatalf("found only %d statements in the sources", len(statements))
	}
	for where, sql := range statements {
		if _, err := conn.Prepare(t.Context(), where, sql); err != nil {
			t.Errorf("%s: %v\n%s", where, err, sql)
		}
	}
}

var verb = regexp.MustCompile(`^\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// statementsOf gives the constant strings of this package's sources that are
// whole statements, by where they stand.
func statementsOf(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	r := reader{constants: map[string]ast.Expr{}, found: map[string]string{}, files: token.NewFileSet()}
	var sources []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(r.files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, file)
		ast.Inspect(file, r.collect)
	}
	for _, file := range sources {
		ast.Inspect(file, r.visit)
	}
	return r.found
}

type reader struct {
	files     *token.FileSet
	constants map[string]ast.Expr
	found     map[string]string
}

func (r *reader) collect(n ast.Node) bool {
	if spec, ok := n.(*ast.ValueSpec); ok {
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				r.constants[name.Name] = spec.Values[i]
			}
		}
	}
	return true
}

// visit takes the longest constant expression and does not look into it again;
// a concatenation with a variable is none.
func (r *reader) visit(n ast.Node) bool {
	expr, ok := n.(ast.Expr)
	if !ok {
		return true
	}
	if _, plain := expr.(*ast.Ident); plain {
		return true
	}
	text, ok := r.text(expr)
	if ok && verb.MatchString(text) && !strings.Contains(text, "%s") {
		r.found[r.files.Position(expr.Pos()).String()] = text
	}
	_, joined := expr.(*ast.BinaryExpr)
	return !ok && !joined
}

func (r *reader) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		value, ok := r.constants[e.Name]
		if !ok {
			return "", false
		}
		return r.text(value)
	case *ast.BinaryExpr:
		left, ok1 := r.text(e.X)
		right, ok2 := r.text(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}
