//go:build purego || (!amd64 && !arm64)

package bitsieve

func countWords(p []uint64) int          { return countGeneric(p) }
func andWords(dst, a, b []uint64)        { andGeneric(dst, a, b) }
func orWords(dst, a, b []uint64)         { orGeneric(dst, a, b) }
func xorWords(dst, a, b []uint64)        { xorGeneric(dst, a, b) }
func andNotWords(dst, a, b []uint64)     { andNotGeneric(dst, a, b) }
func andCountWords(a, b []uint64) int    { return andCountGeneric(a, b) }
func orCountWords(a, b []uint64) int     { return orCountGeneric(a, b) }
func xorCountWords(a, b []uint64) int    { return xorCountGeneric(a, b) }
func andNotCountWords(a, b []uint64) int { return andNotCountGeneric(a, b) }

func andWithCountWords(dst, a, b []uint64) int    { return andWithCountGeneric(dst, a, b) }
func orWithCountWords(dst, a, b []uint64) int     { return orWithCountGeneric(dst, a, b) }
func xorWithCountWords(dst, a, b []uint64) int    { return xorWithCountGeneric(dst, a, b) }
func andNotWithCountWords(dst, a, b []uint64) int { return andNotWithCountGeneric(dst, a, b) }
