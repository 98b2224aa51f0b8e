package tests

import (
	"errors"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	"github.com/bitsieve/bitsieve/internal/race"
)

func addr(s string) netip.Addr     { return netip.MustParseAddr(s) }
func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

func addrOf(x uint32) netip.Addr {
	return netip.AddrFrom4([4]byte{byte(x >> 24), byte(x >> 16), byte(x >> 8), byte(x)})
}

func uint32Of(a netip.Addr) uint32 {
	b := a.As4()
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// must is for errors that a test does not expect.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ipv4SetOf(t testing.TB, prefixes ...string) *IPv4Set {
	t.Helper()
	s := new(IPv4Set)
	for _, p := range prefixes {
		must(t, s.AddPrefix(prefix(p)))
	}
	return s
}

// prefixStrings returns what Prefixes yields.
func prefixStrings(s *IPv4Set) (texts []string) {
	for p := range s.Prefixes() {
		texts = append(texts, p.String())
	}
	return texts
}

// randomIPv4 returns an address near the bounds of pages and directories.
func randomIPv4(r *rand.Rand) uint32 {
	bounds := [...]uint32{0, 1 << 12, 1<<22 - 1, 5 << 22, 1 << 31, 1<<32 - 1<<12, 1<<32 - 1}
	x := bounds[r.IntN(len(bounds))]
	switch far := r.Uint32() >> (20 + r.IntN(12)); {
	case x > 1<<31, x > 0 && r.IntN(2) == 0:
		return x - far
	default:
		return x + far
	}
}

// A set does what a map of addresses does.
func TestIPv4SetModel(t *testing.T) {
	steps := 3000
	if testing.Short() {
		steps = 200
	}
	r := rand.New(rand.NewPCG(4, 32))
	s, model := new(IPv4Set), map[netip.Addr]bool{}
	for step := range steps {
		x := randomIPv4(r)
		a := addrOf(x)
		last := addrOf(x + min(r.Uint32()>>(19+r.IntN(12)), ^x))
		pre := netip.PrefixFrom(a, 20+r.IntN(13))
		switch r.IntN(20) {
		default:
			added, err := s.Add(a)
			if must(t, err); added == model[a] {
				t.Fatalf("Add(%v) = %v", a, added)
			}
			model[a] = true
		case 0, 1, 2:
			removed, err := s.Remove(a)
			if must(t, err); removed != model[a] {
				t.Fatalf("Remove(%v) = %v", a, removed)
			}
			delete(model, a)
		case 3, 4:
			must(t, s.AddRange(a, last))
			for ; a.Compare(last) <= 0 && a.IsValid(); a = a.Next() {
				model[a] = true
			}
		case 5, 6:
			must(t, s.RemoveRange(a, last))
			maps.DeleteFunc(model, func(b netip.Addr, _ bool) bool { return a.Compare(b) <= 0 && b.Compare(last) <= 0 })
		case 7:
			must(t, s.AddPrefix(pre))
			for a := pre.Masked().Addr(); pre.Contains(a); a = a.Next() {
				model[a] = true
			}
		case 8:
			must(t, s.RemovePrefix(pre))
			maps.DeleteFunc(model, func(b netip.Addr, _ bool) bool { return pre.Contains(b) })
		case 9:
			xs := make([]uint32, r.IntN(200))
			fresh := map[uint32]bool{}
			for i := range xs {
				xs[i] = randomIPv4(r)
				if a := addrOf(xs[i]); !model[a] {
					fresh[xs[i]] = true
				}
			}
			if added := s.AddUint32s(xs); added != len(fresh) {
				t.Fatalf("AddUint32s added %d, want %d", added, len(fresh))
			}
			for x := range fresh {
				model[addrOf(x)] = true
			}
		case 10, 11, 12:
			other, operand := new(IPv4Set), map[netip.Addr]bool{}
			for range r.IntN(3000) {
				a := addrOf(randomIPv4(r))
				other.Add(a)
				operand[a] = true
			}
			common := 0
			for a := range operand {
				if model[a] {
					common++
				}
			}
			if n := s.IntersectionCount(other); n != uint64(common) || s.Overlaps(other) != (common > 0) {
				t.Fatalf("IntersectionCount = %d, Overlaps = %v, want %d", n, s.Overlaps(other), common)
			}
			switch r.IntN(3) {
			case 0:
				s.Union(other)
				maps.Copy(model, operand)
			case 1:
				s.Intersect(other)
				maps.DeleteFunc(model, func(a netip.Addr, _ bool) bool { return !operand[a] })
			case 2:
				s.Difference(other)
				maps.DeleteFunc(model, func(a netip.Addr, _ bool) bool { return operand[a] })
			}
			if n := other.Count(); n != uint64(len(operand)) {
				t.Fatalf("the operand has %d addresses, want %d", n, len(operand))
			}
		case 13:
			if c := s.Clone(); !c.Equal(s) || !s.Equal(c) {
				t.Fatal("a clone differs")
			} else if a := addrOf(randomIPv4(r)); true {
				s, c = c, s
				c.AddPrefix(netip.PrefixFrom(a, 8))
				c.Clear() // of which s knows nothing
			}
		}
		if a := addrOf(randomIPv4(r)); s.Contains(a) != model[a] || s.ContainsUint32(uint32Of(a)) != model[a] {
			t.Fatalf("step %d: Contains(%v) = %v", step, a, s.Contains(a))
		}
		if step%25 == 0 {
			compareIPv4(t, s, model)
		}
	}
	compareIPv4(t, s, model)
}

