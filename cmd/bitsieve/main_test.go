package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// asTool is set in the environment of a test binary that is to be the program.
const asTool = "BITSIEVE_TEST_AS_TOOL"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		main()
	}
	os.Exit(m.Run())
}

// result is what a run of the tool gave.
type result struct {
	status         int
	stdout, stderr string
}

// runTool runs the tool on an input that is not a file.
func runTool(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(append([]string{"bitsieve"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// want checks a result. Of stderr it checks that it contains the text given, or
// is empty if that is.
func (r result) want(t *testing.T, status int, stdout, stderr string) {
	t.Helper()
	if r.status != status {
		t.Errorf("exit status %d, want %d; stderr: %s", r.status, status, r.stderr)
	}
	if r.stdout != stdout {
		t.Errorf("stdout %s, want %s", clip(r.stdout), clip(stdout))
	}
	if stderr == "" && r.stderr != "" || !strings.Contains(r.stderr, stderr) {
		t.Errorf("stderr %q, want %q", r.stderr, stderr)
	}
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:400] + "…"
	}
	return s
}

// file makes a file and returns its path.
func file(t testing.TB, content string) string {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "file")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, content); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// program runs the tool as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes")
	}
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asTool+"=1")
	return cmd
}

func TestUsage(t *testing.T) {
	list := file(t, "a\n")
	for _, c := range []struct {
		args   string
		stderr string
	}{
		{"", "Commands:"},
		{"frobnicate", `no command "frobnicate"`},
		{"qurey f", `did you mean "query"?`},
		{"ipset help", "no command \"help\" ("},
		{"foo", "no command \"foo\" ("},
		{"ipset cuont", `did you mean "count"?`},
		{"ipset query -f x f", "flag -f: a field is a whole number from 1 ("},
		{"ipset query -f 99999999999999999999 f", "flag -f: a field is a whole number from 1 ("},
		{"ipset query -", "standard input cannot be both the set and an input"},
		{"ipset query - " + list + " -", "standard input cannot be both the set and an input"},
		{"screen -", "standard input cannot be both the list and an input"},
		{"screen -except - " + list, "standard input cannot be both the exceptions and an input"},
		{"-frob", "not defined: -frob"},
		{"build " + list, "-o is missing"},
		{"build -o", "needs an argument"},
		{"build -o x -frob", "not defined: -frob"},
		{"build -o x -p 0 " + list, "between 0 and 1"},
		{"build -o x -p 1 " + list, "between 0 and 1"},
		{"build -o x -p NaN " + list, "between 0 and 1"},
		{"build -o x -p 200% " + list, "between 0 and 1"},
		{"build -o x -n 0 " + list, "at least 1"},
		{"build -o x -n -1 " + list, "whole number"},
		{"build -o x -n 1.5 " + list, "whole number"},
		{"build -o x -n many " + list, "whole number"},
		{"build -o x -n 1KiB " + list, "whole number"},
		{"build -o x -n M " + list, "whole number"},
		{"build -o x -n 1.0001k " + list, "whole number"},
		{"build -o x -key-file= " + list, "-key-file needs a file"},
		{"query", "FILE is missing"},
		{"screen", "LIST is missing"},
		{"info", "FILE is missing"},
		{"sort -n", "not defined: -n"},
		{"version 2", "no arguments"},
		{"bench x", "no arguments"},
		{"bench -sizes 8kb", "not a size"},
		{"bench -sizes 8KiB,", "not a size"},
		{"bench -sizes 0", "not a size"},
		{"bench -sizes 300GiB", "fits a machine"},
		{"bench -sizes 100", "multiple of 64"},
		{"bench -run (", "missing closing"},
		{"bench -run frobnicate", "nothing matches"},
	} {
		r := runTool(t, "", strings.Fields(c.args)...)
		r.want(t, statusTrouble, "", c.stderr)
		if first, _, _ := strings.Cut(c.args, " "); c.args != "" && strings.Contains("build query info", first) {
			if want := "bitsieve " + first + ": "; !strings.HasPrefix(r.stderr, want) {
				t.Errorf("%q: stderr %q does not begin with %q", c.args, r.stderr, want)
			}
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a mistaken build left a file")
	}
}

func TestHelp(t *testing.T) {
	for _, c := range []string{"build", "query", "screen", "dedup", "top", "sort", "info", "bench", "version"} {
		short := runTool(t, "", c, "-h")
		short.want(t, statusOK, short.stdout, "")
		for _, want := range []string{"Usage: bitsieve " + c, "Options:"} {
			if !strings.Contains(short.stdout, want) {
				t.Errorf("%s -h does not say %q", c, want)
			}
		}
		if c != "version" && !strings.Contains(short.stdout, "\n  bitsieve "+c) &&
			!strings.Contains(short.stdout, "| bitsieve "+c) {
			t.Errorf("%s -h has no example", c)
		}
		for _, line := range strings.Split(short.stdout, "\n") {
			if len(line) > 80 || line != strings.TrimRight(line, " ") {
				t.Errorf("%s -h: line %q", c, line)
			}
		}
		for _, args := range [][]string{{"help", c}, {c, "--help"}, {"-h", c}} {
			if long := runTool(t, "", args...); long != short {
				t.Errorf("%q and %s -h differ", args, c)
			}
		}
		for _, args := range [][]string{{c, "x.bsv", "-h"}, {c, "x", "y", "--help"}, {c, "--", "x", "-h"}} {
			if late := runTool(t, "", args...); slices.Contains(args, "--") == (late == short) {
				t.Errorf("%q: %+v", args, late)
			}
		}
	}
	r := runTool(t, "", "-h")
	r.want(t, statusOK, r.stdout, "")
	if !strings.Contains(r.stdout, "dedup") {
		t.Errorf("-h does not list the commands: %s", r.stdout)
	}
}

func TestVersion(t *testing.T) {
	r := runTool(t, "", "version")
	r.want(t, statusOK, r.stdout, "")
	if !strings.HasPrefix(r.stdout, "bitsieve ") || !strings.Contains(r.stdout, runtime.GOARCH) {
		t.Errorf("version: %q", r.stdout)
	}
	if long := runTool(t, "", "--version"); long != r {
		t.Error("version and --version differ")
	}
	if !strings.Contains(r.stdout, " tuned for "+cpu.DescribeTuning()+"\n") {
		t.Errorf("version: %q, without %q", r.stdout, cpu.DescribeTuning())
	}
}

// A wrong value of a variable that chooses kernels is told, and not followed.
func TestVariables(t *testing.T) {
	for variable, want := range map[string]string{
		cpu.Env:       `warning: BITSIEVE_CPU="z80" is not one of generic, `,
		cpu.TuningEnv: `warning: BITSIEVE_TUNING="z80" is not one of unknown, `,
	} {
		cmd := program(t, "version")
		cmd.Env = append(cmd.Env, variable+"=z80")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil || !strings.HasPrefix(string(out), "bitsieve ") {
			t.Errorf("%s: %v, %q", variable, err, out)
		}
		if got := stderr.String(); !strings.HasPrefix(got, "bitsieve version: "+want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: stderr %q", variable, got)
		}
	}
	cmd := program(t, "version")
	cmd.Env = append(cmd.Env, cpu.TuningEnv+"=zen3")
	if out, err := cmd.Output(); err != nil || !strings.Contains(string(out), ", tuned for zen3") {
		t.Errorf("tuned for zen3: %v, %q", err, out)
	}
}

// One dash or two, = or not, before and after arguments.
func TestFlagForms(t *testing.T) {
	list, key := file(t, "a\n"), file(t, strings.Repeat("key!", 8))
	filter := filepath.Join(t.TempDir(), "f")
	for _, args := range [][]string{
		{"build", "-key-file", key, "-o", filter, list},
		{"build", "--key-file", key, "-o=" + filter, list},
		{"build", list, "--key-file=" + key, "--o", filter},
	} {
		runTool(t, "", args...).want(t, statusOK, "", "")
		runTool(t, "a\nb\n", "query", filter, "-vc", "--key-file", key).want(t, statusOK, "1\n", "")
		if err := os.Remove(filter); err != nil {
			t.Fatal(err)
		}
	}
	// What looks like a command is a file here.
	t.Chdir(t.TempDir())
	runTool(t, "", "build", "-o", "help", list).want(t, statusOK, "", "")
	runTool(t, "a\n", "query", "help").want(t, statusOK, "a\n", "")
	runTool(t, "", "build", "-o", "-x", list).want(t, statusOK, "", "")
	runTool(t, "a\n", "query", "--", "-x").want(t, statusOK, "a\n", "")
}

// The program as a process: streams that are files and pipes that close.
func TestProcess(t *testing.T) {
	list := file(t, "a\nb\n")
	filter := filepath.Join(t.TempDir(), "f")
	stdin, err := os.Open(list)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	// From its second line on, as after a read by the shell.
	if _, err := stdin.Seek(2, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	build := program(t, "build", "-o", filter)
	build.Stdin = stdin
	if out, err := build.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("build: %v, %s", err, out)
	}
	r := runTool(t, "", "query", filter, list)
	r.want(t, statusOK, "b\n", "")
	if info := runTool(t, "", "info", filter); !strings.Contains(info.stdout, "made for 1\n") {
		t.Errorf("info: %s", info.stdout)
	}

	none := program(t, "query", filter)
	none.Stdin = strings.NewReader("c\n")
	var exit *exec.ExitError
	if err := none.Run(); !errors.As(err, &exit) || exit.ExitCode() != statusNone {
		t.Errorf("query without a match: %v", err)
	}
}

// A reader that has seen enough ends the program without a word.
func TestClosedPipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no SIGPIPE")
	}
	cmd := program(t, "dedup", file(t, lines(200_000)))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err == nil {
		t.Error("success with the output gone")
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", &stderr)
	}
}

