//go:build !purego

package bitsieve

func testHash(f *Blocked, h uint64) bool { return testHashGeneric(f, h) }
func addHash(f *Blocked, h uint64)       { addHashGeneric(f, h) }
