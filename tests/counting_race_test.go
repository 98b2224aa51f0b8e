//go:build race

package tests

import . "github.com/bitsieve/bitsieve"

// What TestRaceDetector looks for in a Counting.
func init() {
	made := func() (*Counting, []uint64) {
		f, _ := NewCountingWithSize(1000, 8)
		return f, make([]uint64, 100)
	}
	reported["Counting: adding beside testing"] = func() {
		f, keys := made()
		both(func() { f.AddUint64s(keys) }, func() { f.TestUint64(2) })
	}
	reported["Counting: removing beside counting"] = func() {
		f, keys := made()
		both(func() { f.RemoveUint64s(keys, nil) }, func() { f.CountUint64(2) })
	}
	unreported["Counting: readers"] = func() {
		f, keys := made()
		read := func() {
			f.TestUint64s(keys, nil)
			f.CountUint64(1)
			f.TestUint64(2)
			f.Fill()
		}
		both(read, read)
	}
}
