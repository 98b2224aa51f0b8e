package keyset

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// model is what a Set should be: whether a key that is in it is taken.
type model struct {
	texts map[string]bool
	ints  map[uint64]bool
}

// keys returns the keys of m that are taken, or not, as Set.Keys does.
func (m *model) keys(taken bool) (texts [][]byte, ints []uint64) {
	for key, is := range m.texts {
		if is == taken {
			texts = append(texts, []byte(key))
		}
	}
	for x, is := range m.ints {
		if is == taken {
			ints = append(ints, x)
		}
	}
	slices.SortFunc(texts, bytes.Compare)
	slices.Sort(ints)
	return texts, ints
}

func (m *model) check(t *testing.T, s *Set) {
	t.Helper()
	for _, taken := range []bool{false, true} {
		texts, ints := s.Keys(taken)
		wantTexts, wantInts := m.keys(taken)
		if !slices.EqualFunc(texts, wantTexts, bytes.Equal) || !slices.Equal(ints, wantInts) {
			t.Fatalf("taken %v: %d byte strings and %d integers, want %d and %d", taken, len(texts), len(ints), len(wantTexts), len(wantInts))
		}
		n := s.Len()
		if taken {
			n = s.Taken()
		}
		if n != len(texts)+len(ints) {
			t.Fatalf("taken %v: %d keys, counted %d", taken, len(texts)+len(ints), n)
		}
		for _, key := range texts {
			if s.Has(key) == taken {
				t.Fatalf("Has(%q) = %v", key, taken)
			}
		}
		for _, x := range ints {
			if s.HasUint64(x) == taken {
				t.Fatalf("HasUint64(%d) = %v", x, taken)
			}
		}
	}
}

// textOf returns the i-th of many keys of all lengths to 300, and some up to 70000.
func textOf(i uint64) []byte {
	r := rand.New(rand.NewPCG(i, 7))
	n := int(r.Uint64() % 300)
	if i%500 == 0 {
		n = int(r.Uint64() % 70000)
	}
	key := make([]byte, n)
	for j := range key {
		key[j] = byte(r.Uint32())
	}
	return key
}

// Random operations against maps.
func TestModel(t *testing.T) {
	var s Set
	m := model{map[string]bool{}, map[uint64]bool{}}
	r := rand.New(rand.NewPCG(1, 2))
	steps := 60_000
	if testing.Short() {
		steps = 10_000
	}
	for step := range steps {
		key, x := textOf(r.Uint64N(3000)), r.Uint64N(3000)<<(r.Uint64N(2)*50)
		taken, known := m.texts[string(key)]
		takenInt, knownInt := m.ints[x]
		switch r.Uint64N(8) {
		case 0, 1:
			if got := s.Add(key); got == known {
				t.Fatalf("Add(%q) = %v", key, got)
			}
			if got := s.AddUint64(x); got == knownInt {
				t.Fatalf("AddUint64(%d) = %v", x, got)
			}
			m.texts[string(key)], m.ints[x] = taken, takenInt
		case 2:
			if got, before := s.Take(key); got != (known && !taken) || before != taken {
				t.Fatalf("Take(%q) = %v, %v", key, got, before)
			}
			if got, before := s.TakeUint64(x); got != (knownInt && !takenInt) || before != takenInt {
				t.Fatalf("TakeUint64(%d) = %v, %v", x, got, before)
			}
			if known {
				m.texts[string(key)] = true
			}
			if knownInt {
				m.ints[x] = true
			}
		default:
			if got := s.Has(key); got != (known && !taken) {
				t.Fatalf("Has(%q) = %v", key, got)
			}
			if got := s.HasUint64(x); got != (knownInt && !takenInt) {
				t.Fatalf("HasUint64(%d) = %v", x, got)
			}
		}
		switch {
		case step%9999 == 5000:
			keep := func(b byte) bool { return b%4 != 1 }
			s.Keep(func(key []byte) bool { return len(key) > 0 && keep(key[0]) }, func(x uint64) bool { return keep(byte(x)) })
			for key, taken := range m.texts {
				if !taken && !(len(key) > 0 && keep(key[0])) {
					delete(m.texts, key)
				}
			}
			for x, taken := range m.ints {
				if !taken && !keep(byte(x)) {
					delete(m.ints, x)
				}
			}
		case step%9999 == 9000:
			s.Restore()
			for key := range m.texts {
				m.texts[key] = false
			}
			for x := range m.ints {
				m.ints[x] = false
			}
		case step%9999 == 9998:
			words, size := s.Encode()
			var c Set
			c.Copy(&s)
			d, err := Decode(words, size)
			if err != nil {
				t.Fatal(err)
			}
			m.check(t, &c)
			if !d.Equal(&s) || !s.Equal(d) || !c.Equal(&s) || d.Taken() != 0 {
				t.Fatal("a copy differs")
			}
		}
		if step%5000 == 0 {
			m.check(t, &s)
		}
	}
	m.check(t, &s)
	s.Clear()
	if s.Len() != 0 || s.Taken() != 0 || s.SizeBytes() != 0 || s.Has(nil) || s.HasUint64(0) || !s.Empty() {
		t.Error("a cleared set is not empty")
	}
}

