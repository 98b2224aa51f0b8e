package conformance

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	peerbits "github.com/bits-and-blooms/bitset"
	peerbloom "github.com/bits-and-blooms/bloom/v3"
	ourbits "github.com/bitsieve/bitsieve/dropin/bitset"
	ourbloom "github.com/bitsieve/bitsieve/dropin/bloom"
)

// bloomFilter is every method of the peer's *BloomFilter, B being its bitset.
// That both libraries' types have it is checked by the compiler.
type bloomFilter[F, B any] interface {
	Add(data []byte) F
	AddString(data string) F
	ApproximatedSize() uint32
	BitSet() B
	Cap() uint
	ClearAll() F
	Copy() F
	Equal(g F) bool
	GobDecode(data []byte) error
	GobEncode() ([]byte, error)
	K() uint
	MarshalBinary() ([]byte, error)
	MarshalJSON() ([]byte, error)
	Merge(g F) error
	ReadFrom(stream io.Reader) (int64, error)
	Test(data []byte) bool
	TestAndAdd(data []byte) bool
	TestAndAddString(data string) bool
	TestLocations(locs []uint64) bool
	TestOrAdd(data []byte) bool
	TestOrAddString(data string) bool
	TestString(data string) bool
	UnmarshalBinary(data []byte) error
	UnmarshalJSON(data []byte) error
	WriteTo(stream io.Writer) (int64, error)
}

// A value encodes itself too, not only a pointer.
var _, _ json.Marshaler = peerbloom.BloomFilter{}, ourbloom.BloomFilter{}

// bloomLibrary is what else the two packages export.
type bloomLibrary[F any] struct {
	New                       func(m, k uint) F
	NewWithEstimates          func(n uint, fp float64) F
	From                      func(data []uint64, k uint) F
	FromWithM                 func(data []uint64, m, k uint) F
	EstimateParameters        func(n uint, p float64) (m, k uint)
	EstimateFalsePositiveRate func(m, k, n uint) float64
	Locations                 func(data []byte, k uint) []uint64
}

var (
	peerBlooms = bloomLibrary[*peerbloom.BloomFilter]{
		peerbloom.New, peerbloom.NewWithEstimates, peerbloom.From, peerbloom.FromWithM,
		peerbloom.EstimateParameters, peerbloom.EstimateFalsePositiveRate, peerbloom.Locations,
	}
	ourBlooms = bloomLibrary[*ourbloom.BloomFilter]{
		ourbloom.New, ourbloom.NewWithEstimates, ourbloom.From, ourbloom.FromWithM,
		ourbloom.EstimateParameters, ourbloom.EstimateFalsePositiveRate, ourbloom.Locations,
	}
)

// bitsOf is what the machine needs of either bitset.
type bitsOf interface {
	Len() uint
	Words() []uint64
}

// bloomMachine runs a sequence of operations on filters of one library, and
// keeps what can be observed of the last one.
type bloomMachine[F bloomFilter[F, B], B bitsOf] struct {
	bloomLibrary[F]
	source
	filters [3]F
	seen    []string
}

func newBloomMachine[F bloomFilter[F, B], B bitsOf](l bloomLibrary[F], c source) *bloomMachine[F, B] {
	m := &bloomMachine[F, B]{bloomLibrary: l, source: c}
	for i := range m.filters {
		m.filters[i] = m.make()
	}
	return m
}

func (m *bloomMachine[F, B]) see(v ...any) { m.seen = append(m.seen, fmt.Sprint(v...)) }

// make makes a filter. It leaves out m = 0, which the package comment of
// dropin/bloom lists as a difference.
func (m *bloomMachine[F, B]) make() F {
	k := uint(m.choose(12))
	switch m.choose(6) {
	case 0:
		return m.NewWithEstimates(1+uint(m.choose(100)), float64(1+m.choose(98))/100)
	case 1:
		return m.From(m.words(), k)
	case 2:
		words := m.words()
		return m.FromWithM(words, 1+uint(m.choose(64*len(words))), k)
	case 3:
		words := m.words()
		return m.FromWithM(words, 64*uint(len(words))+uint(m.choose(700)), k)
	case 4:
		return m.New(64*uint(m.choose(20)), k)
	}
	return m.New(uint(m.choose(1000)), k)
}

