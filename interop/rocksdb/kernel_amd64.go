//go:build !purego

package rocksdb

import (
	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/race"
)

// The kernels of kernel_amd64.s take a table that has lines. One call looks at no more
// than a tile. Under the race detector all is Go, so that it sees what is touched.

// prepareKernel is prepareGeneric for n > 0 keys: it prefetches the lines.
//
//go:noescape
func prepareKernel(tl *tile, bits *byte, lines uint64, n int)

// probe8AVX512 is probeGeneric for n > 0 keys of k <= 8 probes, but for the bits from n
// on, which are undefined; and so are the others for other k.
//
//go:noescape
func probe8AVX512(tl *tile, bits *byte, n, k int) uint64

// probe16AVX512 is probe8AVX512 for k <= 16.
//
//go:noescape
func probe16AVX512(tl *tile, bits *byte, n, k int) uint64

//go:noescape
func probe8AVX2(tl *tile, bits *byte, n, k int) uint64

// test16AVX512 is testLine for the key with hash h, and k <= 16.
//
//go:noescape
func test16AVX512(bits *byte, lines, h uint64, k int) bool

// test8AVX2 is testLine for the key with hash h, and k <= 8.
//
//go:noescape
func test8AVX2(bits *byte, lines, h uint64, k int) bool

func prepare(tl *tile, t *table) {
	if cpu.AVX2 && !race.Enabled {
		prepareKernel(tl, &t.bits[0], t.lines(), tl.n)
		return
	}
	prepareGeneric(tl, t)
}

func probe(tl *tile, t *table) uint64 {
	if race.Enabled {
		return probeGeneric(tl, t)
	}
	used := ^uint64(0) >> (tileKeys - tl.n)
	if cpu.AVX512 {
		if t.k <= 8 {
			return probe8AVX512(tl, &t.bits[0], tl.n, t.k) & used
		}
		if t.k <= 16 {
			return probe16AVX512(tl, &t.bits[0], tl.n, t.k) & used
		}
	}
	if cpu.AVX2 && t.k <= 8 {
		return probe8AVX2(tl, &t.bits[0], tl.n, t.k) & used
	}
	return probeGeneric(tl, t)
}

func testOne(t *table, h uint64) bool {
	if cpu.AVX512 && t.k <= 16 && !race.Enabled {
		return test16AVX512(&t.bits[0], t.lines(), h, t.k)
	}
	if cpu.AVX2 && t.k <= 8 && !race.Enabled {
		return test8AVX2(&t.bits[0], t.lines(), h, t.k)
	}
	return testLine(t.line(t.offset(h)), uint32(h>>32), t.k)
}
