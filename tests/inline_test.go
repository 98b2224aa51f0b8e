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
	"bitSetCount":       countCalls,
	"bitSetNone":        {"bitsieve.noneWords", "runtime.gopanic"},
	"bitSetEqual":       {"bitsieve.equalWords"},
	"count":             countCalls,
	"and":               {"bitsieve.andWords", "bitsieve.andAVX2.abi0"},
	"or":                {"bitsieve.orWords", "bitsieve.orAVX2.abi0"},
	"xor":               {"bitsieve.xorWords", "bitsieve.xorAVX2.abi0"},
	"andNot":            {"bitsieve.andNotWords", "bitsieve.andNotAVX2.abi0"},
	"not":               {"bitsieve.notWords"},
	"andCount":          {"popcount.And", "popcount.andCountAVX512.abi0", "bits.OnesCount64"},
	"orCount":           {"popcount.Or", "popcount.orCountAVX512.abi0", "bits.OnesCount64"},
	"xorCount":          {"popcount.Xor", "popcount.xorCountAVX512.abi0", "bits.OnesCount64"},
	"andNotCount":       {"popcount.AndNot", "popcount.andNotCountAVX512.abi0", "bits.OnesCount64"},
	"any":               {"bitsieve.noneWords"},
	"intersects":        {"bitsieve.intersectsWords"},
}

var countCalls = []string{"popcount.Count", "popcount.countAVX512.abi0", "bits.OnesCount64"}

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
	call := regexp.MustCompile(`\tCALL (?:([^\s]+)\(SB\))?`) // of a function, or of what a register has
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
