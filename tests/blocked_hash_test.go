package tests

import (
	"math"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/model"
)

func TestBlockedHash(t *testing.T) {
	for _, opts := range [][]Option{nil, {WithKey(fileTestKey)}} {
		f := sampleBlocked(t, 1000, opts...)
		f.Clear()
		f.AddHash(f.Hash([]byte("a")))
		f.AddHash(f.HashString("b"))
		f.AddHash(f.HashUint64(3))
		if !f.Test([]byte("a")) || !f.TestString("b") || !f.TestUint64(3) {
			t.Error("a key added by its hash is absent")
		}
		if f.Hash([]byte("key")) != f.HashString("key") {
			t.Error("Hash and HashString differ")
		}
		if n := f.EstimatedCount(); n != 3 {
			t.Errorf("%d keys, want 3", n)
		}
	}
}

func TestExpectedFPRate(t *testing.T) {
	f := sampleBlocked(t, 100_000)
	got, now := f.ExpectedFPRate(100_000), f.FPRate()
	if math.Abs(got-now) > 0.05*now || got > 0.01 {
		t.Errorf("expected rate %v, rate %v, designed for 0.01", got, now)
	}
	if f.ExpectedFPRate(0) != 0 {
		t.Error("an empty filter has false positives")
	}
	for _, n := range []uint64{f.Blocks() * model.MaxLoad, f.Blocks()*model.MaxLoad + 1, math.MaxUint64} {
		if full := f.ExpectedFPRate(n); !(full > 0.99 && full <= 1) {
			t.Errorf("rate %v of a full filter", full)
		}
	}
}
