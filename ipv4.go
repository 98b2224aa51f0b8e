package bitsieve

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"math/bits"
	"net/netip"

	"github.com/bitsieve/bitsieve/internal/format"
	"github.com/bitsieve/bitsieve/internal/hash"
	"github.com/bitsieve/bitsieve/internal/pages"
	"github.com/bitsieve/bitsieve/internal/popcount"
)

// IPv4Set is an exact set of IPv4 addresses, a bit each. The zero value is an empty
// set, ready to use; it must not be copied.
//
// Memory comes with the addresses: 512 bytes for each 4,096 in a row (a /20) that has
// members, and 8 KiB for each /10, up to 520 MiB in all. A /20 that is added as a
// whole takes no memory, and neither does 0.0.0.0/0. Addresses share pages soon where
// they come from networks, as visitors do: a million take 23 bytes each, and 53 in a
// map. Ten thousand take a thousand bytes each, and 66 in a map (BenchmarkIPv4SetMemory).
//
// An IPv4 address in an IPv6 one (::ffff:192.0.2.1), which is how a socket for both
// shows its IPv4 peers, is taken for the IPv4 address. Other IPv6 addresses and the
// zero netip.Addr are never members, and adding or removing them is an error that
// wraps ErrParameter. Prefixes are masked: 192.0.2.1/24 is 192.0.2.0/24. The methods
// for uint32 take an address as its four bytes in network order make it: 192.0.2.1 is
// 0xc0000201.
//
// Any number of goroutines may, at the same time and without locks,
//
//   - add: Add, AddUint32, AddUint32s, AddPrefix, AddRange;
//   - look: Contains…, OverlapsPrefix, OverlapsRange, Count, CountPrefix, All, Ranges,
//     Prefixes, SizeBytes.
//
// No address is lost. Who looks for an address sees it once the call that added it has
// returned. What looks at many, while others add, sees all that were there when it
// began, and some of those that come meanwhile. These need a set that nobody adds to,
// but may run together: Clone, Equal, Overlaps, IntersectionCount, Save, WriteTo,
// MarshalBinary, AppendBinary, and set operations as to their argument. All others need
// the set for themselves: the Remove methods, Union, Intersect, Difference, Clear,
// ReadFrom, UnmarshalBinary, Close.
type IPv4Set struct {
	set         pages.Set
	mapping     *format.Mapping
	noHugePages bool
}

// Add adds an address, and reports whether it was absent. Of several goroutines that
// add the same address at the same time, exactly one is told so; at most one, if
// AddPrefix or AddRange adds it then too.
func (s *IPv4Set) Add(addr netip.Addr) (added bool, err error) {
	x, ok := ipv4ToUint32(addr)
	if !ok {
		return false, notIPv4(addr)
	}
	return s.set.Add(x), nil
}

// AddUint32 is Add for an address as an integer.
func (s *IPv4Set) AddUint32(x uint32) (added bool) { return s.set.Add(x) }

// AddUint32s adds addresses, and returns how many of them were absent: as many as
// AddUint32, called for each, would report. It is faster than that where the addresses
// lie far apart.
func (s *IPv4Set) AddUint32s(xs []uint32) (added int) { return s.set.AddAll(xs) }

// AddPrefix adds all addresses of a prefix.
func (s *IPv4Set) AddPrefix(p netip.Prefix) error {
	first, last, ok := ipv4Prefix(p)
	if !ok {
		return notIPv4Prefix(p)
	}
	s.set.AddRange(first, last)
	return nil
}

// AddRange adds the addresses from first to last, both included. If first is the
// greater one, that is an error that wraps ErrParameter.
func (s *IPv4Set) AddRange(first, last netip.Addr) error {
	from, to, err := ipv4Range(first, last)
	if err != nil {
		return err
	}
	s.set.AddRange(from, to)
	return nil
}

// Remove removes an address, and reports whether it was there.
func (s *IPv4Set) Remove(addr netip.Addr) (removed bool, err error) {
	x, ok := ipv4ToUint32(addr)
	if !ok {
		return false, notIPv4(addr)
	}
	return s.set.Remove(x), nil
}

// RemoveUint32 is Remove for an address as an integer.
func (s *IPv4Set) RemoveUint32(x uint32) (removed bool) { return s.set.Remove(x) }

// RemovePrefix removes all addresses of a prefix.
func (s *IPv4Set) RemovePrefix(p netip.Prefix) error {
	first, last, ok := ipv4Prefix(p)
	if !ok {
		return notIPv4Prefix(p)
	}
	s.set.RemoveRange(first, last)
	return nil
}

// RemoveRange removes the addresses from first to last, both included. Errors are
// those of AddRange.
func (s *IPv4Set) RemoveRange(first, last netip.Addr) error {
	from, to, err := ipv4Range(first, last)
	if err != nil {
		return err
	}
	s.set.RemoveRange(from, to)
	return nil
}

