package rocksdb

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// Hashes that RocksDB 7.8.3's GetSliceHash64 gave (Debian's librocksdb), of the keys
// that testKey makes: some in full, all up to 4,200 bytes as the SHA-256 of their
// sixteen digits and a newline each.
func TestHash(t *testing.T) {
	for n, want := range map[int]uint64{
		0:    0x5342c3010fe1dd04,
		1:    0xb71d295c7865c7e9,
		3:    0x5c1ee50634eeb633,
		4:    0x84b33a40360386cf,
		8:    0x9c8acd8291b0ab9e,
		9:    0x11217c41e1863ca4,
		16:   0xd693fd5e21e12c7d,
		17:   0x17b796fe063e50c6,
		128:  0x90ab5eb007e431ec,
		129:  0xd62f763fb153aba0,
		240:  0x27f145eb0628b25f,
		241:  0x64519cfe55badc0b,
		1024: 0x851bae8ac3aeb705,
		1025: 0x621058c4914d5089,
		4200: 0xe93a76cca2e9361b,
	} {
		if got := Hash(testKey(n)); got != want {
			t.Errorf("%d bytes: %#016x, want %#016x", n, got, want)
		}
	}
	sum := sha256.New()
	for n := range 4201 {
		key := testKey(n)
		h := Hash(key)
		if HashString(string(key)) != h {
			t.Errorf("%d bytes: the string's hash differs", n)
		}
		fmt.Fprintf(sum, "%016x\n", h)
	}
	const want = "d3e34637d0e102fdd3b1150f6719f3868b76ba2ccfdbf63e3293d753ed5b7ae6"
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		t.Errorf("all of them: %s, want %s", got, want)
	}
}

// The constants that are written out are those of the secret.
func TestSecret(t *testing.T) {
	if secret[0] != secret0 || secret[1] != secret8 || fold(secret0, prime64b) != emptyHash || blockBytes != 1024 {
		t.Errorf("%#x %#x %#x %d", secret[0], secret[1], fold(secret0, prime64b), blockBytes)
	}
}

// testKey returns a key of n bytes.
func testKey(n int) []byte {
	key := make([]byte, n)
	for i := range key {
		key[i] = byte(i*131 + n*7)
	}
	return key
}

// A hash does not read past a key's ends: keys that lie in longer ones.
func TestHashWithin(t *testing.T) {
	around := strings.Repeat("x", 300)
	for n := range 260 {
		inside := (around + string(testKey(n)) + around)[300 : 300+n]
		if HashString(inside) != Hash(testKey(n)) {
			t.Errorf("%d bytes", n)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	for _, n := range []int{8, 16, 24, 44, 100, 200, 1000} {
		key := testKey(n)
		b.Run(fmt.Sprintf("len=%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				Hash(key)
			}
		})
	}
}
