package bitset_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/bitsieve/bitsieve/dropin/bitset"
)

// The tests against the peer are in the conformance module.

func Example() {
	var b bitset.BitSet
	b.Set(10).Set(11)
	if b.Test(1000) {
		b.Clear(1000)
	}
	b.InPlaceUnion(bitset.New(100).Set(12))
	for i := range b.EachSet() {
		fmt.Println(i)
	}
	// Output:
	// 10
	// 11
	// 12
}

func TestNew(t *testing.T) {
	if b := bitset.New(100); b.Len() != 100 || b.Any() {
		t.Errorf("New(100) is %v of length %d", b, b.Len())
	}
	if math.MaxUint == math.MaxUint32 {
		t.Skip("512 MiB, which is what Cap() bits take here, can be had")
	}
	if b := bitset.New(bitset.Cap()); b.Len() != 0 {
		t.Errorf("New(Cap()) has length %d", b.Len())
	}
	defer func() {
		if recover() == nil {
			t.Error("MustNew(Cap()) does not panic")
		}
	}()
	bitset.MustNew(bitset.Cap())
}

func TestFrom(t *testing.T) {
	words := []uint64{1, 1}
	if b := bitset.From(words); b.Len() != 128 || !b.Test(64) {
		t.Errorf("From: %v of length %d", b, b.Len())
	}
	if b := bitset.FromWithLength(65, words); b.Len() != 65 || !b.Test(64) || &b.Words()[0] != &words[0] {
		t.Errorf("FromWithLength: %v of length %d", b, b.Len())
	}
}

func TestErrorType(t *testing.T) {
	defer func() {
		if v, ok := recover().(bitset.Error); !ok || v == "" {
			t.Errorf("panic value %v is no Error", v)
		}
	}()
	bitset.New(1).Union(nil)
}

func TestSettings(t *testing.T) {
	defer bitset.BigEndian()
	if bitset.BinaryOrder() != binary.BigEndian {
		t.Errorf("the default is %v", bitset.BinaryOrder())
	}
	b := bitset.New(64).Set(7)
	bitset.LittleEndian()
	if form, _ := b.MarshalBinary(); bitset.BinaryOrder() != binary.LittleEndian || form[0] != 64 || form[8] != 0x80 {
		t.Errorf("%v: %x", bitset.BinaryOrder(), form)
	}
	bitset.BigEndian()
	if form, _ := b.MarshalBinary(); bitset.BinaryOrder() != binary.BigEndian || form[7] != 64 || form[15] != 0x80 {
		t.Errorf("%v: %x", bitset.BinaryOrder(), form)
	}
}

// TestSettingsRace is for the race detector.
func TestSettingsRace(t *testing.T) {
	defer bitset.BigEndian()
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			b := bitset.New(1000).SetAll()
			for range 100 {
				json.Marshal(b)
			}
		}()
		group.Add(1)
		go func() {
			defer group.Done()
			for range 100 {
				bitset.LittleEndian()
				bitset.BigEndian()
			}
		}()
	}
	group.Wait()
}

func TestCap(t *testing.T) {
	if bitset.Cap() != math.MaxUint {
		t.Errorf("Cap() = %d", bitset.Cap())
	}
}
