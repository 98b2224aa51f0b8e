// Package pext gathers and scatters bits: Extract packs the bits of words that a
// mask selects, Deposit is its inverse, Select finds the jth set bit of a word.
//
// The names are those of the amd64 instructions PEXT and PDEP. Where these are
// missing, or slow (cpu.PEXT), the Go code of generic.go runs. NEON has no
// counterpart; SVE2's BEXT and BDEP are not in Go's arm64 baseline.
package pext

// Extract packs the bits of src that mask selects into dst, the lowest first, and
// returns their number. Zeros fill the last word that it writes. src is at least
// as long as mask, and dst must have room for every selected bit: this is not
// checked. dst may be src or mask.
func Extract(dst, src, mask []uint64) int { return extract(dst, src[:len(mask)], mask) }

// Deposit overwrites the bits of dst that mask selects with the bits of src, in
// order. It stops before the first word of dst for which src has no word left. dst
// is at least as long as mask, and may be mask.
func Deposit(dst, src, mask []uint64) { deposit(dst[:len(mask)], src, mask, 0) }

// Select returns the index of the set bit of w that has j set bits below it. w
// must have more than j set bits.
func Select(w uint64, j uint) uint { return selectBit(w, j) }