// Contains reports whether an address is in the set.
func (s *IPv4Set) Contains(addr netip.Addr) bool {
	x, ok := ipv4ToUint32(addr)
	return ok && s.set.Contains(x)
}

// ContainsUint32 is Contains for an address as an integer.
func (s *IPv4Set) ContainsUint32(x uint32) bool { return s.set.Contains(x) }

// ContainsUint32s returns how many of the addresses are in the set. Bit i of hits says
// whether xs[i] is: hits is resized to len(xs) bits and overwritten, or nil if only the
// number is wanted.
func (s *IPv4Set) ContainsUint32s(xs []uint32, hits *BitSet) int {
	var words []uint64
	if hits != nil {
		words = hits.resize(uint(len(xs)))
	}
	return s.set.ContainsAll(xs, words)
}

// ContainsPrefix reports whether all addresses of a prefix are in the set.
func (s *IPv4Set) ContainsPrefix(p netip.Prefix) bool {
	first, last, ok := ipv4Prefix(p)
	return ok && s.set.ContainsRange(first, last)
}

// ContainsRange reports whether all addresses from first to last are in the set. It
// is false if these are no range of IPv4 addresses.
func (s *IPv4Set) ContainsRange(first, last netip.Addr) bool {
	from, to, err := ipv4Range(first, last)
	return err == nil && s.set.ContainsRange(from, to)
}

// OverlapsPrefix reports whether some address of a prefix is in the set.
func (s *IPv4Set) OverlapsPrefix(p netip.Prefix) bool {
	first, last, ok := ipv4Prefix(p)
	return ok && s.set.OverlapsRange(first, last)
}

// OverlapsRange reports whether some address from first to last is in the set. It is
// false if these are no range of IPv4 addresses.
func (s *IPv4Set) OverlapsRange(first, last netip.Addr) bool {
	from, to, err := ipv4Range(first, last)
	return err == nil && s.set.OverlapsRange(from, to)
}

// Count returns the number of addresses, up to 2^32. It takes time linear in
// SizeBytes.
func (s *IPv4Set) Count() uint64 { return s.set.CountRange(0, math.MaxUint32) }

// CountPrefix returns the number of addresses of a prefix that are in the set.
func (s *IPv4Set) CountPrefix(p netip.Prefix) uint64 {
	first, last, ok := ipv4Prefix(p)
	if !ok {
		return 0
	}
	return s.set.CountRange(first, last)
}

// SizeBytes returns how much memory, or mapped file, the addresses take: 512 bytes for
// each /20 that has some and was not added as a whole, 8 KiB (4 KiB on 32-bit machines)
// for each /10 likewise, and 8 KiB (4 KiB) for the set itself. What Remove has emptied is
// counted until Clear.
func (s *IPv4Set) SizeBytes() uint64 {
	dirs, n := s.set.Size()
	const pointer = bits.UintSize / 8
	return pages.PageBytes*uint64(n) + pointer*(pages.DirPages*uint64(dirs)+pages.Dirs)
}

// All returns an iterator over the addresses in ascending order.
func (s *IPv4Set) All() iter.Seq[netip.Addr] {
	return func(yield func(netip.Addr) bool) {
		s.set.All(func(x uint32) bool { return yield(uint32ToIPv4(x)) })
	}
}

// Ranges returns an iterator over the longest runs of addresses without a gap, by
// their first and last ones, in ascending order.
func (s *IPv4Set) Ranges() iter.Seq2[netip.Addr, netip.Addr] {
	return func(yield func(first, last netip.Addr) bool) {
		s.set.Ranges(func(first, last uint32) bool { return yield(uint32ToIPv4(first), uint32ToIPv4(last)) })
	}
}

// Prefixes returns an iterator over the fewest prefixes that cover exactly the set, in
// ascending order. No two of them overlap.
func (s *IPv4Set) Prefixes() iter.Seq[netip.Prefix] {
	return func(yield func(netip.Prefix) bool) {
		s.set.Prefixes(func(first uint32, length int) bool {
			return yield(netip.PrefixFrom(uint32ToIPv4(first), length))
		})
	}
}

// Clone returns a copy of the set that shares no memory with it.
func (s *IPv4Set) Clone() *IPv4Set {
	c := &IPv4Set{noHugePages: s.noHugePages}
	c.Union(s)
	return c
}

// Equal reports whether both sets have the same addresses.
func (s *IPv4Set) Equal(t *IPv4Set) bool {
	for i := range pages.Dirs {
		a, b := s.set.Dir(i), t.set.Dir(i)
		if a == b {
			continue
		}
		for j := range pages.DirPages {
			if p, q := pageOf(a, j), pageOf(b, j); p != q && *p != *q {
				return false
			}
		}
	}
	return true
}

