package parquet

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// inlined has, for each function of testdata/inline, the one that it may call: the body of
// the kernel that hashes and probes, not a wrapper of it.
var inlined = map[string]string{
	"viewTestHash":     "sbbf.testHash.abi0",
	"viewTestInt64":    "sbbf.testUint64.abi0",
	"viewTestDouble":   "sbbf.testUint64.abi0",
	"viewTestInt32":    "sbbf.testUint32.abi0",
	"viewTestFloat":    "sbbf.testUint32.abi0",
	"filterTestHash":   "sbbf.testHash.abi0",
	"filterTestInt64":  "sbbf.testUint64.abi0",
	"filterTestDouble": "sbbf.testUint64.abi0",
	"filterTestInt32":  "sbbf.testUint32.abi0",
	"filterTestFloat":  "sbbf.testUint32.abi0",
	"filterAddHash":    "sbbf.addHash.abi0",
	"filterAddInt64":   "sbbf.addUint64.abi0",
	"filterAddDouble":  "sbbf.addUint64.abi0",
	"filterAddInt32":   "sbbf.addUint32.abi0",
	"filterAddFloat":   "sbbf.addUint32.abi0",
	"viewTestBytes":    "sbbf.testBytes.abi0",
	"viewTestString":   "sbbf.testBytes.abi0",
	"filterTestBytes":  "sbbf.testBytes.abi0",
	"filterTestString": "sbbf.testBytes.abi0",
	"filterAddBytes":   "sbbf.addBytes.abi0",
	"filterAddString":  "sbbf.addBytes.abi0",
}

func TestInlining(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	if !cpu.HasAsm || runtime.GOARCH != "amd64" {
		t.Skip("single keys have kernels on amd64 only")
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
	run("build", "-o", binary, "./testdata/inline")
	calls := map[string][]string{}
	call := regexp.MustCompile(`\tCALL ([^\s]+)\(SB\)`)
	function := ""
	for line := range strings.Lines(run("tool", "objdump", "-s", `^main\.`, binary)) {
		if name, ok := strings.CutPrefix(line, "TEXT main."); ok {
			function, _, _ = strings.Cut(name, "(")
		} else if m := call.FindStringSubmatch(line); m != nil && m[1] != "runtime.morestack_noctxt.abi0" {
			calls[function] = append(calls[function], m[1])
		}
	}
	for name, want := range inlined {
		if got := calls[name]; len(got) != 1 || !strings.HasSuffix(got[0], want) {
			t.Errorf("%s calls %v, want %s alone", name, got, want)
		}
	}
}
