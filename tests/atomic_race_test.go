//go:build race

package tests

import . "github.com/bitsieve/bitsieve"

func init() {
	atomic := func() *AtomicBlocked {
		f, _ := NewAtomicBlockedWithSize(1000, 8)
		return f
	}
	keys := make([]uint64, 100)
	reported["testing a Blocked beside adding by its Atomic"] = func() {
		f := atomic()
		both(func() { f.AddUint64(1) }, func() { f.Blocked().TestUint64(2) })
	}
	reported["adding to a Blocked beside testing by its Atomic"] = func() {
		f := atomic()
		both(func() { f.Blocked().AddUint64s(keys) }, func() { f.TestUint64(2) })
	}
	reported["saving beside adding"] = func() {
		f := atomic()
		both(func() { f.AddUint64s(keys) }, func() { f.MarshalBinary() })
	}
	unreported["adding, testing and all the rest beside each other"] = func() {
		f, g := atomic(), atomic()
		all := func() {
			f.AddUint64s(keys)
			f.TestAndAddUint64s(keys, nil)
			f.TestUint64s(keys, nil)
			f.AddString("x")
			f.TestString("y")
			f.Union(g)
			g.Union(f)
			f.Intersect(g)
			f.Clone().Equal(f)
			f.FPRate()
			f.EstimatedCount()
			g.Clear()
		}
		both(all, all)
	}
	unreported["testing a Blocked beside testing by its Atomic"] = func() {
		f := atomic()
		both(func() { f.Blocked().TestUint64(1) }, func() { f.TestUint64s(keys, nil) })
	}
}
