package tests

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// inlined lists, for each function of ../testdata/inline, all that it may call: the
// verb itself is inlined there, and a call of assembly goes to its body (abi0), not
// to the wrapper through which other packages would call it.
var inlined = map[string][]string{
	"blockedTestUint64": {"block.testUint64.abi0"},
	"blockedTestHash":   {"block.testHash.abi0"},
	"blockedAddUint64":  {"block.addUint64.abi0"},
	"blockedAddHash":    {"block.addHash.abi0"},
	"atomicTestUint64":  {"block.testUint64.abi0"},
	"atomicTestHash":    {"block.testHash.abi0"},
	"msbTest":           nil,
	"bitSetTest":        nil,
	"bitSetSet":         {"(*BitSet).extend"},
	"bitSetClear":       nil,
	"bitSetFlip":        {"(*BitSet).extend"},
	"bitSetNextSet":     nil,
	"bitSetNextSetMany": {"decode.From"},
	"bitSetCount":       {"popcount.Count"},
	"count":             {"popcount.Count"},
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
	run := func(args ...string) string {
		cmd := exec.Command(goCommand, args...)
		cmd.Env = append(cmd.Environ(), "GOARCH="+runtime.GOARCH)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", cmd, err, out)
		}
		return string(out)
	}
	binary := filepath.Join(t.TempDir(), "inline")
	run("build", "-o", binary, "../testdata/inline")
	calls := map[string][]string{}
	call := regexp.MustCompile(`\tCALL ([^\s]+)\(SB\)`)
	function := ""
	for line := range strings.Lines(run("tool", "objdump", "-s", `^main\.`, binary)) {
		if name, ok := strings.CutPrefix(line, "TEXT main."); ok {
			function, _, _ = strings.Cut(name, "(")
			continue
		}
		if m := call.FindStringSubmatch(line); m != nil {
			calls[function] = append(calls[function], m[1])
		}
	}
	for name, may := range inlined {
		for _, callee := range calls[name] {
			if callee != "runtime.morestack_noctxt.abi0" && callee != "runtime.panicBounds" &&
				!slices.ContainsFunc(may, func(s string) bool { return strings.HasSuffix(callee, s) }) {
				t.Errorf("%s calls %s, may call %v", name, callee, may)
			}
		}
		if len(may) > 0 && len(calls[name]) == 0 {
			t.Errorf("%s calls nothing; is it linked?", name)
		}
	}
}
