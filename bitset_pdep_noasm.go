//go:build purego || !amd64

package bitsieve

// NEON has no counterpart of PEXT and PDEP; SVE2's BEXT and BDEP are not in the
// baseline.

func extractWords(dst, src, mask []uint64) { extractGeneric(dst, src, mask) }
func depositWords(dst, src, mask []uint64) { depositGeneric(dst, src, mask) }
func selectWord(w uint64, j uint) uint     { return selectGeneric(w, j) }
