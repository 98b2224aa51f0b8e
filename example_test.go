package bitsieve_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/bitsieve/bitsieve"
)

// The blocked filter.

func ExampleBlocked() {
	seen, err := bitsieve.NewBlocked(1_000_000, 0.01)
	if err != nil {
		panic(err)
	}
	seen.AddString("to")
	seen.AddUint64(42)
	fmt.Println(seen.TestString("to"), seen.TestString("be"), seen.TestUint64(42))
	fmt.Println(seen.TestAndAddString("be"), seen.TestAndAddString("be"))
	// Output:
	// true false true
	// false true
}

func ExampleNewBlocked() {
	f, err := bitsieve.NewBlocked(1_000_000, 0.01)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.1f bits per key, of which each sets %d\n", float64(8*f.SizeBytes())/1e6, f.K())
	fmt.Println("the promise is kept:", f.ExpectedFPRate(1_000_000) <= 0.01)

	_, err = bitsieve.NewBlocked(1_000_000, 0)
	fmt.Println("a rate of 0 is refused:", errors.Is(err, bitsieve.ErrParameter))
	// Output:
	// 10.0 bits per key, of which each sets 6
	// the promise is kept: true
	// a rate of 0 is refused: true
}

func ExampleBlocked_TestUint64s() {
	f, err := bitsieve.NewBlocked(1000, 1e-6)
	if err != nil {
		panic(err)
	}
	f.AddUint64s([]uint64{2, 3, 5, 7})

	var hits bitsieve.BitSet
	n := f.TestUint64s([]uint64{1, 2, 3, 4, 5}, &hits)
	fmt.Println(n, "may be there:", hits.String())
	// Output: 3 may be there: {1,2,4}
}

func ExampleBlocked_Union() {
	monday, _ := bitsieve.NewBlocked(1000, 0.001)
	tuesday, _ := bitsieve.NewBlocked(1000, 0.001)
	monday.AddString("ann")
	tuesday.AddString("bob")
	if err := monday.Union(tuesday); err != nil {
		panic(err)
	}
	fmt.Println(monday.TestString("ann"), monday.TestString("bob"))

	other, _ := bitsieve.NewBlocked(2000, 0.001)
	fmt.Println(errors.Is(monday.Union(other), bitsieve.ErrMismatch))
	// Output:
	// true true
	// true
}

func ExampleOpenBlocked() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "words.bsv")

	f, err := bitsieve.NewBlocked(1000, 0.001)
	if err != nil {
		panic(err)
	}
	f.AddStrings([]string{"to", "be", "or"})
	if err := f.Save(path); err != nil {
		panic(err)
	}

	// Another process, later: the file is mapped, not read.
	g, err := bitsieve.OpenBlocked(path)
	if err != nil {
		panic(err)
	}
	defer g.Close()
	fmt.Println(g.TestString("be"), g.TestString("sleep"))
	// Output: true false
}

func ExampleWithKey() {
	// 32 random bytes that only this service knows, so that nobody can choose
	// keys that collide.
	secret := []byte("an example is not a secret: 32 B")
	f, err := bitsieve.NewBlocked(1000, 0.001, bitsieve.WithKey(secret))
	if err != nil {
		panic(err)
	}
	f.AddString("ann@example.org")
	data, err := f.MarshalBinary()
	if err != nil {
		panic(err)
	}

	// What holds the filter tells nothing without the key.
	_, err = bitsieve.ReadBlocked(bytes.NewReader(data))
	fmt.Println(errors.Is(err, bitsieve.ErrKey))
	g, err := bitsieve.ReadBlocked(bytes.NewReader(data), bitsieve.WithKey(secret))
	if err != nil {
		panic(err)
	}
	fmt.Println(g.TestString("ann@example.org"))
	// Output:
	// true
	// true
}

func ExampleBuilder() {
	f, err := bitsieve.NewBlocked(100_000, 0.01)
	if err != nil {
		panic(err)
	}
	b := bitsieve.NewBuilder(f)
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a := b.Adder() // one for each goroutine
			for i := range uint64(25_000) {
				a.AddUint64(g*25_000 + i)
			}
		}()
	}
	wg.Wait()
	fmt.Println(b.Finish(), f.TestUint64(0), f.TestUint64(99_999))
	// Output: 100000 true true
}

