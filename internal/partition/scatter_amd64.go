//go:build !purego

package partition

import "github.com/bitsieve/bitsieve/internal/cpu"

// scatterAVX512 is scatterGeneric for n keys, n a positive multiple of groupKeys, and
// fewer than 2^32 blocks.
//
//go:noescape
func scatterAVX512(w *Writer, blocks uint64, shift uint, keys *uint64, n int, mixed bool) (done int)

//go:noescape
func streamAVX2(dst, src *uint64, last bool)

func (w *Writer) scatter(keys []uint64, mixed bool) int {
	blocks := uint64(len(w.s.f.Blocks))
	if cpu.AVX512 && blocks < 1<<32 {
		return scatterAVX512(w, blocks, w.s.plan.Shift, &keys[0], len(keys), mixed)
	}
	return w.scatterGeneric(keys, mixed)
}

// stream copies the first stageKeys words of src to dst. When it has been called with
// last, what is stored later, as a lock, tells other cores that they can read all of it.
func stream(dst *[stageKeys]uint64, src *[stageWords]uint64, last bool) {
	if cpu.AVX2 {
		streamAVX2(&dst[0], &src[0], last)
		return
	}
	copy(dst[:], src[:])
}
