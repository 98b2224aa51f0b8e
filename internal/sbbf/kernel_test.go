package sbbf

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The verbs at every level against the format's text, on memory that ends where the
// bitset, the hashes and the results do.

// textAdd and textTest are the format's text, a word at a time.

func textAdd(b []byte, h uint64) {
	block := b[textIndex(h, uint64(len(b)/Bytes))*Bytes:]
	for i, bit := range textBits(h) {
		w := block[4*i:]
		binary.LittleEndian.PutUint32(w, binary.LittleEndian.Uint32(w)|1<<bit)
	}
}

func textTest(b []byte, h uint64) bool {
	block := b[textIndex(h, uint64(len(b)/Bytes))*Bytes:]
	for i, bit := range textBits(h) {
		if binary.LittleEndian.Uint32(block[4*i:])>>bit&1 == 0 {
			return false
		}
	}
	return true
}

// shapes are the bitsets' sizes in blocks, each with the batch lengths it is tested
// with: 0, every, 2·every … up to 200, and more. They reach past several groups and
// masks of any kernel, with every remainder.
var shapes = []struct {
	blocks, every int
	more          []int
}{
	{1, 3, nil},
	{2, 5, nil},
	{3, 5, []int{1021}},
	{64, 1, []int{512, maxBatch - 1, maxBatch, maxBatch + 1, maxBatch + 65, 3*maxBatch + 77}},
	{1000, 11, []int{5000}},
	{1<<16 + 1, 67, []int{10_007}},
	{far/Bytes + 1, 191, []int{1000}}, // prefetched from farther ahead
}

// mem is memory between guard pages.
type mem struct {
	rand         *rand.Rand
	bits, want   []byte
	hashes, hits []uint64
	wantHits     []uint64
}

func asBytes(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

func newMem(t *testing.T) *mem {
	const page = 1 << 13 // words: a multiple of every page size
	size := far/8 + page
	return &mem{
		rand: rand.New(rand.NewPCG(5, 6)),
		bits: asBytes(kerneltest.Guarded(t, size)), want: make([]byte, 8*size),
		hashes: kerneltest.Guarded(t, 2*page), hits: kerneltest.Guarded(t, page), wantHits: make([]uint64, page),
	}
}

// A kernelCase is a bitset at an offset from the start of its memory, or before
// the end of it, and n hashes.
type kernelCase struct {
	blocks, n, off int
	atEnd          bool
}

// check runs every verb.
func (m *mem) check(t *testing.T, c kernelCase) {
	t.Helper()
	size := c.blocks * Bytes
	start := c.off
	if c.atEnd {
		start = len(m.bits) - size - c.off
	}
	b, want := m.bits[start:start+size:start+size], m.want[:size]
	before, after := m.bits[max(0, start-64):start], m.bits[start+size:min(len(m.bits), start+size+64)]
	for i := range before {
		before[i] = 0xa5
	}
	for i := range after {
		after[i] = 0xa5
	}
	words := (c.n + 63) / 64
	hashes := m.hashes[len(m.hashes)-c.n:]
	hits := m.hits[len(m.hits)-words:]
	if !c.atEnd {
		hashes, hits = m.hashes[:c.n:c.n], m.hits[:words+1] // one word more, to be left alone
	}
	clear(want)
	for i := range hashes {
		hashes[i] = m.rand.Uint64()
		if i > 0 && m.rand.IntN(3) == 0 {
			hashes[i] = hashes[m.rand.IntN(i)] // twice in one batch
		}
		if m.rand.IntN(4) == 0 {
			textAdd(want, hashes[i])
		}
	}
	copy(b, want)

	same := func(verb string, count int, wantCount int) {
		t.Helper()
		if !bytes.Equal(b, want) {
			t.Fatalf("%s %+v: bits differ", verb, c)
		}
		if count != wantCount || !slices.Equal(hits[:words], m.wantHits[:words]) {
			t.Fatalf("%s %+v: %d hits %x, want %d %x", verb, c, count, hits[:words], wantCount, m.wantHits[:words])
		}
		for _, side := range [][]byte{before, after} {
			if bytes.Count(side, []byte{0xa5}) != len(side) {
				t.Fatalf("%s %+v: wrote beside the bitset", verb, c)
			}
		}
		if len(hits) > words && hits[words] != kerneltest.Canary {
			t.Fatalf("%s %+v: wrote past the results", verb, c)
		}
	}
	dirty := func() (wantCount int) {
		for i := range hits {
			hits[i] = m.rand.Uint64()
		}
		if len(hits) > words {
			hits[words] = kerneltest.Canary
		}
		clear(m.wantHits)
		for i, h := range hashes {
			if textTest(want, h) {
				m.wantHits[i/64] |= 1 << (i % 64)
				wantCount++
			}
		}
		return wantCount
	}

	n := dirty()
	same("TestHashes", TestHashes(b, hashes, hits), n)
	same("TestHashes without hits", TestHashes(b, hashes, nil), n)
	for i, h := range hashes[:min(len(hashes), 70)] {
		if oneTest(b, h) != (m.wantHits[i/64]>>(i%64)&1 != 0) {
			t.Fatalf("Test %+v: hash %d", c, i)
		}
	}

	// Some by AddHashes, some by Add, the rest by TestAndAddHashes and TestAndAdd.
	some := hashes[:len(hashes)/2]
	for _, h := range some {
		textAdd(want, h)
	}
	AddHashes(b, some)
	n = dirty()
	same("AddHashes", TestHashes(b, hashes, hits), n)
	if len(hashes) > 0 {
		h := hashes[len(hashes)-1]
		textAdd(want, h)
		oneAdd(b, h)
		if h = ^h; oneTestAndAdd(b, h) != textTest(want, h) {
			t.Fatalf("TestAndAdd %+v", c)
		}
		textAdd(want, h)
		n = dirty()
		same("Add", TestHashes(b, hashes, hits), n)
	}
	dirty()
	clear(m.wantHits)
	n = 0
	for i, h := range hashes {
		if textTest(want, h) {
			m.wantHits[i/64] |= 1 << (i % 64)
			n++
		}
		textAdd(want, h)
	}
	same("TestAndAddHashes", TestAndAddHashes(b, hashes, hits), n)
}

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		m := newMem(t)
		for _, shape := range shapes {
			every, more := shape.every, shape.more
			if testing.Short() {
				every *= 7
				more = more[:min(len(more), 1)]
			}
			for n := 0; n <= 200; n += every {
				m.check(t, kernelCase{shape.blocks, n, m.rand.IntN(Bytes), n%2 == 0})
			}
			for i, n := range more {
				m.check(t, kernelCase{shape.blocks, n, 0, i%2 == 0})
			}
		}
		for off := range Bytes { // every alignment, at both ends
			for _, n := range []int{5, 16, 77} {
				m.check(t, kernelCase{off + 1, n, off, true})
				m.check(t, kernelCase{off + 1, n, off, false})
			}
		}
	})
}

