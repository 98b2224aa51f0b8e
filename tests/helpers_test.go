// Package tests holds the tests of what the module's root package, bitsieve,
// exports. They know it only by its exported names. Its kernels have tests beside
// them, in the root and in the folders of internal/.
package tests

import (
	"bytes"
	"math/bits"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/block"
	"github.com/bitsieve/bitsieve/internal/format"
)

const wordBits = 64

// What the package does not export and the tests need to know. A test of an old
// value passes and proves less: change these together with the originals.
const (
	maxBlocks      = 1 << (30 + 16*(bits.UintSize>>6)) / block.Bytes // the largest Blocked: 2^46 bytes, 2^30 on 32-bit machines
	maxBloomBits   = maxBlocks * block.Bytes * 8                     // the largest Bloom, likewise
	maxBloomK      = 1 << 16                                         // its largest k
	codecChunk     = 32 << 10                                        // bytes that BitSet.WriteTo converts at a time
	maxStringItems = 0x40000                                         // members that BitSet.String writes out
	nearWords      = 256                                             // words that searches look at in Go, before the kernels
	chunkWords     = 256                                             // words that AndAll and OrAll take at a time in Go
	chunkKeys      = 512                                             // keys of a Blocked's batch that are hashed at a time
)

// lastMask returns the mask of the bits that the length leaves in the last word.
func lastMask(b *BitSet) uint64 { return ^uint64(0) >> (-b.Len() % wordBits) }

// clearTail clears the bits of the last word from the length on, as whoever writes
// to Words must.
func clearTail(b *BitSet) {
	if words := b.Words(); len(words) > 0 {
		words[len(words)-1] &= lastMask(b)
	}
}

// payload returns the filter's words as its file has them, in little-endian order.
func payload(t testing.TB, f *Blocked) []byte {
	t.Helper()
	return marshalBlocked(t, f)[format.HeaderBytes:]
}

// blockedOf returns a filter with the given words, by way of a file.
func blockedOf(t testing.TB, h format.Header, words []uint64, opts ...OpenOption) *Blocked {
	t.Helper()
	data, err := format.Append(nil, h, words)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ReadBlocked(bytes.NewReader(data), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// References for the functions on words: the plainest loops there are.

func andReference(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

func orReference(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

func countReference(p []uint64) (n int) {
	for _, w := range p {
		n += bits.OnesCount64(w)
	}
	return n
}

func andCountReference(a, b []uint64) (n int) {
	for i, w := range a {
		n += bits.OnesCount64(w & b[i])
	}
	return n
}

func orCountReference(a, b []uint64) (n int) {
	for i, w := range a {
		n += bits.OnesCount64(w | b[i])
	}
	return n
}

func xorCountReference(a, b []uint64) (n int) {
	for i, w := range a {
		n += bits.OnesCount64(w ^ b[i])
	}
	return n
}

// sinkInt keeps the compiler from dropping what a benchmark computes.
var sinkInt int

// benchSizes are the lengths of operands in benchmarks.
var benchSizes = []struct {
	name  string
	words int
}{
	{"8B", 1}, {"32B", 4}, {"64B", 8}, {"128B", 16}, {"256B", 32}, {"1KiB", 128},
	{"8KiB", 1 << 10}, {"256KiB", 1 << 15}, {"4MiB", 1 << 19}, {"64MiB", 1 << 23},
}

// benchWords returns n random words, the same ones each time.
func benchWords(n int) []uint64 {
	p := make([]uint64, n)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range p {
		p[i] = r.Uint64()
	}
	return p
}

// benchBytes reports the speed of f by the bytes of one operand.
func benchBytes(b *testing.B, name string, operand []uint64, f func()) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(8 * len(operand)))
		for b.Loop() {
			f()
		}
	})
}
