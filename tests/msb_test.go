package tests

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

// msbModel is the definition: a bool for each bit.
func msbModel(data []byte) []bool {
	m := make([]bool, 8*len(data))
	for i := range m {
		m[i] = data[i/8]&(1<<(7-i%8)) != 0
	}
	return m
}

func randomBytes(r *rand.Rand, n int, density int) []byte {
	p := make([]byte, n)
	for i := range p {
		switch density {
		case 0: // sparse
			if r.IntN(40) == 0 {
				p[i] = 1 << r.IntN(8)
			}
		case 1:
			p[i] = byte(r.Uint32())
		default: // dense
			p[i] = 0xff
			if r.IntN(40) == 0 {
				p[i] = ^byte(1 << r.IntN(8))
			}
		}
	}
	return p
}

var msbSizes = []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 255, 256, 257, 1000, 2047, 2048, 2049, 5000}

// Bytes as they lie answer as the definition does, at every level, size and alignment.
func TestMSB(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range msbSizes {
			for density := range 3 {
				off := r.IntN(9)
				checkMSB(t, r, randomBytes(r, n+off, density)[off:])
			}
		}
	})
}

func checkMSB(t *testing.T, r *rand.Rand, data []byte) {
	t.Helper()
	b, m := MSB(data), msbModel(data)
	var set []uint
	for i, on := range m {
		if b.Test(uint(i)) != on {
			t.Fatalf("%d bytes: Test(%d) = %v", len(data), i, !on)
		}
		if on {
			set = append(set, uint(i))
		}
	}
	if b.Len() != uint(len(m)) || b.Count() != uint(len(set)) {
		t.Fatalf("%d bytes: Len %d, Count %d, want %d set", len(data), b.Len(), b.Count(), len(set))
	}
	if got := b.AppendIndices([]uint{1, 2}); !slices.Equal(got[2:], set) || got[1] != 2 {
		t.Fatalf("%d bytes: AppendIndices", len(data))
	}
	if got := slices.Collect(b.EachSet()); !slices.Equal(got, set) {
		t.Fatalf("%d bytes: EachSet", len(data))
	}
	if b.Test(b.Len()) || b.Test(^uint(0)) {
		t.Fatalf("%d bytes: a bit past the end", len(data))
	}
	// Into a BitSet and back.
	s := FromMSB(data)
	if s.Len() != b.Len() || !slices.Equal(slices.Collect(s.EachSet()), set) {
		t.Fatalf("%d bytes: FromMSB", len(data))
	}
	if back := s.AppendMSB([]byte{9}); !bytes.Equal(back[1:], data) || back[0] != 9 {
		t.Fatalf("%d bytes: AppendMSB", len(data))
	}
	// From any bit on.
	for range 20 {
		i, j := uint(r.IntN(len(m)+2)), uint(r.IntN(len(m)+2))
		for _, value := range []bool{true, false} {
			want, ok := i, false
			for ; want < uint(len(m)); want++ {
				if ok = m[want] == value; ok {
					break
				}
			}
			if !ok {
				want = 0
			}
			next := b.NextSet
			if !value {
				next = b.NextClear
			}
			if got, found := next(i); got != want || found != ok {
				t.Fatalf("%d bytes: the next %v from %d on is %d, %v, want %d, %v", len(data), value, i, got, found, want, ok)
			}
		}
		want := uint(0)
		for x := i; x < min(j, uint(len(m))); x++ {
			if m[x] {
				want++
			}
		}
		if got := b.CountRange(i, j); got != want {
			t.Fatalf("%d bytes: CountRange(%d, %d) = %d, want %d", len(data), i, j, got, want)
		}
	}
}

func TestMSBSet(t *testing.T) {
	// What SETBIT makes of the bits 1, 7, 8 and 23 of an empty string.
	var b MSB
	for _, i := range []uint{1, 7, 8, 23} {
		b = b.Grow(i + 1)
		b.Set(i)
	}
	if !bytes.Equal(b, []byte{0b0100_0001, 0b1000_0000, 0b0000_0001}) {
		t.Errorf("% x", []byte(b))
	}
	b.Clear(7)
	b.SetTo(8, false)
	b.SetTo(9, true)
	b.Clear(1000)
	b.SetTo(1000, false)
	if !bytes.Equal(b, []byte{0b0100_0000, 0b0100_0000, 0b0000_0001}) {
		t.Errorf("% x", []byte(b))
	}
	defer func() {
		if recover() == nil {
			t.Error("Set past the end does not panic")
		}
	}()
	b.Set(24)
}

