package replace

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// pairs are a peer and what stands in for it.
var pairs = []struct{ name, peer, ours string }{
	{"holiman", "github.com/holiman/bloomfilter/v2", "github.com/bitsieve/bitsieve/replace/holiman"},
	{"bbloom", "github.com/ipfs/bbloom", "github.com/bitsieve/bitsieve/replace/bbloom"},
}

// TestSignatures holds every exported name of the peer to be there with the same type,
// methods and fields included, and the packages to have the same name.
func TestSignatures(t *testing.T) {
	for _, p := range pairs {
		t.Run(p.name, func(t *testing.T) {
			peer, ours := load(t, p.peer), load(t, p.ours)
			if peer.Name() != ours.Name() {
				t.Errorf("the package is named %s, the peer's %s", ours.Name(), peer.Name())
			}
			want, got := exported(peer), exported(ours)
			if len(want) < 8 {
				t.Fatalf("found only %d names in %s", len(want), p.peer)
			}
			for name, w := range want {
				if got[name] != w {
					t.Errorf("%s: %q, the peer has %q", name, got[name], w)
				}
			}
		})
	}
}

// load returns the types of a package from the compiler's export data.
func load(t *testing.T, path string) *types.Package {
	t.Helper()
	out, err := goCommand("list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", path).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", path, err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if name, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			files[name] = file
		}
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
	pkg, err := importer.ForCompiler(token.NewFileSet(), "gc", open).Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func goCommand(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	return cmd
}

// exported returns what a package exports, each name with its kind and type, in which
// the package's own path is left out.
func exported(pkg *types.Package) map[string]string {
	all := map[string]string{}
	plain := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Path()
	}
	signature := func(typ types.Type) string {
		var b bytes.Buffer
		types.WriteType(&b, withoutNames(typ), plain)
		return b.String()
	}
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		if c, ok := o.(*types.Const); ok {
			all[name] = fmt.Sprintf("const %s = %s", signature(c.Type()), c.Val())
			continue
		}
		all[name] = fmt.Sprintf("%T %s", o, signature(o.Type()))
		if _, ok := o.(*types.TypeName); !ok {
			continue
		}
		if s, ok := o.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					all[name+"."+f.Name()] = signature(f.Type())
				}
			}
		}
		for _, typ := range []types.Type{o.Type(), types.NewPointer(o.Type())} {
			for m := range types.NewMethodSet(typ).Methods() {
				if m.Obj().Exported() {
					all[signature(typ)+"."+m.Obj().Name()] = signature(m.Type())
				}
			}
		}
	}
	return all
}

// withoutNames returns a function's type without the names of what it takes and returns.
func withoutNames(typ types.Type) types.Type {
	s, ok := typ.(*types.Signature)
	if !ok {
		return typ
	}
	bare := func(t *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range t.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, bare(s.Params()), bare(s.Results()), s.Variadic())
}
