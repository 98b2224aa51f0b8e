package guava

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"

	"github.com/twmb/murmur3"
)

// unitBytes returns code units as the funnel has them.
func unitBytes(units []uint16) (b []byte) {
	for _, u := range units {
		b = binary.LittleEndian.AppendUint16(b, u)
	}
	return b
}

// charBytes returns the bytes of s by Go's own conversions.
func charBytes(s string) []byte { return unitBytes(utf16.Encode([]rune(s))) }

func wantSum(t *testing.T, what string, got sum, b []byte) {
	t.Helper()
	var want sum
	if want.h1, want.h2 = murmur3.Sum128(b); got != want {
		t.Fatalf("%s, %x: %x, want %x", what, b, got, want)
	}
}

func checkSums(t *testing.T, b []byte) {
	t.Helper()
	wantSum(t, "bytes", sumBytes(b[:len(b):len(b)]), b)
	wantSum(t, "string", sumString(string(b)), b)
	wantSum(t, "chars", sumChars(string(b)), charBytes(string(b)))
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	wantSum(t, "units", sumUnits(units), unitBytes(units))
	wantSum(t, "chars of units", sumChars(string(utf16.Decode(units))), unitBytes(utf16.Encode(utf16.Decode(units))))
}

func TestMurmur(t *testing.T) {
	text := make([]byte, 300)
	for i := range text {
		text[i] = byte(i*167 + 13)
	}
	for n := range 200 {
		for at := range 9 {
			checkSums(t, text[at:at+n])
		}
	}
	// Runs of ASCII that begin and end between code points of every size, and in halves of
	// a surrogate pair.
	for n := range 40 {
		for _, s := range []string{"é", "世", "\U0001f600", "\xff", "\xed\xa0\x80"} {
			ascii := string(make([]byte, n)) + "ABCDEFGHIJKLMNOPQ"
			checkSums(t, []byte(ascii+s+ascii))
			checkSums(t, []byte(s+ascii+s))
		}
	}
	for i := range 1000 {
		x := peerNumber(4, i)
		b := binary.LittleEndian.AppendUint64(nil, x)
		wantSum(t, "long", sumInt(x, 8), b)
		wantSum(t, "int", sumInt(x&0xffffffff, 4), b[:4])
	}
}

func FuzzMurmur(f *testing.F) {
	f.Add([]byte("0123456789abcde"))
	f.Add([]byte("01234567é89abcdef世\U0001f600\xff"))
	f.Fuzz(func(t *testing.T, key []byte) { checkSums(t, key) })
}
