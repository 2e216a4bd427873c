package storage_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"outreach/devstack/testdb"
	"outreach/storage"
)

// Every statement that the sources spell out whole is one that Postgres accepts:
// its tables, columns and types are those of the schema. Statements of lists are
// put together at run time; TestEveryCombinationOfFilters runs those.
func TestEveryStatementPrepares(t *testing.T) {
	t.Parallel()
	url := testdb.New(t, testdb.Template{Key: storage.SchemaKey(), Build: storage.Migrate})
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
		sql, _, err := pgx.NamedArgs{}.RewriteQuery(t.Context(), conn, sql, nil)
		if err != nil {
			t.Errorf("%s: %v", where, err)
		}
		if _, err := conn.Prepare(t.Context(), where, sql); err != nil {
			t.Errorf("%s: %v\n%s", where, err, sql)
		}
	}
}

// packages are the folders whose sources hold statements.
var packages = []string{".", "outbox", "sending", "inbound"}

// statementsOf returns the constant strings of the sources that are whole
// statements, by where they stand.
func statementsOf(t *testing.T) map[string]string {
	t.Helper()
	r := readSources(t)
	for folder, files := range r.sources {
		r.folder = folder
		for _, file := range files {
			ast.Inspect(file, r.visit)
		}
	}
	return r.found
}

// constantOf returns the text of the constant called name in one of the packages:
// "sending.lockSenders".
func (r *reader) constantOf(t *testing.T, name string) string {
	t.Helper()
	folder, constant, _ := strings.Cut(name, ".")
	if folder == "storage" {
		folder = "."
	}
	r.folder = folder
	value, known := r.constants[folder][constant]
	if !known {
		t.Fatalf("no source has the constant %s", name)
	}
	text, whole := r.text(value)
	if !whole {
		t.Fatalf("%s is not a constant text", name)
	}
	return text
}

// reader evaluates constant strings.
type reader struct {
	files     *token.FileSet
	functions map[string]map[string]*ast.FuncDecl // by folder and name
	sources   map[string][]*ast.File              // by folder
	constants map[string]map[string]ast.Expr      // by folder and name
	folder    string                              // whose names are looked up
	found     map[string]string
}

func readSources(t *testing.T) *reader {
	t.Helper()
	r := &reader{files: token.NewFileSet(), functions: map[string]map[string]*ast.FuncDecl{},
		sources: map[string][]*ast.File{}, constants: map[string]map[string]ast.Expr{}, found: map[string]string{}}
	for _, folder := range packages {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		r.constants[folder], r.functions[folder] = map[string]ast.Expr{}, map[string]*ast.FuncDecl{}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(r.files, name, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			r.sources[folder] = append(r.sources[folder], file)
			ast.Inspect(file, func(n ast.Node) bool { return r.collect(folder, n) })
		}
	}
	return r
}

func (r *reader) collect(folder string, n ast.Node) bool {
	if function, ok := n.(*ast.FuncDecl); ok && function.Recv == nil {
		r.functions[folder][function.Name.Name] = function
	}
	if spec, ok := n.(*ast.ValueSpec); ok {
		for i, name := range spec.Names {
			if i < len(spec.Values) {
				r.constants[folder][name.Name] = spec.Values[i]
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
	if isColumn(expr) {
		return false // an expression of a column, not a statement
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

// isColumn reports whether an expression is a storage.Column: {"p.id", &p.ID}.
func isColumn(e ast.Expr) bool {
	pair, ok := e.(*ast.CompositeLit)
	if !ok || pair.Type != nil || len(pair.Elts) != 2 {
		return false
	}
	last := pair.Elts[1]
	if named, ok := last.(*ast.KeyValueExpr); ok {
		last = named.Value
	}
	to, ok := last.(*ast.UnaryExpr)
	return ok && to.Op == token.AND
}

func (r *reader) text(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.Ident:
		value, ok := r.constants[r.folder][e.Name]
		if !ok {
			return "", false
		}
		return r.text(value)
	case *ast.SelectorExpr:
		if e.Sel.Name == "SQL" {
			return r.textOfTable(e.X)
		}
		return r.textElsewhere(e)
	case *ast.BinaryExpr:
		left, ok1 := r.text(e.X)
		right, ok2 := r.text(e.Y)
		return left + right, ok1 && ok2 && e.Op == token.ADD
	}
	return "", false
}

// textElsewhere evaluates a constant of another of the packages.
func (r *reader) textElsewhere(e *ast.SelectorExpr) (string, bool) {
	name, ok := e.X.(*ast.Ident)
	if !ok {
		return "", false
	}
	folder := name.Name
	if folder == "storage" {
		folder = "."
	}
	value, ok := r.constants[folder][e.Sel.Name]
	if !ok {
		return "", false
	}
	own := r.folder
	r.folder = folder
	defer func() { r.folder = own }()
	return r.text(value)
}

// textOfTable evaluates the list of a storage.Columns, whose variable is in any of the
// packages.
func (r *reader) textOfTable(table ast.Expr) (string, bool) {
	own := r.folder
	defer func() { r.folder = own }()
	if elsewhere, ok := table.(*ast.SelectorExpr); ok {
		folder, ok := elsewhere.X.(*ast.Ident)
		if !ok {
			return "", false
		}
		r.folder = strings.Replace(folder.Name, "storage", ".", 1)
		table = elsewhere.Sel
	}
	name, ok := table.(*ast.Ident)
	if !ok {
		return "", false
	}
	made, ok := r.constants[r.folder][name.Name].(*ast.CallExpr)
	if !ok || len(made.Args) != 1 {
		return "", false
	}
	declares, ok := made.Args[0].(*ast.FuncLit)
	if !ok {
		return "", false
	}
	expressions, ok := r.columns(declares.Body)
	return strings.Join(expressions, ", "), ok
}

// columns evaluates the []storage.Column that a function returns.
func (r *reader) columns(body *ast.BlockStmt) ([]string, bool) {
	last, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	if !ok || len(last.Results) != 1 {
		return nil, false
	}
	return r.columnsOf(last.Results[0])
}

func (r *reader) columnsOf(e ast.Expr) (all []string, ok bool) {
	switch e := e.(type) {
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			pair, ok := element.(*ast.CompositeLit)
			if !ok || len(pair.Elts) != 2 {
				return nil, false
			}
			first := pair.Elts[0]
			if named, ok := first.(*ast.KeyValueExpr); ok {
				first = named.Value
			}
			text, ok := r.text(first)
			if !ok {
				return nil, false
			}
			all = append(all, text)
		}
		return all, true
	case *ast.CallExpr:
		return r.columnsOfCall(e)
	}
	return nil, false
}

// columnsOfCall evaluates append of two tables, and a function that returns one.
func (r *reader) columnsOfCall(call *ast.CallExpr) ([]string, bool) {
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return nil, false
	}
	if name.Name == "append" && len(call.Args) == 2 {
		first, ok1 := r.columnsOf(call.Args[0])
		second, ok2 := r.columnsOf(call.Args[1])
		return append(first, second...), ok1 && ok2
	}
	function, ok := r.functions[r.folder][name.Name]
	if !ok {
		return nil, false
	}
	return r.columns(function.Body)
}