// compareIPv4 compares a set with its model.
func compareIPv4(t *testing.T, s *IPv4Set, model map[netip.Addr]bool) {
	t.Helper()
	want := slices.SortedFunc(maps.Keys(model), netip.Addr.Compare)
	if got := slices.Collect(s.All()); !slices.Equal(got, want) {
		t.Fatalf("%d addresses, want %d", len(got), len(want))
	}
	if n := s.Count(); n != uint64(len(want)) {
		t.Fatalf("Count() = %d, want %d", n, len(want))
	}
	i := 0
	for first, last := range s.Ranges() {
		if i > 0 && want[i-1].Next() == first {
			t.Fatalf("a range begins at %v, where the one before it ends", first)
		}
		for a := first; ; a = a.Next() {
			if i == len(want) || a != want[i] {
				t.Fatalf("the range %v to %v has %v", first, last, a)
			}
			i++
			if a == last {
				break
			}
		}
	}
	if i != len(want) {
		t.Fatalf("ranges of %d addresses, want %d", i, len(want))
	}
}

// A set of ranges over all addresses, in which most pages and directories are full or
// empty, against the segments between some bounds.
func TestIPv4SetSegments(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 8
	}
	r := rand.New(rand.NewPCG(9, 9))
	for range rounds {
		var bounds []uint32 // segment i is [bounds[i], bounds[i+1])
		for range 2 + r.IntN(30) {
			bounds = append(bounds, r.Uint32()>>r.IntN(32)<<r.IntN(32))
		}
		bounds = append(bounds, 0, 1<<22, 1<<31, 1<<31+1<<12)
		slices.Sort(bounds)
		bounds = slices.Compact(bounds)
		n := len(bounds)
		first := func(i int) uint32 { return bounds[i] }
		last := func(i int) uint32 {
			if i == n-1 {
				return 1<<32 - 1
			}
			return bounds[i+1] - 1
		}
		random := func() (*IPv4Set, []bool) {
			s, model := new(IPv4Set), make([]bool, n)
			for range 12 {
				i := r.IntN(n)
				j := i + r.IntN(n-i)
				if add := r.IntN(3) > 0; add {
					must(t, s.AddRange(addrOf(first(i)), addrOf(last(j))))
					fill(model[i:j+1], true)
				} else {
					must(t, s.RemoveRange(addrOf(first(i)), addrOf(last(j))))
					fill(model[i:j+1], false)
				}
			}
			return s, model
		}
		check := func(what string, s *IPv4Set, model []bool) {
			t.Helper()
			var got, want [][2]uint32
			for a, b := range s.Ranges() {
				got = append(got, [2]uint32{uint32Of(a), uint32Of(b)})
			}
			count := uint64(0)
			for i, in := range model {
				if in && i > 0 && model[i-1] {
					want[len(want)-1][1] = last(i)
				} else if in {
					want = append(want, [2]uint32{first(i), last(i)})
				}
				if in {
					count += uint64(last(i)-first(i)) + 1
				}
			}
			if !slices.Equal(got, want) || s.Count() != count {
				t.Fatalf("%s: %d addresses %x, want %d, %x", what, s.Count(), got, count, want)
			}
			for range 10 {
				i := r.IntN(n)
				j := i + r.IntN(n-i)
				a, b := addrOf(first(i)), addrOf(last(j))
				if all := !slices.Contains(model[i:j+1], false); s.ContainsRange(a, b) != all {
					t.Fatalf("%s: ContainsRange(%v, %v) = %v", what, a, b, !all)
				}
				if some := slices.Contains(model[i:j+1], true); s.OverlapsRange(a, b) != some {
					t.Fatalf("%s: OverlapsRange(%v, %v) = %v", what, a, b, !some)
				}
				p := netip.PrefixFrom(a, r.IntN(33))
				in := ipv4SetOf(t, p.String())
				size, common := in.Count(), in.IntersectionCount(s)
				if got := s.CountPrefix(p); got != common || s.ContainsPrefix(p) != (got == size) || s.OverlapsPrefix(p) != (got > 0) {
					t.Fatalf("%s: CountPrefix(%v) = %d, want %d", what, p, got, common)
				}
			}
		}
		a, x := random()
		b, y := random()
		check("ranges", a, x)
		for _, c := range []struct {
			name string
			op   func(s, t *IPv4Set)
			in   func(a, b bool) bool
		}{
			{"union", (*IPv4Set).Union, func(a, b bool) bool { return a || b }},
			{"intersection", (*IPv4Set).Intersect, func(a, b bool) bool { return a && b }},
			{"difference", (*IPv4Set).Difference, func(a, b bool) bool { return a && !b }},
		} {
			s, model := a.Clone(), make([]bool, n)
			for i := range model {
				model[i] = c.in(x[i], y[i])
			}
			c.op(s, b)
			check(c.name, s, model)
			s.AddUint32(first(n / 2)) // the operands share no memory with it
			s.RemoveUint32(first(0))
			check("an operand of a "+c.name, a, x)
			check("an operand of a "+c.name, b, y)
			c.op(a, a)
			if c.name == "difference" {
				fill(x, false)
			}
			check(c.name+" with itself", a, x)
		}
	}
}