// Every length at which the length of the length changes, and the empty key.
func TestLengths(t *testing.T) {
	var s Set
	for _, n := range []int{0, 1, 2, 126, 127, 128, 129, 255, 256, 16383, 16384, 16385, 70000} {
		key := bytes.Repeat([]byte{1}, n)
		if s.Has(key) || !s.Add(key) || s.Add(key) || !s.Has(key) {
			t.Errorf("key of %d bytes", n)
		}
		other := bytes.Clone(key)
		if n > 0 {
			other[n-1] ^= 1
			if s.Has(other) {
				t.Errorf("key of %d bytes with another last byte", n)
			}
		}
	}
	words, size := s.Encode()
	d, err := Decode(words, size)
	if err != nil || !d.Equal(&s) {
		t.Error(err)
	}
}

// Equal sets have the same form, in whatever order their keys came.
func TestEncodeOrder(t *testing.T) {
	var forms []string
	for seed := range uint64(5) {
		var s Set
		r := rand.New(rand.NewPCG(seed, 1))
		for _, i := range r.Perm(1000) {
			s.Add(textOf(uint64(i) + 1))
			s.AddUint64(uint64(i) << 33)
		}
		for i := range uint64(100) { // what is taken is not in it
			key := fmt.Appendf(nil, "taken %d %d", seed, i)
			s.Add(key)
			s.Take(key)
		}
		words, size := s.Encode()
		forms = append(forms, fmt.Sprint(words, size))
	}
	if len(slices.Compact(forms)) != 1 {
		t.Error("the form depends on the order")
	}
}

// A million keys are all found, and nothing else; the memory is what it is said to be.
func TestMillion(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 20_000
	}
	var s, ints Set
	for i := range n {
		s.Add(fmt.Appendf(nil, "key%d", i))
		ints.AddUint64(uint64(i))
	}
	var buf []byte
	for i := range 2 * n {
		buf = fmt.Appendf(buf[:0], "key%d", i)
		if s.Has(buf) != (i < n) || ints.HasUint64(uint64(i)) != (i < n) {
			t.Fatalf("key %d: %v %v", i, s.Has(buf), ints.HasUint64(uint64(i)))
		}
	}
	texts, _ := s.Keys(false)
	var exact Set
	Reserve(&exact, texts)
	for _, key := range texts {
		exact.Add(key)
	}
	per := func(bytes uint64) float64 { return float64(bytes) / float64(n) }
	table := per(s.texts.sizeBytes(4))
	if table < 6.8 || table > 10.3 || per(exact.texts.sizeBytes(4)) > 6.9 || cap(exact.blob) > blobBytes(texts)+64<<10 {
		t.Errorf("tables of %.2f and %.2f bytes per key, blob of %d", table, per(exact.texts.sizeBytes(4)), cap(exact.blob))
	}
	if got := per(ints.SizeBytes()); got < 12.1 || got > 18.4 {
		t.Errorf("%.2f bytes per integer", got)
	}
	t.Logf("%.2f bytes beside the key's, %.2f when reserved; %.2f per integer",
		per(s.SizeBytes()-uint64(blobBytes(texts)))+1, per(exact.SizeBytes()-uint64(blobBytes(texts)))+1, per(ints.SizeBytes()))
}

