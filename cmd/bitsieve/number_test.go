package main

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
)

func TestParseCount(t *testing.T) {
	for s, want := range map[string]uint64{
		"1": 1, "1000000": 1e6, "1e6": 1e6, "2.5e6": 2_500_000, "1M": 1e6, "1m": 1e6, "10k": 10_000, "10K": 10_000,
		"1G": 1e9, "1g": 1e9, "2T": 2e12, "1.5k": 1500, "1.1k": 1100, "0.001M": 1000, "1e3k": 1e6, "007": 7,
		"18446744073709551615": 1<<64 - 1, "9e15": 9e15, "9007199254740991e0": 1<<53 - 1, "4.35G": 4_350_000_000,
	} {
		if got, err := parseCount(s); got != want || err != nil {
			t.Errorf("%q: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{
		"", "k", "0", "0k", "0.1", "0.1k1", "-1", "-1k", "1.00001k", "1KiB", "1kk", "1e16", "1e300", "inf", "NaN", "nank",
		"0x10", "0x1p4", "1_000", " 1", "1 ", "1 k", "18446744073709551616", "1P", "１",
	} {
		if got, err := parseCount(s); err == nil {
			t.Errorf("%q: %d", s, got)
		}
	}
}

// A number that is taken is the one that was written.
func FuzzCount(f *testing.F) {
	f.Add("1.5k")
	f.Add("1e6")
	f.Add("0x1p4")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseCount(s)
		if err != nil {
			return
		}
		number, zeros := s, ""
		if i := strings.IndexAny("kKmMgGtT", s[len(s)-1:]); i >= 0 {
			number, zeros = s[:len(s)-1], fmt.Sprintf("e%d", 3*(i/2+1))
		}
		want, ok := new(big.Rat).SetString(number)
		unit, _ := new(big.Rat).SetString("1" + zeros)
		if !ok {
			t.Fatalf("%q is taken for %d", s, got)
		}
		// The fraction of a float is known to 16 digits.
		diff := want.Mul(want, unit).Sub(want, new(big.Rat).SetFrac(new(big.Int).SetUint64(got), big.NewInt(1)))
		if diff.Abs(diff).Cmp(big.NewRat(2, 1_000_000)) > 0 || got == 0 {
			t.Errorf("%q: %d", s, got)
		}
	})
}

func FuzzRate(f *testing.F) {
	f.Add("0.1%")
	f.Add("1e-6")
	f.Add("NaN%")
	f.Fuzz(func(t *testing.T, s string) {
		var r rate
		if r.Set(s) != nil {
			return
		}
		if !(r > 0 && r < 1) {
			t.Fatalf("%q: %v", s, r)
		}
		number, percent := strings.CutSuffix(s, "%")
		want, err := strconv.ParseFloat(number, 64)
		if percent {
			want /= 100
		}
		if err != nil || want != float64(r) {
			t.Errorf("%q: %v, want %v, %v", s, r, want, err)
		}
		var again rate
		if err := again.Set(r.String()); err != nil || again != r {
			t.Errorf("%q: %v is not read as it is written", s, r)
		}
	})
}

// parseUint32 takes what strconv takes, with blanks around it.
func FuzzInteger(f *testing.F) {
	f.Add([]byte(" 4294967295\r"))
	f.Add([]byte("4294967296"))
	f.Add([]byte("+1"))
	f.Fuzz(func(t *testing.T, s []byte) {
		got, ok := parseUint32(s)
		trimmed := string(bytes.TrimSpace(s))
		want, err := strconv.ParseUint(trimmed, 10, 32)
		if ok != (err == nil) || ok && uint64(got) != want {
			t.Errorf("%q: %d, %v; want %d, %v", s, got, ok, want, err)
		}
	})
}

// A key has 32 bytes that are not all equal, and is what the file says.
func FuzzKey(f *testing.F) {
	f.Add([]byte(strings.Repeat("0123456789abcdef", 4) + "\n"))
	f.Add([]byte("0123456789abcdef:123456789abcdef"))
	f.Add([]byte("a passphrase of 31 characters..\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		key, err := parseKey(b)
		if err != nil {
			if !strings.Contains(err.Error(), "a key is 64 hexadecimal digits") {
				t.Errorf("%q: %v", b, err)
			}
			return
		}
		if len(key) != bitsieve.KeySize || bytes.Equal(key, bytes.Repeat(key[:1], len(key))) {
			t.Fatalf("%q: key %x", b, key)
		}
		digits := strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r")
		if !bytes.Equal(key, b) && !strings.EqualFold(fmt.Sprintf("%x", key), digits) {
			t.Errorf("%q: key %x", b, key)
		}
	})
}
