//go:build !purego

package bitsieve

func testHash(f *Blocked, h uint64) bool   { return testHashGeneric(f, h) }
func testUint64(f *Blocked, x uint64) bool { return testHashGeneric(f, f.hash.uint64(x)) }
func addHash(f *Blocked, h uint64)         { addHashGeneric(f, h) }
func addUint64(f *Blocked, x uint64)       { addHashGeneric(f, f.hash.uint64(x)) }