func fill(p []bool, v bool) {
	for i := range p {
		p[i] = v
	}
}

// The prefixes are the fewest: as many as a tree over all halves of a small range
// needs, where each is full, empty, or the sum of its own halves.
func TestIPv4SetPrefixes(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 40
	}
	r := rand.New(rand.NewPCG(2, 3))
	for round := range rounds {
		const size = 1 << 9
		base := randomIPv4(r) &^ (size - 1)
		s := new(IPv4Set)
		var in [size]bool
		for i := range in {
			switch round % 4 {
			case 0:
				in[i] = r.IntN(2) == 0
			case 1:
				in[i] = r.IntN(16) > 0
			case 2:
				in[i] = i >= round && i < 3*round
			default:
				in[i] = i > 0 && in[i-1] != (r.IntN(30) == 0)
			}
			if in[i] {
				s.AddUint32(base + uint32(i))
			}
		}
		var fewest func(half []bool) int
		fewest = func(half []bool) int {
			switch n := len(half) / 2; {
			case !slices.Contains(half, true):
				return 0
			case !slices.Contains(half, false):
				return 1
			default:
				return fewest(half[:n]) + fewest(half[n:])
			}
		}
		n, at := 0, 0
		for p := range s.Prefixes() {
			if p != p.Masked() || !p.IsValid() {
				t.Fatalf("%v", p)
			}
			for a := p.Addr(); p.Contains(a); a = a.Next() {
				i := int(uint32Of(a) - base)
				if i < at || !in[i] {
					t.Fatalf("%v has %v", p, a)
				}
				if i > at && slices.Contains(in[at:i], true) {
					t.Fatalf("an address before %v is missing", p)
				}
				at = i + 1
			}
			n++
		}
		if want := fewest(in[:]); n != want || slices.Contains(in[at:], true) {
			t.Fatalf("%d prefixes, want %d", n, want)
		}
	}
	for _, c := range []struct{ add, want []string }{
		{nil, nil},
		{[]string{"0.0.0.0/0"}, []string{"0.0.0.0/0"}},
		{[]string{"0.0.0.0/1", "128.0.0.0/1"}, []string{"0.0.0.0/0"}},
		{[]string{"10.0.0.0/8", "10.1.2.3/32", "11.0.0.0/8"}, []string{"10.0.0.0/7"}},
		{[]string{"11.0.0.0/8", "12.0.0.0/8"}, []string{"11.0.0.0/8", "12.0.0.0/8"}},
		{[]string{"255.255.255.255/32", "0.0.0.0/32"}, []string{"0.0.0.0/32", "255.255.255.255/32"}},
		{[]string{"192.0.2.77/24"}, []string{"192.0.2.0/24"}},
	} {
		if got := prefixStrings(ipv4SetOf(t, c.add...)); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.add, got, c.want)
		}
	}
}

