package bitrev

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/memory"
	"github.com/bitsieve/bitsieve/internal/race"
)

// A kernel is a way to reverse bits, for at least so many bytes.
type kernel struct {
	name  string
	level cpu.Level // the lowest level that can run it
	gfni  bool      // and whether it needs GFNI
	least int
	fn    func(dst, src []byte)
}

// directKernels are the assembly functions of this architecture. The tests named after
// one fill it.
var directKernels []kernel

// block is the most bytes that any kernel takes in one round.
const block = 256

// plain is the definition: bit i of a byte becomes bit 7-i.
func plain(b byte) (r byte) {
	for i := range 8 {
		r |= b >> i & 1 << (7 - i)
	}
	return r
}

func plainAll(p []byte) []byte {
	q := make([]byte, len(p))
	for i, b := range p {
		q[i] = plain(b)
	}
	return q
}

// eachSetting runs f at each level, and without GFNI where the level could have it.
func eachSetting(t *testing.T, f func(t *testing.T)) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		t.Run("", f)
		if cpu.GFNI {
			defer func() { cpu.GFNI = true }()
			cpu.GFNI = false
			t.Run("without GFNI", f)
		}
	})
}

func TestReverse(t *testing.T) {
	eachSetting(t, func(t *testing.T) { testKernel(t, kernel{name: "Reverse", fn: Reverse}) })
}

func TestGeneric(t *testing.T) { testKernel(t, kernel{name: "reverseGeneric", fn: reverseGeneric}) }

func TestDirectKernels(t *testing.T) {
	if cpu.HasAsm && len(directKernels) == 0 {
		t.Error("this build has assembly, but the table has no kernel")
	}
	for _, k := range directKernels {
		t.Run(k.name, func(t *testing.T) {
			kerneltest.NeedLevel(t, k.level)
			if k.gfni && !cpu.GFNI {
				t.Skip("no GFNI here")
			}
			testKernel(t, k)
		})
	}
}

// testKernel runs a kernel over sizes, alignments of both operands, in place and not,
// with guard pages behind the operands or in front of them.
func testKernel(t *testing.T, k kernel) {
	const mem = 1 << 13 // words
	src, dst := memory.Bytes(kerneltest.Guarded(t, mem)), memory.Bytes(kerneltest.Guarded(t, mem))
	r := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, len(src))
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	want := plainAll(content)
	check := func(n, srcOff, dstOff int, atEnd bool) {
		t.Helper()
		if atEnd {
			srcOff, dstOff = len(src)-n-srcOff, len(dst)-n-dstOff
		}
		at := r.IntN(1000)
		content, want := content[at:at+n], want[at:at+n]
		copy(src[srcOff:], content)
		run(t, k, dst, dstOff, src[srcOff:srcOff+n], want)
		if !bytes.Equal(src[srcOff:srcOff+n], content) {
			t.Fatalf("%s of %d bytes changed what it must only read", k.name, n)
		}
		run(t, k, src, srcOff, src[srcOff:srcOff+n], want)
	}
	sizes := []int{}
	for n := k.least; n < 4*block+4; n++ {
		sizes = append(sizes, n)
	}
	sizes = append(sizes, 4095, 4096, 4097, 20_003)
	for _, n := range sizes {
		check(n, 0, 0, true)
		check(n, 0, 0, false)
		for range 4 {
			check(n, r.IntN(64), r.IntN(64), r.IntN(2) == 0)
		}
	}
	for _, n := range []int{32, 63, 64, 65, 127, 129, block + 65, 3*block + 1} {
		if n < k.least {
			continue
		}
		for i := range 64 {
			for j := range 64 {
				if !testing.Short() || (i+j)%16 == 0 {
					check(n, i, j, i%2 == 0)
				}
			}
		}
	}
}

// run has the kernel reverse src to dst[off:], which must become want, and nothing near
// it anything else.
func run(t *testing.T, k kernel, dst []byte, off int, src, want []byte) {
	t.Helper()
	n := len(want)
	before, after := dst[max(0, off-64):off], dst[off+n:min(len(dst), off+n+64)]
	for _, side := range [][]byte{before, after} {
		for i := range side {
			side[i] = 0xc5
		}
	}
	k.fn(dst[off:off+n], src)
	if !bytes.Equal(dst[off:off+n], want) {
		t.Fatalf("%s of %d bytes at offset %d is wrong", k.name, n, off)
	}
	for _, side := range [][]byte{before, after} {
		for _, b := range side {
			if b != 0xc5 {
				t.Fatalf("%s of %d bytes at offset %d wrote outside dst", k.name, n, off)
			}
		}
	}
}

// TestPieces runs Reverse on lengths around those at which it begins to cut.
func TestPieces(t *testing.T) {
	const most = 1<<20 + 7
	src := make([]byte, most)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	want, dst := plainAll(src), make([]byte, most)
	eachSetting(t, func(t *testing.T) {
		for _, n := range []int{1<<18 - 1, 1 << 18, 1<<18 + 1, 1<<19 + 33, most} {
			clear(dst)
			Reverse(dst[:n], src) // src may be longer
			if !bytes.Equal(dst[:n], want[:n]) || n < most && dst[n] != 0 {
				t.Errorf("%d bytes", n)
			}
			copy(dst, src)
			if Reverse(dst[:n], dst[:n]); !bytes.Equal(dst[:n], want[:n]) {
				t.Errorf("%d bytes in place", n)
			}
		}
		if n := testing.AllocsPerRun(10, func() { Reverse(dst, src) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func TestStops(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 64 MiB")
	}
	if race.Enabled {
		t.Skip("to declare a piece to the race detector takes longer than the piece")
	}
	kerneltest.TestStops(t, []kerneltest.Row{{Kernel: "Reverse", Fn: func(dst, a, _ []uint64) {
		Reverse(memory.Bytes(dst), memory.Bytes(a))
	}}}, 1<<23)
}

func FuzzReverse(f *testing.F) {
	f.Add([]byte("\x00\x01\x80\xff"), uint8(0))
	f.Add(bytes.Repeat([]byte{0x35}, 300), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, skip uint8) {
		data = data[min(int(skip), len(data)):]
		want := plainAll(data)
		eachSetting(t, func(t *testing.T) {
			dst := make([]byte, len(data))
			if Reverse(dst, data); !bytes.Equal(dst, want) {
				t.Errorf("% x reversed is % x", data, dst)
			}
			if Reverse(dst, dst); !bytes.Equal(dst, data) {
				t.Errorf("% x reversed twice is % x", data, dst)
			}
		})
	})
}

func BenchmarkReverse(b *testing.B) {
	for _, size := range []int{16, 32, 64, 256, 1 << 10, 16 << 10, 256 << 10, 4 << 20} {
		dst, src := make([]byte, size), make([]byte, size)
		measure := func(impl string, fn func(dst, src []byte)) {
			b.Run(fmt.Sprintf("op=reverse/impl=%s/size=%d", impl, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					fn(dst, src)
				}
			})
		}
		measure("go", reverseGeneric)
		for _, k := range directKernels {
			if cpu.Has(k.level) && size >= k.least && size <= 256<<10 && (!k.gfni || cpu.GFNI) {
				measure(k.name, k.fn)
			}
		}
		measure("Reverse", Reverse)
	}
}