// The same where the system does not end the program: with SIGPIPE ignored.
func TestBrokenPipe(t *testing.T) {
	list := file(t, "1\n2\n")
	filter := filepath.Join(t.TempDir(), "f")
	runTool(t, "", "build", "-o", filter, list).want(t, statusOK, "", "")
	for _, args := range [][]string{{"query", filter, list}, {"dedup", list}, {"top", list}, {"sort", list}, {"info", filter}, {"bench", "-sizes", "64", "-run", "^Count"}} {
		var stderr bytes.Buffer
		status := run(append([]string{"bitsieve"}, args...), strings.NewReader(""), brokenPipe{}, &stderr)
		if status != statusTrouble || stderr.Len() > 0 {
			t.Errorf("%q: status %d, stderr %q", args, status, &stderr)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}
}

func TestWriteError(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	list := file(t, "1\n2\n")
	filter := filepath.Join(t.TempDir(), "f")
	runTool(t, "", "build", "-o", filter, list).want(t, statusOK, "", "")
	for _, args := range [][]string{
		{"query", filter, list},
		{"query", "-c", filter, list},
		{"dedup", list},
		{"sort", list},
		{"info", filter},
		{"build", "-o", "-", list},
		{"build", "-o", "/dev/full", list},
		{"version"},
		{"-h"},
		{"help"},
		{"build", "-h"},
		{"help", "query"},
		{"query", "x", "-h"},
		{"query", "-c", filter, list, list},
		{"bench"},
		{"bench", "-sizes", "64", "-run", "^Count", "-json", "-"},
		{"bench", "-sizes", "64", "-run", "^Count", "-json", "/dev/full"},
	} {
		var stderr bytes.Buffer
		status := run(append([]string{"bitsieve"}, args...), strings.NewReader(""), full, &stderr)
		if status != statusTrouble || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q: status %d, stderr %q", args, status, &stderr)
		}
	}
}