func ExampleAdder() {
	f, err := bitsieve.NewBlocked(1000, 0.01)
	if err != nil {
		panic(err)
	}
	a := bitsieve.NewBuilder(f).Adder()
	a.AddStrings([]string{"to", "be"})
	a.Flush() // or Builder.Finish, for all Adders at once
	fmt.Println(f.TestString("to"), f.TestString("be"))
	// Output: true true
}

// The standard filter.

func ExampleBloom() {
	f, err := bitsieve.NewBloom(1000, 0.01)
	if err != nil {
		panic(err)
	}
	f.AddString("Love")
	fmt.Println(f.TestString("Love"), f.TestString("Hate"))
	fmt.Println(f.Bits(), "bits, of which each key sets", f.K())
	// Output:
	// true false
	// 9593 bits, of which each key sets 7
}

func ExampleBloom_TestStrings() {
	f, err := bitsieve.NewBloom(1000, 1e-6)
	if err != nil {
		panic(err)
	}
	f.AddStrings([]string{"to", "be", "or"})

	var hits bitsieve.BitSet
	n := f.TestStrings([]string{"to", "sleep", "or", "dream"}, &hits)
	fmt.Println(n, "may be there:", hits.String())
	// Output: 2 may be there: {0,2}
}

func ExampleBloom_TestAndAddStrings() {
	f, err := bitsieve.NewBloom(1000, 1e-6)
	if err != nil {
		panic(err)
	}
	lines := []string{"to", "be", "or", "not", "to", "be"}
	var doubles bitsieve.BitSet
	f.TestAndAddStrings(lines, &doubles)
	for i, line := range lines {
		if !doubles.Test(uint(i)) {
			fmt.Println(line)
		}
	}
	// Output:
	// to
	// be
	// or
	// not
}

// Filters of both kinds, and their files.

func ExampleFilter() {
	distinct := func(f bitsieve.Filter, lines []string) (n int) {
		return len(lines) - f.TestAndAddStrings(lines, nil)
	}
	lines := []string{"to", "be", "or", "not", "to", "be"}

	blocked, _ := bitsieve.NewBlocked(1000, 1e-6)
	bloom, _ := bitsieve.NewBloom(1000, 1e-6)
	fmt.Println(distinct(blocked, lines), distinct(bloom, lines))
	// Output: 4 4
}

func ExampleFormatError() {
	f, _ := bitsieve.NewBlocked(1000, 0.01)
	f.AddString("to")
	data, _ := f.MarshalBinary()
	data[len(data)-1] ^= 1 // a bit rots

	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "words.bsv")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		panic(err)
	}

	_, err = bitsieve.OpenBlocked(path)
	var damage *bitsieve.FormatError
	if errors.As(err, &damage) {
		fmt.Println(filepath.Base(damage.Path), damage.Field, damage.Offset)
	}
	fmt.Println(errors.Is(err, bitsieve.ErrChecksum))
	// Output:
	// words.bsv payload 128
	// true
}

func ExampleWithoutChecksum() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "words.bsv")
	f, _ := bitsieve.NewBlocked(1000, 0.01)
	f.AddString("to")
	if err := f.Save(path); err != nil {
		panic(err)
	}

	// Opening takes the same time for a filter of any size.
	g, err := bitsieve.OpenBlocked(path, bitsieve.WithoutChecksum())
	if err != nil {
		panic(err)
	}
	defer g.Close()
	fmt.Println(g.TestString("to"))
	// Output: true
}

func ExampleInspectFile() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "words.bsv")
	f, _ := bitsieve.NewBlocked(1000, 0.01)
	f.AddStrings([]string{"to", "be"})
	if err := f.Save(path); err != nil {
		panic(err)
	}

	var info bitsieve.FileInfo // whatever kind of filter it is
	if info, err = bitsieve.InspectFile(path); err != nil {
		panic(err)
	}
	fmt.Println(info.Kind, info.Hash, info.Items, "keys of", info.Capacity, "at", info.Rate)
	// Output: blocked XXH3-64 2 keys of 1000 at 0.01
}

// Sets.

