package block

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// Assembly cannot be preempted: no call of a kernel takes more keys than maxBatch.
func TestNextBatch(t *testing.T) {
	if maxBatch%64 != 0 {
		t.Fatalf("maxBatch = %d: the results of a batch do not begin with a word", maxBatch)
	}
	for _, n := range []int{0, 1, minBatch - 1, minBatch, minBatch + 1, maxBatch - 1, maxBatch, maxBatch + 1,
		maxBatch + minBatch, 3*maxBatch + 77, 1 << 20} {
		left := n
		for {
			b := nextBatch(left)
			if b == 0 {
				break
			}
			if b < 0 || b > maxBatch || b > left || b%kernelKeys != 0 {
				t.Fatalf("nextBatch(%d) = %d", left, b)
			}
			if left-b >= minBatch && b%64 != 0 {
				t.Fatalf("nextBatch(%d) = %d: the next batch's results do not begin with a word", left, b)
			}
			left -= b
		}
		if left >= minBatch {
			t.Errorf("of %d keys %d are left, %d or more can be a batch", n, left, minBatch)
		}
	}
}

// Kernels are called by verbs of batches only, each with as many keys as nextBatch
// allows.
func TestKernelCallers(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Skip(err)
	}
	kernels := []string{"addKernel", "testKernel", "testAndAddKernel"}
	called := map[string]bool{}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(node ast.Node) bool {
			loop, ok := node.(*ast.ForStmt)
			if ok && isNextBatch(loop.Init) && isNextBatch(loop.Post) {
				for _, stmt := range loop.Body.List {
					if x, ok := stmt.(*ast.ExprStmt); ok {
						if call, ok := x.X.(*ast.CallExpr); ok && isFirstN(call.Args[2]) {
							called[name(call.Fun)] = true
							call.Fun = ast.NewIdent("bounded")
						}
					}
				}
			}
			return true
		})
		ast.Inspect(f, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && slices.Contains(kernels, name(call.Fun)) {
				t.Errorf("%s calls %s outside a loop over nextBatch", file.Name(), name(call.Fun))
			}
			return true
		})
	}
	for _, k := range kernels {
		if !called[k] {
			t.Errorf("%s is not called", k)
		}
	}
}

func name(x ast.Expr) string {
	if id, ok := x.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// isNextBatch reports whether a statement sets n to a call of nextBatch.
func isNextBatch(s ast.Stmt) bool {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || name(a.Lhs[0]) != "n" {
		return false
	}
	call, ok := a.Rhs[0].(*ast.CallExpr)
	return ok && name(call.Fun) == "nextBatch"
}

// isFirstN reports whether an expression is keys[:n].
func isFirstN(x ast.Expr) bool {
	s, ok := x.(*ast.SliceExpr)
	return ok && name(s.X) == "keys" && s.Low == nil && name(s.High) == "n"
}