func (m *bloomMachine[F, B]) words() []uint64 {
	words := make([]uint64, 1+m.choose(10))
	for i := range words {
		words[i] = uint64(1) << m.choose(64)
	}
	return words
}

// key chooses one of few keys, of all lengths.
func (m *bloomMachine[F, B]) key() []byte {
	i := m.choose(100)
	key := make([]byte, i)
	for j := range key {
		key[j] = byte(i*j + i)
	}
	return key
}

// step runs one operation and returns its name.
func (m *bloomMachine[F, B]) step() string {
	m.seen = m.seen[:0]
	x, y := m.choose(len(m.filters)), m.choose(len(m.filters))
	name := m.operate(x, m.filters[x], m.filters[y])
	for _, f := range []F{m.filters[x], m.filters[y]} {
		m.see(f.Cap(), f.K(), f.BitSet().Len(), f.BitSet().Words())
	}
	return fmt.Sprintf("%s(%d,%d)", name, x, y)
}

func (m *bloomMachine[F, B]) operate(x int, f, g F) string {
	switch m.choose(20) {
	case 0, 1:
		f.Add(m.key())
		return "Add"
	case 2, 3:
		f.AddString(string(m.key())).Add(m.key())
		return "AddString"
	case 4:
		for range 5 {
			m.see(f.Test(m.key()))
		}
		return "Test"
	case 5:
		for range 5 {
			m.see(f.TestString(string(m.key())))
		}
		return "TestString"
	case 6:
		m.see(f.TestAndAdd(m.key()))
		return "TestAndAdd"
	case 7:
		m.see(f.TestAndAddString(string(m.key())))
		return "TestAndAddString"
	case 8:
		m.see(f.TestOrAdd(m.key()))
		return "TestOrAdd"
	case 9:
		m.see(f.TestOrAddString(string(m.key())))
		return "TestOrAddString"
	case 10:
		locations := m.Locations(m.key(), uint(m.choose(20)))
		m.see(locations, f.TestLocations(locations), g.TestLocations(locations))
		return "Locations"
	case 11:
		m.see(f.Merge(g) == nil, f.Merge(f) == nil)
		return "Merge"
	case 12, 13:
		if c := f.Copy(); f.BitSet().Len() >= f.Cap() && f.K() > 0 { // else a listed difference
			m.see(c.Equal(f))
			m.filters[m.choose(3)] = c
		}
		return "Copy"
	case 14:
		m.see(f.Equal(g), f.Equal(f))
		return "Equal"
	case 15:
		f.ClearAll()
		return "ClearAll"
	case 16:
		if size := f.ApproximatedSize(); f.K() > 0 && m.isPartlyFull(f) { // else a listed difference
			m.see(size)
		}
		return "ApproximatedSize"
	case 17:
		n, p := 1+uint(m.choose(1<<16)), float64(1+m.choose(998))/1000
		a, b := m.EstimateParameters(n, p)
		m.see(a, b)
		return "EstimateParameters"
	case 18:
		data, err := f.MarshalBinary()
		m.see(data, err)
		if f.BitSet().Len() >= f.Cap() {
			m.see(g.UnmarshalBinary(data), g.Equal(f))
		}
		return "MarshalBinary"
	default:
		m.filters[x] = m.make()
		return "make"
	}
}

// isPartlyFull reports whether fewer than m bits are set.
func (m *bloomMachine[F, B]) isPartlyFull(f F) bool {
	n := uint(0)
	for _, w := range f.BitSet().Words() {
		for ; w != 0; w &= w - 1 {
			n++
		}
	}
	return n < f.Cap()
}

func runBothBlooms(t testing.TB, steps int, newSource func() source) {
	t.Helper()
	p := newBloomMachine[*peerbloom.BloomFilter, *peerbits.BitSet](peerBlooms, newSource())
	q := newBloomMachine[*ourbloom.BloomFilter, *ourbits.BitSet](ourBlooms, newSource())
	for i := range steps {
		name := p.step()
		if got := q.step(); got != name {
			t.Fatalf("step %d: the sequences part: %s and %s", i, name, got)
		}
		if !slices.Equal(p.seen, q.seen) {
			t.Fatalf("step %d, %s:\npeer %v\nours %v", i, name, p.seen, q.seen)
		}
	}
}