// Where hashes lie that are at the ends of a block's and a bitset's range.
func TestIndex(t *testing.T) {
	for _, blocks := range []uint64{1, 2, 3, 32, 1000, 1<<26 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1 << 40, 1<<59 - 1} {
		for _, h := range []uint64{0, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 0xffffffff00000000, ^uint64(0), 0x0a75a91375b27d44} {
			hi, lo := bits.Mul64(h>>32, blocks)
			if want := hi<<32 | lo>>32; Index(h, blocks) != want {
				t.Errorf("Index(%#x, %d) = %d, want %d", h, blocks, Index(h, blocks), want)
			}
		}
	}
	m := kerneltest.Guarded(t, 1<<13)
	kerneltest.EachLevel(t, func(t *testing.T) {
		b := asBytes(m)
		clear(b)
		hashes := slices.Repeat([]uint64{0, ^uint64(0), 1 << 32, 1<<32 - 1}, 10)
		AddHashes(b, hashes)
		for _, h := range hashes {
			if !textTest(b, h) || !oneTest(b, h) {
				t.Errorf("%#x is missing", h)
			}
		}
		// The last hash of each block: with its lower half counted in, it would be the next block's.
		for _, blocks := range []uint64{3, 1000, 1<<11 - 1} {
			for i := uint64(1); i <= blocks; i++ {
				h := (i<<32-1)/blocks<<32 | 1<<32 - 1
				got, want := asBytes(m)[:blocks*Bytes], make([]byte, blocks*Bytes)
				clear(got)
				oneAdd(got, h)
				textAdd(want, h)
				if !bytes.Equal(got, want) || !oneTest(want, h) {
					t.Fatalf("%#x is not in block %d of %d", h, i-1, blocks)
				}
			}
		}
	})
}