// Of goroutines that take the same keys, exactly one takes each.
func TestTakeTogether(t *testing.T) {
	const n = 2000
	var s Set
	for i := range uint64(n) {
		s.Add(textOf(i))
		s.AddUint64(i)
	}
	var wg sync.WaitGroup
	takes := make([]int, 4)
	for g := range takes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range uint64(n) {
				s.Has(textOf(i + 1))
				if taken, before := s.Take(textOf(i)); taken {
					takes[g]++
				} else if !before {
					t.Errorf("key %d was taken by nobody", i)
				}
				if taken, before := s.TakeUint64(i); taken {
					takes[g]++
				} else if !before && s.HasUint64(i) {
					t.Errorf("integer %d was taken by nobody", i)
				}
			}
		}()
	}
	wg.Wait()
	texts, ints := s.Keys(true)
	if sum := takes[0] + takes[1] + takes[2] + takes[3]; sum != len(texts)+len(ints) || s.Taken() != sum || s.Len() != 0 {
		t.Errorf("taken %v times in all, %d of %d", takes, s.Taken(), len(texts)+len(ints))
	}
}

func TestAllocations(t *testing.T) {
	var s Set
	s.Add([]byte("a"))
	s.AddUint64(1)
	key, other := []byte("a"), []byte("b")
	if n := testing.AllocsPerRun(100, func() {
		s.Has(key)
		s.Has(other)
		s.HasUint64(1)
		s.HasUint64(2)
		s.Take(key)
		s.TakeUint64(1)
		s.Restore()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What is not exactly what Encode makes is refused.
func TestDecodeDamage(t *testing.T) {
	var s Set
	for _, key := range []string{"", "a", "ab", "b", "\x00", "long enough to be more than a word"} {
		s.Add([]byte(key))
	}
	s.AddUint64(0)
	s.AddUint64(7)
	s.AddUint64(1 << 63)
	good, size := s.Encode()
	if d, err := Decode(append(slices.Clone(good), 0, 0), size); err != nil || !d.Equal(&s) {
		t.Fatal(err)
	}
	// Any change of a bit of the words gives another set or an error.
	for i := range 64 * len(good) {
		words := slices.Clone(good)
		words[i/64] ^= 1 << (i % 64)
		if d, err := Decode(words, size); err == nil && d.Equal(&s) {
			t.Errorf("bit %d does not matter", i)
		}
	}
	for name, c := range map[string]struct {
		words []uint64
		size  Size
	}{
		"more integers than keys":  {good, Size{2, 3, 0}},
		"more integers than words": {good[:2], Size{3, 3, 0}},
		"many integers":            {good, Size{1 << 63, 1 << 63, 0}},
		"many bytes":               {good, Size{1 << 31, 0, 1 << 32}},
		"more bytes than words":    {good, Size{1, 0, 8*uint64(len(good)) + 1}},
		"sizes that wrap":          {good, Size{1<<64 - 1, 1<<64 - 1, 8}},
		"a key too many":           {good, Size{size.Keys + 1, size.Ints, size.Bytes}},
		"a key too few":            {good, Size{size.Keys - 1, size.Ints, size.Bytes}},
		"a byte less":              {good, Size{size.Keys, size.Ints, size.Bytes - 1}},
		"no keys but bytes":        {good, Size{size.Ints, size.Ints, size.Bytes}},
		"more keys than bytes":     {good, Size{9, 0, 8}},
		"no bytes":                 {good, Size{size.Ints, size.Ints, 0}},
		"a length of many bytes":   {[]uint64{0xffff_ffff_ffff_ffff, 0xffff_ffff}, Size{1, 0, 12}},
		"a length that is cut":     {[]uint64{0x80}, Size{1, 0, 1}},
		"a length too wide":        {[]uint64{0x61_00_81}, Size{1, 0, 3}},
		"a length past the end":    {[]uint64{0x02}, Size{1, 0, 2}},
		"a length of 2^63":         {[]uint64{0x8080_8080_8080_8080, 0x0180}, Size{1, 0, 10}},
		"the same key twice":       {[]uint64{0x61_01_61_01}, Size{2, 0, 4}},
		"the empty key twice":      {[]uint64{0}, Size{2, 0, 2}},
		"keys in another order":    {[]uint64{0x61_01_62_01}, Size{2, 0, 4}},
		"the same integer twice":   {[]uint64{5, 5}, Size{2, 2, 0}},
		"integers in other order":  {[]uint64{6, 5}, Size{2, 2, 0}},
		"a word that is not zero":  {append(slices.Clone(good), 1), size},
	} {
		d, err := Decode(c.words, c.size)
		var f *Fault
		if d != nil || !errors.As(err, &f) || f.Detail == "" || f.Offset < 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nothing that is decoded panics, and what is accepted is what Encode makes of it.
func FuzzDecode(f *testing.F) {
	var s Set
	for i := range uint64(20) {
		s.Add(textOf(7)[:i])
		s.AddUint64(i * i)
	}
	words, size := s.Encode()
	f.Add(toBytes(words), size.Keys, size.Ints, size.Bytes)
	f.Add([]byte{1, 'a', 1, 'b', 0, 0, 0, 0}, uint64(2), uint64(0), uint64(4))
	f.Fuzz(func(t *testing.T, data []byte, keys, ints, bytes uint64) {
		words := make([]uint64, len(data)/8)
		for i := range words {
			for j := range 8 {
				words[i] |= uint64(data[8*i+j]) << (8 * j)
			}
		}
		size := Size{keys, ints, bytes}
		d, err := Decode(words, size)
		if err != nil {
			return
		}
		got, gotSize := d.Encode()
		if gotSize != size || !slices.Equal(got, words[:len(got)]) {
			t.Fatalf("%v in %v, encoded again %v in %v", size, words, gotSize, got)
		}
		texts, integers := d.Keys(false)
		for _, key := range texts {
			if !d.Has(key) {
				t.Fatalf("%q is missing", key)
			}
		}
		for _, x := range integers {
			if !d.HasUint64(x) {
				t.Fatalf("%d is missing", x)
			}
		}
		d.Add([]byte("one more"))
	})
}

func toBytes(words []uint64) (b []byte) {
	for _, w := range words {
		for j := range 8 {
			b = append(b, byte(w>>(8*j)))
		}
	}
	return b
}

// BenchmarkHas looks up keys of about 20 bytes that are in a set, and such that are not.
func BenchmarkHas(b *testing.B) {
	for _, n := range []int{1000, 100_000, 1_000_000} {
		var s Set
		texts := make([][]byte, 2*n)
		r := rand.New(rand.NewPCG(3, 4))
		for i := range texts {
			texts[i] = fmt.Appendf(nil, "mail%d.example.org", r.Uint64N(1e6))
			texts[i] = fmt.Appendf(texts[i], "%d", i)
		}
		for _, key := range texts[:n] {
			s.Add(key)
		}
		for name, keys := range map[string][][]byte{"present": texts[:n], "absent": texts[n:]} {
			keys = slices.Clone(keys)
			r.Shuffle(n, func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
			b.Run(fmt.Sprintf("keys=%s/n=%d", name, n), func(b *testing.B) {
				i, found := 0, 0
				for b.Loop() {
					if s.Has(keys[i]) {
						found++
					}
					if i++; i == n {
						i = 0
					}
				}
				if found > 0 != (name == "present") {
					b.Fatal(found)
				}
			})
		}
	}
}
