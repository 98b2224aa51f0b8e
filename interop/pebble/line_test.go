package pebble

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/cockroachdb/pebble/v2"
)

// TestLine compares the kernel with its specification at each level: every number of probes, lines of all
// fills, at any alignment and against guard pages.
func TestLine(t *testing.T) {
	page := os.Getpagesize()
	words := kerneltest.Guarded(t, page/8)
	mem := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), page)
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(6, 6))
		rounds := 300
		if testing.Short() {
			rounds = 30
		}
		hits := 0
		for round := range rounds {
			for _, at := range []int{0, page - lineBytes, r.IntN(page - lineBytes + 1)} {
				line := (*[lineBytes]byte)(mem[at:])
				for i := range line {
					line[i] = 0
					for range round % 5 {
						line[i] |= byte(r.Uint32())
					}
				}
				for probes := range uint8(maxProbes + 1) {
					h := r.Uint32()
					if round%3 == 0 { // a hit, but for one bit at times
						setLine(line, probes, h)
						line[r.IntN(lineBytes)] &^= 1 << r.IntN(20)
					}
					got, want := testLine(line, probes, h), testLineGeneric(line, probes, h)
					if got != want {
						t.Fatalf("%d probes of %#x in %x: %v, want %v", probes, h, line, got, want)
					}
					if got {
						hits++
					}
				}
			}
		}
		if hits < rounds {
			t.Errorf("only %d hits", hits)
		}
	})
}

// TestLevels has each level answer for the filters of any other: the bytes are the same.
func TestLevels(t *testing.T) {
	n := 20_000
	if testing.Short() {
		n = 2000
	}
	keys, others := mixedKeys(n, 7), mixedKeys(n, 1<<41)
	for _, p := range policies {
		var filter []byte
		var answers []bool
		kerneltest.EachLevel(t, func(t *testing.T) {
			f := write(p, nil, keys)
			if filter == nil {
				filter = f
			}
			if !bytes.Equal(f, filter) {
				t.Fatalf("%s: other bytes than at the level before", p.Name())
			}
			var now []bool
			for _, key := range keys {
				if !p.MayContain(pebble.TableFilter, filter, key) {
					t.Fatalf("%s: %x is lost", p.Name(), key)
				}
			}
			for _, key := range others {
				now = append(now, p.MayContain(pebble.TableFilter, filter, key))
			}
			if answers == nil {
				answers = now
			}
			for i := range now {
				if now[i] != answers[i] {
					t.Fatalf("%s: %x: %v, and %v at the level before", p.Name(), others[i], now[i], answers[i])
				}
			}
		})
	}
}