// All addresses are as cheap as none.
func TestIPv4SetEverything(t *testing.T) {
	s, none := ipv4SetOf(t, "0.0.0.0/0"), new(IPv4Set)
	if s.Count() != 1<<32 || s.SizeBytes() != none.SizeBytes() || !s.ContainsPrefix(prefix("0.0.0.0/0")) {
		t.Errorf("%d addresses in %d bytes", s.Count(), s.SizeBytes())
	}
	if s.AddUint32(7) || !s.ContainsUint32(1<<32-1) || s.AddUint32s([]uint32{0, 1}) != 0 {
		t.Error("an address is missing")
	}
	if removed, err := s.Remove(addr("192.0.2.1")); !removed || err != nil {
		t.Errorf("Remove = %v, %v", removed, err)
	}
	if all := ipv4SetOf(t, "0.0.0.0/0"); all.Count() != 1<<32 {
		t.Error("removing from one set changed another")
	}
	if n := len(prefixStrings(s)); n != 32 || s.Count() != 1<<32-1 || s.SizeBytes() > 20<<10 {
		t.Errorf("%d prefixes, %d addresses, %d bytes", n, s.Count(), s.SizeBytes())
	}
	if !s.AddUint32(0xc0000201) || !s.Equal(ipv4SetOf(t, "0.0.0.0/0")) {
		t.Error("the address added again: not the full set")
	}
	s.Clear()
	if s.Count() != 0 || !s.Equal(none) || s.OverlapsPrefix(prefix("0.0.0.0/0")) || s.SizeBytes() != none.SizeBytes() {
		t.Error("Clear left something")
	}
}

// 512 MiB of pages, each with a hole.
func TestIPv4SetFull(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 512 MiB")
	}
	s := ipv4SetOf(t, "0.0.0.0/0")
	for x := uint64(0); x < 1<<32; x += 1 << 12 {
		s.RemoveUint32(uint32(x))
	}
	if s.Count() != 1<<32-1<<20 || s.SizeBytes() > 521<<20 {
		t.Errorf("%d addresses in %d bytes", s.Count(), s.SizeBytes())
	}
}

func TestIPv4SetAddresses(t *testing.T) {
	s := new(IPv4Set)
	if added, err := s.Add(addr("::ffff:192.0.2.1")); !added || err != nil || !s.Contains(addr("192.0.2.1")) || !s.Contains(addr("::ffff:192.0.2.1")) {
		t.Errorf("an address in an IPv6 one: %v, %v", added, err)
	}
	must(t, s.AddPrefix(netip.PrefixFrom(addr("::ffff:192.0.2.0"), 127)))
	if got := prefixStrings(s); !slices.Equal(got, []string{"192.0.2.0/31"}) {
		t.Errorf("%v", got)
	}
	for _, bad := range []netip.Addr{{}, addr("::"), addr("2001:db8::1"), addr("::192.0.2.1"), addr("fe80::1%eth0")} {
		_, addErr := s.Add(bad)
		_, removeErr := s.Remove(bad)
		for _, err := range []error{
			addErr, removeErr,
			s.AddRange(bad, addr("1.1.1.1")), s.AddRange(addr("1.1.1.1"), bad),
			s.RemoveRange(bad, addr("1.1.1.1")), s.RemoveRange(addr("1.1.1.1"), bad),
		} {
			if !errors.Is(err, ErrParameter) {
				t.Errorf("%v: %v", bad, err)
			}
		}
		if s.Contains(bad) || s.ContainsRange(bad, bad) || s.OverlapsRange(addr("0.0.0.0"), bad) {
			t.Errorf("contains %v", bad)
		}
	}
	for _, bad := range []netip.Prefix{
		{}, prefix("::/0"), prefix("2001:db8::/32"), netip.PrefixFrom(addr("1.2.3.4"), 33),
		netip.PrefixFrom(addr("::ffff:1.2.3.4"), 95), netip.PrefixFrom(addr("::ffff:1.2.3.4"), 24),
	} {
		if err := s.AddPrefix(bad); !errors.Is(err, ErrParameter) {
			t.Errorf("AddPrefix(%v): %v", bad, err)
		}
		if err := s.RemovePrefix(bad); !errors.Is(err, ErrParameter) {
			t.Errorf("RemovePrefix(%v): %v", bad, err)
		}
		if s.ContainsPrefix(bad) || s.OverlapsPrefix(bad) || s.CountPrefix(bad) != 0 {
			t.Errorf("contains %v", bad)
		}
	}
	if err := s.AddRange(addr("1.2.3.4"), addr("1.2.3.3")); !errors.Is(err, ErrParameter) {
		t.Errorf("a range that ends before it begins: %v", err)
	}
	if s.Count() != 2 {
		t.Errorf("%d addresses after all these errors", s.Count())
	}
}

