//go:build !purego

package pext

import (
	"math/rand/v2"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// The kernels are called for pieces of all lengths, which the verbs make only of
// long operands. Unlike the verbs they are tested where PEXT is slow, too.
func init() {
	r := rand.New(rand.NewPCG(3, 4))
	kernels = []row{
		{"extractBMI2", cpu.LevelAVX2, extractFunc(func(dst, src, mask []uint64) int {
			for len(mask) > 0 && mask[len(mask)-1] == 0 {
				mask = mask[:len(mask)-1]
			}
			next := uint(0)
			for len(mask) > 0 {
				n := 1 + r.IntN(len(mask))
				next = next&^63 + extractBMI2(&dst[next/64], &src[0], &mask[0], n, next%64)
				src, mask = src[n:], mask[n:]
			}
			return int(next)
		}), extractFunc(extractReference)},
		{"depositBMI2", cpu.LevelAVX2, depositFunc(func(dst, src, mask []uint64) {
			stop, next := 64*uint(len(src)), uint(0)
			src = append(src[:len(src):len(src)], 0)
			for len(mask) > 0 && next < stop {
				n := 1 + r.IntN(len(mask))
				n, next = depositBMI2(&dst[0], &src[0], &mask[0], n, next, stop)
				dst, mask = dst[n:], mask[n:]
			}
		}), depositFunc(depositReference)},
		{"selectBMI2", cpu.LevelAVX2, selectFunc(selectBMI2), selectFunc(selectReference)},
	}
}