func ExampleBitSet() {
	var seen, wanted bitsieve.BitSet
	seen.Set(3).Set(64).Set(1000)
	wanted.SetRange(60, 2000)

	fmt.Println(seen.Test(64), seen.Test(1_000_000), seen.Count())
	fmt.Println(seen.IntersectionCardinality(&wanted), "of", wanted.Count())
	for i := range seen.Intersection(&wanted).EachSet() {
		fmt.Println(i)
	}
	// Output:
	// true false 3
	// 2 of 1940
	// 64
	// 1000
}

func ExampleBitSet_NextSetMany() {
	b := bitsieve.NewBitSet(100).SetRange(10, 15).Set(99)
	buffer := make([]uint, 4)
	for i, members := b.NextSetMany(0, buffer); len(members) > 0; i, members = b.NextSetMany(i+1, buffer) {
		fmt.Println(members)
	}
	// Output:
	// [10 11 12 13]
	// [14 99]
}

func ExampleBitSet_Select() {
	b := new(bitsieve.BitSet).Set(5).Set(50).Set(500)
	fmt.Println(b.Select(0), b.Select(2), b.Rank(50))
	// Output: 5 500 2
}

func ExampleBitSet_Extract() {
	values := new(bitsieve.BitSet).Set(1).Set(5)
	mask := new(bitsieve.BitSet).Set(1).Set(4).Set(5)
	packed := values.Extract(mask)
	fmt.Println(packed, packed.Len(), packed.Deposit(mask))
	// Output: {0,2} 3 {1,5}
}

func ExampleBitSet_MarshalBinary() {
	b := bitsieve.FromIndices(0, 3, 69)
	data, err := b.MarshalBinary() // as github.com/bits-and-blooms/bitset has it
	if err != nil {
		panic(err)
	}
	var c bitsieve.BitSet
	if err := c.UnmarshalBinary(data); err != nil {
		panic(err)
	}
	fmt.Println(len(data), c.String(), c.Equal(b))
	// Output: 24 {0,3,69} true
}

// Words.

func ExampleAnd() {
	a, b := []uint64{0b1110, 1}, []uint64{0b0111, 1}
	dst := make([]uint64, 2)
	bitsieve.And(dst, a, b)
	fmt.Printf("%b\n", dst)
	// Output: [110 1]
}

func ExampleAndCount() {
	a, b := []uint64{0b1110, 1}, []uint64{0b0111, 1}
	fmt.Println(bitsieve.AndCount(a, b), bitsieve.XorCount(a, b))
	// Output: 3 2
}

func ExampleAppendIndices32() {
	fmt.Println(bitsieve.AppendIndices32(nil, []uint64{1<<2 | 1<<63, 1}))
	// Output: [2 63 64]
}

func ExampleAndAllCount() {
	// Who is subscribed, active and not blocked?
	subscribed := []uint64{0b1111_0000}
	active := []uint64{0b1010_1010}
	unblocked := []uint64{0b0111_1111}
	fmt.Println(bitsieve.AndAllCount(subscribed, active, unblocked))
	// Output: 1
}

func ExampleAndCountRows() {
	// Three molecules as fingerprints of two words each, and their own counts.
	molecules := []uint64{
		0b1111, 0b0001,
		0b1100, 0b0000,
		0b0011, 0b1111,
	}
	sizes := []int{5, 2, 6}

	query := []uint64{0b1110, 0b0000}
	common := make([]int, 3)
	bitsieve.AndCountRows(common, query, molecules)
	for i, c := range common {
		fmt.Printf("%d in common, Jaccard %.2f\n", c, float64(c)/float64(bitsieve.Count(query)+sizes[i]-c))
	}
	// Output:
	// 3 in common, Jaccard 0.60
	// 2 in common, Jaccard 0.67
	// 1 in common, Jaccard 0.12
}

// Sorting by bitmap.

func ExampleSortUnique() {
	fmt.Println(bitsieve.SortUnique([]uint32{700, 5, 700, 31, 5}))
	// Output: [5 31 700]
}

func ExampleSingles() {
	fmt.Println(bitsieve.Singles([]uint32{700, 5, 700, 31, 5}))
	fmt.Println(bitsieve.Duplicates([]uint32{700, 5, 700, 31, 5}))
	// Output:
	// [31]
	// [5 700]
}

