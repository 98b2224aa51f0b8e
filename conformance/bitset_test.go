package conformance

import (
	"flag"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	peer "github.com/bits-and-blooms/bitset"
	ours "github.com/bitsieve/bitsieve/dropin/bitset"
)

// bitSet is every method of the peer's *BitSet. That both libraries' types have
// it is checked by the compiler; that they mean the same by it is what the tests
// are for.
type bitSet[S any] interface {
	comparable
	All() bool
	Any() bool
	AppendTo(buf []uint) []uint
	AsSlice(buf []uint) []uint
	BinaryStorageSize() int
	Bytes() []uint64
	Clear(i uint) S
	ClearAll() S
	Clone() S
	Compact() S
	Complement() S
	Copy(c S) uint
	CopyFull(c S)
	Count() uint
	DeleteAt(i uint) S
	Deposit(mask S) S
	DepositTo(mask, dst S)
	Difference(compare S) S
	DifferenceCardinality(compare S) uint
	DumpAsBits() string
	EachSet() iter.Seq[uint]
	Equal(c S) bool
	Extract(mask S) S
	ExtractTo(mask, dst S)
	Flip(i uint) S
	FlipRange(start, end uint) S
	GetWord64AtBit(i uint) uint64
	InPlaceDifference(compare S)
	InPlaceIntersection(compare S)
	InPlaceSymmetricDifference(compare S)
	InPlaceUnion(compare S)
	InsertAt(idx uint) S
	Intersection(compare S) S
	IntersectionCardinality(compare S) uint
	IsStrictSuperSet(other S) bool
	IsSuperSet(other S) bool
	Len() uint
	MarshalBinary() ([]byte, error)
	MarshalJSON() ([]byte, error)
	NextClear(i uint) (uint, bool)
	NextSet(i uint) (uint, bool)
	NextSetMany(i uint, buffer []uint) (uint, []uint)
	None() bool
	OnesBetween(from, to uint) uint
	PreviousClear(i uint) (uint, bool)
	PreviousSet(i uint) (uint, bool)
	Rank(index uint) uint
	ReadFrom(stream io.Reader) (int64, error)
	Select(index uint) uint
	Set(i uint) S
	SetAll() S
	SetBitsetFrom(buf []uint64)
	SetRange(start, end uint) S
	SetTo(i uint, value bool) S
	ShiftLeft(bits uint)
	ShiftRight(bits uint)
	Shrink(lastbitindex uint) S
	String() string
	SymmetricDifference(compare S) S
	SymmetricDifferenceCardinality(compare S) uint
	Test(i uint) bool
	Union(compare S) S
	UnionCardinality(compare S) uint
	UnmarshalBinary(data []byte) error
	UnmarshalJSON(data []byte) error
	Words() []uint64
	WriteTo(stream io.Writer) (int64, error)
}

// library is what else the two packages have in common.
type library[S bitSet[S]] struct {
	New            func(length uint) S
	MustNew        func(length uint) S
	From           func(buf []uint64) S
	FromWithLength func(length uint, set []uint64) S
	Zero           func() S
}

var (
	peerLibrary = library[*peer.BitSet]{peer.New, peer.MustNew, peer.From, peer.FromWithLength, func() *peer.BitSet { return new(peer.BitSet) }}
	ourLibrary  = library[*ours.BitSet]{ours.New, ours.MustNew, ours.From, ours.FromWithLength, func() *ours.BitSet { return new(ours.BitSet) }}
)

// source makes the choices of a sequence. Two sources made alike make the same
// ones, as long as they are asked the same.
type source interface {
	choose(n int) int // in [0, n)
}

type randomSource struct{ *rand.Rand }

func (r randomSource) choose(n int) int { return r.IntN(n) }

// bytesSource takes its choices from a fuzzer's data, two bytes each.
type bytesSource struct{ data string }

func (d *bytesSource) choose(n int) int {
	v := 0
	for range 2 {
		if d.data != "" {
			v = v<<8 | int(d.data[0])
			d.data = d.data[1:]
		}
	}
	return v % n
}

// machine runs a sequence of operations on three sets of one library, and keeps
// what can be observed of the last one.
type machine[S bitSet[S]] struct {
	library[S]
	source
	sets [3]S
	seen []uint64
	text []string
}

func newMachine[S bitSet[S]](l library[S], c source) *machine[S] {
	m := &machine[S]{library: l, source: c}
	m.sets = [3]S{l.Zero(), l.New(0), l.New(uint(c.choose(200)))}
	return m
}

func (m *machine[S]) num(v ...uint) {
	for _, x := range v {
		m.seen = append(m.seen, uint64(x))
	}
}

