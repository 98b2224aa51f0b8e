package parquet_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// TestHashes compares the hash of each type with XXH64 of its plain encoding.
func TestHashes(t *testing.T) {
	check := func(what any, got uint64, plain []byte) {
		t.Helper()
		if want := xxhash.Sum64(plain); got != want {
			t.Fatalf("%T %v: %016x, want %016x", what, what, got, want)
		}
	}
	le := binary.LittleEndian
	check(false, HashBoolean(false), []byte{0})
	check(true, HashBoolean(true), []byte{1})
	r := rand.New(rand.NewPCG(1, 2))
	values := []uint64{0, 1, math.MaxInt32, 1 << 31, math.MaxInt64, 1 << 63, math.MaxUint64,
		math.Float64bits(math.Copysign(0, -1)), math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1))}
	for range 1000 {
		values = append(values, r.Uint64())
	}
	for _, x := range values {
		check(x, HashInt64(int64(x)), le.AppendUint64(nil, x))
		check(x, HashDouble(math.Float64frombits(x)), le.AppendUint64(nil, x))
		check(x, HashInt32(int32(x)), le.AppendUint32(nil, uint32(x)))
		// Go may set the quiet bit of a NaN when it passes one, on 386.
		if y := uint32(x); y>>23&0xff != 0xff {
			check(x, HashFloat(math.Float32frombits(y)), le.AppendUint32(nil, y))
		}
		var day [12]byte
		le.PutUint64(day[:], x)
		le.PutUint32(day[8:], uint32(x>>7))
		check(x, HashInt96(day), day[:])
	}
	for _, n := range []int{0, 1, 3, 4, 7, 8, 12, 16, 31, 32, 33, 100, 1000, 512 << 10, 512<<10 + 1, 1<<20 + 13} {
		s := strings.Repeat("Parquet", n/7+1)[:n]
		check(n, HashString(s), []byte(s))
		check(n, HashBytes([]byte(s)), []byte(s))
	}
	// FORMATS: XXH64("Hello")
	if h := HashString("Hello"); h != 0x0a75a91375b27d44 {
		t.Fatalf("Hello: %016x", h)
	}
}

func TestHashText(t *testing.T) {
	good := []struct {
		typ  Type
		text string
		want uint64
	}{
		{Boolean, "true", HashBoolean(true)}, {Boolean, "false", HashBoolean(false)},
		{Int32, "-1", HashInt32(-1)}, {Int32, "4294967295", HashInt32(-1)},
		{Int64, "-9223372036854775808", HashInt64(math.MinInt64)}, {Int64, "18446744073709551615", HashInt64(-1)},
		{Int96, "000102030405060708090a0b", HashInt96([12]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})},
		{Float, "0.1", HashFloat(0.1)}, {Double, "0.1", HashDouble(0.1)},
		{ByteArray, " a", HashString(" a")}, {FixedLenByteArray, "", HashString("")},
	}
	for _, c := range good {
		if h, err := c.typ.HashText(c.text); h != c.want || err != nil {
			t.Errorf("%v %q: %016x, %v, want %016x", c.typ, c.text, h, err, c.want)
		}
	}
	bad := []struct {
		typ  Type
		text string
	}{{Boolean, "yes"}, {Int32, "4294967296"}, {Int32, ""}, {Int64, "1.0"}, {Int96, "00"}, {Int96, strings.Repeat("0", 26)},
		{Int96, strings.Repeat("x", 24)}, {Float, "a"}, {Double, ""}, {Type(8), "1"}, {Type(-1), "1"}}
	for _, c := range bad {
		if _, err := c.typ.HashText(c.text); err == nil {
			t.Errorf("%v %q: no error", c.typ, c.text)
		}
	}
}
