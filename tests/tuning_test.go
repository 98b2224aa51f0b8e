package tests

import (
	"encoding/binary"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// TestTunings: no row of tuning changes what batches of keys do, whatever the length
// of a batch, at any level.
func TestTunings(t *testing.T) {
	defer cpu.SetTuning(cpu.Tuned())
	keys := make([]string, 4*cpu.MaxChunk)
	for i := range keys {
		var key [12]byte
		binary.LittleEndian.PutUint64(key[:], uint64(i)*0x9e3779b97f4a7c15)
		keys[i] = string(key[:])
	}
	seen := map[cpu.Batches]bool{}
	for m := range cpu.NumMicros {
		cpu.SetTuning(m)
		if seen[cpu.Tune.Batches] {
			continue
		}
		seen[cpu.Tune.Batches] = true
		t.Run(m.String(), func(t *testing.T) {
			kerneltest.EachLevel(t, func(t *testing.T) {
				for _, n := range []int{63, 64, 65, 511, 512, 513, 1023, 1025, cpu.MaxChunk - 1, cpu.MaxChunk, cpu.MaxChunk + 1, 2*cpu.MaxChunk + 77} {
					blocked, err := NewBlockedWithSize(1+uint64(n)/16, 8)
					if err != nil {
						t.Fatal(err)
					}
					bloom := mustBloom(t, 20*uint64(n), 7)
					checkTuned(t, blocked, keys[:n], keys[n/2:n/2+n])
					checkTuned(t, bloom, keys[:n], keys[n/2:n/2+n])
				}
			})
		})
	}
}

// checkTuned adds keys in a batch, and tests others in a batch and one by one.
func checkTuned(t *testing.T, f interface {
	AddStrings([]string)
	TestStrings([]string, *BitSet) int
	TestString(string) bool
}, added, tested []string) {
	t.Helper()
	f.AddStrings(added)
	var hits BitSet
	if n := f.TestStrings(added, &hits); n != len(added) || !hits.All() {
		t.Fatalf("%T: %d of %d keys that were added", f, n, len(added))
	}
	count := f.TestStrings(tested, &hits)
	for i, key := range tested {
		if got, want := hits.Test(uint(i)), f.TestString(key); got != want {
			t.Fatalf("%T: %d keys: key %d is %v in a batch and %v by itself", f, len(tested), i, got, want)
		}
	}
	if count != int(hits.Count()) {
		t.Fatalf("%T: %d keys: %d are counted, %d bits set", f, len(tested), count, hits.Count())
	}
	if n := f.TestStrings(tested, nil); n != count {
		t.Fatalf("%T: %d keys: %d without results, %d with", f, len(tested), n, count)
	}
}