func TestBloomOperations(t *testing.T) {
	const sequence = 1000
	sequences := uint64(200)
	if testing.Short() {
		sequences = 10
	}
	for seed := range sequences {
		runBothBlooms(t, sequence, func() source { return randomSource{rand.New(rand.NewPCG(seed, 2))} })
	}
}

func FuzzBloomOperations(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(string(data))
	}
	f.Fuzz(func(t *testing.T, data string) {
		runBothBlooms(t, len(data)/5, func() source { return &bytesSource{data} })
	})
}

// FuzzBloomKey compares the bits of any key under any m and k.
func FuzzBloomKey(f *testing.F) {
	f.Add([]byte("Love"), uint32(1000), uint8(4))
	f.Add([]byte("0123456789abcde"), uint32(1<<20), uint8(7))
	f.Fuzz(func(t *testing.T, key []byte, m32 uint32, k8 uint8) {
		m, k := uint(m32%(1<<20)), uint(k8)
		if p, q := peerbloom.Locations(key, k), ourbloom.Locations(key, k); !slices.Equal(p, q) {
			t.Fatalf("locations: peer %x, ours %x", p, q)
		}
		p, q := peerbloom.New(m, k), ourbloom.New(m, k)
		p.Add(key)
		q.Add(key)
		r := ourbloom.New(m, k)
		r.AddBytes(slices.Repeat([][]byte{key}, 20))
		x, _ := p.MarshalBinary()
		y, _ := q.MarshalBinary()
		z, _ := r.MarshalBinary()
		if !bytes.Equal(x, y) || !bytes.Equal(x, z) {
			t.Fatal("the filters differ")
		}
	})
}

// TestBloomLocations compares the locations of keys of every length.
func TestBloomLocations(t *testing.T) {
	data := make([]byte, 400)
	for i := range data {
		data[i] = byte(i * i * 31)
	}
	for n := range data {
		p, q := peerbloom.Locations(data[:n], 50), ourbloom.Locations(data[:n], 50)
		if !slices.Equal(p, q) {
			t.Errorf("%d bytes: peer %x, ours %x", n, p, q)
		}
	}
}

// TestBloomEstimates compares sizes, and the measured rate, which is the same to
// the last digit because the keys are.
func TestBloomEstimates(t *testing.T) {
	for n := uint(1); n < 1e9; n = n*7 + 3 {
		for _, p := range []float64{0.999, 0.7, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-15} {
			pm, pk := peerbloom.EstimateParameters(n, p)
			qm, qk := ourbloom.EstimateParameters(n, p)
			if pm != qm || pk != qk {
				t.Errorf("EstimateParameters(%d, %v): peer %d, %d, ours %d, %d", n, p, pm, pk, qm, qk)
			}
		}
	}
	for _, c := range [][3]uint{{1000, 4, 100}, {10000, 7, 1000}, {9, 2, 3}, {0, 0, 1}} {
		p := peerbloom.EstimateFalsePositiveRate(c[0], c[1], c[2])
		q := ourbloom.EstimateFalsePositiveRate(c[0], c[1], c[2])
		if p != q {
			t.Errorf("EstimateFalsePositiveRate%v: peer %v, ours %v", c, p, q)
		}
	}
}

// TestBloomCrossReading has each library read what the other wrote, in each form
// and byte order.
func TestBloomCrossReading(t *testing.T) {
	t.Cleanup(func() { peerbits.BigEndian(); ourbits.BigEndian() })
	for _, order := range []func(){
		func() { peerbits.LittleEndian(); ourbits.LittleEndian() },
		func() { peerbits.BigEndian(); ourbits.BigEndian() },
	} {
		order()
		for _, size := range [][2]uint{{0, 3}, {1, 1}, {64, 2}, {1000, 4}, {1_000_003, 7}} {
			p, q := peerbloom.New(size[0], size[1]), ourbloom.New(size[0], size[1])
			for _, keys := range []int{0, 100} {
				for i := range keys {
					key := fmt.Sprint("key ", i)
					p.AddString(key)
					q.AddString(key)
				}
				crossReadBloom(t, p, q, func() *ourbloom.BloomFilter { return new(ourbloom.BloomFilter) })
				crossReadBloom(t, q, p, func() *peerbloom.BloomFilter { return new(peerbloom.BloomFilter) })
			}
		}
	}
}

