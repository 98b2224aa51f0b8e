//go:build !purego

package bitsieve

//go:noescape
func testHash(f *Blocked, h uint64) bool

//go:noescape
func testUint64(f *Blocked, x uint64) bool

//go:noescape
func addHash(f *Blocked, h uint64)

//go:noescape
func addUint64(f *Blocked, x uint64)
