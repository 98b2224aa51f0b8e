package peers

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"
	aq "github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/parquet-go/parquet-go/bloom"
	"github.com/parquet-go/parquet-go/bloom/xxhash"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/interop/parquet"
)

// BenchmarkPeers times adding and testing values, single and in batches of 4,096, in
// filters of 256 KiB to 64 MiB with 10.5 bits a value. An operation is one value. Of
// those tested half are in the filter.
//
// parquet-go hashes and inserts in bulk, and has no bulk check: its rows are the best
// that its exported functions give, without the allocations of its column encoder.
// arrow-go's are its own batches. Both choose their kernels by the CPU alone, but that
// BITSIEVE_CPU=avx2 keeps parquet-go from AVX-512.
func BenchmarkPeers(b *testing.B) {
	for _, size := range []int{256 << 10, 4 << 20, 64 << 20} {
		bench := newBench(b, size)
		rows := contenders(bench)
		// Tests first: adding changes which values are there.
		slices.SortStableFunc(rows, func(x, y contender) int { return -strings.Compare(x.op, y.op) })
		for _, c := range rows {
			b.Run(fmt.Sprintf("size=%dKiB/type=%s/op=%s/impl=%s", size>>10, c.typ, c.op, c.impl), func(b *testing.B) {
				done := 0
				for b.Loop() {
					// An iteration is a batch, so that the loop costs nothing for each value.
					c.run(done)
					if done += batch; done >= len(bench.ints) {
						done = 0
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/batch, "ns/value")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

const (
	batch  = 4096
	values = 1 << 19 // of each type, in the largest filter: a multiple of batch
)

type benchData struct {
	ints    []int64
	uints   []uint64
	strings []string
	arrays  []aq.ByteArray

	ours   *parquet.Filter
	theirs bloom.SplitBlockFilter
	arrow  metadata.BloomFilterBuilder
	check  arrowCheck
	hits   bitsieve.BitSet
	bools  []bool
}

// arrowCheck is what arrow-go's filters have beyond its interfaces.
type arrowCheck interface {
	CheckHash(uint64) bool
	CheckBulk([]uint64) []bool
}

var numbers = func() (x []uint64) {
	r := rand.New(rand.NewPCG(1, 2))
	for range values {
		x = append(x, r.Uint64())
	}
	return x
}()

func newBench(b *testing.B, size int) *benchData {
	n := min(values, size/2) // half of them are in the filter: 2 or more bytes each
	d := &benchData{uints: numbers[:n], ours: filterOf(b, size, nil), bools: make([]bool, batch)}
	for i, x := range d.uints {
		d.ints = append(d.ints, int64(x))
		s := fmt.Sprintf("user-%016x", x)
		d.strings = append(d.strings, s)
		d.arrays = append(d.arrays, aq.ByteArray(s))
		if i%2 == 0 {
			d.ours.AddInt64(int64(x))
			d.ours.AddString(s)
		}
	}
	fill := make([]uint64, 8*size*2/21-n)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range fill {
		fill[i] = r.Uint64()
	}
	d.ours.AddHashes(fill)
	d.theirs = make(bloom.SplitBlockFilter, size/bloom.BlockSize)
	copy(d.theirs.Bytes(), d.ours.Bitset())
	d.arrow = metadata.NewBloomFilter(uint32(size), uint32(size), memory.DefaultAllocator)
	d.check = d.arrow.(arrowCheck)
	d.arrow.InsertBulk(fill)
	for i := 0; i < len(d.uints); i += 2 {
		d.arrow.InsertHash(parquet.HashInt64(d.ints[i]))
		d.arrow.InsertHash(parquet.HashString(d.strings[i]))
	}
	return d
}

// A contender does a batch of values from one on.
type contender struct {
	typ, op, impl string
	run           func(from int)
}

var sink int

func contenders(d *benchData) []contender {
	var hashes [128]uint64 // as many as parquet-go's encoder takes at a time
	hasher := d.arrow.Hasher()
	typed := metadata.TypedBloomFilter[int64]{BloomFilter: d.arrow.(metadata.BloomFilter)}
	typedArrays := metadata.TypedBloomFilter[aq.ByteArray]{BloomFilter: d.arrow.(metadata.BloomFilter)}
	yes := func(ok bool) {
		if ok {
			sink++
		}
	}
	return []contender{
		{"int64", "Add", "bitsieve", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				d.ours.AddInt64(x)
			}
		}},
		{"int64", "Add", "parquet-go", func(from int) {
			for _, x := range d.uints[from : from+batch] {
				d.theirs.Insert(xxhash.Sum64Uint64(x))
			}
		}},
		{"int64", "Add", "arrow-go", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				d.arrow.InsertHash(metadata.GetHash(hasher, x))
			}
		}},
		{"int64", "Test", "bitsieve", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				yes(d.ours.TestInt64(x))
			}
		}},
		{"int64", "Test", "parquet-go", func(from int) {
			for _, x := range d.uints[from : from+batch] {
				yes(d.theirs.Check(xxhash.Sum64Uint64(x)))
			}
		}},
		{"int64", "Test", "arrow-go", func(from int) {
			for _, x := range d.ints[from : from+batch] {
				yes(typed.Check(x))
			}
		}},
		{"int64", "AddBatch", "bitsieve", func(from int) { d.ours.AddInt64s(d.ints[from : from+batch]) }},
		{"int64", "AddBatch", "parquet-go", func(from int) {
			for in := d.uints[from : from+batch]; len(in) > 0; {
				n := xxhash.MultiSum64Uint64(hashes[:], in)
				d.theirs.InsertBulk(hashes[:n])
				in = in[n:]
			}
		}},
		{"int64", "AddBatch", "arrow-go", func(from int) { metadata.InsertHashes(d.arrow, d.ints[from:from+batch]) }},
		{"int64", "TestBatch", "bitsieve", func(from int) { sink += d.ours.TestInt64s(d.ints[from:from+batch], &d.hits) }},
		{"int64", "TestBatch", "parquet-go", func(from int) {
			out := d.bools
			for in := d.uints[from : from+batch]; len(in) > 0; {
				n := xxhash.MultiSum64Uint64(hashes[:], in)
				for i, h := range hashes[:n] {
					out[i] = d.theirs.Check(h)
				}
				in, out = in[n:], out[n:]
			}
		}},
		{"int64", "TestBatch", "arrow-go", func(from int) {
			sink += len(d.check.CheckBulk(metadata.GetHashes(hasher, d.ints[from:from+batch])))
		}},
		{"string", "Add", "bitsieve", func(from int) {
			for _, s := range d.strings[from : from+batch] {
				d.ours.AddString(s)
			}
		}},
		{"string", "Add", "parquet-go", func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				d.theirs.Insert(xxhash.Sum64(s))
			}
		}},
		{"string", "Add", "arrow-go", func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				d.arrow.InsertHash(metadata.GetHash(hasher, s))
			}
		}},
		{"string", "Test", "bitsieve", func(from int) {
			for _, s := range d.strings[from : from+batch] {
				yes(d.ours.TestString(s))
			}
		}},
		{"string", "Test", "parquet-go", func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				yes(d.theirs.Check(xxhash.Sum64(s)))
			}
		}},
		{"string", "Test", "arrow-go", func(from int) {
			for _, s := range d.arrays[from : from+batch] {
				yes(typedArrays.Check(s))
			}
		}},
		{"string", "AddBatch", "bitsieve", func(from int) { d.ours.AddStrings(d.strings[from : from+batch]) }},
		{"string", "AddBatch", "parquet-go", func(from int) {
			for in := d.arrays[from : from+batch]; len(in) > 0; in = in[len(hashes):] {
				for i, s := range in[:len(hashes)] {
					hashes[i] = xxhash.Sum64(s)
				}
				d.theirs.InsertBulk(hashes[:])
			}
		}},
		{"string", "AddBatch", "arrow-go", func(from int) { metadata.InsertHashes(d.arrow, d.arrays[from:from+batch]) }},
		{"string", "TestBatch", "bitsieve", func(from int) { sink += d.ours.TestStrings(d.strings[from:from+batch], &d.hits) }},
		{"string", "TestBatch", "parquet-go", func(from int) {
			out := d.bools
			for in := d.arrays[from : from+batch]; len(in) > 0; in, out = in[len(hashes):], out[len(hashes):] {
				for i, s := range in[:len(hashes)] {
					hashes[i] = xxhash.Sum64(s)
				}
				for i, h := range &hashes {
					out[i] = d.theirs.Check(h)
				}
			}
		}},
		{"string", "TestBatch", "arrow-go", func(from int) {
			sink += len(d.check.CheckBulk(metadata.GetHashes(hasher, d.arrays[from:from+batch])))
		}},
	}
}

// TestBenchAgrees: after the same batches all three have the same bits and answers.
func TestBenchAgrees(t *testing.T) {
	b := &testing.B{}
	d := newBench(b, 256<<10)
	for _, c := range contenders(d) {
		before := sink
		c.run(batch)
		if c.impl == "bitsieve" && (c.op == "Test" || c.op == "TestBatch") && sink-before < batch/2 {
			t.Errorf("%s %s: %d of %d", c.typ, c.op, sink-before, batch)
		}
	}
	if string(d.theirs.Bytes()) != string(d.ours.Bitset()) {
		t.Error("parquet-go's bits differ")
	}
	for _, x := range d.uints {
		if h := parquet.HashInt64(int64(x)); d.check.CheckHash(h) != d.ours.TestHash(h) {
			t.Fatal("arrow-go's answers differ")
		}
	}
}
