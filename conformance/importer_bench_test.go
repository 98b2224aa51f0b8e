package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// BenchmarkReplaceLines runs the benchmarks of testdata/importer with the peers and
// with the replace lines, in turns. It times nothing itself:
//
//	go test -run '^$' -bench ReplaceLines -benchtime 1x . | benchstat -col /impl -
func BenchmarkReplaceLines(b *testing.B) {
	programs := map[string]string{"bits-and-blooms": "", "bitsieve": ""}
	for impl := range programs {
		replacements := allReplaced()
		if impl != "bitsieve" {
			replacements = nil
		}
		programs[impl] = filepath.Join(b.TempDir(), "importer.test")
		if out, err := goCommand(importingModule(b, replacements), "test", "-c", "-o", programs[impl], "."); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	line := regexp.MustCompile(`(?m)^(Benchmark\S+?)-\d+(\s.*)$`)
	for range b.N {
		for round := range 6 {
			for _, impl := range []string{"bits-and-blooms", "bitsieve"} {
				out, err := exec.Command(programs[impl], "-test.bench", ".", "-test.run", "^$", "-test.benchtime", "20ms").Output()
				if err != nil {
					b.Fatal(round, impl, err)
				}
				for _, m := range line.FindAllSubmatch(out, -1) {
					fmt.Fprintf(os.Stdout, "%s/impl=%s%s\n", m[1], impl, m[2])
				}
			}
		}
	}
}