func ExampleIntersectLists() {
	bought, returned := []uint32{9, 4, 4, 1}, []uint32{4, 7, 9}
	fmt.Println(bitsieve.IntersectLists(nil, bought, returned))
	fmt.Println(bitsieve.UnionLists(nil, bought, returned))
	fmt.Println(bitsieve.DifferenceLists(nil, bought, returned))
	// Output:
	// [4 9]
	// [1 4 7 9]
	// [1]
}

func ExampleCountMap() {
	m, err := bitsieve.NewCountMap(4) // up to 15 of each
	if err != nil {
		panic(err)
	}
	for _, part := range [][]uint32{{30, 10, 30}, {20, 30, 10}} {
		if err := m.Add(part...); err != nil {
			panic(err)
		}
	}
	sorted, err := m.AppendSorted(nil)
	fmt.Println(sorted, err)
	fmt.Println(m.Count(30), m.AppendSingles(nil))
	// Output:
	// [10 10 20 30 30 30] <nil>
	// 3 [20]
}

// Highest bit first.

func ExampleMSB() {
	// SETBIT visits 7 1, SETBIT visits 9 1 in Redis; GET visits returns these bytes.
	visits := bitsieve.MSB("\x01\x40")
	fmt.Println(visits.Test(7), visits.Test(8), visits.Count())
	first, _ := visits.NextSet(8)
	fmt.Println(first)

	other := bitsieve.MSB{0x00, 0x40, 0x80}
	fmt.Println(bitsieve.MSB(nil).And(visits, other).AppendIndices(nil))
	// Output:
	// true false 2
	// 9
	// [9]
}

func ExampleFromMSB() {
	b := bitsieve.FromMSB([]byte{0x01, 0x40})
	fmt.Println(b)
	fmt.Printf("% x\n", b.Set(0).AppendMSB(nil))
	// Output:
	// {7,9}
	// 81 40
}

func ExampleReverseBits() {
	p := []byte{0b0000_0001, 0b0011_0101}
	bitsieve.ReverseBits(p, p)
	fmt.Printf("%08b\n", p)
	// Output: [10000000 10101100]
}

func ExampleIPv4Set() {
	var blocked bitsieve.IPv4Set
	_ = blocked.AddPrefix(netip.MustParsePrefix("192.0.2.0/24"))
	_ = blocked.AddPrefix(netip.MustParsePrefix("192.0.3.0/24"))
	_, _ = blocked.Add(netip.MustParseAddr("::ffff:203.0.113.7")) // as a socket for IPv6 shows it
	_, _ = blocked.Remove(netip.MustParseAddr("192.0.3.255"))

	fmt.Println(blocked.Contains(netip.MustParseAddr("192.0.2.99")), blocked.Contains(netip.MustParseAddr("198.51.100.1")))
	fmt.Println(blocked.Count(), "addresses")
	for first, last := range blocked.Ranges() {
		fmt.Println(first, "to", last)
	}
	// Output:
	// true false
	// 512 addresses
	// 192.0.2.0 to 192.0.3.254
	// 203.0.113.7 to 203.0.113.7
}

func ExampleIPv4Set_Prefixes() {
	var all bitsieve.IPv4Set
	_ = all.AddPrefix(netip.MustParsePrefix("0.0.0.0/0"))
	_ = all.RemovePrefix(netip.MustParsePrefix("10.0.0.0/8"))
	for p := range all.Prefixes() {
		fmt.Println(p)
	}
	// Output:
	// 0.0.0.0/5
	// 8.0.0.0/7
	// 11.0.0.0/8
	// 12.0.0.0/6
	// 16.0.0.0/4
	// 32.0.0.0/3
	// 64.0.0.0/2
	// 128.0.0.0/1
}

// How often did each address come? Counts are never too low.
func ExampleSpectral() {
	f, err := bitsieve.NewSpectral(1_000_000, 0.001, 16) // 16 bits: to 65,535
	if err != nil {
		panic(err)
	}
	for _, addr := range []string{"10.0.0.7", "10.0.0.9", "10.0.0.7"} {
		if f.AddCountString(addr) == 2 {
			fmt.Println(addr, "again")
		}
	}
	f.AddStringN("10.0.0.1", 500)
	fmt.Println(f.CountString("10.0.0.7"), f.CountString("10.0.0.1"), f.CountString("10.0.0.2"))
	fmt.Println(f.Total(), "in all, too high by at most", f.ErrorBound(0.999), "for 99.9 % of addresses")
	// Output:
	// 10.0.0.7 again
	// 2 500 0
	// 503 in all, too high by at most 0 for 99.9 % of addresses
}

