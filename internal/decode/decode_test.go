package decode

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The kernel table: Indices at every level, and every kernel without what Indices
// asks first, against decodeGeneric, on memory that ends where the operand does.

type indicesFunc[T Index] = func(dst []T, words []uint64, base T) (written, consumed int)

// A row is a kernel, the lowest level that can run it, and its test.
type row struct {
	kernel string
	level  cpu.Level
	test   func(t *testing.T)
}

// newRow returns the row of a kernel that takes block words in a round, with the
// reference that it must agree with.
func newRow[T Index](kernel string, level cpu.Level, block int, fn, ref indicesFunc[T]) row {
	return row{kernel, level, func(t *testing.T) { testKernel(t, kernel, block, fn, ref) }}
}

// verbBlock is the most words that any kernel takes in a round.
const verbBlock = 16

var verbs = []row{
	newRow("Indices", cpu.LevelGeneric, verbBlock, Indices[uint], decodeGeneric[uint]),
	newRow("Indices32", cpu.LevelGeneric, verbBlock, Indices[uint32], decodeGeneric[uint32]),
}

// directKernels are the assembly functions of this architecture. decode_amd64_test.go
// and decode_arm64_test.go fill it.
var directKernels []row

func TestVerbs(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, row := range verbs {
			t.Run(row.kernel, row.test)
		}
	})
}

func TestDirectKernels(t *testing.T) {
	if cpu.HasAsm && len(directKernels) == 0 {
		t.Error("this build has assembly, but directKernels is empty")
	}
	for _, row := range directKernels {
		t.Run(row.kernel, func(t *testing.T) {
			kerneltest.NeedLevel(t, row.level)
			row.test(t)
		})
	}
}

// testKernel runs one kernel over sizes, contents and places.
func testKernel[T Index](t *testing.T, kernel string, block int, fn, ref indicesFunc[T]) {
	k := newKernelTest(t, kernel, fn, ref)
	for _, n := range kerneltest.Sizes(block) {
		for content := range kerneltest.Contents {
			if n <= maxWords && (!testing.Short() || (n+content)%12 == 0) {
				k.check(kernelCase{n: n, content: content, places: k.randomPlaces()})
			}
		}
	}
	// Every pair of offsets, for sizes with and without a whole round.
	for _, n := range []int{5, block + 7, 2*block + 1} {
		for i := range 64 {
			if testing.Short() && i%9 != 0 {
				continue
			}
			c := kernelCase{n: n, content: kerneltest.Random}
			for j, off := range []int{i % 8, i / 8} {
				c.places[j] = kerneltest.Place{Off: off, AtEnd: i%3 == 0}
			}
			k.check(c)
		}
	}
	// One set bit, in every position of a round and a tail.
	for pos := range 64 * (block + 11) {
		if !testing.Short() || pos%61 == 0 {
			k.check(kernelCase{n: block + 11, bit: pos + 1, content: kerneltest.Walking, places: k.randomPlaces()})
		}
	}
	k.checkPopulations()
}

type kernelCase struct {
	n       int
	content int
	places  [2]kerneltest.Place // of the words and of dst
	bit     int                 // 1 + the bit that kerneltest.Walking sets; 0 for any
}

func (c kernelCase) String() string {
	return fmt.Sprintf("n=%d words=%s places of words, dst=%v", c.n, kerneltest.Contents[c.content].Name, c.places)
}

// maxWords is the most words of a case.
const maxWords = 4097

// kernelTest holds the memory that a kernel's cases share.
type kernelTest[T Index] struct {
	t       *testing.T
	kernel  string
	fn, ref indicesFunc[T]
	rand    *rand.Rand
	words   []uint64 // guarded on both sides, as dst is
	saved   []uint64
	dst     []T
	want    []T
}

