// Command inline is disassembled by TestInlining: each function calls one hot verb
// of the library, as a program in another module does.
package main

import "github.com/bitsieve/bitsieve"

//go:noinline
func blockedTestUint64(f *bitsieve.Blocked, x uint64) bool { return f.TestUint64(x) }

//go:noinline
func blockedTestHash(f *bitsieve.Blocked, h uint64) bool { return f.TestHash(h) }

//go:noinline
func blockedAddUint64(f *bitsieve.Blocked, x uint64) { f.AddUint64(x) }

//go:noinline
func blockedAddHash(f *bitsieve.Blocked, h uint64) { f.AddHash(h) }

//go:noinline
func atomicTestUint64(f *bitsieve.AtomicBlocked, x uint64) bool { return f.TestUint64(x) }

//go:noinline
func atomicTestHash(f *bitsieve.AtomicBlocked, h uint64) bool { return f.TestHash(h) }

//go:noinline
func msbTest(b bitsieve.MSB, i uint) bool { return b.Test(i) }

//go:noinline
func bitSetTest(b *bitsieve.BitSet, i uint) bool { return b.Test(i) }

//go:noinline
func bitSetSet(b *bitsieve.BitSet, i uint) { b.Set(i) }

//go:noinline
func bitSetClear(b *bitsieve.BitSet, i uint) { b.Clear(i) }

//go:noinline
func bitSetFlip(b *bitsieve.BitSet, i uint) { b.Flip(i) }

//go:noinline
func bitSetNextSet(b *bitsieve.BitSet, i uint) (uint, bool) { return b.NextSet(i) }

//go:noinline
func bitSetNextSetMany(b *bitsieve.BitSet, buf []uint) (uint, []uint) { return b.NextSetMany(0, buf) }

//go:noinline
func bitSetCount(b *bitsieve.BitSet) uint { return b.Count() }

//go:noinline
func count(p []uint64) int { return bitsieve.Count(p) }

//go:noinline
func bitSetNone(b *bitsieve.BitSet) bool { return b.None() }

//go:noinline
func bitSetEqual(b, c *bitsieve.BitSet) bool { return b.Equal(c) }

//go:noinline
func and(dst, a, b []uint64) { bitsieve.And(dst, a, b) }

//go:noinline
func andCount(a, b []uint64) int { return bitsieve.AndCount(a, b) }

//go:noinline
func or(dst, a, b []uint64) { bitsieve.Or(dst, a, b) }

//go:noinline
func orCount(a, b []uint64) int { return bitsieve.OrCount(a, b) }

//go:noinline
func xor(dst, a, b []uint64) { bitsieve.Xor(dst, a, b) }

//go:noinline
func xorCount(a, b []uint64) int { return bitsieve.XorCount(a, b) }

//go:noinline
func andNot(dst, a, b []uint64) { bitsieve.AndNot(dst, a, b) }

//go:noinline
func andNotCount(a, b []uint64) int { return bitsieve.AndNotCount(a, b) }

//go:noinline
func not(dst, a []uint64) { bitsieve.Not(dst, a) }

//go:noinline
func any(p []uint64) bool { return bitsieve.Any(p) }

//go:noinline
func intersects(a, b []uint64) bool { return bitsieve.Intersects(a, b) }

func main() {
	f, b := new(bitsieve.Blocked), bitsieve.NewBitSet(64)
	if f.Blocks() == 0 {
		return // only what is linked matters
	}
	blockedAddUint64(f, 1)
	blockedAddHash(f, 2)
	bitSetSet(b, 3)
	bitSetFlip(b, 4)
	bitSetClear(b, 4)
	i, ok := bitSetNextSet(b, 0)
	_, many := bitSetNextSetMany(b, make([]uint, 4))
	println(atomicTestUint64(f.Atomic(), 1), atomicTestHash(f.Atomic(), 2), msbTest(nil, 3))
	println(blockedTestUint64(f, 1), blockedTestHash(f, 2), bitSetTest(b, 3), i, ok, bitSetCount(b), count(b.Words()), len(many))
	p, q := b.Words(), make([]uint64, 1)
	and(q, p, p)
	or(q, p, p)
	xor(q, p, p)
	andNot(q, p, p)
	not(q, p)
	println(andCount(p, q), orCount(p, q), xorCount(p, q), andNotCount(p, q), any(p), intersects(p, q))
	println(bitSetNone(b), bitSetEqual(b, b))
}
