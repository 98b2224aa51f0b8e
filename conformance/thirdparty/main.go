// Command thirdparty shows what the replace lines do to modules that know nothing of
// bitsieve. It takes each from the module proxy as it is, runs tests and benchmarks of
// its own before and after the lines are added to its go.mod, and prints a table. No
// source file is touched.
//
//	go run ./thirdparty                      # every case, tests and benchmarks
//	go run ./thirdparty -case quick          # the one that continuous integration runs
//	go run ./thirdparty -case 'geth|boxo' -rounds 7
//	go run ./thirdparty -tests=false         # benchmarks only
//
// THIRDPARTY_BUILD and THIRDPARTY_BENCH are put before the commands that build and test,
// and before those that are timed, such as "nice -n 19". The modules are unpacked under
// -dir, a temporary folder unless given. The exit status is 1 if a test that passed
// before fails after.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

func main() {
	var (
		pattern = flag.String("case", "", "regular expression of the cases to run; all but quick if empty")
		dir     = flag.String("dir", "", "where modules are unpacked; a temporary folder, removed at the end, if empty")
		root    = flag.String("root", "", "the repository's root; found from the current folder if empty")
		rounds  = flag.Int("rounds", 5, "how often each benchmark runs before and after, taking turns")
		tests   = flag.Bool("tests", true, "run tests")
		benches = flag.Bool("bench", true, "run benchmarks")
	)
	flag.Parse()
	ok, err := run(*pattern, *dir, *root, *rounds, *tests, *benches)
	if err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

func run(pattern, dir, root string, rounds int, tests, benches bool) (ok bool, err error) {
	if root == "" {
		if root, err = findRoot(); err != nil {
			return false, err
		}
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "thirdparty"); err != nil {
			return false, err
		}
		defer os.RemoveAll(dir)
	}
	wanted, err := regexp.Compile("^(" + pattern + ")$")
	if err != nil {
		return false, err
	}
	ok = true
	var results []*result
	for _, c := range cases {
		if pattern == "" && c.name == "quick" || pattern != "" && !wanted.MatchString(c.name) {
			continue
		}
		r := &result{Case: c}
		if r.err = r.measure(filepath.Join(dir, c.name), root, rounds, tests, benches); r.err != nil {
			fmt.Fprintf(os.Stderr, "thirdparty: %s: %v\n", c.name, r.err)
		}
		ok = ok && r.err == nil && len(r.lost()) == 0
		results = append(results, r)
	}
	if len(results) == 0 {
		return false, fmt.Errorf("no case matches %q", pattern)
	}
	report(os.Stdout, results)
	return ok, nil
}

// findRoot returns the closest folder above the current one with the replacements.
func findRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "replace", "bitset", "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no replace/bitset above the current folder: give -root")
		}
	}
	return "", err
}