// emptyPage stands for pages that are not there. Nobody writes to it.
var emptyPage = new(pages.Page)

// pageOf returns page j of d, either of which may be missing.
func pageOf(d *pages.Dir, j int) *pages.Page {
	if d == nil {
		return emptyPage
	}
	if p := d[j].Load(); p != nil {
		return p
	}
	return emptyPage
}

// IntersectionCount returns the number of addresses that are in both sets.
func (s *IPv4Set) IntersectionCount(t *IPv4Set) (n uint64) {
	for i := range pages.Dirs {
		a, b := s.set.Dir(i), t.set.Dir(i)
		if a == nil || b == nil {
			continue
		}
		for j := range pages.DirPages {
			p, q := a[j].Load(), b[j].Load()
			switch {
			case p == nil || q == nil:
			case p == q || q == pages.FullPage:
				n += uint64(p.Members())
			default:
				n += uint64(popcount.And(p[:], q[:]))
			}
		}
	}
	return n
}

// Overlaps reports whether some address is in both sets. Nobody may add to either set
// at the same time.
func (s *IPv4Set) Overlaps(t *IPv4Set) bool {
	for i := range pages.Dirs {
		a, b := s.set.Dir(i), t.set.Dir(i)
		if a == nil || b == nil {
			continue
		}
		for j := range pages.DirPages {
			p, q := a[j].Load(), b[j].Load()
			if p != nil && q != nil && intersectsWords(p[:], q[:]) {
				return true
			}
		}
	}
	return false
}

// Union adds the addresses of t.
func (s *IPv4Set) Union(t *IPv4Set) {
	for i := range pages.Dirs {
		switch b := t.set.Dir(i); {
		case b == s.set.Dir(i), b == nil, s.set.Dir(i) == pages.FullDir:
		case b == pages.FullDir:
			s.set.SetDir(i, b)
		default:
			unionDir(s.set.OwnDir(i), b)
		}
	}
}

func unionDir(a, b *pages.Dir) {
	for j := range pages.DirPages {
		switch p, q := a[j].Load(), b[j].Load(); {
		case p == q, q == nil, p == pages.FullPage:
		case q == pages.FullPage:
			a[j].Store(q)
		case p == nil:
			a[j].Store(q.Clone())
		default:
			orWords(p[:], p[:], q[:])
		}
	}
}

// Intersect removes the addresses that are not in t.
func (s *IPv4Set) Intersect(t *IPv4Set) {
	for i := range pages.Dirs {
		switch b := t.set.Dir(i); {
		case b == s.set.Dir(i), s.set.Dir(i) == nil, b == pages.FullDir:
		case b == nil:
			s.set.SetDir(i, nil)
		default:
			intersectDir(s.set.OwnDir(i), b)
		}
	}
}

func intersectDir(a, b *pages.Dir) {
	for j := range pages.DirPages {
		switch p, q := a[j].Load(), b[j].Load(); {
		case p == q, p == nil, q == pages.FullPage:
		case q == nil:
			a[j].Store(nil)
		case p == pages.FullPage:
			a[j].Store(q.Clone())
		default:
			if andWithCountWords(p[:], p[:], q[:]) == 0 {
				a[j].Store(nil)
			}
		}
	}
}

// Difference removes the addresses that are in t.
func (s *IPv4Set) Difference(t *IPv4Set) {
	for i := range pages.Dirs {
		switch b := t.set.Dir(i); {
		case b == nil, s.set.Dir(i) == nil:
		case b == s.set.Dir(i), b == pages.FullDir:
			s.set.SetDir(i, nil)
		default:
			subtractDir(s.set.OwnDir(i), b)
		}
	}
}

func subtractDir(a, b *pages.Dir) {
	for j := range pages.DirPages {
		switch p, q := a[j].Load(), b[j].Load(); {
		case p == nil, q == nil:
		case p == q, q == pages.FullPage:
			a[j].Store(nil)
		default:
			p = a.OwnPage(j)
			if andNotWithCountWords(p[:], p[:], q[:]) == 0 {
				a[j].Store(nil)
			}
		}
	}
}

// Clear removes all addresses, and lets go of their memory; a file that is mapped stays
// so until Close.
func (s *IPv4Set) Clear() { s.set.Clear() }

// Save writes the set to a file, in one step, as Blocked.Save writes a filter. Nobody
// may add to the set at the same time.
func (s *IPv4Set) Save(path string) error { return format.Save(path, s.WriteTo) }

// OpenIPv4Set opens a file that Save or WriteTo made. As with OpenBlocked the file is
// mapped where that is possible, so that looking up begins at once, and changes to the
// set never reach the file. Errors are those of OpenBlocked. There is no key: WithKey is
// an error that wraps ErrKey.
//
// Close releases the mapping. Until then the file may be deleted, or replaced as Save
// does, but must not be overwritten or cut in place.
func OpenIPv4Set(path string, opts ...OpenOption) (*IPv4Set, error) {
	return openStored[IPv4Set](path, opts)
}

