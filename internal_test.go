package bitsieve

import (
	"bytes"
	"math"
	"testing"
)

// Tests of what package tests, which has those of everything exported, cannot see.

func TestWordsFor(t *testing.T) {
	for _, row := range []struct {
		length uint
		want   int
	}{
		{0, 0}, {1, 1}, {63, 1}, {64, 1}, {65, 2}, {128, 2}, {129, 3},
		{1<<31 - 63, 1 << 25}, {1<<31 + 1, 1<<25 + 1}, {math.MaxUint32, 1 << 26},
		{math.MaxUint - 63, math.MaxUint / 64}, {math.MaxUint, math.MaxUint/64 + 1},
	} {
		if got := wordsFor(row.length); got != row.want {
			t.Errorf("wordsFor(%d) = %d, want %d", row.length, got, row.want)
		}
	}
}

// The slow path is for filters over too few words alone, by a single bit.
func TestBloomShortByOneBit(t *testing.T) {
	for _, c := range []struct {
		m     uint64
		short bool
	}{{0, true}, {1, false}, {191, false}, {192, false}, {193, true}} {
		f, err := NewBloomFromWords(make([]uint64, 3), c.m, 1)
		if err != nil {
			t.Fatal(err)
		}
		if f.short() != c.short {
			t.Errorf("m = %d over 192 bits: short is %v", c.m, f.short())
		}
	}
}

func TestPartShift(t *testing.T) {
	for _, blocks := range []uint64{1, 2, 63, 64, 65, 127, 128, 1 << 20, 1<<20 + 1, 3 << 30, 1<<40 - 1} {
		last := (blocks - 1) >> partShift(blocks)
		if last >= adderParts || last < min(blocks, adderParts/2)-1 {
			t.Errorf("%d blocks are in %d parts", blocks, last+1)
		}
	}
}

func TestApplyOptions(t *testing.T) {
	key := bytes.Repeat([]byte{7}, KeySize)
	o := applyOptions([]Option{WithKey(key), WithoutHugePages()})
	if !bytes.Equal(o.key, key) || !o.noHugePages || o.skipChecksum {
		t.Errorf("%+v", o)
	}
	o = applyOpenOptions([]OpenOption{WithKey(key), WithoutHugePages(), WithoutChecksum()})
	if !bytes.Equal(o.key, key) || !o.noHugePages || !o.skipChecksum {
		t.Errorf("%+v", o)
	}
}

// WithoutHugePages holds for what is made from the filter, too.
func TestHugePagesOption(t *testing.T) {
	made, err := NewBlocked(100, 0.01, WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	file, err := made.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadBlocked(bytes.NewReader(file), WithoutHugePages())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Blocked{made, made.Clone(), read} {
		if !f.noHugePages || !f.expect().NoHugePages {
			t.Error("the option is forgotten")
		}
	}
	if f, _ := NewBlocked(100, 0.01); f.noHugePages {
		t.Error("huge pages are off by default")
	}
}
