package conformance

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	peer "github.com/bits-and-blooms/bitset"
	ours "github.com/bitsieve/bitsieve/dropin/bitset"
)

// FuzzBitSetReads gives any bytes to both libraries' readers.
func FuzzBitSetReads(f *testing.F) {
	form, _ := peer.New(70).Set(0).Set(69).MarshalBinary()
	text, _ := peer.New(70).Set(0).Set(69).MarshalJSON()
	f.Add(form)
	f.Add(form[:20])
	f.Add(text)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 8 && uint64(data[0])|uint64(data[1])|uint64(data[2])|uint64(data[3]) != 0 {
			t.Skip("the peer would allocate what the header says")
		}
		var p peer.BitSet
		var q ours.BitSet
		perr, qerr := p.UnmarshalBinary(data), q.UnmarshalBinary(data)
		if (perr == nil) != (qerr == nil) || perr == nil && !slices.Equal(p.Words(), q.Words()) {
			t.Errorf("UnmarshalBinary: peer %v %x, ours %v %x", perr, p.Words(), qerr, q.Words())
		}
		pn, perr := p.ReadFrom(bytes.NewReader(data))
		qn, qerr := q.ReadFrom(bytes.NewReader(data))
		if perr == nil && pn != qn || (perr == nil) != (qerr == nil) || perr == nil && !slices.Equal(p.Words(), q.Words()) {
			t.Errorf("ReadFrom: peer %d %v %x, ours %d %v %x", pn, perr, p.Words(), qn, qerr, q.Words())
		}
	})
}

// TestBitSetCrossReading has each library read what the other wrote, in each
// form and byte order.
func TestBitSetCrossReading(t *testing.T) {
	t.Cleanup(func() { peer.BigEndian(); ours.BigEndian() })
	for _, order := range []func(){
		func() { peer.BigEndian(); ours.BigEndian() },
		func() { peer.LittleEndian(); ours.LittleEndian() },
	} {
		order()
		if peer.BinaryOrder() != ours.BinaryOrder() {
			t.Errorf("byte orders %v and %v", peer.BinaryOrder(), ours.BinaryOrder())
		}
		for _, length := range []uint{0, 1, 10, 63, 64, 65, 1000, 1_000_003} {
			p, q := peer.New(length), ours.New(length)
			for i := uint(0); i < length; i += 1 + i%11 {
				p.Set(i)
				q.Set(i)
			}
			crossRead(t, p, q, new(peer.BitSet), new(ours.BitSet))
			crossRead(t, q, p, new(ours.BitSet), new(peer.BitSet))
		}
	}
}

// crossRead writes a and b in each form, which must be the same bytes, and reads
// a's into an empty set of b's type.
func crossRead[A bitSet[A], B bitSet[B]](t *testing.T, a A, b B, _ A, empty B) {
	t.Helper()
	for name, form := range map[string]struct {
		write func(v any) ([]byte, error)
		read  func(data []byte, v any) error
	}{
		"json": {json.Marshal, json.Unmarshal},
		"gob": {
			func(v any) ([]byte, error) {
				var buf bytes.Buffer
				err := gob.NewEncoder(&buf).Encode(v)
				return buf.Bytes(), err
			},
			func(data []byte, v any) error { return gob.NewDecoder(bytes.NewReader(data)).Decode(v) },
		},
		"WriteTo": {
			func(v any) ([]byte, error) {
				var buf bytes.Buffer
				n, err := v.(io.WriterTo).WriteTo(&buf)
				if n != int64(buf.Len()) {
					t.Errorf("WriteTo returned %d for %d bytes", n, buf.Len())
				}
				return buf.Bytes(), err
			},
			func(data []byte, v any) error {
				n, err := v.(io.ReaderFrom).ReadFrom(io.MultiReader(bytes.NewReader(data), strings.NewReader("more")))
				if n != int64(len(data)) {
					t.Errorf("ReadFrom returned %d for %d bytes", n, len(data))
				}
				return err
			},
		},
	} {
		x, errX := form.write(a)
		y, errY := form.write(b)
		// A gob stream names its type in the package that defines it: only what
		// follows the definition is the same.
		if errX != nil || errY != nil || name != "gob" && !bytes.Equal(x, y) {
			t.Fatalf("%s of length %d: the libraries write differently (%v, %v)", name, a.Len(), errX, errY)
		}
		if err := form.read(x, empty); err != nil || !empty.Equal(b) {
			t.Fatalf("%s of length %d: %T does not read what %T wrote: %v", name, a.Len(), b, a, err)
		}
	}
}

func TestBitSetBase64(t *testing.T) {
	// The peer has no way back to the URL alphabet, so this must be the last
	// word in this process on the matter.
	p, q := peer.New(64).SetAll(), ours.New(64).SetAll()
	peer.Base64StdEncoding()
	ours.Base64StdEncoding()
	x, _ := json.Marshal(p)
	y, _ := json.Marshal(q)
	if !bytes.Equal(x, y) || !bytes.Contains(x, []byte("/")) {
		t.Errorf("peer %s, ours %s", x, y)
	}
}
