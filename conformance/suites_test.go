package conformance

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The peers' own tests, from the module cache, run against the replacements through
// the replace lines. They are internal tests: where they read fields and constants of
// the peer, exported methods of the same meaning and the numbers take their place, and
// tests of what else the peer does not export are left out and listed. Nothing of
// theirs is kept.

// expected are the peers' tests that fail against the replacements, and why.
var expected = map[string]string{
	"bitset.TestFrom":          "%T is *bitsieve.BitSet, want *bitset.BitSet",
	"bitset.TestSetBitsetFrom": "%T is *bitsieve.BitSet, want *bitset.BitSet",
}

// accessors read unexported fields and variables of the peers.
var accessors = map[string]string{
	"length": "Len()", "set": "Words()", "binaryOrder": "BinaryOrder()",
	"m": "Cap()", "k": "K()", "b": "BitSet()",
}

func TestPeersSuites(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the peers' suites twice")
	}
	for _, p := range peers {
		t.Run(p.path, func(t *testing.T) {
			before := runSuite(t, importingModule(t, nil), p.path)
			suite, left := suiteOf(t, p.path, p.replacement)
			replacements := allReplaced()
			replacements[p.path] = suite
			after := runSuite(t, importingModule(t, replacements), p.path)
			passed := 0
			for _, name := range slices.Sorted(maps.Keys(before)) {
				reason, why := left[name], expected[filepath.Base(p.replacement)+"."+name]
				switch {
				case !before[name]:
					t.Logf("%s fails with the peer too", name)
				case reason != "":
					t.Logf("%s is left out: it uses the peer's %s", name, reason)
				case after[name] && why == "":
					passed++
				case after[name]:
					t.Errorf("%s passes, and is expected to fail: %s", name, why)
				case why == "":
					t.Errorf("%s fails", name)
				default:
					t.Logf("%s fails: %s", name, why)
				}
			}
			t.Logf("%s: %d tests pass with the peer, %d with the replacement", p.path, len(before), passed)
			if passed < 25 {
				t.Errorf("only %d tests passed: are they run?", passed)
			}
		})
	}
}

// runSuite returns the tests of a package and whether they passed.
func runSuite(t *testing.T, dir, path string) map[string]bool {
	t.Helper()
	out, err := goCommand(dir, "test", "-json", "-vet=off", "-count=1", path)
	passed := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(out)); lines.Scan(); {
		var event struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &event) != nil {
			continue
		}
		if event.Test != "" && !strings.Contains(event.Test, "/") && (event.Action == "pass" || event.Action == "fail") {
			passed[event.Test] = event.Action == "pass"
		}
	}
	if len(passed) == 0 {
		t.Fatalf("%v\n%s", err, out)
	}
	return passed
}

