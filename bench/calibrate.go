package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

const calibrateUsage = `Usage:
  bench calibrate [-run REGEX] [-count N] [-v]

Measures what the thresholds among the library's constants should be on this
machine: from how many words or keys on assembly pays, from what size on
operands stream past the caches, and so on. A constant agrees if, at every size
measured, the way that it chooses is at most 12 % slower than the other. The work
is done by TestCalibrate in the library's own packages, with the Go command.

Flags:
`

// calibrate runs the library's calibration and prints a line for each constant.
func calibrate(args []string) error {
	fs := flag.NewFlagSet("bench calibrate", flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprint(os.Stderr, calibrateUsage)
		fs.PrintDefaults()
	}
	filter := fs.String("run", "", "only the constants whose name matches `REGEX`")
	count := fs.Int("count", 1, "measure `N` times")
	verbose := fs.Bool("v", false, "print all figures")
	rest, err := parse(fs, args)
	if err != nil {
		return flagError(err)
	}
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q", rest[0])
	}
	if _, err := regexp.Compile(*filter); err != nil {
		return err
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/bitsieve/bitsieve").Output()
	if err != nil {
		return fmt.Errorf("where the library is: %w", err)
	}
	cmd := exec.Command("go", "test", "-v", "-run", "^TestCalibrate$/"+*filter, fmt.Sprintf("-count=%d", *count), "-p=1", "./...")
	cmd.Dir = strings.TrimSpace(string(dir))
	cmd.Env = append(os.Environ(), "BITSIEVE_CALIBRATE=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	reportErr := reportThresholds(os.Stdout, out, *verbose)
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go test: %w", err)
	}
	return reportErr
}

// reportThresholds makes a table of the lines about thresholds in the output of
// the library's test.
func reportThresholds(w io.Writer, testOutput io.Reader, verbose bool) error {
	line := func(f []string) {
		fmt.Fprintf(w, "%-17s  %-5s  %8s  %-24s  %s\n", f[0], f[1], f[2], f[3], f[4])
	}
	var names []string
	agreed := map[string]bool{}
	s := bufio.NewScanner(testOutput)
	for s.Scan() {
		fields := strings.Split(s.Text(), "\t")
		if fields[0] != "threshold" || len(fields) != 6 {
			if verbose && !strings.HasPrefix(s.Text(), "=== ") && !strings.HasPrefix(strings.TrimSpace(s.Text()), "--- ") {
				fmt.Fprintln(w, s.Text())
			}
			continue
		}
		if len(names) == 0 {
			line([]string{"constant", "unit", "is", "measured", "verdict"})
		}
		line(fields[1:])
		name := fields[1]
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		agreed[name] = agreed[name] || fields[5] == "agrees"
	}
	if err := s.Err(); err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("nothing was measured: no constant of this machine's levels has such a name")
	}
	differ := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return agreed[name] })
	fmt.Fprintf(w, "\n%d of %d constants disagree in every run", len(differ), len(names))
	if len(differ) > 0 {
		fmt.Fprintf(w, ": %s", strings.Join(differ, ", "))
	}
	fmt.Fprintln(w)
	return nil
}
