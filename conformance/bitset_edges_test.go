package conformance

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	peer "github.com/bits-and-blooms/bitset"
	ours "github.com/bitsieve/bitsieve/dropin/bitset"
)

// outcome is what a call with questionable arguments comes to.
type outcome struct {
	panics bool
	nilSet bool // the panic value is the library's Error
	seen   []uint64
}

// edges runs calls that programmers get wrong on one library, and returns what
// comes of each.
func edges[S bitSet[S]](l library[S], isError func(v any) bool) map[string]outcome {
	outcomes := map[string]outcome{}
	var none S
	try := func(name string, f func(m *machine[S])) {
		m := &machine[S]{library: l}
		var o outcome
		func() {
			defer func() {
				if v := recover(); v != nil {
					o.panics, o.nilSet = true, isError(v)
				}
			}()
			f(m)
		}()
		if !o.panics {
			o.seen = m.seen
		}
		outcomes[name] = o
	}
	full := func(length uint) S { return l.New(length).SetAll() }

	if math.MaxUint > math.MaxUint32 { // half a gigabyte each, where that fits
		try("New(max)", func(m *machine[S]) { m.set(l.New(math.MaxUint)) })
		try("New(max-1)", func(m *machine[S]) { m.set(l.New(math.MaxUint - 1)) })
		try("MustNew(max)", func(m *machine[S]) { m.set(l.MustNew(math.MaxUint)) })
		try("MustNew(max-1)", func(m *machine[S]) { m.set(l.MustNew(math.MaxUint - 1)) })
	}
	try("MustNew(65)", func(m *machine[S]) { m.set(l.MustNew(65)) })
	try("From(nil)", func(m *machine[S]) { m.set(l.From(nil)) })
	try("FromWithLength short", func(m *machine[S]) { m.set(l.FromWithLength(65, []uint64{1})) })
	try("FromWithLength(0)", func(m *machine[S]) { m.set(l.FromWithLength(0, nil)) })
	try("Set(max)", func(m *machine[S]) { m.set(l.Zero().Set(math.MaxUint)) })
	try("Flip(max)", func(m *machine[S]) { m.set(l.Zero().Flip(math.MaxUint)) })
	try("SetTo(max, false)", func(m *machine[S]) { m.set(l.Zero().SetTo(math.MaxUint, false)) })
	try("InsertAt(max)", func(m *machine[S]) { m.set(l.Zero().InsertAt(math.MaxUint)) })
	try("ShiftLeft past max", func(m *machine[S]) { s := full(3); s.ShiftLeft(math.MaxUint); m.set(s) })
	try("ShiftLeft empty", func(m *machine[S]) { s := l.New(3); s.ShiftLeft(math.MaxUint); m.set(s) })
	try("ShiftRight(max)", func(m *machine[S]) { s := full(3); s.ShiftRight(math.MaxUint); m.set(s) })
	try("AsSlice short", func(m *machine[S]) { m.num(full(100).AsSlice(make([]uint, 99))...) })
	try("AsSlice nil", func(m *machine[S]) { m.num(l.New(100).AsSlice(nil)...) })
	try("NextSetMany nil", func(m *machine[S]) { i, s := full(9).NextSetMany(0, nil); m.num(i); m.num(s...) })
	for _, i := range []uint{0, 1, 64, 127, 128, 129, 191, 192, math.MaxUint - 1, math.MaxUint} {
		for _, s := range []S{l.Zero(), full(1), full(128), full(129), l.New(129)} {
			try(fmt.Sprintf("%v of length %d at %d", s, s.Len(), i), func(m *machine[S]) {
				m.bool(s.Test(i))
				m.num(s.Rank(i), s.Select(i), s.OnesBetween(0, i), s.OnesBetween(i, 0), s.OnesBetween(i, math.MaxUint))
				m.found(s.NextSet(i))
				m.found(s.NextClear(i))
				m.found(s.PreviousSet(i))
				m.found(s.PreviousClear(i))
				m.num(uint(s.GetWord64AtBit(i)))
				m.set(s.Clone().Clear(i))
				m.set(s.Clone().DeleteAt(i))
				m.set(s.Clone().Shrink(i))
				m.set(s.Clone().SetRange(i, i))
				m.set(s.Clone().FlipRange(i, 0))
			})
		}
	}

	for name, f := range map[string]func(m *machine[S], a, b S){
		"Union":                          func(m *machine[S], a, b S) { a.Union(b) },
		"Intersection":                   func(m *machine[S], a, b S) { a.Intersection(b) },
		"Difference":                     func(m *machine[S], a, b S) { a.Difference(b) },
		"SymmetricDifference":            func(m *machine[S], a, b S) { a.SymmetricDifference(b) },
		"InPlaceUnion":                   func(m *machine[S], a, b S) { a.InPlaceUnion(b) },
		"InPlaceIntersection":            func(m *machine[S], a, b S) { a.InPlaceIntersection(b) },
		"InPlaceDifference":              func(m *machine[S], a, b S) { a.InPlaceDifference(b) },
		"InPlaceSymmetricDifference":     func(m *machine[S], a, b S) { a.InPlaceSymmetricDifference(b) },
		"UnionCardinality":               func(m *machine[S], a, b S) { a.UnionCardinality(b) },
		"IntersectionCardinality":        func(m *machine[S], a, b S) { a.IntersectionCardinality(b) },
		"DifferenceCardinality":          func(m *machine[S], a, b S) { a.DifferenceCardinality(b) },
		"SymmetricDifferenceCardinality": func(m *machine[S], a, b S) { a.SymmetricDifferenceCardinality(b) },
		"ExtractTo":                      func(m *machine[S], a, b S) { a.ExtractTo(b, a) },
		"DepositTo":                      func(m *machine[S], a, b S) { a.DepositTo(b, a) },
		"Equal":                          func(m *machine[S], a, b S) { m.bool(a.Equal(b)) },
		"All":                            func(m *machine[S], a, b S) { m.bool(a.All()) },
		"None":                           func(m *machine[S], a, b S) { m.bool(a.None()) },
		"Any":                            func(m *machine[S], a, b S) { m.bool(a.Any()) },
		"Complement":                     func(m *machine[S], a, b S) { m.set(a.Complement()) },
		"ShiftLeft":                      func(m *machine[S], a, b S) { a.ShiftLeft(1) },
		"ShiftRight":                     func(m *machine[S], a, b S) { a.ShiftRight(1) },
		"OnesBetween":                    func(m *machine[S], a, b S) { m.num(a.OnesBetween(0, 1)) },
		"Count":                          func(m *machine[S], a, b S) { m.num(a.Count()) },
		"ClearAll and SetAll":            func(m *machine[S], a, b S) { a.ClearAll(); a.SetAll() },
		"Copy to":                        func(m *machine[S], a, b S) { m.num(full(3).Copy(a)); full(3).CopyFull(a) },
		"Set":                            func(m *machine[S], a, b S) { a.Set(1) },
		"Test":                           func(m *machine[S], a, b S) { a.Test(1) },
		"Len":                            func(m *machine[S], a, b S) { a.Len() },
	} {
		try(name+" of nil", func(m *machine[S]) { f(m, none, full(3)) })
		try(name+" with nil", func(m *machine[S]) { f(m, full(3), none) })
		try(name+" of nil with nil", func(m *machine[S]) { f(m, none, none) })
	}
	return outcomes
}

