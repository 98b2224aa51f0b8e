package tests

import (
	"bytes"
	"sync"
	"testing"

	. "github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

func TestBuilder(t *testing.T) {
	ints, texts, raw := goldenKeys(3000)
	for _, blocks := range []uint64{1, 2, 63, 64, 65, 127, 128, 129, 1000, 4097} {
		for _, opts := range [][]Option{nil, {WithKey(secretKey)}} {
			want, got := mustBlocked(t, blocks, 7, opts...), mustBlocked(t, blocks, 7, opts...)
			want.AddUint64s(ints)
			want.AddStrings(texts)
			want.AddBytes(raw)
			want.AddHashes(ints)
			b := NewBuilder(got)
			var wg sync.WaitGroup
			for g := range 4 {
				kerneltest.Go(&wg, func() {
					a := b.Adder()
					defer a.Flush()
					lo, hi := g*len(ints)/4, (g+1)*len(ints)/4
					a.AddUint64s(ints[lo:hi])
					a.AddStrings(texts[lo:hi])
					a.AddBytes(raw[lo:hi])
					a.Flush() // in between
					a.AddHashes(ints[lo:hi])
				})
			}
			wg.Wait()
			if !bytes.Equal(payload(t, want), payload(t, got)) {
				t.Errorf("%d blocks, keyed %v: the filters differ", blocks, opts != nil)
			}
		}
	}
}

func TestBuilderAllocs(t *testing.T) {
	a := NewBuilder(mustBlocked(t, 1000, 8)).Adder()
	ints, texts, _ := goldenKeys(1000)
	if n := testing.AllocsPerRun(20, func() {
		a.AddUint64s(ints)
		a.AddHashes(ints)
		a.AddStrings(texts)
		a.AddUint64(7)
		a.Flush()
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Finish flushes Adders that nobody flushed, and counts their keys.
func TestBuilderFinish(t *testing.T) {
	ints, texts, raw := goldenKeys(1000)
	want, got := mustBlocked(t, 100, 8), mustBlocked(t, 100, 8)
	want.AddUint64s(ints)
	want.AddStrings(texts)
	want.AddBytes(raw)
	b := NewBuilder(got)
	if n := b.Finish(); n != 0 {
		t.Errorf("%d keys before any", n)
	}
	var wg sync.WaitGroup
	kerneltest.Go(&wg, func() { b.Adder().AddUint64s(ints) })
	kerneltest.Go(&wg, func() {
		a := b.Adder()
		a.AddStrings(texts[1:])
		a.AddString(texts[0])
	})
	kerneltest.Go(&wg, func() { b.Adder().AddBytes(raw) })
	wg.Wait()
	if got.Equal(want) {
		t.Error("nothing was left to flush")
	}
	if n := b.Finish(); n != uint64(len(ints)+len(texts)+len(raw)) || !got.Equal(want) {
		t.Errorf("Finish: %d keys, equal %v", n, got.Equal(want))
	}
}

// Producers that fail leave what they have added, and nothing else; others go on.
func TestBuilderFailing(t *testing.T) {
	ints, _, _ := goldenKeys(5000)
	for workers := 1; workers <= 9; workers++ {
		want, got := mustBlocked(t, 777, 8), mustBlocked(t, 777, 8)
		b := NewBuilder(got)
		total := uint64(0)
		var wg sync.WaitGroup
		for g := range workers {
			part := ints[g*len(ints)/workers : (g+1)*len(ints)/workers]
			if g%2 == 1 {
				part = part[:len(part)/3]
			}
			want.AddUint64s(part)
			total += uint64(len(part))
			kerneltest.Go(&wg, func() {
				defer func() { _ = recover() }()
				a := b.Adder()
				a.AddUint64s(part[:len(part)/2])
				for _, x := range part[len(part)/2:] {
					a.AddUint64(x)
				}
				if g%2 == 1 {
					panic("a producer fails")
				}
			})
		}
		wg.Wait()
		if n := b.Finish(); n != total || !got.Equal(want) {
			t.Errorf("%d goroutines: %d keys, want %d, equal %v", workers, n, total, got.Equal(want))
		}
	}
}