// Batches say what single calls say, whatever their length.
func TestIPv4SetBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	kerneltest.EachLevel(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 63, 64, 65, 127, 128, 129, 1000} {
			single, batch := ipv4SetOf(t, "10.0.0.0/9"), ipv4SetOf(t, "10.0.0.0/9")
			xs, added := make([]uint32, n), 0
			for i := range xs {
				switch xs[i] = randomIPv4(r); r.IntN(4) {
				case 0:
					xs[i] = xs[r.IntN(i+1)]
				case 1:
					xs[i] = 0x0a7fffff + xs[i]>>30
				}
				if i%2 == 0 && single.AddUint32(xs[i]) {
					added++
				}
			}
			even := []uint32{}
			for i := 0; i < n; i += 2 {
				even = append(even, xs[i])
			}
			if got := batch.AddUint32s(even); got != added || !batch.Equal(single) {
				t.Fatalf("%d: AddUint32s = %d, want %d", n, got, added)
			}
			hits, want := FromWords([]uint64{1, 2, 3}), NewBitSet(uint(n))
			for i, x := range xs {
				want.SetTo(uint(i), single.ContainsUint32(x))
			}
			if got := batch.ContainsUint32s(xs, hits); uint(got) != want.Count() || !hits.Equal(want) {
				t.Fatalf("%d: ContainsUint32s = %d, %v, want %v", n, got, hits, want)
			}
			if got := batch.ContainsUint32s(xs, nil); uint(got) != want.Count() {
				t.Fatalf("%d: ContainsUint32s without hits = %d", n, got)
			}
		}
	})
}

// Iterators stop when they are told to.
func TestIPv4SetStop(t *testing.T) {
	s := ipv4SetOf(t, "1.0.0.1/32", "1.0.0.3/32", "9.0.0.1/32")
	n := 0
	for range s.All() {
		n++
		break
	}
	for range s.Ranges() {
		n++
		break
	}
	for range s.Prefixes() {
		n++
		break
	}
	if n != 3 {
		t.Error(n)
	}
}

func TestIPv4SetAllocs(t *testing.T) {
	if race.Enabled {
		t.Skip("what is told to the race detector escapes")
	}
	s := ipv4SetOf(t, "10.0.0.0/25", "11.0.0.0/8")
	a, b, six := addr("10.0.0.1"), addr("9.9.9.9"), addr("::ffff:10.0.0.1")
	xs, hits := make([]uint32, 200), NewBitSet(200)
	for i := range xs {
		xs[i] = 0x0a000000 + uint32(i)
	}
	p, sum := prefix("10.0.0.0/24"), 0
	if n := testing.AllocsPerRun(10, func() {
		s.Add(a)
		s.Add(six)
		s.AddUint32(xs[199])
		s.AddUint32s(xs)
		s.ContainsUint32s(xs, hits)
		s.AddPrefix(p)
		s.Remove(a)
		if s.Contains(a) || s.Contains(b) || !s.Contains(addrOf(0x0a000002)) || s.ContainsPrefix(p) || s.Count() == 0 {
			t.Error("wrong")
		}
		for range s.Prefixes() {
			sum++
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