func (m *machine[S]) bool(v bool) {
	if v {
		m.num(1)
	} else {
		m.num(0)
	}
}

func (m *machine[S]) found(i uint, ok bool) {
	m.num(i)
	m.bool(ok)
}

// set observes a set's length and words.
func (m *machine[S]) set(s S) {
	m.num(s.Len())
	m.seen = append(m.seen, s.Words()...)
}

// index chooses an index near or in s, more often than not at the edge of a word
// or of the set.
func (m *machine[S]) index(s S) uint {
	switch m.choose(4) {
	case 0:
		return uint(m.choose(16))*64 + uint(m.choose(3)) + 62
	case 1:
		return s.Len() + uint(m.choose(4)) - min(s.Len(), 2)
	}
	return uint(m.choose(int(s.Len()) + 70))
}

// step runs one operation and returns its name.
func (m *machine[S]) step() string {
	m.seen, m.text = m.seen[:0], m.text[:0]
	x, y := m.choose(len(m.sets)), m.choose(len(m.sets))
	s, o := m.sets[x], m.sets[y]
	name := m.operate(s, o, x)
	s = m.sets[x]
	m.set(s)
	m.set(o)
	if s.Len() > 3000 {
		m.sets[x] = m.New(uint(m.choose(100)))
	}
	return fmt.Sprintf("%s(%d,%d)", name, x, y)
}

// operate runs an operation on s, which is set x, and perhaps on o. It leaves
// out what the package comment of dropin/bitset lists as a difference.
func (m *machine[S]) operate(s, o S, x int) string {
	switch m.choose(68) {
	case 0, 1, 2, 3:
		s.Set(m.index(s))
		return "Set"
	case 4:
		s.Clear(m.index(s))
		return "Clear"
	case 5:
		s.SetTo(m.index(s), m.choose(2) == 0)
		return "SetTo"
	case 6:
		s.Flip(m.index(s))
		return "Flip"
	case 7:
		s.SetRange(m.index(s), m.index(s))
		return "SetRange"
	case 8:
		s.FlipRange(m.index(s), m.index(s))
		return "FlipRange"
	case 9:
		s.ClearAll()
		return "ClearAll"
	case 10:
		s.SetAll()
		return "SetAll"
	case 11, 12, 13:
		words := make([]uint64, m.choose(30))
		for i := range words {
			w := uint64(m.choose(1<<16)) * 0x9e3779b97f4a7c15
			words[i] = w ^ w>>31
		}
		switch m.choose(3) {
		case 0:
			m.sets[x] = m.From(words)
		case 1:
			s.SetBitsetFrom(words)
		case 2:
			n := uint(len(words)) * 64
			if n > 0 {
				d := uint(m.choose(64))
				words[len(words)-1] <<= d
				words[len(words)-1] >>= d
				n -= d
			}
			m.sets[x] = m.FromWithLength(n, words)
		}
		return "From"
	case 14:
		s.Shrink(m.index(s))
		return "Shrink"
	case 15:
		s.Compact()
		return "Compact"
	case 16, 17:
		s.InsertAt(m.index(s))
		return "InsertAt"
	case 18, 19:
		s.DeleteAt(m.index(s))
		return "DeleteAt"
	case 20, 21:
		s.ShiftLeft(uint(m.choose(200)))
		return "ShiftLeft"
	case 22:
		s.ShiftLeft(uint(m.choose(4)) * 64)
		return "ShiftLeft by words"
	case 23, 24:
		s.ShiftRight(m.index(s))
		return "ShiftRight"
	case 25:
		s.ShiftRight(uint(m.choose(4)) * 64)
		return "ShiftRight by words"
	case 26, 27:
		s.InPlaceUnion(o)
		return "InPlaceUnion"
	case 28, 29:
		s.InPlaceIntersection(o)
		return "InPlaceIntersection"
	case 30, 31:
		s.InPlaceDifference(o)
		return "InPlaceDifference"
	case 32, 33:
		s.InPlaceSymmetricDifference(o)
		return "InPlaceSymmetricDifference"
	case 34:
		if o.Len()%64 == 0 || o.Len() >= s.Len() {
			m.num(o.Copy(s))
		}
		return "Copy"
	case 35:
		o.CopyFull(s)
		return "CopyFull"
	case 36:
		m.sets[x] = o.Clone()
		return "Clone"
	case 37:
		m.sets[x] = o.Complement()
		return "Complement"
	case 38:
		m.set(s.Union(o))
		m.num(s.UnionCardinality(o))
		return "Union"
	case 39:
		m.set(s.Intersection(o))
		m.num(s.IntersectionCardinality(o))
		return "Intersection"
	case 40:
		m.set(s.Difference(o))
		m.num(s.DifferenceCardinality(o))
		return "Difference"
	case 41:
		m.set(s.SymmetricDifference(o))
		m.num(s.SymmetricDifferenceCardinality(o))
		return "SymmetricDifference"
	case 42, 43:
		m.set(s.Extract(o))
		return "Extract"
	case 44:
		dst := m.New(uint(m.choose(300)))
		s.ExtractTo(o, dst)
		m.set(dst)
		return "ExtractTo"
	case 45, 46:
		m.set(s.Deposit(o))
		return "Deposit"
	case 47:
		dst := m.New(uint(m.choose(30)) * 64).SetAll()
		s.DepositTo(o, dst)
		m.set(dst)
		return "DepositTo"
	case 48:
		m.bool(s.All())
		m.bool(s.Any())
		m.bool(s.None())
		m.num(s.Count())
		return "Count"
	case 49:
		m.bool(s.Equal(o))
		m.bool(s.Equal(s.Clone()))
		m.bool(s.IsSuperSet(o))
		m.bool(s.IsStrictSuperSet(o))
		m.bool(s.IsSuperSet(s.Intersection(o)))
		return "Equal"
	case 50:
		for range 4 {
			m.bool(s.Test(m.index(s)))
		}
		return "Test"
	case 51:
		m.seen = append(m.seen, s.GetWord64AtBit(m.index(s)))
		return "GetWord64AtBit"
	case 52, 53:
		m.found(s.NextSet(m.index(s)))
		return "NextSet"
	case 54, 55:
		m.found(s.NextClear(m.index(s)))
		return "NextClear"
	case 56:
		m.found(s.PreviousSet(m.index(s)))
		return "PreviousSet"
	case 57:
		m.found(s.PreviousClear(m.index(s)))
		return "PreviousClear"
	case 58, 59:
		buf := make([]uint, m.choose(3), 3+m.choose(200))
		last, many := s.NextSetMany(m.index(s), buf)
		m.num(last)
		m.num(many...)
		return "NextSetMany"
	case 60:
		m.num(s.AppendTo(make([]uint, m.choose(3)))...)
		m.num(s.AsSlice(make([]uint, 1, s.Count()+1))...)
		return "AppendTo"
	case 61:
		for i := range s.EachSet() {
			if m.num(i); i > 700 {
				break
			}
		}
		return "EachSet"
	case 62:
		m.num(s.Rank(m.index(s)))
		return "Rank"
	case 63:
		m.num(s.Select(uint(m.choose(int(s.Count()) + 2))))
		return "Select"
	case 64:
		m.num(s.OnesBetween(m.index(s), m.index(s)))
		return "OnesBetween"
	case 65:
		m.text = append(m.text, s.String(), s.DumpAsBits())
		m.num(uint(s.BinaryStorageSize()))
		return "String"
	case 66:
		form, err := o.MarshalBinary()
		m.text = append(m.text, string(form), fmt.Sprint(err, s.UnmarshalBinary(form)))
		return "MarshalBinary"
	default:
		form, err := o.MarshalJSON()
		m.text = append(m.text, string(form), fmt.Sprint(err, s.UnmarshalJSON(form)))
		return "MarshalJSON"
	}
}

