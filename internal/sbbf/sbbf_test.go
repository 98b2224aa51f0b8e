package sbbf

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"testing"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The layout as the format's text has it, word by word.

var textSalts = [Words]uint32{salt0, salt1, salt2, salt3, salt4, salt5, salt6, salt7}

// textBits returns the bit that a hash has in each word.
func textBits(h uint64) (bit [Words]int) {
	for i, s := range textSalts {
		bit[i] = int(uint32(h) * s >> 27)
	}
	return bit
}

func textIndex(h, blocks uint64) uint64 { return h >> 32 * blocks >> 32 }

// XXH64("Hello") in 32 blocks, computed with parquet-go 0.32.0's bloom and
// bloom/xxhash, and by hand.
func TestGolden(t *testing.T) {
	const hello = 0x0a75a91375b27d44
	if got := Index(hello, 32); got != 1 {
		t.Errorf("block %d, want 1", got)
	}
	want := [Words]int{22, 9, 6, 20, 7, 12, 26, 10}
	if got := textBits(hello); got != want {
		t.Errorf("bits %v, want %v", got, want)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 100} {
			hashes := slices.Repeat([]uint64{hello}, n)
			b := make([]byte, 32*Bytes)
			if n == 1 {
				oneAdd(b, hello)
			} else {
				AddHashes(b, hashes)
			}
			ones := 0
			for _, x := range b {
				ones += bits.OnesCount8(x)
			}
			for i, bit := range want {
				if binary.LittleEndian.Uint32(b[Bytes+4*i:]) != 1<<bit {
					t.Errorf("word %d lacks bit %d", i, bit)
				}
			}
			if ones != Words || !oneTest(b, hello) || oneTest(b, hello+1) || TestHashes(b, hashes, nil) != n {
				t.Errorf("%d bits", ones)
			}
		}
	})
}

// The verbs for single keys on bytes.

func oneAdd(b []byte, h uint64)             { p := Of(b); p.Add(h) }
func oneTest(b []byte, h uint64) bool       { p := Of(b); return p.Test(h) }
func oneTestAndAdd(b []byte, h uint64) bool { p := Of(b); return p.TestAndAdd(h) }
func oneAddUint64(b []byte, x uint64)       { p := Of(b); p.AddUint64(x) }
func oneTestUint64(b []byte, x uint64) bool { p := Of(b); return p.TestUint64(x) }
func oneAddUint32(b []byte, x uint32)       { p := Of(b); p.AddUint32(x) }
func oneTestUint32(b []byte, x uint32) bool { p := Of(b); return p.TestUint32(x) }
