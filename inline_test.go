package bitsieve

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// inlined are the exported functions and methods that a caller's loop is to
// contain instead of calling. Their own callees may stay calls.
var inlined = []string{
	"Count",
	"(*BitSet).Test",
	"(*BitSet).Set",
	"(*BitSet).Clear",
	"(*BitSet).Flip",
	"(*BitSet).Count",
	"(*BitSet).NextSet",
	"(*BitSet).NextSetMany",
	"(*Blocked).AddUint64",
	"(*Blocked).AddHash",
	"(*Blocked).TestUint64",
	"(*Blocked).TestHash",
	"(*Blocked).TestHashes",
}

func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	if !cpu.HasAsm {
		t.Skip("without assembly the compiler inlines the kernels into what would be inlined itself")
	}
	goCommand, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command")
	}
	cmd := exec.Command(goCommand, "build", "-gcflags=-m", ".")
	cmd.Env = append(cmd.Environ(), "GOARCH="+runtime.GOARCH)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	can := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if _, name, ok := strings.Cut(line, ": can inline "); ok {
			can[strings.TrimSpace(name)] = true
		}
	}
	for _, name := range inlined {
		if !can[name] {
			t.Errorf("%s is not inlined", name)
		}
	}
}