// A filter with exceptions.

func ExampleWhitelist() {
	black, err := bitsieve.NewBlocked(1000, 0.001)
	if err != nil {
		panic(err)
	}
	spam := bitsieve.NewWhitelist(black)
	// Exceptions first: what is added later, though it is on the list, is reported.
	spam.ExceptStrings([]string{"bank.example", "both.example"})
	spam.AddStrings([]string{"spam.example", "both.example"})

	fmt.Println(spam.TestString("spam.example"), spam.TestString("bank.example"))
	conflicts, _ := spam.Conflicts()
	fmt.Printf("%s: %v\n", conflicts, spam.TestString("both.example"))
	// Output:
	// true false
	// [both.example]: true
}

func ExampleCounting() {
	sessions, err := bitsieve.NewCounting(100_000, 0.001)
	if err != nil {
		panic(err)
	}
	sessions.AddString("ann")
	sessions.AddString("bob")
	sessions.AddString("bob") // on another machine
	fmt.Println(sessions.CountString("ann"), sessions.CountString("bob"))

	sessions.RemoveString("ann")
	sessions.RemoveString("bob")
	fmt.Println(sessions.TestString("ann"), sessions.TestString("bob"))
	fmt.Println("eve was never there:", sessions.RemoveString("eve"))
	// Output:
	// 1 2
	// false true
	// eve was never there: false
}

func ExampleCounting_Blocked() {
	f, err := bitsieve.NewCounting(1000, 0.01)
	if err != nil {
		panic(err)
	}
	f.AddString("ann")
	snapshot, err := f.Blocked()
	if err != nil {
		panic(err)
	}
	f.RemoveString("ann")
	fmt.Println(f.TestString("ann"), snapshot.TestString("ann"), f.SizeBytes()/snapshot.SizeBytes())
	// Output: false true 2
}

func ExampleScalable() {
	// Nobody knows how many visitors will come.
	seen, err := bitsieve.NewScalable(0, 1e-6)
	if err != nil {
		panic(err)
	}
	for _, visitor := range []string{"ada", "bob", "ada", "cy"} {
		if !seen.TestAndAddString(visitor) {
			fmt.Println("first visit of", visitor)
		}
	}
	fmt.Println(seen.Added(), "visitors,", len(seen.Stages()), "stage")

	for i := range uint64(200_000) {
		seen.AddUint64(i)
	}
	fmt.Println(len(seen.Stages()), "stages, rate at most 1e-6:", seen.FPRate() <= 1e-6)
	// Output:
	// first visit of ada
	// first visit of bob
	// first visit of cy
	// 3 visitors, 1 stage
	// 3 stages, rate at most 1e-6: true
}

// Adding from many goroutines, folding, shards.

// Workers share a filter: each page is fetched by one of them.
func ExampleAtomicBlocked() {
	seen, err := bitsieve.NewAtomicBlocked(1_000_000, 0.001)
	if err != nil {
		panic(err)
	}
	links := []string{"/", "/a", "/b", "/a", "/", "/c"}
	var fetched atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for _, link := range links {
				if !seen.TestAndAddString(link) {
					fetched.Add(1)
				}
			}
		}()
	}
	wg.Wait()
	fmt.Println(fetched.Load(), "pages fetched")
	// Output: 4 pages fetched
}

// A filter made for more keys than came shrinks to what they need.
func ExampleBlocked_FoldTo() {
	f, err := bitsieve.NewBlocked(1_000_000, 0.01, bitsieve.WithFolds(6))
	if err != nil {
		panic(err)
	}
	for x := range uint64(100_000) {
		f.AddUint64(x)
	}
	before := f.SizeBytes()
	n, err := f.FoldTo(0.01)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d halvings: %d KiB, then %d KiB\n", n, before>>10, f.SizeBytes()>>10)
	// Output: 3 halvings: 1220 KiB, then 152 KiB
}

