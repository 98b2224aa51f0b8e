//go:build race

package tests

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// What the detector must report: each is run in a process of its own, which dies
// of it.
var reported = map[string]func(){
	"Test beside a Builder": func() {
		f, _ := NewBlockedWithSize(1000, 8)
		b := NewBuilder(f)
		both(func() {
			a := b.Adder()
			a.AddUint64(1)
			a.Flush()
		}, func() { f.TestUint64(2) })
	},
	"one Adder by two goroutines": func() {
		f, _ := NewBlockedWithSize(1000, 8)
		a := NewBuilder(f).Adder()
		both(func() { a.AddUint64(1) }, func() { a.AddUint64(2) })
	},
	"adding beside testing": func() {
		f, _ := NewBlockedWithSize(1000, 8)
		keys := make([]uint64, 100)
		both(func() { f.AddUint64s(keys) }, func() { f.TestUint64(2) })
	},
	"counting beside writing": func() {
		p := make([]uint64, 100)
		both(func() { p[70] = 1 }, func() { Count(p) })
	},
	"an operation into what is read": func() {
		a, b, dst := make([]uint64, 100), make([]uint64, 100), make([]uint64, 100)
		both(func() { And(dst, a, b) }, func() { _ = dst[99] + 1; sinkInt += int(dst[99]) })
	},
}

func both(f, g func()) {
	var wg sync.WaitGroup
	kerneltest.Go(&wg, f)
	kerneltest.Go(&wg, g)
	wg.Wait()
}

// unreported is what looks like it and is none.
var unreported = map[string]func(){
	"Adders of one Builder": func() {
		f, _ := NewBlockedWithSize(1000, 8)
		b := NewBuilder(f)
		add := func() {
			a := b.Adder()
			a.AddUint64s(make([]uint64, 5000))
		}
		both(add, add)
		b.Finish()
		f.TestUint64(1)
	},
	"two readers": func() {
		f, _ := NewBlockedWithSize(1000, 8)
		keys := make([]uint64, 100)
		both(func() { f.TestUint64s(keys, nil) }, func() { f.TestUint64s(keys, nil) })
	},
}

const raceCase = "BITSIEVE_RACE_CASE"

func TestRaceDetector(t *testing.T) {
	if name := os.Getenv(raceCase); name != "" {
		if f := reported[name]; f != nil {
			f()
		} else {
			unreported[name]()
		}
		return
	}
	run := func(name string) bool {
		cmd := exec.Command(os.Args[0], "-test.run=^TestRaceDetector$")
		cmd.Env = append(os.Environ(), raceCase+"="+name)
		out, _ := cmd.CombinedOutput()
		return strings.Contains(string(out), "WARNING: DATA RACE")
	}
	for name := range reported {
		if !run(name) {
			t.Errorf("%s: not reported", name)
		}
	}
	for name := range unreported {
		if run(name) {
			t.Errorf("%s: reported", name)
		}
	}
}