// What is over past whole blocks belongs to none. A bitset without a block has no
// bits: tests find nothing there, and adding panics before anything is read.
func TestNoBlock(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		hashes := make([]uint64, 100)
		for i := range hashes {
			hashes[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		b := make([]byte, 3*Bytes+31)
		AddHashes(b, hashes)
		oneAdd(b, ^uint64(0)) // the last place there is
		if TestHashes(b[:3*Bytes], hashes, nil) != len(hashes) || bytes.Count(b[3*Bytes:], []byte{0}) != 31 {
			t.Error("a part of a block was written to")
		}
		if !oneTest(b, ^uint64(0)) || !oneTest(b[:3*Bytes], ^uint64(0)) {
			t.Error("the last hash is not in the last whole block")
		}
		ones := bytes.Repeat([]byte{0xff}, 31)
		for _, b := range [][]byte{nil, {}, ones} {
			for name, f := range map[string]func(){
				"Add": func() { oneAdd(b, 1) }, "AddUint64": func() { oneAddUint64(b, 1) }, "AddUint32": func() { oneAddUint32(b, 1) },
				"TestAndAdd": func() { oneTestAndAdd(b, 1) },
				"AddHashes":  func() { AddHashes(b, hashes) }, "short AddHashes": func() { AddHashes(b, hashes[:3]) },
				"TestAndAddHashes":       func() { TestAndAddHashes(b, hashes, nil) },
				"short TestAndAddHashes": func() { TestAndAddHashes(b, hashes[:3], nil) },
			} {
				func() {
					defer func() {
						if recover() == nil {
							t.Errorf("%s on %d bytes does not panic", name, len(b))
						}
					}()
					f()
				}()
			}
			if oneTest(b, 1) || oneTestUint64(b, 1) || oneTestUint32(b, 1) {
				t.Errorf("a test on %d bytes finds a key", len(b))
			}
			AddHashes(b, nil)
			for _, n := range []int{0, 3, 100} {
				hits := []uint64{^uint64(0), ^uint64(0), kerneltest.Canary}
				words := (n + 63) / 64
				if TestHashes(b, hashes[:n], nil) != 0 || TestHashes(b, hashes[:n], hits) != 0 {
					t.Errorf("hits among %d hashes on %d bytes", n, len(b))
				}
				if !slices.Equal(hits[:words], make([]uint64, words)) || hits[2] != kerneltest.Canary {
					t.Errorf("results of %d hashes on %d bytes: %x", n, len(b), hits)
				}
			}
		}
	})
}

func TestAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("the detector moves arrays to the heap")
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		b, hashes, hits := make([]byte, 100*Bytes), make([]uint64, 1000), make([]uint64, 16)
		ints, key := make([]uint32, 1000), make([]byte, 21)
		if n := testing.AllocsPerRun(10, func() {
			oneAdd(b, 1)
			oneTest(b, 1)
			oneAddUint64(b, 1)
			oneTestUint64(b, 1)
			oneAddUint32(b, 1)
			oneTestUint32(b, 1)
			one := Of(b)
			one.AddBytes(key)
			one.TestBytes(key)
			one.AddString("string")
			one.TestString("string")
			AddHashes(b, hashes)
			TestHashes(b, hashes, hits)
			TestHashes(b, hashes, nil)
			TestAndAddHashes(b, hashes, hits)
			HashUint64s(hashes, hashes)
			AddUint64s(b, hashes)
			TestUint64s(b, hashes, hits)
			AddUint32s(b, ints)
			TestUint32s(b, ints, hits)
			TestAndAddUint64s(b, hashes, hits)
			TestAndAddUint32s(b, ints, nil)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// Assembly cannot be preempted: no call of a kernel takes more keys than maxBatch,
// and the results of a batch begin with a word.
func TestNextBatch(t *testing.T) {
	if maxBatch%64 != 0 || maxBatch%kernelKeys != 0 {
		t.Fatalf("maxBatch = %d", maxBatch)
	}
	for n := range 3 * maxBatch {
		b := nextBatch(n)
		if b < 0 || b > min(n, maxBatch) || b%kernelKeys != 0 || n >= minBatch && b == 0 || n <= maxBatch && n-b >= max(minBatch, kernelKeys) {
			t.Fatalf("nextBatch(%d) = %d", n, b)
		}
	}
}

func FuzzKernels(f *testing.F) {
	f.Add(uint64(1), uint16(1), uint16(16), uint8(0))
	f.Add(uint64(2), uint16(32), uint16(100), uint8(7))
	f.Add(uint64(3), uint16(1000), uint16(4097), uint8(31))
	f.Fuzz(func(t *testing.T, seed uint64, blocks, n uint16, off uint8) {
		kerneltest.EachLevel(t, func(t *testing.T) {
			m := &mem{rand: rand.New(rand.NewPCG(seed, 1))}
			size := int(blocks) + 1
			m.bits, m.want = make([]byte, size*Bytes+int(off)), make([]byte, size*Bytes)
			words := (int(n) + 63) / 64
			m.hashes, m.hits, m.wantHits = make([]uint64, n), make([]uint64, words+1), make([]uint64, words)
			m.check(t, kernelCase{size, int(n), int(off), false})
		})
	})
}