// runBoth runs the same sequence on both libraries.
func runBoth(t testing.TB, steps int, newSource func() source) {
	t.Helper()
	p, q := newMachine(peerLibrary, newSource()), newMachine(ourLibrary, newSource())
	var names [12]string
	for i := range steps {
		name := p.step()
		names[i%len(names)] = name
		if got := q.step(); got != name {
			t.Fatalf("step %d: the sequences part: %s and %s", i, name, got)
		}
		if !slices.Equal(p.seen, q.seen) || !slices.Equal(p.text, q.text) {
			last := append(slices.Clone(names[i%len(names)+1:]), names[:i%len(names)+1]...)
			t.Fatalf("step %d, %s:\npeer %x %q\nours %x %q\nlast steps: %s",
				i, name, p.seen, p.text, q.seen, q.text, strings.Join(last, " "))
		}
	}
}

var operations = flag.Int("operations", 1_200_000, "operations on each library in TestBitSetOperations")

func TestBitSetOperations(t *testing.T) {
	const sequence = 2000
	n := *operations
	if testing.Short() {
		n = min(n, 20*sequence)
	}
	for seed := range uint64(max(1, n/sequence)) {
		runBoth(t, sequence, func() source { return randomSource{rand.New(rand.NewPCG(seed, 1))} })
	}
}

func FuzzBitSetOperations(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 8 {
		data := make([]byte, 600)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, data string) {
		runBoth(t, len(data)/5, func() source { return &bytesSource{data} })
	})
}