// crossReadBloom writes a and b in each form, which must be the same bytes, and
// reads a's into an empty filter of b's type.
func crossReadBloom[A bloomFilter[A, S], B bloomFilter[B, U], S, U bitsOf](t *testing.T, a A, b B, empty func() B) {
	t.Helper()
	for name, form := range map[string]struct {
		write func(v any) ([]byte, error)
		read  func(data []byte, v B) error
	}{
		"MarshalBinary": {
			func(v any) ([]byte, error) { return v.(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary() },
			func(data []byte, v B) error { return v.UnmarshalBinary(data) },
		},
		"GobEncode": {
			func(v any) ([]byte, error) { return v.(gob.GobEncoder).GobEncode() },
			func(data []byte, v B) error { return v.GobDecode(data) },
		},
		"json": {json.Marshal, func(data []byte, v B) error { return json.Unmarshal(data, v) }},
		"gob": {
			func(v any) ([]byte, error) {
				var buf bytes.Buffer
				err := gob.NewEncoder(&buf).Encode(v)
				return buf.Bytes(), err
			},
			func(data []byte, v B) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
		},
		"WriteTo": {
			func(v any) ([]byte, error) {
				var buf bytes.Buffer
				n, err := v.(io.WriterTo).WriteTo(&buf)
				if n != int64(buf.Len()) {
					t.Errorf("%T.WriteTo returned %d for %d bytes", v, n, buf.Len())
				}
				return buf.Bytes(), err
			},
			func(data []byte, v B) error {
				n, err := v.ReadFrom(bytes.NewReader(append(bytes.Clone(data), "more"...)))
				if n != int64(len(data)) {
					t.Errorf("%T.ReadFrom returned %d for %d bytes", v, n, len(data))
				}
				return err
			},
		},
	} {
		x, errX := form.write(a)
		y, errY := form.write(b)
		// A gob stream names its type: only what follows the definition is the
		// same.
		if errX != nil || errY != nil || name != "gob" && !bytes.Equal(x, y) {
			t.Fatalf("%s, m = %d: the libraries write differently (%v, %v)", name, a.Cap(), errX, errY)
		}
		got := empty()
		if err := form.read(x, got); err != nil || !got.Equal(b) {
			t.Fatalf("%s, m = %d: %T does not read what %T wrote: %v", name, a.Cap(), b, a, err)
		}
		for i := range 200 {
			if key := fmt.Sprint("key ", i); got.TestString(key) != a.TestString(key) {
				t.Fatalf("%s, m = %d: %q is answered differently", name, a.Cap(), key)
			}
		}
	}
}

// FuzzBloomReads gives any bytes to both libraries' readers. What both accept
// must be the same filter; what only the peer accepts must be what the package
// comment of dropin/bloom says.
func FuzzBloomReads(f *testing.F) {
	form, _ := peerbloom.New(70, 3).AddString("Love").MarshalBinary()
	f.Add(form)
	f.Add(form[:30])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 24 && !bytes.Equal(data[16:20], make([]byte, 4)) {
			t.Skip("the peer would allocate what the header says")
		}
		var p peerbloom.BloomFilter
		var q ourbloom.BloomFilter
		errP, errQ := p.UnmarshalBinary(data), q.UnmarshalBinary(data)
		switch {
		case errP != nil && errQ == nil:
			t.Fatalf("only ours reads it: %v", errP)
		case errP == nil && errQ != nil:
			if m := p.Cap(); m >= 1 && m <= max(p.BitSet().Len(), 1) && p.K() <= 65536 {
				t.Fatalf("only the peer reads it: %v", errQ)
			}
		case errP == nil:
			if p.Cap() != q.Cap() || p.K() != q.K() || p.BitSet().Len() != q.BitSet().Len() ||
				p.Test(data) != q.Test(data) {
				t.Fatal("the filters differ")
			}
		}
	})
}
