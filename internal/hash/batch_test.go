package hash

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// hashers returns one without and one with a secret key.
func hashers(t *testing.T) []Hasher {
	t.Helper()
	key := make([]byte, KeySize)
	for i := range key {
		key[i] = byte(17 * i)
	}
	keyed, err := New(key)
	if err != nil {
		t.Fatal(err)
	}
	return []Hasher{{}, keyed}
}

// randomText returns 1 MiB.
var randomText = sync.OnceValue(func() []byte {
	r := rand.New(rand.NewPCG(1, 1))
	text := make([]byte, 1<<20)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	return text
})

// batchKeys returns n keys of lengths 0 to 40: in order in one piece of memory, or
// scattered.
func batchKeys(n int, scattered bool) (strs []string, slices [][]byte, ints []uint64) {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	text := randomText()
	for i := range n {
		at := 41 * i
		if scattered {
			at = r.IntN(len(text) - 40)
		}
		b := text[at:][:r.IntN(41)]
		strs, slices, ints = append(strs, string(b)), append(slices, b), append(ints, r.Uint64())
	}
	return strs, slices, ints
}

// TestBatch compares batches with single hashes.
func TestBatch(t *testing.T) {
	for _, h := range hashers(t) {
		for n := range 201 {
			strs, slices, ints := batchKeys(n, n%2 == 1)
			checkBatch(t, h, strs, h.String)
			checkBatch(t, h, slices, h.Bytes)
			checkBatch(t, h, ints, h.Uint64)
		}
	}
}

func checkBatch[K string | []byte | uint64](t *testing.T, h Hasher, keys []K, single func(K) uint64) {
	t.Helper()
	const canary = 0xc0ffee11
	mem := make([]uint64, len(keys)+1)
	mem[len(keys)] = canary
	Batch(h, mem[:len(keys)], keys)
	for i, key := range keys {
		if want := single(key); mem[i] != want {
			t.Fatalf("keyed %v, key %d of %d: %T %x: %#x, want %#x", h.Keyed(), i, len(keys), key, key, mem[i], want)
		}
	}
	if mem[len(keys)] != canary {
		t.Fatalf("keyed %v, %d keys: %T: wrote past dst", h.Keyed(), len(keys), keys)
	}
	// A shorter dst takes the first keys.
	if n := len(keys) / 2; n > 0 {
		clear(mem)
		Batch(h, mem[:n], keys)
		if mem[n-1] != single(keys[n-1]) || mem[n] != 0 {
			t.Fatalf("keyed %v, %d of %d keys: %T: wrong", h.Keyed(), n, len(keys), keys)
		}
	}
}

// TestKinds compares the hashes of the kinds of keys with each other.
func TestKinds(t *testing.T) {
	strs, slices, _ := batchKeys(200, false)
	for _, h := range hashers(t) {
		for i, s := range strs {
			if h.String(s) != h.Bytes([]byte(s)) || h.String(s) != h.Bytes(slices[i]) {
				t.Fatalf("keyed %v: string and bytes %x differ", h.Keyed(), s)
			}
		}
		if a, b := h.String("a"), h.String("b"); a == b {
			t.Errorf("keyed %v: %#x twice", h.Keyed(), a)
		}
	}
	for _, h := range hashers(t)[1:] {
		if got, want := h.Uint64(0x0807060504030201), h.Bytes([]byte{1, 2, 3, 4, 5, 6, 7, 8}); got != want {
			t.Errorf("an integer under a secret key: %#x, want that of its little-endian bytes, %#x", got, want)
		}
	}
}