// A shard goes to another process by itself.
func ExampleSharded() {
	f, err := bitsieve.NewSharded(1_000_000, 0.01, 16)
	if err != nil {
		panic(err)
	}
	f.AddString("gopher@example.org")
	var shard bytes.Buffer
	if _, err := f.WriteShard(f.ShardOfString("gopher@example.org"), &shard); err != nil {
		panic(err)
	}

	replica, err := bitsieve.NewSharded(1_000_000, 0.01, 16)
	if err != nil {
		panic(err)
	}
	if _, err := replica.ReadShard(&shard); err != nil {
		panic(err)
	}
	fmt.Println(replica.TestString("gopher@example.org"), replica.TestString("python@example.org"))
	// Output: true false
}

// Views and stateless probing.

func ExampleViewBlocked() {
	f, err := bitsieve.NewBlocked(1000, 0.001)
	if err != nil {
		panic(err)
	}
	f.AddString("to")
	stored, err := f.MarshalBinary() // the same bytes as Save writes
	if err != nil {
		panic(err)
	}

	// Later, somewhere: the bytes as they came, from a page, a message or a mapping.
	v, err := bitsieve.ViewBlocked(stored)
	if err != nil {
		panic(err)
	}
	fmt.Println(v.TestString("to"), v.TestString("be"), v.Verify())
	// Output: true false <nil>
}

func ExampleViewBloom() {
	// What github.com/bits-and-blooms/bloom v3 writes for a filter of 64 bits, of which
	// a key sets 3: here with every bit set but one.
	stored := append(make([]byte, 23), 64)
	stored[7], stored[15] = 64, 3
	stored = append(stored, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe)

	v, err := bitsieve.ViewBloom(stored)
	if err != nil {
		panic(err)
	}
	fmt.Println(v.Bits(), v.K(), v.Fill(), v.TestString("Love"))

	_, err = bitsieve.ViewBloom(stored[:len(stored)-1])
	fmt.Println(err)
	// Output:
	// 64 3 0.984375 true
	// bitsieve: truncated: words at byte 24: have 7 bytes, want 1 words for 64 bits
}

func ExampleViewBitSet() {
	stored, err := bitsieve.FromIndices(1, 64, 99).MarshalBinary()
	if err != nil {
		panic(err)
	}
	v, err := bitsieve.ViewBitSet(stored)
	if err != nil {
		panic(err)
	}
	next, _ := v.NextSet(2)
	fmt.Println(v.Test(1), v.Test(2), next, v.Count())
	// Output: true false 64 3
}

func ExampleTestBlocks() {
	// A table of a store: 1000 keys, 10 bits for each. The filter is a part of the
	// table's page, which only has to remember k.
	keys := []string{"apple", "pear", "plum"}
	blocks, k := bitsieve.BlocksFor(1000, 10)
	fmt.Printf("%d blocks, k = %d, rate %.2f %%\n", blocks, k, 100*bitsieve.BlockedRate(blocks, k, 1000))

	page := make([]byte, 4096)
	filter := page[100:][:64*blocks]
	var hashes []uint64
	for _, key := range keys {
		hashes = append(hashes, bitsieve.HashKeyString(key))
	}
	bitsieve.AddBlocks(filter, k, hashes)

	fmt.Println(bitsieve.TestBlocks(filter, k, bitsieve.HashKeyString("pear")),
		bitsieve.TestBlocks(filter, k, bitsieve.HashKeyString("quince")))
	// Output:
	// 20 blocks, k = 7, rate 0.88 %
	// true false
}

func ExampleIntersect() {
	// The documents that have each of two words, as sorted lists.
	apple, pie := []uint32{2, 3, 5, 7, 11}, []uint32{1, 2, 3, 4, 5, 6}
	fmt.Println(bitsieve.Intersect(nil, apple, pie), bitsieve.IntersectCount(apple, pie))
	fmt.Println(bitsieve.Union(nil, apple, pie))
	fmt.Println(bitsieve.Difference(nil, apple, pie))

	// In place, and with a set that is kept as bits.
	deleted := make([]uint64, 1)
	bitsieve.SetBits(deleted, []uint32{3, 4})
	both := bitsieve.Intersect(apple[:0], apple, pie)
	fmt.Println(bitsieve.DifferenceBits(both[:0], both, deleted))
	// Output:
	// [2 3 5] 3
	// [1 2 3 4 5 6 7 11]
	// [7 11]
	// [2 5]
}
