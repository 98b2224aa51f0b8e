package redisbloom

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"testing"
	"testing/iotest"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// numbers returns the numbers from one on, up to another, as Redis has them.
func numbers(from, to int) (keys []string) {
	for i := from; i < to; i++ {
		keys = append(keys, strconv.Itoa(i))
	}
	return keys
}

func toBytes(keys []string) (b [][]byte) {
	for _, key := range keys {
		b = append(b, []byte(key))
	}
	return b
}

func marshal(t testing.TB, f *Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func view(t testing.TB, data []byte) View {
	t.Helper()
	v, err := NewView(data)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// made returns a filter of the numbers below a limit.
func made(t testing.TB, n uint64, p float64, keys int, opts ...Option) *Filter {
	t.Helper()
	f, err := New(n, p, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.AddStrings(numbers(0, keys)); err != nil {
		t.Fatal(err)
	}
	return f
}

// dumps are filters that a RedisBloom 2.2.18 made of the numbers below keys: SHA-256 of
// its BF.SCANDUMP, in the form of our file. TestServer says how.
var dumps = []dumped{
	{"empty", 100, 0.01, nil, nil, 0, "30ad70ff6a35d47f3034582f5eb4a73513aca462b933ccdb2a8afa5e95a20b1e"},
	{"tens", 10, 0.01, nil, nil, 100, "3644d9f78f267f308e0a9e609eb93e09f2d663da5bd5e15efdb3d3a9e86994f5"},
	{"six links", 100, 0.001, nil, nil, 4000, "4ab153ef36308b381dac1f231352eb7f109c4f3c1d4aa2fba3756dee9eabb0bb"},
	{"one key", 1, 0.5, nil, nil, 1, "1d468d3105cdb3fb147cadd7712e2be52ac48fbb7d96f68a798ea5002222c73a"},
	{"expansion 1", 50, 0.02, []string{"EXPANSION", "1"}, []Option{WithExpansion(1)}, 600, "8b7289db6a5c7f0332ba9e336f9df6ce45e8a7f7d4ea9e1e32662d86d7b3edbe"},
	{"expansion 7", 3, 0.3, []string{"EXPANSION", "7"}, []Option{WithExpansion(7)}, 5000, "09fbb8436f43a426915a8a31533ca4dd7ed43888f0ad4025a4444086defeef86"},
	{"nonscaling", 1000, 0.01, []string{"NONSCALING"}, []Option{WithoutScaling()}, 1000, "cfd170c9389d43e453b327c1d19c9fd92de5ba6559672f8150c5e17233f00c25"},
	{"low rate", 1000, 1e-15, nil, nil, 3000, "41b946562c7da559e51915ccffd9121db3194a09a6ea8f01c2187c528b7f513d"},
	{"three chunks", 14_000_000, 0.0001, nil, nil, 20_000, "4883477c2ec8630c283a6ff73aef4d4e27fbf799534de322bff38ae2f525e906"},
}

type dumped struct {
	name string
	n    uint64
	p    float64
	args []string // to BF.RESERVE
	opts []Option // the same
	keys int
	sum  string
}

func (c *dumped) filter(t testing.TB) *Filter { return made(t, c.n, c.p, 0, c.opts...) }

// The dumps of a real server, at every level, whichever way keys are added.
func TestGolden(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, c := range dumps {
			if testing.Short() && c.n > 1e6 {
				continue
			}
			f := c.filter(t)
			keys := numbers(0, c.keys)
			if err := f.AddStrings(keys); err != nil {
				t.Fatal(err)
			}
			data := marshal(t, f)
			if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != c.sum {
				t.Errorf("%s: SHA-256 %s", c.name, sum)
			}
			g := c.filter(t)
			for _, key := range keys {
				was := g.TestString(key)
				if got, err := g.TestAndAdd([]byte(key)); got != was || err != nil {
					t.Fatalf("%s: TestAndAdd = %v, %v", c.name, got, err)
				}
			}
			h := c.filter(t)
			if err := h.AddBytes(toBytes(keys)); err != nil || !bytes.Equal(marshal(t, g), data) || !bytes.Equal(marshal(t, h), data) {
				t.Errorf("%s: other bytes by another way, %v", c.name, err)
			}
		}
	})
}

// What RedisBloom's own tests state of BF.DEBUG (tests/flow/test_overall.py, test_debug).
func TestDebug(t *testing.T) {
	for _, c := range []struct {
		n, keys uint64
		p       float64
		size    uint64
		links   []LinkInfo // bytes, bits, k, capacity, keys, rate
	}{
		{10, 100, 0.01, 99, []LinkInfo{
			{Bytes: 16, Bits: 128, K: 8, Capacity: 10, Keys: 10, Rate: 0.005},
			{Bytes: 32, Bits: 256, K: 9, Capacity: 20, Keys: 20, Rate: 0.0025},
			{Bytes: 72, Bits: 576, K: 10, Capacity: 40, Keys: 40, Rate: 0.00125},
			{Bytes: 160, Bits: 1280, K: 11, Capacity: 80, Keys: 29, Rate: 0.000625},
		}},
		{100, 4000, 0.001, 3997, []LinkInfo{
			{Bytes: 200, Bits: 1600, K: 11, Capacity: 100, Keys: 100, Rate: 0.0005},
			{Bytes: 432, Bits: 3456, K: 12, Capacity: 200, Keys: 200, Rate: 0.00025},
			{Bytes: 936, Bits: 7488, K: 13, Capacity: 400, Keys: 400, Rate: 0.000125},
			{Bytes: 2016, Bits: 16128, K: 14, Capacity: 800, Keys: 800, Rate: 6.25e-05},
			{Bytes: 4320, Bits: 34560, K: 15, Capacity: 1600, Keys: 1600, Rate: 3.125e-05},
			{Bytes: 9216, Bits: 73728, K: 16, Capacity: 3200, Keys: 897, Rate: 1.5625e-05},
		}},
	} {
		f := made(t, c.n, c.p, int(c.keys))
		info := f.Info()
		if info.Keys != c.size || f.Count() != c.size || !info.Scaling || !info.Hash64 || info.Expansion != 2 {
			t.Errorf("%+v, want %d keys", info, c.size)
		}
		for i := range info.Links {
			info.Links[i].Fill = 0
		}
		if !slices.Equal(info.Links, c.links) {
			t.Errorf("links %+v, want %+v", info.Links, c.links)
		}
		v := view(t, marshal(t, f))
		if got, want := v.Info(), f.Info(); fmt.Sprint(got) != fmt.Sprint(want) || v.FPRate() != f.FPRate() ||
			v.Bits() != f.Bits() || v.K() != f.K() || v.Links() != f.Links() || v.Count() != f.Count() {
			t.Errorf("the view's %+v, want %+v", got, want)
		}
	}
}

// Bits past those that keys are spread over, which only damage sets, make no rate over 1.
func TestFillPastModulus(t *testing.T) {
	_, header := made(t, 10, 0.01, 0).ScanDump(0)
	header[20+52] = 3 // keys are spread over 8 of the bits
	v, err := NewViewOf(header, bytes.Repeat([]byte{0xff}, 16))
	if err != nil {
		t.Fatal(err)
	}
	if info := v.Info(); info.Links[0].Fill != 1 || v.FPRate() != 1 {
		t.Errorf("fill %v, rate %v, want 1", info.Links[0].Fill, v.FPRate())
	}
}

// Hashes of RedisBloom's deps/murmur2, compiled: of the keys that testKey makes, up to
// 300 bytes, a and b of both widths, as the SHA-256 of their digits.
func TestMurmur(t *testing.T) {
	if h := hashKey([]byte("foo"), true); h != (pair{0x822b4f99b121f10d, 0x9d63d52a557f61c2}) {
		t.Errorf("foo: %#x", h)
	}
	p := probe{div: (&linkInfo{bits: 1152}).probe(nil, 0).div}
	for i, want := range []uint64{269, 847, 145, 723, 21, 599, 25, 475} {
		h := hashKey([]byte("foo"), true)
		if got := p.div.Mod(h.a + uint64(i)*h.b); got != want {
			t.Errorf("foo: bit %d is %d, want %d", i, got, want)
		}
	}
	sum := sha256.New()
	for n := range 301 {
		key := testKey(n)
		wide, narrow := hashKey(key, true), hashKey(key, false)
		fmt.Fprintf(sum, "%016x %016x %08x %08x\n", wide.a, wide.b, narrow.a, narrow.b)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != murmurSum {
		t.Errorf("all: %s, want %s", got, murmurSum)
	}
}

const murmurSum = "7ed902535a4191943f8fc3fbc05fbd97cf3dee2ad755fa3e7deea9e2ea15825c"

// testKey returns a key of n bytes.
func testKey(n int) []byte {
	key := make([]byte, n)
	for i := range key {
		key[i] = byte(i*131 + n*7)
	}
	return key
}

// The header of BF.RESERVE key 0.01 100, as a server gave it.
func TestHeader(t *testing.T) {
	const want = "00000000000000000100000005000000020000009000000000000000800400000000000000000000000000007b14ae47e17a743f" +
		"e9862fb2350e264008000000640000000000000000"
	f := made(t, 100, 0.01, 0)
	at, header := f.ScanDump(0)
	if hex.EncodeToString(header) != want || at != 1 {
		t.Errorf("%d %x", at, header)
	}
	if at, chunk := f.ScanDump(1); at != 145 || len(chunk) != 144 {
		t.Errorf("ScanDump(1) = %d, %d bytes", at, len(chunk))
	}
	if at, chunk := f.ScanDump(100); at != 145 || len(chunk) != 45 {
		t.Errorf("ScanDump(100) = %d, %d bytes", at, len(chunk))
	}
	for _, at := range []int64{145, -1, math.MinInt64, math.MaxInt64} {
		if next, chunk := f.ScanDump(at); next != 0 || chunk != nil {
			t.Errorf("ScanDump(%d) = %d, %d bytes", at, next, len(chunk))
		}
	}
}

// older returns a filter as old versions made them: of 32-bit hashes, or of a power of
// two bits.
func older(t testing.TB, options uint32, n uint64, keys int) *Filter {
	t.Helper()
	f := &Filter{chain: chainInfo{options: options, growth: 2}}
	if err := f.addLink(n, 0.01); err != nil {
		t.Fatal(err)
	}
	if err := f.AddStrings(numbers(0, keys)); err != nil {
		t.Fatal(err)
	}
	return f
}

// Every way to test answers as the specification does, at every level and alignment,
// of links in one piece and in several, whole words and not.
func TestBatches(t *testing.T) {
	filters := map[string]*Filter{
		"one link":    made(t, 3000, 0.01, 2000),
		"six links":   made(t, 100, 0.001, 4000),
		"one key":     made(t, 1, 0.5, 1),
		"low rate":    made(t, 200, 1e-40, 300),
		"32 bits":     older(t, optNoRound, 100, 500),
		"2^n":         older(t, optForce64, 100, 500),
		"32 bits 2^n": older(t, 0, 100, 500),
		"by bits":     older(t, optBits|optForce64, 12, 300),
		"odd bytes":   oddBytes(t),
		"none":        {},
	}
	if !testing.Short() {
		filters["three chunks"] = made(t, 14_000_000, 0.0001, 20_000)
	}
	kerneltest.EachLevel(t, func(t *testing.T) {
		for name, f := range filters {
			t.Run(name, func(t *testing.T) { checkBatches(t, f) })
		}
	})
}

func checkBatches(t *testing.T, f *Filter) {
	keys := numbers(0, 6000)
	views := []View{{}}
	if f.Links() > 0 {
		data := marshal(t, f)
		views = nil
		for _, at := range []int{0, 1, 3} {
			views = append(views, view(t, append(make([]byte, at, at+len(data)), data...)[at:]))
		}
		var header, rest []byte
		for at, chunk := range f.Chunks() {
			if at == 1 {
				header = chunk
			} else {
				rest = append(rest, chunk...)
			}
		}
		v, err := NewViewOf(header, rest)
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, v)
	}
	for _, n := range []int{0, 1, 11, 12, 63, 64, 65, 128, 129, 200, 6000} {
		if testing.Short() && n > 200 {
			continue // checking key by key is slow under the race detector
		}
		keys := keys[:n]
		var want, hits bitsieve.BitSet
		for i, key := range keys {
			h := hashKey([]byte(key), f.chain.wide())
			hit := reference(f, h)
			want.SetTo(uint(i), hit)
			if f.TestString(key) != hit || f.Test([]byte(key)) != hit {
				t.Fatalf("%s: not %v", key, hit)
			}
			for _, v := range views {
				if v.TestString(key) != hit || v.Test([]byte(key)) != hit {
					t.Fatalf("%s: the view does not say %v", key, hit)
				}
			}
		}
		check := func(name string, test func(*bitsieve.BitSet) int) {
			t.Helper()
			hits.SetAll()
			count := int(want.Count())
			if got := test(&hits); got != count || int(hits.Len()) != n || int(hits.Count()) != count || !hits.IsSuperSet(&want) {
				t.Fatalf("%s of %d keys: %d hits, want %d", name, n, got, count)
			}
			if got := test(nil); got != count {
				t.Fatalf("%s of %d keys, no hits: %d, want %d", name, n, got, count)
			}
		}
		check("TestStrings", func(h *bitsieve.BitSet) int { return f.TestStrings(keys, h) })
		check("TestBytes", func(h *bitsieve.BitSet) int { return f.TestBytes(toBytes(keys), h) })
		for _, v := range views {
			check("a view's TestStrings", func(h *bitsieve.BitSet) int { return v.TestStrings(keys, h) })
			check("a view's TestBytes", func(h *bitsieve.BitSet) int { return v.TestBytes(toBytes(keys), h) })
		}
	}
}

// reference is what a chain says of a key, by its definition.
func reference(f *Filter, h pair) bool {
	for i := range f.links {
		l := &f.links[i]
		all := true
		for j := range uint64(l.k) {
			bit := (h.a + j*h.b) % l.modulus()
			all = all && l.probe.bytes[bit>>3]>>(bit&7)&1 == 1
		}
		if all {
			return true
		}
	}
	return false
}

// oddBytes returns a filter whose only link is 13 bytes, which no version makes and the
// loader takes.
func oddBytes(t testing.TB) *Filter {
	l := linkInfo{bytes: 13, bits: 104, size: 5, rate: 0.01, perKey: 9.6, k: 7, entries: 10}
	c := chainInfo{size: 5, links: 1, options: optNoRound | optForce64, growth: 2}
	var loader Loader
	if err := loader.Load(1, l.append(c.append(nil))); err != nil {
		t.Fatal(err)
	}
	if err := loader.Load(14, testKey(13)); err != nil {
		t.Fatal(err)
	}
	f, err := loader.Filter()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Batches that add do what single keys do, with repeats, across links that fill up in a
// tile, and at the end of a filter that does not scale.
func TestTestAndAdd(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, c := range []struct {
			n    uint64
			opts []Option
		}{{10, nil}, {100, []Option{WithExpansion(1)}}, {5, []Option{WithExpansion(3)}}, {700, []Option{WithoutScaling()}}} {
			var keys []string
			for i, key := range numbers(0, 900) {
				keys = append(keys, key)
				if i%3 == 0 {
					keys = append(keys, keys[i/2], key)
				}
			}
			single, batch := made(t, c.n, 0.01, 0, c.opts...), made(t, c.n, 0.01, 0, c.opts...)
			var want, hits bitsieve.BitSet
			fault := -1
			for i, key := range keys {
				was, err := single.TestAndAddString(key)
				if err != nil {
					fault = i
					break
				}
				want.SetTo(uint(i), was)
			}
			n, err := batch.TestAndAddStrings(keys, &hits)
			if (err != nil) != (fault >= 0) || n != int(want.Count()) || int(hits.Count()) != n || !hits.IsSuperSet(&want) || int(hits.Len()) != len(keys) {
				t.Errorf("%d: %d were there, %v; want %d, fault at %d", c.n, n, err, want.Count(), fault)
			}
			if fault >= 0 && !errors.Is(err, bitsieve.ErrFull) {
				t.Error(err)
			}
			if !bytes.Equal(marshal(t, single), marshal(t, batch)) {
				t.Errorf("%d: other bytes", c.n)
			}
			again := made(t, c.n, 0.01, 0, c.opts...)
			if m, err2 := again.TestAndAddBytes(toBytes(keys), nil); m != n || fmt.Sprint(err2) != fmt.Sprint(err) {
				t.Errorf("%d: %d were there, %v", c.n, m, err2)
			}
		}
	})
}