// TestGolden has the same hashes for all architectures.
func TestGolden(t *testing.T) {
	hs := hashers(t)
	for _, c := range []struct {
		h    Hasher
		key  string
		hash uint64
		wide Wide
	}{
		{hs[0], "", 0x2d06800538d394c2, Wide{0, 0, 0x7ace5c908374fe16, 0x778867e4430e6785}},
		{hs[0], "a", 0xe6c632b61e964e1f, Wide{0x85555565f6597889, 0xe6b53a48510e895a, 0x97681c547e0fe98f, 0x7c180e2fc253d2e0}},
		{hs[0], "0123456789abcdef!", 0xd470dd4cd8eb3523, Wide{0xc685b5976933bacd, 0x2d6962ed334b892f, 0x510734b39f1fde90, 0x445df3a605e43892}},
		{hs[1], "", 0x4446028de8951745, Wide{0xc79014db092a1b8e, 0x65aca3015d193f0b, 0xa948be2184634681, 0xbca421991f56bebf}},
		{hs[1], "a", 0x14702d660df27611, Wide{0x27027237bee7f674, 0x788471901f381df, 0xdc9ac2e878d59586, 0x5b085357bd2990ce}},
		{hs[1], "0123456789abcdef!", 0x67926fdcc231bd4b, Wide{0xac70d008f6e5b1fc, 0xc16ec2102c5e196f, 0xfb3df3c14710beac, 0x2453115bd649197}},
	} {
		if h, w := c.h.String(c.key), c.h.Wide([]byte(c.key)); h != c.hash || w != c.wide {
			t.Errorf("keyed %v, %q: %#x, %#x", c.h.Keyed(), c.key, h, w)
		}
	}
	const x uint64 = 0x0102030405060708
	if plain, keyed := hs[0].Uint64(x), hs[1].Uint64(x); plain != 0x460ed084c13aa3fb || keyed != 0x2274d8e6f92e48b1 {
		t.Errorf("%#x: %#x, under a secret key %#x", x, plain, keyed)
	}
	if plain, keyed := hs[0].Check(), hs[1].Check(); plain != 0 || keyed != 0x21255544a47a32d9 {
		t.Errorf("Check: %#x, under a secret key %#x", plain, keyed)
	}
}

func TestNoAllocations(t *testing.T) {
	strs, slices, ints := batchKeys(200, true)
	dst := make([]uint64, 200)
	for _, h := range hashers(t) {
		for name, f := range map[string]func(){
			"Batch of strings":  func() { Batch(h, dst, strs) },
			"Batch of slices":   func() { Batch(h, dst, slices) },
			"Batch of integers": func() { Batch(h, dst, ints) },
			"String":            func() { dst[0] = h.String(strs[7]) },
			"Bytes":             func() { dst[0] = h.Bytes(slices[7]) },
			"Uint64":            func() { dst[0] = h.Uint64(7) },
			"Wide":              func() { dst[0] = h.Wide(slices[7]).H0 },
		} {
			if n := testing.AllocsPerRun(10, f); n != 0 {
				t.Errorf("keyed %v: %s: %v allocations", h.Keyed(), name, n)
			}
		}
	}
}

func TestKeyBytes(t *testing.T) {
	for _, s := range []string{"", "a", "abc"} {
		if got := KeyBytes(s); string(got) != s || len(got) != cap(got) {
			t.Errorf("KeyBytes(%q) = %q, capacity %d", s, got, cap(got))
		}
		b := append(make([]byte, 0, 10), s...)
		if got := KeyBytes(b); fmt.Sprintf("%s", got) != s || len(got) != cap(got) {
			t.Errorf("KeyBytes of %q with room = %q, capacity %d", b, got, cap(got))
		}
	}
}

func TestScattered(t *testing.T) {
	text := make([]byte, 4*touchSpan)
	at := func(i int) []byte { return text[i : i+1] }
	for _, c := range []struct {
		keys [][]byte
		want bool
	}{
		{nil, false},
		{[][]byte{at(0)}, false},
		{[][]byte{at(0), at(3 * touchSpan), at(1)}, false},
		{[][]byte{at(0), at(touchSpan)}, false},
		{[][]byte{at(0), at(touchSpan + 1)}, true},
		{[][]byte{at(touchSpan), at(0)}, false},
		{[][]byte{at(touchSpan + 1), at(0)}, true},
		{[][]byte{at(3 * touchSpan), at(1), at(0)}, true},
		{[][]byte{nil, nil}, false},
	} {
		if got := scattered(c.keys); got != c.want {
			t.Errorf("%d keys: %v, want %v", len(c.keys), got, c.want)
		}
	}
}
