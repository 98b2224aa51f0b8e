//go:build !purego

package bitrev

import "github.com/bitsieve/bitsieve/internal/cpu"

func init() {
	direct := func(f func(dst, src *byte, n int)) func(dst, src []byte) {
		return func(dst, src []byte) { f(&dst[0], &src[0], len(dst)) }
	}
	directKernels = []kernel{
		{"reverseGFNI512", cpu.LevelAVX512, true, minVector512, direct(reverseGFNI512)},
		{"reverseGFNI256", cpu.LevelAVX2, true, minVector256, direct(reverseGFNI256)},
		{"reverseAVX2", cpu.LevelAVX2, false, minVector256, direct(reverseAVX2)},
	}
}
