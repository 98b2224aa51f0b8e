package tests

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

// FuzzBitSetDecode reads arbitrary bytes in every form that a BitSet has: all
// readers agree, none allocates what the length claims, and what is read comes back
// as it was written.
func FuzzBitSetDecode(f *testing.F) {
	form := func(length uint64, words ...uint64) []byte {
		b := binary.BigEndian.AppendUint64(nil, length)
		for _, w := range words {
			b = binary.BigEndian.AppendUint64(b, w)
		}
		return b
	}
	f.Add(form(0))
	f.Add(form(70, 1, ^uint64(0)))
	f.Add(form(1<<32+5, 3))    // a length past 32 bits, cut short
	f.Add(form(1<<63, 1))      // an exabyte
	f.Add(form(^uint64(0), 1)) // the largest length
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, b BitSet
		err := a.UnmarshalBinary(data)
		n, readErr := b.ReadFrom(bytes.NewReader(data))
		if (err == nil) != (readErr == nil) || n > int64(len(data)) {
			t.Fatalf("UnmarshalBinary: %v; ReadFrom: %d bytes, %v", err, n, readErr)
		}
		if err != nil {
			return
		}
		if !a.Equal(&b) || a.Len() > 8*uint(len(data)) {
			t.Fatalf("readers differ, or %d bits from %d bytes", a.Len(), len(data))
		}
		text, err := json.Marshal(&a)
		if err != nil {
			t.Fatal(err)
		}
		var c, d BitSet
		if err := json.Unmarshal(text, &c); err != nil || !c.Equal(&a) {
			t.Fatalf("JSON %s comes back as %v, %v", text, &c, err)
		}
		var stream bytes.Buffer
		if err := gob.NewEncoder(&stream).Encode(&a); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&stream).Decode(&d); err != nil || !d.Equal(&a) {
			t.Fatalf("gob comes back as %v, %v", &d, err)
		}
	})
}

// FuzzBitSetJSON reads arbitrary JSON and arbitrary gob streams.
func FuzzBitSetJSON(f *testing.F) {
	f.Add([]byte(`"AAAAAAAAAAoAAAAAAAAACQ=="`))
	f.Add([]byte(`"AAAAAAAAAAo\u0041AAAAAAAACQ=="`))
	f.Add([]byte(`null`))
	f.Add([]byte(`{"b":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		b := NewBitSet(10).Set(3)
		before := b.Clone()
		if err := b.UnmarshalJSON(data); err != nil && !b.Equal(before) {
			t.Fatalf("%q: after an error the set is %v", data, b)
		}
		var c BitSet
		// Whatever the stream is, decoding must not crash.
		_ = gob.NewDecoder(bytes.NewReader(data)).Decode(&c)
	})
}

// FuzzBloomDecode reads arbitrary bytes as a standard filter's file.
func FuzzBloomDecode(f *testing.F) {
	g, err := NewBloom(20, 0.01)
	if err != nil {
		f.Fatal(err)
	}
	g.AddString("Love")
	good, err := g.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:130])
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Bloom
		errA := a.UnmarshalBinary(data)
		b, errB := ReadBloom(bytes.NewReader(data))
		if errA == nil && errB != nil {
			t.Fatalf("UnmarshalBinary takes what ReadBloom refuses: %v", errB)
		}
		if errA != nil {
			return
		}
		if !a.Equal(b) {
			t.Fatal("readers differ")
		}
		if out, err := a.MarshalBinary(); err != nil || !bytes.Equal(out[128:], data[128:]) {
			t.Fatalf("%d bytes come back as %d, %v", len(data), len(out), err)
		}
	})
}
