package parquet_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// eachLevel runs f at every level of this machine.
func eachLevel(t *testing.T, f func(t *testing.T)) { kerneltest.EachLevel(t, f) }

// spec is the filter of BloomFilter.md, word for word.
type spec [][8]uint32

func newSpec(numBytes int) spec { return make(spec, numBytes/32) }

func specMask(x uint32) (mask [8]uint32) {
	salt := [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	for i := range mask {
		y := x * salt[i]
		mask[i] |= 1 << (y >> 27)
	}
	return mask
}

func (s spec) block(h uint64) *[8]uint32 {
	topBits, z := h>>32, uint64(len(s))
	return &s[topBits*z>>32]
}

func (s spec) add(h uint64) {
	mask := specMask(uint32(h))
	for i, b := 0, s.block(h); i < 8; i++ {
		b[i] |= mask[i]
	}
}

func (s spec) test(h uint64) bool {
	mask := specMask(uint32(h))
	for i, b := 0, s.block(h); i < 8; i++ {
		if b[i]&mask[i] == 0 {
			return false
		}
	}
	return true
}

func (s spec) bytes() (b []byte) {
	for _, block := range s {
		for _, w := range block {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
	}
	return b
}

func newFilter(t testing.TB, numBytes int) *Filter {
	t.Helper()
	f, err := NewWithSize(numBytes)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func marshal(t testing.TB, f *Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// filled returns a filter of random values.
func filled(t testing.TB, numBytes, n int, seed uint64) *Filter {
	f := newFilter(t, numBytes)
	f.AddHashes(randomHashes(n, seed))
	return f
}

func randomHashes(n int, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 1))
	hashes := make([]uint64, n)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	return hashes
}

// wantFormatError checks that err is a FormatError about a field, that wraps an error
// and says something.
func wantFormatError(t *testing.T, err, wrapped error, field string, offset int64, detail string) {
	t.Helper()
	var fe *bitsieve.FormatError
	if !errors.As(err, &fe) {
		t.Fatalf("error %v of type %T", err, err)
	}
	if !errors.Is(err, wrapped) || fe.Field != field || offset >= 0 && fe.Offset != offset || !strings.Contains(fe.Detail, detail) {
		t.Fatalf("%v\nwant %v: %s at byte %d: %s", err, wrapped, field, offset, detail)
	}
}