func newKernelTest[T Index](t *testing.T, kernel string, fn, ref indicesFunc[T]) *kernelTest[T] {
	const mem = 1 << 19 // words, whole pages
	dst := kerneltest.Guarded(t, mem)
	return &kernelTest[T]{
		t: t, kernel: kernel, fn: fn, ref: ref, rand: rand.New(rand.NewPCG(1, 2)),
		words: kerneltest.Guarded(t, 1<<13), saved: make([]uint64, maxWords),
		dst:  unsafe.Slice((*T)(unsafe.Pointer(&dst[0])), mem*8/int(unsafe.Sizeof(T(0)))),
		want: make([]T, 64*maxWords+64),
	}
}

func (k *kernelTest[T]) randomPlaces() [2]kerneltest.Place {
	return [2]kerneltest.Place{kerneltest.RandomPlace(k.rand), kerneltest.RandomPlace(k.rand)}
}

func (k *kernelTest[T]) check(c kernelCase) {
	k.t.Helper()
	words, _ := c.places[0].Slice(k.words, c.n)
	kerneltest.Fill(k.rand, words, c.content, c.bit)
	k.checkRooms(c, words)
}

// checkPopulations decodes blocks of eight words by the numbers from which a
// kernel may choose its way: how many words are not 0, and how many bits the
// fullest of them has.
func (k *kernelTest[T]) checkPopulations() {
	for fullest := 1; fullest <= 64; fullest++ {
		for _, busy := range []int{1, 3, 4, 5, 6, 7, 8} {
			var ones [11]int
			for n, i := range k.rand.Perm(8)[:busy] {
				ones[i] = fullest
				if n > 0 {
					ones[i] = 1 + k.rand.IntN(fullest)
				}
			}
			k.checkOnes(ones[:])
		}
	}
	// Where a kernel asks for room once for several words: two, and eight of which the
	// last one has fewer bits.
	for first := range 18 {
		for second := range 18 {
			k.checkOnes([]int{0, 0, first, 0, 0, second, 0, 0, 0})
		}
		for last := range first {
			k.checkOnes([]int{first, first, first, first, first, first, first, last})
		}
	}
}

// checkOnes decodes words with so many random bits set.
func (k *kernelTest[T]) checkOnes(ones []int) {
	k.t.Helper()
	c := kernelCase{n: len(ones), content: kerneltest.Random, places: k.randomPlaces()}
	words, _ := c.places[0].Slice(k.words, c.n)
	clear(words)
	for i, n := range ones {
		for _, bit := range k.rand.Perm(64)[:n] {
			words[i] |= 1 << bit
		}
	}
	k.checkRooms(c, words)
}

// checkRooms decodes words into every length of dst that matters: none, around
// the 64 places below which a kernel must look at each word, and around the
// number of indices.
func (k *kernelTest[T]) checkRooms(c kernelCase, words []uint64) {
	k.t.Helper()
	ones := countOnes(words)
	rooms := []int{ones, ones + 64, 0, 1, 63, 64, 65, ones / 2, max(0, ones-1), ones + 1, ones + 63}
	if c.bit != 0 || testing.Short() {
		rooms = rooms[:2+k.rand.IntN(2)*2]
	}
	base := T(k.rand.Uint64())
	if k.rand.IntN(4) == 0 {
		base |= 0xffffff00 // so that indices carry into the upper half
	}
	saved := k.saved[:copy(k.saved, words)]
	for _, room := range rooms {
		k.checkInto(c, words, room, base)
		if !slices.Equal(words, saved) {
			k.t.Fatalf("%s(%v) changed the words, which it must only read", k.kernel, c)
		}
	}
}