// Grow clears what it takes in.
func TestMSBGrow(t *testing.T) {
	full := bytes.Repeat([]byte{0xff}, 100)
	b := MSB(full[:10]).Grow(800)
	if b.Len() != 800 || b.Count() != 80 || &b[0] != &full[0] {
		t.Errorf("Len %d, Count %d", b.Len(), b.Count())
	}
	if b = b.Grow(5); b.Len() != 800 {
		t.Errorf("Grow(5) makes it %d bits", b.Len())
	}
	if b = b.Grow(801); b.Len() != 808 || b.Count() != 80 {
		t.Errorf("Len %d, Count %d", b.Len(), b.Count())
	}
}

// An operation on bytes is what it is on bits, at every level, alignment and pair of
// lengths, into memory of its own, over either operand, or over both.
func TestMSBOperations(t *testing.T) {
	ops := []struct {
		name string
		op   func(dst, x, y MSB) MSB
		bit  func(x, y byte) byte
	}{
		{"And", MSB.And, func(x, y byte) byte { return x & y }},
		{"Or", MSB.Or, func(x, y byte) byte { return x | y }},
		{"Xor", MSB.Xor, func(x, y byte) byte { return x ^ y }},
		{"AndNot", MSB.AndNot, func(x, y byte) byte { return x &^ y }},
	}
	r := rand.New(rand.NewPCG(5, 6))
	mem := func(n int) MSB {
		off, canary := r.IntN(17), 16
		p := MSB(randomBytes(r, off+n+canary, 1))
		return p[off : off+n]
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, op := range ops {
			for _, n := range msbSizes {
				for _, m := range []int{n, r.IntN(n + 1), 0} {
					for swapped := range 2 {
						lx, ly := n, m
						if swapped == 1 {
							lx, ly = m, n
						}
						x, y := mem(lx), mem(ly)
						want := make(MSB, n)
						for i := range want {
							var v, w byte
							if i < lx {
								v = x[i]
							}
							if i < ly {
								w = y[i]
							}
							want[i] = op.bit(v, w)
						}
						check := func(way string, dst, x, y MSB) {
							t.Helper()
							room := cap(dst) >= n
							after := slices.Clone(dst[min(n, cap(dst)):cap(dst)])
							got := op.op(dst, x, y)
							if !bytes.Equal(got, want) {
								t.Fatalf("%s of %d and %d bytes %s is wrong", op.name, lx, ly, way)
							}
							if room && n > 0 && &got[0] != &dst[:1][0] {
								t.Fatalf("%s of %d and %d bytes %s is not where there was room", op.name, lx, ly, way)
							}
							if room && !bytes.Equal(got[n:cap(got)], after) {
								t.Fatalf("%s of %d and %d bytes %s wrote behind its end", op.name, lx, ly, way)
							}
						}
						check("new", nil, x, y)
						check("in its own memory", mem(n+5), x, y)
						check("over the first", slices.Clip(slices.Clone(x)), x, y)
						x1 := append(make(MSB, 0, n+8), x...)
						check("in place of the first", x1, x1, y)
						y1 := append(make(MSB, 0, n+8), y...)
						check("in place of the second", y1, x, y1)
					}
				}
			}
		}
	})
}

// Operations on so much that the kernels write past the caches, at addresses that are
// no multiples of 8.
func TestMSBLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("operands of 9 MiB")
	}
	const n = 9<<20 + 13
	r := rand.New(rand.NewPCG(5, 7))
	words := func() MSB {
		p := make(MSB, n+8)
		for i := range p {
			p[i] = byte(r.Uint32())
		}
		return p[3:]
	}
	x, y, dst, want := words(), words()[2:], words()[1:], make(MSB, n)
	x, y, dst = x[:n], y[:n-100], dst[:n]
	copy(want, x)
	for i := range y {
		want[i] = x[i] &^ y[i]
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		clear(dst)
		if got := dst.AndNot(x, y); !bytes.Equal(got, want) {
			t.Error("AndNot of 9 MiB")
		}
		if got := dst.And(dst, MSB{}); got.Count() != 0 || len(got) != n {
			t.Error("And of 9 MiB and nothing")
		}
	})
}

