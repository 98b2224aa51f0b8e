package bitsieve

import (
	"math/bits"
	"slices"
	"testing"
	"unsafe"

	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// The decoding kernels in the kernel table of asm_test.go.

// decodeRoomy is the reference of the decoding kernels in assembly: they stop
// as soon as fewer than 64 places are free and leave the rest to decodeGeneric.
func decodeRoomy[T uint | uint32](dst []T, words []uint64, base T) (written, consumed int) {
	for consumed < len(words) && len(dst)-written >= 64 {
		n, _ := decodeGeneric(dst[written:], words[consumed:consumed+1], base)
		written += n
		consumed++
		base += 64
	}
	return written, consumed
}

// checkPopulations decodes blocks of eight words by the numbers from which a
// kernel may choose its way: how many words are not 0, and how many bits the
// fullest of them has.
func (k *kernelTest) checkPopulations() {
	for fullest := 1; fullest <= 64; fullest++ {
		for _, busy := range []int{1, 2, 2, 2, 2, 3, 4, 5, 6, 7, 8} {
			c := kernelCase{n: 11, places: k.randomPlaces()}
			words, _ := c.places[0].Slice(k.a, c.n)
			clear(words)
			for n, i := range k.rand.Perm(8)[:busy] {
				population := fullest
				if n > 0 {
					population = 1 + k.rand.IntN(fullest)
				}
				for _, bit := range k.rand.Perm(64)[:population] {
					words[i] |= 1 << bit
				}
			}
			k.checkDecode(c, words)
		}
	}
}

func (k *kernelTest) checkDecode(c kernelCase, words []uint64) {
	k.t.Helper()
	switch fn := k.row.fn.(type) {
	case decodeFunc:
		checkDecode(k, c, words, fn, k.row.ref.(decodeFunc))
	case decode32Func:
		checkDecode(k, c, words, fn, k.row.ref.(decode32Func))
	default:
		k.t.Fatalf("%s: no such shape: %T", k.row.kernel, fn)
	}
}

// checkDecode decodes words into every length of dst that matters: none, around
// the 64 places below which a kernel must look at each word, and around the
// number of indices.
func checkDecode[T uint | uint32](k *kernelTest, c kernelCase, words []uint64,
	fn, ref func([]T, []uint64, T) (int, int)) {
	k.t.Helper()
	if 64*c.n+256 > kernelMem {
		return
	}
	ones := 0
	for _, w := range words {
		ones += bits.OnesCount64(w)
	}
	rooms := []int{ones, ones + 64, 0, 1, 63, 64, 65, ones / 2, max(0, ones-1), ones + 1, ones + 63}
	if c.bit != 0 || testing.Short() {
		rooms = rooms[:2+k.rand.IntN(2)*2]
	}
	base := T(k.rand.Uint64())
	if k.rand.IntN(4) == 0 {
		base |= 0xffffff00 // so that indices carry into the upper half
	}
	for _, room := range rooms {
		k.unchanged(c, words, func() { checkDecodeInto(k, c, words, room, base, fn, ref) })
	}
}

func checkDecodeInto[T uint | uint32](k *kernelTest, c kernelCase, words []uint64, room int, base T,
	fn, ref func([]T, []uint64, T) (int, int)) {
	k.t.Helper()
	want := asSlice[T](k.want)[:room]
	wantWritten, wantConsumed := ref(want, words, base)

	mem := asSlice[T](k.d)
	start := c.places[2].Off
	if c.places[2].AtEnd {
		start = len(mem) - room - start
	}
	end := start + room
	before := mem[max(0, start-kerneltest.CanaryLen):start]
	after := mem[end:min(len(mem), end+kerneltest.CanaryLen)]
	kerneltest.SetCanary(before, after)
	dst := mem[start:end:end]
	if room == 0 {
		dst = nil
	}
	if len(words) == 0 {
		words = nil
	}
	written, consumed := fn(dst, words, base)
	if written != wantWritten || consumed != wantConsumed {
		k.t.Fatalf("%s(%v) into %d places: wrote %d indices of %d words, want %d of %d",
			k.row.kernel, c, room, written, consumed, wantWritten, wantConsumed)
	}
	for i, x := range mem[start : start+written] {
		if x != want[i] {
			k.t.Fatalf("%s(%v) into %d places: index %d is %d, want %d", k.row.kernel, c, room, i, x, want[i])
		}
	}
	if !kerneltest.CanaryIntact(before, after) {
		k.t.Fatalf("%s(%v) wrote outside the %d places of dst", k.row.kernel, c, room)
	}
}

// asSlice returns the memory of p as a slice of T.
func asSlice[T uint | uint32](p []uint64) []T {
	var x T
	return unsafe.Slice((*T)(unsafe.Pointer(&p[0])), len(p)*8/int(unsafe.Sizeof(x)))
}

// TestAppendIndicesRoom appends to slices with room for none, some and all of the
// indices, which decides how many words are decoded before the rest is counted,
// and looks at what is behind them.
func TestAppendIndicesRoom(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{1, 2, sparseFew - 1, sparseFew, sparseFew + 1, 40} {
			for _, denominator := range []int{64, 8, 2} {
				words, _ := kerneltest.RandomBits(n, denominator)
				for first := range 4 {
					words[0] = 1<<first - 1
					if n > 8 { // the last words with a bit have one each
						clear(words[n-8:])
						for i := range first + 1 {
							words[n-4-i] = 1 << i
						}
					}
					ones := countGeneric(words)
					for room := range ones + 3 {
						if room == ones+2 {
							room += 100
						}
						checkAppend(t, AppendIndices, words, ones, room)
						checkAppend(t, AppendIndices32, words, ones, room)
					}
				}
			}
		}
	})
}

func checkAppend[T uint | uint32](t *testing.T, f func([]T, []uint64) []T, words []uint64, ones, room int) {
	t.Helper()
	memory := make([]T, 1+room+8)
	kerneltest.SetCanary(memory)
	got := f(memory[:1:1+room], words)
	if len(got) != 1+ones || got[0] != kerneltest.Canary {
		t.Fatalf("%d indices for %d words, room for %d; want %d", len(got)-1, len(words), room, ones)
	}
	want := make([]T, ones)
	decodeGeneric(want, words, 0)
	if !slices.Equal(got[1:], want) {
		t.Fatalf("%d words, room for %d: %v, want %v", len(words), room, got[1:], want)
	}
	if behind := memory[1+room:]; !kerneltest.CanaryIntact(behind) || ones <= room && !kerneltest.CanaryIntact(memory[1+ones:]) {
		t.Fatalf("%d words, room for %d: wrote behind the %d indices", len(words), room, ones)
	}
}