// suiteOf returns a folder with the files of a replacement and the tests of its
// peer, and what the tests that are left out use of it.
func suiteOf(t *testing.T, path, replacement string) (dir string, left map[string]string) {
	t.Helper()
	dir = t.TempDir()
	source := strings.TrimSpace(mustGo(t, ".", "list", "-m", "-f", "{{.Dir}}", path))
	files, err := filepath.Glob(filepath.Join(replacement, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(replacement, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod = append(mod, "\nrequire github.com/twmb/murmur3 v1.1.8\n"...) // of bloom's tests
	written := map[string][]byte{"go.mod": mod}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			if written[filepath.Base(file)], err = os.ReadFile(file); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := parseSuite(t, source, path)
	s.leaveOut()
	for name, file := range s.tests {
		written[name] = s.rewrite(t, filepath.Join(source, name), file)
	}
	for name, data := range written {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, s.left
}

// A suite is a peer's package and its tests, with their types.
type suite struct {
	fset  *token.FileSet
	pkg   *types.Package
	info  *types.Info
	tests map[string]*ast.File
	own   map[string]bool // files that are no tests
	left  map[string]string
}

func parseSuite(t *testing.T, dir, path string) *suite {
	t.Helper()
	pkg, err := build.ImportDir(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &suite{token.NewFileSet(), nil, &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}, map[string]*ast.File{}, map[string]bool{}, map[string]string{}}
	var files []*ast.File
	for _, name := range slices.Concat(pkg.GoFiles, pkg.TestGoFiles) {
		file, err := parser.ParseFile(s.fset, filepath.Join(dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		if strings.HasSuffix(name, "_test.go") {
			s.tests[name] = file
		} else {
			s.own[filepath.Join(dir, name)] = true
		}
	}
	config := types.Config{Importer: exports(t, ".", "-test", path)}
	if s.pkg, err = config.Check(path, s.fset, files, s.info); err != nil {
		t.Fatal(err)
	}
	return s
}

// leaveOut finds the functions of the tests that use what the peer does not export,
// or another function that does.
func (s *suite) leaveOut() {
	for changed := true; changed; {
		changed = false
		for _, file := range s.tests {
			for _, decl := range file.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok || s.left[f.Name.Name] != "" {
					continue
				}
				if used := s.unexported(f); used != "" {
					s.left[f.Name.Name] = used
					changed = true
				}
			}
		}
	}
}

// unexported returns what a function uses that the replacement does not have.
func (s *suite) unexported(f *ast.FuncDecl) (used string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if e, ok := x.(*ast.SelectorExpr); ok {
					x = e.Sel
				}
				if id, ok := x.(*ast.Ident); ok && s.ofPeer(id) != nil {
					used = id.Name
				}
			}
		case *ast.CompositeLit: // of a struct of the peer, all of whose fields are its own
			named, ok := types.Unalias(s.info.TypeOf(n)).(*types.Named)
			if ok && len(n.Elts) > 0 && s.own[s.fset.Position(named.Obj().Pos()).Filename] {
				used = named.Obj().Name() + "{…}"
			}
		case *ast.Ident:
			if s.ofPeer(n) != nil && s.reads(n) == "" {
				used = n.Name
			} else if obj := s.info.Uses[n]; obj != nil && obj.Parent() == s.pkg.Scope() && s.left[n.Name] != "" {
				used = s.left[n.Name]
			}
		}
		return true
	})
	return used
}

// ofPeer returns what a name stands for if the peer has it and does not export it.
func (s *suite) ofPeer(id *ast.Ident) types.Object {
	obj := s.info.Uses[id]
	if obj == nil || obj.Exported() || !s.own[s.fset.Position(obj.Pos()).Filename] {
		return nil
	}
	return obj
}

// reads returns what takes the place of a name that the peer does not export, or "".
func (s *suite) reads(id *ast.Ident) string {
	switch obj := s.ofPeer(id).(type) {
	case *types.Var:
		return accessors[id.Name]
	case *types.Const:
		value := obj.Val().ExactString()
		if basic, ok := obj.Type().(*types.Basic); ok && basic.Info()&types.IsUntyped != 0 {
			return value
		}
		return types.TypeString(obj.Type(), types.RelativeTo(s.pkg)) + "(" + value + ")"
	}
	return ""
}

// rewrite returns the text of a file of tests without the functions left out, and
// with what reads returns in place of names.
func (s *suite) rewrite(t *testing.T, path string, file *ast.File) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	add := func(from, to token.Pos, text string) {
		edits = append(edits, edit{s.fset.Position(from).Offset, s.fset.Position(to).Offset, text})
	}
	imports := map[types.Object]bool{} // that are still used
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && s.left[f.Name.Name] != "" {
			add(f.Pos(), f.End(), "")
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); !ok {
				return true
			} else if text := s.reads(id); text != "" {
				add(id.Pos(), id.End(), text)
			} else if p, ok := s.info.Uses[id].(*types.PkgName); ok {
				imports[p] = true
			}
			return true
		})
	}
	used := map[string]bool{}
	for p := range imports {
		used[p.(*types.PkgName).Imported().Path()] = true
	}
	for _, spec := range file.Imports {
		if !used[strings.Trim(spec.Path.Value, `"`)] {
			add(spec.Pos(), spec.End(), "_ "+spec.Path.Value)
		}
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		fmt.Fprintf(&out, "%s%s", text[at:e.from], e.text)
		at = e.to
	}
	out.Write(text[at:])
	return out.Bytes()
}
