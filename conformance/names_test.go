package conformance

import (
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"strings"
	"testing"
)

// TestExportedNames compares what the peers' packages export with the drop-ins and
// the replacements: every name, with the very signature.
func TestExportedNames(t *testing.T) {
	for _, c := range []struct{ peer, ours string }{
		{peers[0].path, "github.com/bitsieve/bitsieve/dropin/bitset"},
		{peers[1].path, "github.com/bitsieve/bitsieve/dropin/bloom"},
		{peers[0].path, absolute(t, "../replace/bitset")},
		{peers[1].path, absolute(t, "../replace/bloom")},
	} {
		peer, ours := load(t, ".", c.peer), (*types.Package)(nil)
		if strings.HasPrefix(c.ours, "/") {
			ours = load(t, c.ours, ".")
		} else {
			ours = load(t, ".", c.ours)
		}
		if ours.Name() != peer.Name() {
			t.Errorf("%s is package %s, want %s", c.ours, ours.Name(), peer.Name())
		}
		names := 0
		for _, name := range peer.Scope().Names() {
			want := peer.Scope().Lookup(name)
			if !want.Exported() {
				continue
			}
			names++
			got := ours.Scope().Lookup(name)
			if got == nil {
				t.Errorf("%s has no %s", c.ours, name)
				continue
			}
			if g, w := signature(got.Type()), signature(want.Type()); g != w {
				t.Errorf("%s: %s is %s, want %s", c.ours, name, g, w)
			}
			if _, isType := want.(*types.TypeName); !isType {
				continue
			}
			has := methodSet(got.Type())
			for method, w := range methodSet(want.Type()) {
				names++
				if has[method] != w {
					t.Errorf("%s: %s.%s is %q, want %q", c.ours, name, method, has[method], w)
				}
			}
		}
		if names < 30 {
			t.Errorf("%s exports only %d names: is it read?", c.peer, names)
		}
	}
}

// load returns the types of a package that is imported in a folder, from what the
// compiler exports.
func load(t *testing.T, dir, path string) *types.Package {
	t.Helper()
	name := strings.TrimSpace(mustGo(t, dir, "list", path))
	pkg, err := exports(t, dir, path).Import(name)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// exports returns an importer of what go list finds in a folder.
func exports(t *testing.T, dir string, args ...string) types.Importer {
	t.Helper()
	files := map[string]string{}
	list := append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}"}, args...)
	for line := range strings.Lines(mustGo(t, dir, list...)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[name] = file
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	return importer.ForCompiler(token.NewFileSet(), "gc", lookup)
}

// methodsOf returns the exported methods of a pointer to a type and their
// signatures.
func methodsOf(t *testing.T, path, name string) map[string]string {
	t.Helper()
	return methodSet(load(t, ".", path).Scope().Lookup(name).Type())
}

func methodSet(typ types.Type) map[string]string {
	set := types.NewMethodSet(types.NewPointer(typ))
	value := types.NewMethodSet(typ) // MarshalJSON is one of the value's
	has := map[string]string{}
	for i := range set.Len() {
		f := set.At(i).Obj()
		if !f.Exported() {
			continue
		}
		has[f.Name()] = signature(f.Type())
		if value.Lookup(f.Pkg(), f.Name()) != nil {
			has[f.Name()] += " of the value"
		}
	}
	return has
}

// signature writes a type without the names of parameters and with the last name of
// a package, so that the peers' and ours can be compared.
func signature(typ types.Type) string {
	short := func(p *types.Package) string {
		switch p.Path() {
		case "github.com/bitsieve/bitsieve", "github.com/bitsieve/bitsieve/internal/compat":
			return "bitset"
		}
		return p.Name()
	}
	if f, ok := typ.(*types.Signature); ok {
		plain := func(list *types.Tuple) *types.Tuple {
			var vars []*types.Var
			for v := range list.Variables() {
				vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
			}
			return types.NewTuple(vars...)
		}
		typ = types.NewSignatureType(nil, nil, nil, plain(f.Params()), plain(f.Results()), f.Variadic())
	}
	return types.TypeString(types.Unalias(typ), short)
}
