//go:build race

package decode

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// raceEnv names the row of races that TestRaceChild runs.
const raceEnv = "BITSIEVE_DECODE_RACE"

// races touch memory while Indices decodes 200 words of which the first two have one
// bit each, and the eleventh 64: too many for 65 places.
var races = []struct {
	name string
	race bool
	room int
	run  func(dst []uint, words []uint64) uint
}{
	{"an index is read", true, 65, func(dst []uint, words []uint64) uint { return dst[1] }},
	{"a place behind the indices is read", true, 65, func(dst []uint, words []uint64) uint { return dst[2] }},
	{"the last place is read", true, 65, func(dst []uint, words []uint64) uint { return dst[64] }},
	{"what is behind the places is read", false, 65, func(dst []uint, words []uint64) uint { return dst[65] }},
	{"the last place that may change is read", true, 200, func(dst []uint, words []uint64) uint { return dst[66+63] }},
	{"a place far behind is read", false, 200, func(dst []uint, words []uint64) uint { return dst[66+64] }},
	{"a word is read", false, 65, func(dst []uint, words []uint64) uint { return uint(words[1]) }},
	{"a word is written", true, 65, func(dst []uint, words []uint64) uint { words[1] = 2; return 0 }},
	{"a word far behind is written", false, 65, func(dst []uint, words []uint64) uint { words[18] = 2; return 0 }},
}

// TestRaces has the race detector look at Indices in a process of its own, for what it
// reports makes a test fail.
func TestRaces(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		if cpu.Current() == cpu.LevelGeneric {
			t.Skip("the detector sees by itself what Go code touches")
		}
		for _, r := range races {
			cmd := exec.Command(os.Args[0], "-test.run=^TestRaceChild$", "-test.v")
			cmd.Env = append(cmd.Environ(), raceEnv+"="+r.name, cpu.Env+"="+cpu.Current().String())
			out, err := cmd.CombinedOutput()
			if !strings.Contains(string(out), "decoded") {
				t.Fatalf("%s: %v\n%s", r.name, err, out)
			}
			if got := strings.Contains(string(out), "DATA RACE"); got != r.race {
				t.Errorf("%s: reported %v, want %v\n%s", r.name, got, r.race, out)
			}
		}
	})
}

func TestRaceChild(t *testing.T) {
	name := os.Getenv(raceEnv)
	for _, r := range races {
		if r.name != name {
			continue
		}
		dst, words := make([]uint, 200), make([]uint64, 200)
		words[0], words[1], words[10] = 1, 1, ^uint64(0)
		done := make(chan uint)
		go func() { done <- r.run(dst, words) }()
		written, consumed := Indices(dst[:r.room], words, 0)
		<-done
		t.Logf("decoded %d, %d words", written, consumed)
	}
}