// What cannot grow says so and stays as it is.
func TestFull(t *testing.T) {
	f := made(t, 1, 0.4, 0, WithoutScaling())
	if err := f.AddString("a"); err != nil {
		t.Fatal(err)
	}
	before := marshal(t, f)
	if err := f.AddString("b"); !errors.Is(err, bitsieve.ErrFull) {
		t.Error(err)
	}
	if was, err := f.TestAndAddString("a"); !was || err != nil {
		t.Error("a key that is there needs no room", err)
	}
	if !bytes.Equal(marshal(t, f), before) {
		t.Error("it changed")
	}
	var zero Filter
	if err := zero.AddString("a"); !errors.Is(err, bitsieve.ErrFull) || zero.TestString("a") {
		t.Error(err)
	}
	if err := zero.AddStrings(numbers(0, 100)); !errors.Is(err, bitsieve.ErrFull) {
		t.Error(err)
	}
	// A rate that halves to nothing.
	tiny := made(t, 1, math.SmallestNonzeroFloat64*4, 0)
	err := tiny.AddStrings(numbers(0, 50))
	if !errors.Is(err, bitsieve.ErrFull) || !errors.Is(err, bitsieve.ErrParameter) {
		t.Error(err)
	}
	if k := tiny.K(); k > maxK || k < maxK-2 {
		t.Errorf("k = %d at the lowest rate, maxK is %d", k, maxK)
	}
	for _, c := range []struct {
		n uint64
		p float64
	}{{0, 0.1}, {1, 0}, {1, 1}, {1, -1}, {1, math.NaN()}} {
		if _, err := New(c.n, c.p); !errors.Is(err, bitsieve.ErrParameter) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	for _, n := range []uint64{1 << 60, math.MaxUint64} {
		if _, err := New(n, 0.01); !errors.Is(err, bitsieve.ErrMemory) {
			t.Errorf("%d keys: %v", n, err)
		}
	}
	if f := made(t, 5, 0.1, 0, WithExpansion(0)); f.Info().Scaling {
		t.Error("expansion 0 scales")
	}
}

// badHeaders returns headers that are refused.
func badHeaders(t testing.TB) map[string][]byte {
	_, good := made(t, 10, 0.01, 50).ScanDump(0)
	set := func(at int, b ...byte) []byte {
		h := slices.Clone(good)
		copy(h[at:], b)
		return h
	}
	u64 := func(at int, x uint64) []byte { return set(at, binary.LittleEndian.AppendUint64(nil, x)...) }
	f64 := func(at int, x float64) []byte { return u64(at, math.Float64bits(x)) }
	return map[string][]byte{
		"empty":             {},
		"short":             good[:19],
		"no links":          set(8, 0, 0, 0, 0),
		"a byte missing":    good[:len(good)-1],
		"a byte more":       append(slices.Clone(good), 0),
		"more links":        set(8, 9),
		"2^32-1 links":      set(8, 255, 255, 255, 255),
		"unknown option":    set(12, 16),
		"other size":        u64(0, 1),
		"link's size":       u64(20+16, math.MaxUint64),
		"no bits":           append(u64(20, 0)[:28], make([]byte, len(good)-28)...),
		"bits and bytes":    u64(20, 24),
		"bytes wrap":        u64(20, 1<<61+16),
		"rate 0":            f64(20+24, 0),
		"rate 1":            f64(20+24, 1),
		"rate -1":           f64(20+24, -1),
		"bits per key":      f64(20+32, 100),
		"k":                 set(20+40, 9),
		"log2 over 63":      set(20+52, 64),
		"log2 over bits":    set(20+52, 8),
		"second link, rate": f64(20+53+24, 2),
	}
}

// Headers are refused by every reader, before memory is taken.
func TestBadHeaders(t *testing.T) {
	bad := badHeaders(t)
	_, good := made(t, 10, 0.01, 50).ScanDump(0)
	nan := slices.Clone(good)
	binary.LittleEndian.PutUint64(nan[20+32:], math.Float64bits(math.NaN()))
	bad["bits per key NaN"] = nan
	large := slices.Clone(good)
	binary.LittleEndian.PutUint64(large[20+32:], math.Float64bits(1e6))
	binary.LittleEndian.PutUint32(large[20+40:], uint32(hashes(1e6)))
	bad["693148 probes"] = large
	for name, header := range bad {
		var l Loader
		err := l.Load(1, header)
		var format *bitsieve.FormatError
		if !errors.As(err, &format) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err2 := NewViewOf(header, nil); err2 == nil || err2.Error() != err.Error() {
			t.Errorf("%s: NewViewOf: %v, want %v", name, err2, err)
		}
		if l.links != nil {
			t.Errorf("%s: the Loader changed", name)
		}
		file := append(appendPair(nil, 1, len(header)), header...)
		_, err3 := NewView(file)
		err4 := new(Filter).UnmarshalBinary(file)
		_, err5 := new(Filter).ReadFrom(bytes.NewReader(file))
		if err3 == nil || err4 == nil || err5 == nil || err3.Error() != err4.Error() || err4.Error() != err5.Error() {
			t.Errorf("%s: %v, %v, %v", name, err3, err4, err5)
		}
	}
}

// A Loader takes the pairs in order, each once, in chunks of any size.
func TestLoader(t *testing.T) {
	f := made(t, 100, 0.001, 1000)
	want := marshal(t, f)
	_, header := f.ScanDump(0)
	for _, size := range []int{1, 7, 200, 1 << 20} {
		var l Loader
		load := func(at int64, chunk []byte, want error) {
			t.Helper()
			if err := l.Load(at, chunk); !errors.Is(err, want) {
				t.Fatalf("Load(%d, %d bytes): %v, want %v", at, len(chunk), err, want)
			}
		}
		load(2, []byte{1}, bitsieve.ErrHeader)
		load(0, nil, bitsieve.ErrHeader)
		load(1, header, nil)
		load(1, header, bitsieve.ErrHeader)
		at := int64(1)
		for i := range f.links {
			for left := f.links[i].probe.bytes; len(left) > 0; {
				chunk := left[:min(size, len(left))]
				left = left[len(chunk):]
				next := at + int64(len(chunk))
				if l.Done() {
					t.Fatal("Done too early")
				}
				if _, err := l.Filter(); !errors.Is(err, bitsieve.ErrTruncated) {
					t.Fatal(err)
				}
				load(next+1, chunk, bitsieve.ErrHeader)
				load(next-1, chunk, bitsieve.ErrHeader)
				load(at, nil, bitsieve.ErrHeader)
				load(at+20_000, make([]byte, 20_000), bitsieve.ErrHeader)
				load(math.MinInt64, chunk, bitsieve.ErrHeader)
				load(next, chunk, nil)
				at = next
			}
			if i+1 < len(f.links) { // a chunk that begins in one link and ends in the next
				over := int(f.links[i+1].bytes) + 1
				load(at+int64(over), make([]byte, over), bitsieve.ErrHeader)
			}
		}
		load(at+1, []byte{1}, bitsieve.ErrHeader)
		g, err := l.Filter()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(marshal(t, g), want) {
			t.Errorf("chunks of %d: other bytes", size)
		}
		if l.Done() {
			t.Error("the Loader keeps the filter")
		}
		if err := g.AddStrings(numbers(0, 2000)); err != nil {
			t.Error(err)
		}
	}
}

// Files, whole and damaged.
func TestFile(t *testing.T) {
	f := made(t, 100, 0.01, 500)
	data := marshal(t, f)
	var buf bytes.Buffer
	if n, err := f.WriteTo(&buf); err != nil || n != int64(len(data)) || !bytes.Equal(buf.Bytes(), data) || uint64(n) != f.SizeBytes() {
		t.Errorf("WriteTo = %d, %v", n, err)
	}
	for name, r := range map[string]io.Reader{
		"at once":   bytes.NewReader(data),
		"by bytes":  iotest.OneByteReader(bytes.NewReader(data)),
		"with more": bytes.NewReader(append(slices.Clone(data), "more"...)),
	} {
		var g Filter
		if n, err := g.ReadFrom(r); err != nil || n != int64(len(data)) || !bytes.Equal(marshal(t, &g), data) {
			t.Errorf("%s: ReadFrom = %d, %v", name, n, err)
		}
	}
	before := marshal(t, made(t, 7, 0.1, 3))
	for cut := range data {
		g := made(t, 7, 0.1, 3)
		_, err := NewView(data[:cut])
		_, err2 := g.ReadFrom(bytes.NewReader(data[:cut]))
		if !errors.Is(err, bitsieve.ErrTruncated) || !errors.Is(err2, bitsieve.ErrTruncated) || !errors.Is(g.UnmarshalBinary(data[:cut]), bitsieve.ErrTruncated) {
			t.Fatalf("cut at %d: %v, %v", cut, err, err2)
		}
		if !bytes.Equal(marshal(t, g), before) {
			t.Fatalf("cut at %d: the receiver changed", cut)
		}
	}
	more := append(slices.Clone(data), 0)
	if _, err := NewView(more); !errors.Is(err, bitsieve.ErrTrailingData) {
		t.Error(err)
	}
	if err := new(Filter).UnmarshalBinary(more); !errors.Is(err, bitsieve.ErrTrailingData) {
		t.Error(err)
	}
	// Smaller chunks: for readers, not for views.
	_, header := f.ScanDump(0)
	file := append(appendPair(nil, 1, len(header)), header...)
	at := int64(1)
	for i := range f.links {
		for _, b := range f.links[i].probe.bytes {
			at++
			file = append(appendPair(file, at, 1), b)
		}
	}
	file = appendPair(file, 0, 0)
	var g Filter
	if err := g.UnmarshalBinary(file); err != nil || !bytes.Equal(marshal(t, &g), data) {
		t.Error(err)
	}
	if _, err := NewView(file); !errors.Is(err, bitsieve.ErrHeader) {
		t.Error(err)
	}
	if _, err := new(Filter).MarshalBinary(); err == nil {
		t.Error("the zero value has bytes")
	}
	if _, err := new(Filter).WriteTo(io.Discard); err == nil {
		t.Error("the zero value has bytes")
	}
}

// A header that claims much takes no memory for it.
func TestClaims(t *testing.T) {
	l := linkInfo{bytes: 1 << 29, bits: 1 << 32, rate: 0.01, perKey: 9.6, k: 7, entries: 10}
	c := chainInfo{links: 1, options: optNoRound | optForce64, growth: 2}
	header := l.append(c.append(nil))
	file := append(appendPair(nil, 1, len(header)), header...)
	file = append(appendPair(file, 1<<24+1, 1<<24), make([]byte, 100_000)...)
	allocated := testing.Benchmark(func(b *testing.B) {
		for b.Loop() {
			if _, err := new(Filter).ReadFrom(bytes.NewReader(file)); !errors.Is(err, bitsieve.ErrTruncated) {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 4<<20 {
		t.Errorf("%d bytes for a file of %d", allocated, len(file))
	}
}

func TestAllocations(t *testing.T) {
	keys := numbers(0, 300)
	bytes := toBytes(keys)
	f := made(t, 100, 0.01, 300)
	data := marshal(t, f)
	hits := bitsieve.NewBitSet(300)
	if n := testing.AllocsPerRun(100, func() {
		f.AddString(keys[0])
		f.TestAndAdd(bytes[0])
		f.AddStrings(keys)
		f.TestAndAddBytes(bytes, hits)
		f.TestStrings(keys, hits)
		f.TestBytes(bytes[:5], hits)
		v, err := NewView(data)
		if err != nil {
			panic(err)
		}
		v.Test(bytes[0])
		v.TestString(keys[1])
		v.TestStrings(keys, hits)
		v.TestBytes(bytes, nil)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// The rate is what was asked for, over several links too.
func TestRate(t *testing.T) {
	f := made(t, 1000, 0.01, 20_000)
	hits := f.TestStrings(numbers(100_000, 200_000), nil)
	if rate, measured := f.FPRate(), float64(hits)/100_000; rate > 0.01 || math.Abs(rate-measured) > 0.001 {
		t.Errorf("rate %v, measured %v", rate, measured)
	}
}
