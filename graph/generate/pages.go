package main

import (
	_ "embed"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

// pages is a gqlgen plugin. It removes the objects of lists from gqlgen's output and writes a
// table for each instead, which says how each field is appended. The runtime in graph/page reads a
// selection once and appends, while gqlgen's own code makes a dozen allocations for each field and
// a goroutine for each row (docs/decisions/0008-lists-marshal-themselves.md).
type pages struct{}

// connection is the ending of the name of every list type of the schema.
const connection = "Connection"

//go:embed pages.gotpl
var pagesTemplate string

// Name names the plugin in gqlgen's errors.
func (pages) Name() string { return "pages" }

// GenerateCode writes the tables and removes their objects from data, which gqlgen generates
// afterwards.
func (pages) GenerateCode(data *codegen.Data) error {
	file, err := build(data)
	if err != nil {
		return err
	}
	err = templates.Render(templates.Options{
		PackageName:     data.Config.Exec.Package,
		Filename:        filepath.Join(data.Config.Exec.DirName, "pages.generated.go"),
		Data:            file,
		GeneratedHeader: true,
		Packages:        data.Config.Packages,
		Template:        pagesTemplate,
	})
	if err != nil {
		return fmt.Errorf("write the tables: %w", err)
	}
	data.Objects = slices.DeleteFunc(data.Objects, func(o *codegen.Object) bool { return file.has(o.Name) })
	maps.DeleteFunc(data.ReferencedTypes, func(_ string, ref *config.TypeReference) bool {
		return file.has(ref.Definition.Name) && (ref.IsSlice() || ref.Definition.Kind != ast.Object)
	})
	for _, object := range data.Objects {
		for _, field := range object.Fields {
			file.replace(data, field.TypeReference)
		}
	}
	for _, ref := range data.ReferencedTypes {
		file.replace(data, ref)
	}
	return nil
}

// tables is the data of the template.
type tables struct {
	Objects     []*object // rows and the objects inside them
	Connections []*object // lists, by the object of their rows
	Related     []*field  // fields fetched for all rows of a page at once
}

// object is the table of one schema type.
type object struct {
	Name   string
	Type   types.Type
	Leaves []*field
	Nested []*field
}

// field is one field of a table.
type field struct {
	*codegen.Field
	Row    *object
	Append string // the function that appends a leaf, empty for objects
	Cast   string // the type that the value is converted to first, if any
}

// Value is the expression of the field's value in a row.
func (f *field) Value() string {
	if f.IsMethod() {
		return "row." + f.GoFieldName + "()"
	}
	return "row." + f.GoFieldName
}

// Pointer reports whether the row holds a pointer that may be nil.
func (f *field) Pointer() bool { return f.TypeReference.IsPtr() }

// List reports whether the field is a list.
func (f *field) List() bool { return f.Type.Elem != nil }

// Element is the Go type of the value, without list or pointer.
func (f *field) Element() types.Type {
	switch t := f.TypeReference.GO.(type) {
	case *types.Pointer:
		return t.Elem()
	case *types.Slice:
		return t.Elem()
	}
	return f.TypeReference.GO
}

// Loaded returns the type that a loader returns for one row: a list, or a pointer that may be nil.
func (f *field) Loaded() types.Type {
	if f.List() {
		return f.TypeReference.GO
	}
	return types.NewPointer(f.Element())
}

// Loader is the name of the method that fetches the field for all rows of a page.
func (f *field) Loader() string { return f.Row.Name + templates.UcFirst(f.Name) }

// build returns the tables of all connections, and of the objects that their rows refer to.
func build(data *codegen.Data) (*tables, error) {
	objects := map[string]*codegen.Object{}
	for _, o := range data.Objects {
		objects[o.Name] = o
	}
	var file tables
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		rows, is := strings.CutSuffix(name, connection)
		if !is {
			continue
		}
		if err := checkConnection(objects[name], rows); err != nil {
			return nil, err
		}
		if err := file.add(objects, rows); err != nil {
			return nil, err
		}
		file.Connections = append(file.Connections, &object{Name: rows, Type: objects[name].Type})
	}
	slices.SortFunc(file.Objects, func(a, b *object) int { return strings.Compare(a.Name, b.Name) })
	for _, o := range file.Objects {
		for _, f := range o.Nested {
			if f.IsResolver {
				file.Related = append(file.Related, f)
			}
		}
	}
	return &file, nil
}

// checkConnection returns an error unless a list type is {nodes, nextCursor}.
func checkConnection(o *codegen.Object, rows string) error {
	var got []string
	for _, f := range o.Fields {
		got = append(got, f.Name+": "+f.Type.String())
	}
	if want := []string{"nodes: [" + rows + "!]!", "nextCursor: String"}; !slices.Equal(got, want) {
		return fmt.Errorf("%s has the fields %v, want %v", o.Name, got, want)
	}
	return nil
}

// add adds the table of an object and of the objects in its fields.
func (t *tables) add(objects map[string]*codegen.Object, name string) error {
	if t.has(name) {
		return nil
	}
	from := objects[name]
	made := &object{Name: name, Type: from.Type}
	t.Objects = append(t.Objects, made)
	for _, f := range from.Fields {
		entry := &field{Field: f, Row: made}
		if f.TypeReference.Definition.Kind == ast.Object {
			made.Nested = append(made.Nested, entry)
			if err := t.add(objects, f.TypeReference.Definition.Name); err != nil {
				return err
			}
			continue
		}
		if err := entry.bindLeaf(); err != nil {
			return err
		}
		made.Leaves = append(made.Leaves, entry)
	}
	return nil
}

// bindLeaf finds the function that appends the values of a leaf.
func (f *field) bindLeaf() error {
	ref := f.TypeReference
	if f.IsResolver || len(f.Args) > 0 {
		return fmt.Errorf("%s.%s needs a resolver; a leaf of a page is a field of its row", f.Row.Name, f.Name)
	}
	if f.List() && !f.Type.Elem.NonNull {
		return fmt.Errorf("%s.%s: an element of a list of a page is not null", f.Row.Name, f.Name)
	}
	switch name := ref.Definition.Name; {
	case ref.Definition.Kind == ast.Enum, name == "String", name == "ID":
		f.Append, f.Cast = "page.AppendString", "string"
	case name == "Int":
		f.Append = "page.AppendInt"
	case name == "Boolean":
		f.Append = "strconv.AppendBool"
	case ref.Marshaler != nil && ref.Marshaler.Pkg().Name() == "scalar":
		f.Append = "scalar.Append" + strings.TrimPrefix(ref.Marshaler.Name(), "Marshal")
	default:
		return fmt.Errorf("%s.%s: no way to append a %s is known", f.Row.Name, f.Name, name)
	}
	return nil
}

// has reports whether a schema type is written by a table.
func (t *tables) has(name string) bool {
	rows := strings.TrimSuffix(name, connection)
	return slices.ContainsFunc(t.Objects, func(o *object) bool { return o.Name == name || o.Name == rows })
}

// replace makes references to a type with a table use the function that writes it, and gives
// gqlgen a definition without fields, so that it generates nothing for it.
func (t *tables) replace(data *codegen.Data, ref *config.TypeReference) {
	if ref == nil || ref.Definition.Kind != ast.Object || !t.has(ref.Definition.Name) {
		return
	}
	definition := *ref.Definition
	definition.Fields = nil
	ref.Definition = &definition
	ref.Marshaler = types.NewFunc(0, data.Config.Exec.Pkg(), "write"+definition.Name, nil)
	ref.IsContext = true
}