// ReadIPv4Set reads a set, as written by WriteTo or Save, into memory. It takes no byte
// from r past the set's end, and memory as ReadBlocked does. Errors are those of
// OpenIPv4Set.
func ReadIPv4Set(r io.Reader, opts ...OpenOption) (*IPv4Set, error) {
	return readStored[IPv4Set](r, opts)
}

// Close removes all addresses, and releases the mapping if OpenIPv4Set made one.
// Closing twice is allowed.
func (s *IPv4Set) Close() error {
	m := s.mapping
	s.set.Clear()
	s.mapping = nil
	return m.Close()
}

// WriteTo writes the set in the format of Save. It implements io.WriterTo. Nobody may
// add to the set at the same time.
func (s *IPv4Set) WriteTo(w io.Writer) (n int64, err error) {
	// Pages are too small to be written one by one.
	b := bufio.NewWriterSize(struct{ io.Writer }{w}, 256<<10) // a buffer of our own in any case
	n, err = writeTo(s, b)
	if err == nil {
		err = b.Flush()
	}
	return n - int64(b.Buffered()), err
}

// ReadFrom replaces the set by one that WriteTo or Save wrote. It takes no byte from r
// past that set's end. Errors are those of OpenIPv4Set, and leave the set as it was.
func (s *IPv4Set) ReadFrom(r io.Reader) (n int64, err error) { return readFrom(s, r) }

// MarshalBinary returns the bytes that WriteTo writes. It implements
// encoding.BinaryMarshaler.
func (s *IPv4Set) MarshalBinary() ([]byte, error) { return appendBinary(s, nil) }

// AppendBinary appends the bytes that WriteTo writes to b. It implements
// encoding.BinaryAppender.
func (s *IPv4Set) AppendBinary(b []byte) ([]byte, error) { return appendBinary(s, b) }

// UnmarshalBinary is ReadFrom for bytes in memory, of which none may follow the set. It
// implements encoding.BinaryUnmarshaler.
func (s *IPv4Set) UnmarshalBinary(data []byte) error { return unmarshal(s, data) }

func (s *IPv4Set) expect() format.Expect {
	return format.Expect{Kind: format.IPv4, NoHugePages: s.noHugePages}
}

func (s *IPv4Set) content() (format.Header, [][]uint64) {
	parts, n := s.set.Encode()
	h := format.NewHeader(format.IPv4, 0, hash.Hasher{})
	h.Items = n.Members
	h.Extra[0], h.Extra[1] = n.Dirs, n.Pages
	return h, parts
}

func (s *IPv4Set) adopt(h *format.Header, words []uint64, m *format.Mapping, want format.Expect) error {
	if err := s.set.Decode(words, pages.Counts{Dirs: h.Extra[0], Pages: h.Extra[1]}); err != nil {
		return err
	}
	old := s.mapping
	s.mapping, s.noHugePages = m, want.NoHugePages
	return old.Close()
}

// ipv4ToUint32 returns the bytes of an IPv4 address, whether in an IPv6 one or not.
func ipv4ToUint32(addr netip.Addr) (x uint32, ok bool) {
	if addr = addr.Unmap(); !addr.Is4() {
		return 0, false
	}
	b := addr.As4()
	return binary.BigEndian.Uint32(b[:]), true
}

func uint32ToIPv4(x uint32) netip.Addr {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], x)
	return netip.AddrFrom4(b)
}

// ipv4Prefix returns the first and the last address of a prefix.
func ipv4Prefix(p netip.Prefix) (first, last uint32, ok bool) {
	n := p.Bits() // negative if p is invalid
	if p.Addr().Is4In6() {
		n -= 96
	}
	x, ok := ipv4ToUint32(p.Addr())
	if !ok || n < 0 {
		return 0, 0, false
	}
	host := uint32(1<<(32-n) - 1)
	return x &^ host, x | host, true
}

func ipv4Range(first, last netip.Addr) (from, to uint32, err error) {
	from, ok := ipv4ToUint32(first)
	if !ok {
		return 0, 0, notIPv4(first)
	}
	if to, ok = ipv4ToUint32(last); !ok {
		return 0, 0, notIPv4(last)
	}
	if from > to {
		return 0, 0, fmt.Errorf("%w: a range from %v to %v", ErrParameter, first, last)
	}
	return from, to, nil
}

func notIPv4(addr netip.Addr) error {
	return fmt.Errorf("%w: %v is not an IPv4 address", ErrParameter, addr)
}

func notIPv4Prefix(p netip.Prefix) error {
	return fmt.Errorf("%w: %v is not a prefix of IPv4 addresses", ErrParameter, p)
}