// A set whose length is no multiple of 8, and one whose words have room.
func TestMSBLengths(t *testing.T) {
	b := FromIndices(0, 3, 9)
	if got := b.AppendMSB(nil); !bytes.Equal(got, []byte{0b1001_0000, 0b0100_0000}) {
		t.Errorf("% x", got)
	}
	if got := new(BitSet).AppendMSB([]byte{7}); !bytes.Equal(got, []byte{7}) {
		t.Errorf("% x", got)
	}
	b = NewBitSet(1000).SetAll()
	words := &b.Words()[0]
	if b.SetMSB([]byte{0x80, 0x01}); b.String() != "{0,15}" || b.Len() != 16 || &b.Words()[0] != words || len(b.Words()) != 1 {
		t.Errorf("%v of length %d", b, b.Len())
	}
	if b.SetMSB(nil); b.Len() != 0 || b.Count() != 0 {
		t.Errorf("%v of length %d", b, b.Len())
	}
}

func TestReverseBits(t *testing.T) {
	src := randomBytes(rand.New(rand.NewPCG(8, 9)), 3000, 1)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range msbSizes {
			dst := make([]byte, n)
			ReverseBits(dst, src) // the shorter one decides
			for i, x := range dst {
				if x != bits.Reverse8(src[i%len(src)]) && i < len(src) {
					t.Fatalf("%d bytes: byte %d is %#x", n, i, x)
				}
			}
		}
		dst := make([]byte, 100)
		if ReverseBits(dst, src[:70]); dst[69] != bits.Reverse8(src[69]) || dst[70] != 0 {
			t.Error("a shorter source")
		}
	})
}

func TestMSBAllocations(t *testing.T) {
	if race.Enabled {
		t.Skip("the detector allocates")
	}
	r := rand.New(rand.NewPCG(1, 2))
	x, y := MSB(randomBytes(r, 1003, 1)), MSB(randomBytes(r, 1010, 1))[3:]
	dst, indices := make(MSB, 0, 2000), make([]uint, 0, 9000)
	s, back := NewBitSet(10_000), make([]byte, 0, 2000)
	kerneltest.EachLevel(t, func(t *testing.T) {
		if n := testing.AllocsPerRun(10, func() {
			dst = dst.Or(x, y)
			dst = dst.AndNot(dst, y)
			indices = x.AppendIndices(indices[:0])
			i, _ := x.NextSet(77)
			for j := range x.EachSet() {
				i += j
			}
			s.SetMSB(x)
			back = s.AppendMSB(back[:0])
			ReverseBits(back, x)
			sinkInt += int(x.Count() + x.CountRange(3, 1000) + i)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzMSB(f *testing.F) {
	f.Add([]byte{0x80, 0, 1}, []byte{0xff}, uint16(3))
	f.Add(bytes.Repeat([]byte{0xff}, 70), bytes.Repeat([]byte{0}, 40), uint16(500))
	f.Fuzz(func(t *testing.T, x, y []byte, seed uint16) {
		checkMSB(t, rand.New(rand.NewPCG(uint64(seed), 1)), x)
		or, and := MSB(nil).Or(x, y), MSB(nil).And(x, y)
		if got, want := or.Count()+and.Count(), MSB(x).Count()+MSB(y).Count(); got != want {
			t.Errorf("%d bits in union and intersection, %d in both", got, want)
		}
		if xor := MSB(nil).Xor(x, y); !bytes.Equal(xor, or.AndNot(or, and)) {
			t.Error("Xor is not Or without And")
		}
	})
}

// BenchmarkMSB compares import with the loop over bits.Reverse8 that it replaces, and the
// rest with the same on a BitSet.
//
//	go test -run '^$' -bench MSB ./tests
func BenchmarkMSB(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{64, 1 << 10, 16 << 10, 256 << 10, 4 << 20} {
		x, y, dst := MSB(randomBytes(r, size, 1)), MSB(randomBytes(r, size+1, 1))[1:], make(MSB, size)
		s := NewBitSet(8 * uint(size))
		run := func(op, impl string, f func()) {
			b.Run(fmt.Sprintf("op=%s/impl=%s/size=%d", op, impl, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					f()
				}
			})
		}
		run("reverse", "loop", func() {
			for i, v := range x {
				dst[i] = bits.Reverse8(v)
			}
		})
		kerneltest.EachLevelBench(b, func(l cpu.Level) {
			run("reverse", l.String(), func() { ReverseBits(dst, x) })
			run("SetMSB", l.String(), func() { s.SetMSB(x) })
			run("or", l.String(), func() { dst = dst.Or(x, y) })
			run("count", l.String(), func() { sinkInt += int(y.Count()) })
		})
	}
}