func (k *kernelTest[T]) checkInto(c kernelCase, words []uint64, room int, base T) {
	k.t.Helper()
	want := k.want[:room]
	wantWritten, wantConsumed := k.ref(want, words, base)

	start := c.places[1].Off
	if c.places[1].AtEnd {
		start = len(k.dst) - room - start
	}
	end := start + room
	before := k.dst[max(0, start-kerneltest.CanaryLen):start]
	// What it writes behind the indices is bounded, too.
	after := k.dst[min(end, start+wantWritten+64):min(len(k.dst), end+kerneltest.CanaryLen)]
	kerneltest.SetCanary(before, after)
	dst := k.dst[start:end:end]
	if room == 0 {
		dst = nil
	}
	if len(words) == 0 {
		words = nil
	}
	written, consumed := k.fn(dst, words, base)
	if written != wantWritten || consumed != wantConsumed {
		k.t.Fatalf("%s(%v) into %d places: wrote %d indices of %d words, want %d of %d",
			k.kernel, c, room, written, consumed, wantWritten, wantConsumed)
	}
	if !slices.Equal(k.dst[start:start+written], want[:written]) {
		i := 0
		for k.dst[start+i] == want[i] {
			i++
		}
		k.t.Fatalf("%s(%v) into %d places: index %d is %d, want %d", k.kernel, c, room, i, k.dst[start+i], want[i])
	}
	if !kerneltest.CanaryIntact(before, after) {
		k.t.Fatalf("%s(%v) into %d places wrote outside of them, or more than 64 behind the indices", k.kernel, c, room)
	}
}

func countOnes(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// indicesOf is the specification once more, a bit at a time.
func indicesOf[T Index](words []uint64) (indices []T) {
	for i, w := range words {
		for bit := range 64 {
			if w>>bit&1 != 0 {
				indices = append(indices, T(i)*64+T(bit))
			}
		}
	}
	return indices
}

// TestGeneric checks the reference itself.
func TestGeneric(t *testing.T) {
	for n := range 40 {
		for _, denominator := range []int{64, 16, 4, 1} {
			words, ones := kerneltest.RandomBits(n, denominator)
			want, got := indicesOf[uint32](words), make([]uint32, ones+64)
			if written, consumed := decodeGeneric(got, words, 0); consumed != n || !slices.Equal(got[:written], want) {
				t.Fatalf("decodeGeneric of %d words, 1 bit in %d: %v of %d words, want %v",
					n, denominator, got[:written], consumed, want)
			}
		}
	}
}

// TestFrom searches from every bit on, into slices with room for none, some and all.
func TestFrom(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{0, 1, 2, sparseWords, sparseWords + 1, 20, 40} {
			for _, denominator := range []int{200, 64, 8, 2} {
				words, _ := kerneltest.RandomBits(n, denominator)
				all := indicesOf[uint](words)
				for i := range uint(64*n + 2) {
					first, _ := slices.BinarySearch(all, i)
					for _, room := range []int{0, 1, r.IntN(70), len(all) - first, len(all)} {
						want := all[first:min(len(all), first+room)]
						last, got := From(make([]uint, room), words, i)
						if !slices.Equal(got, want) || len(want) > 0 && last != want[len(want)-1] || len(want) == 0 && last != 0 {
							t.Fatalf("From bit %d of %d words into %d places: %d, %v; want %v", i, n, room, last, got, want)
						}
					}
				}
			}
		}
	})
}

// TestAppendInGo appends as far as there is room.
func TestAppendInGo(t *testing.T) {
	for _, n := range []int{0, 1, sparseWords, sparseWords + 1, 50} {
		for _, denominator := range []int{200, 64, 8, 2} {
			words, _ := kerneltest.RandomBits(n, denominator)
			all := indicesOf[uint32](words)
			for room := range len(all) + 2 {
				got, consumed := AppendInGo(make([]uint32, 1, 1+room), words)
				want := indicesOf[uint32](words[:consumed])
				if !slices.Equal(got[1:], want) || consumed < n && len(want)+bits.OnesCount64(words[consumed]) <= room {
					t.Fatalf("%d words, room for %d: %d words, %v, want %v", n, room, consumed, got[1:], all)
				}
			}
		}
	}
}

func TestCountFirst(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, sparseWords, sparseWords + 1} {
			for first := range uint64(8) {
				words := make([]uint64, n)
				if n > 0 {
					words[0] = first
				}
				want := cpu.Current() != cpu.LevelGeneric && (n > sparseWords || n > 0 && first == 7)
				if CountFirst(words) != want {
					t.Errorf("%d words that begin with %b: %v", n, first, !want)
				}
			}
		}
	})
}
