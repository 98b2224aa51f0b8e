//go:build purego || !amd64

package pext

func extract(dst, src, mask []uint64) int { return extractGeneric(dst, src, mask) }

func deposit(dst, src, mask []uint64, pos uint) uint { return depositGeneric(dst, src, mask, pos) }

func selectBit(w uint64, j uint) uint { return selectGeneric(w, j) }