func TestBitSetEdges(t *testing.T) {
	want := edges(peerLibrary, func(v any) bool { _, ok := v.(peer.Error); return ok })
	got := edges(ourLibrary, func(v any) bool { _, ok := v.(ours.Error); return ok })
	for name, p := range want {
		q := got[name]
		if p.panics != q.panics || p.nilSet != q.nilSet || !slices.Equal(p.seen, q.seen) {
			t.Errorf("%s: peer %+v, ours %+v", name, p, q)
		}
	}
	if peer.Cap() != ours.Cap() {
		t.Errorf("Cap %d and %d", peer.Cap(), ours.Cap())
	}
}

// TestBitSetDifferences shows each difference that the package comment of
// dropin/bitset lists. A failure on the peer's side means that a new release of
// it has mended something, and that the comment must be shortened.
func TestBitSetDifferences(t *testing.T) {
	// Each function returns whether the library has the defect.
	differ := func(name string, inPeer, inOurs bool) {
		t.Helper()
		if !inPeer {
			t.Errorf("%s: the peer does the right thing", name)
		}
		if inOurs {
			t.Errorf("%s: ours does the wrong thing", name)
		}
	}
	differ("FromWithLength counts what is past the length", extraMembers(peerLibrary), extraMembers(ourLibrary))
	differ("growth brings back bits past the length", staleMembers(peerLibrary), staleMembers(ourLibrary))
	differ("Copy clears more than it copies", copyClears(peerLibrary), copyClears(ourLibrary))
	differ("ExtractTo merges with the destination", extractMerges(peerLibrary), extractMerges(ourLibrary))
	differ("ExtractTo wipes the destination", extractWipes(peerLibrary), extractWipes(ourLibrary))
	differ("DepositTo sets bits past the length", depositPast(peerLibrary), depositPast(ourLibrary))
	differ("a failed read empties the set", failedReadEmpties(peerLibrary), failedReadEmpties(ourLibrary))
	differ("a short form allocates what it claims", believesHeader(peerLibrary), believesHeader(ourLibrary))
}

func extraMembers[S bitSet[S]](l library[S]) bool {
	return l.FromWithLength(10, []uint64{1 << 20}).Count() != 0
}

func staleMembers[S bitSet[S]](l library[S]) bool {
	return l.FromWithLength(10, []uint64{0, 1}).Set(100).Count() != 1
}

func copyClears[S bitSet[S]](l library[S]) bool {
	dst := l.New(64).SetAll()
	return l.New(10).Copy(dst) == 10 && dst.Count() != 54
}

func extractMerges[S bitSet[S]](l library[S]) bool {
	dst := l.New(64).SetAll()
	l.New(10).ExtractTo(l.New(10).SetAll(), dst)
	return dst.Count() != 54
}

func extractWipes[S bitSet[S]](l library[S]) bool {
	dst := l.New(128).Set(127)
	l.New(128).ExtractTo(l.New(128).SetRange(0, 40).SetRange(64, 104), dst)
	return !dst.Test(127)
}

func depositPast[S bitSet[S]](l library[S]) bool {
	dst := l.New(10)
	l.New(64).SetAll().DepositTo(l.New(64).Set(20), dst)
	return dst.Any()
}

func failedReadEmpties[S bitSet[S]](l library[S]) bool {
	s := l.New(64).SetAll()
	return s.UnmarshalBinary([]byte{7: 64}) != nil && s.Len() == 0
}

func believesHeader[S bitSet[S]](l library[S]) bool {
	const claimed = 64 << 20
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := l.Zero().UnmarshalBinary(binary.BigEndian.AppendUint64(nil, 8*claimed))
	runtime.ReadMemStats(&after)
	return err != nil && after.TotalAlloc-before.TotalAlloc >= claimed
}