func TestReadError(t *testing.T) {
	dir := t.TempDir()
	filter := filepath.Join(dir, "f")
	runTool(t, "a\n", "build", "-o", filter).want(t, statusOK, "", "")
	for _, args := range [][]string{
		{"query", filter},
		{"build", "-o", filepath.Join(dir, "g")},
		{"build", "-n", "10", "-o", filepath.Join(dir, "g")},
		{"dedup"},
		{"sort"},
	} {
		for _, in := range []string{filepath.Join(dir, "none"), dir} {
			var stdout, stderr bytes.Buffer
			status := run(append(append([]string{"bitsieve"}, args...), in), strings.NewReader(""), &stdout, &stderr)
			if status != statusTrouble || !strings.Contains(stderr.String(), in) || stdout.Len() > 0 {
				t.Errorf("%q %s: status %d, stdout %q, stderr %q", args, in, status, &stdout, &stderr)
			}
		}
		var stderr bytes.Buffer
		broken := io.MultiReader(strings.NewReader("1\n2\n"), brokenReader{})
		status := run(append([]string{"bitsieve"}, args...), broken, io.Discard, &stderr)
		if status != statusTrouble || !strings.Contains(stderr.String(), "standard input: cable cut") {
			t.Errorf("%q: status %d, stderr %q", args, status, &stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "g")); err == nil {
		t.Error("a filter was written from a part of its list")
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("cable cut") }

// exitStatus waits for the end of a process and returns its exit status, -1 after
// a signal that it did not catch.
func exitStatus(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}
