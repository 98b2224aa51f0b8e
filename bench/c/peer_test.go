//go:build cbench && cgo && !windows

package c

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// compile makes a shared object of a file in C.
func compile(t *testing.T, source string) string {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	if _, err := exec.LookPath(cc); err != nil {
		t.Skip(err)
	}
	object := filepath.Join(t.TempDir(), "peer.so")
	out, err := exec.Command(cc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2",
		"-shared", "-fPIC", "-I", ".", "-o", object, source).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return object
}

func TestExamplePeer(t *testing.T) {
	peers, err := Load(compile(t, "example_peer.c"))
	if err != nil {
		t.Fatal(err)
	}
	if len(peers) != 1 || peers[0].Name != "example" || len(peers[0].Kernels) != 1 || !peers[0].Strings || !peers[0].Hashes {
		t.Fatalf("%+v, want one peer with a kernel and filters of all keys", peers)
	}
	for _, size := range []int64{64, 32 << 10, 4<<20 + 64} {
		f, err := peers[0].NewFilter(size, 10)
		if err != nil {
			t.Fatal(err)
		}
		if f.Size() != size || f.K() != 8 || f.Read() != 0 {
			t.Errorf("%d bytes, k = %d, sum %d; want %d, 8, 0", f.Size(), f.K(), f.Read(), size)
		}
		align := uintptr(64)
		if runtime.GOOS == "linux" && size >= 2<<20 {
			align = 2 << 20 // a huge page
		}
		if at := uintptr(f.(*peerFilter).made.bits); at%align != 0 {
			t.Errorf("%d bytes at %#x, want a multiple of %d", size, at, align)
		}
		numbers, hashes := []uint64{1, 1 << 63, 0, 5}, []uint64{1 << 32, 0xfedcba9876543210}
		texts := []string{"a", "", strings.Repeat("long", 100)}
		for _, test := range []struct {
			name string
			add  func()
			test func() int
			n    int
		}{
			{"uint64s", func() { f.AddUint64s(numbers) }, func() int { return f.TestUint64s(numbers) }, len(numbers)},
			{"one by one", func() {}, func() int { return f.TestUint64sOneByOne(numbers[:2]) }, 2},
			{"strings", func() { f.AddStrings(texts) }, func() int { return f.TestStrings(texts) }, len(texts)},
			{"hashes", func() { f.AddHashes(hashes) }, func() int { return f.TestHashes(hashes) }, len(hashes)},
		} {
			if got := test.test(); size > 64 && test.name != "one by one" && got != 0 {
				t.Errorf("%d bytes, %s: %d pass before they are added", size, test.name, got)
			}
			if test.add(); test.test() != test.n {
				t.Errorf("%d bytes, %s: %d pass, want %d", size, test.name, test.test(), test.n)
			}
		}
		f.Close()
	}
	if f, err := peers[0].NewFilter(63, 10); f != nil || err != nil {
		t.Errorf("NewFilter(63) = %v, %v; want none, as it is declined", f, err)
	}
}

// TestLoadRefuses checks that what is wrong with a shared object is said.
func TestLoadRefuses(t *testing.T) {
	const prologue = `#include "peer.h"
static int none(const struct bitsieve_memory *m, uint64_t n, double b, struct bitsieve_filter *f) { (void)m, (void)b; f->self = f, f->bytes = n, f->k = 8; return 0; }
static void drop(void *f) { (void)f; }
static void add(void *f, const uint64_t *k, size_t n) { (void)f, (void)k, (void)n; }
static size_t test(const void *f, const uint64_t *k, size_t n) { (void)f, (void)k; return n; }
static uint64_t count(const uint64_t *a, size_t n, size_t r) { (void)r; return a[0] + n; }
static uint64_t words_count(const uint64_t *a, const uint64_t *b, size_t n, size_t r) { (void)b, (void)r; return a[0] + n; }
static void words(uint64_t *d, const uint64_t *a, const uint64_t *b, size_t n, size_t r) { (void)r; for (size_t i = 0; i < n; i++) d[i] = a[i] & b[i]; }
static uint64_t both(uint64_t *d, const uint64_t *a, const uint64_t *b, size_t n, size_t r) { words(d, a, b, n, r); return 0; }
const struct bitsieve_peer all = {0, 0, count, {words_count}, {words}, {both}, none, drop, add, test, 0, 0, 0, 0, 0}; // all are used
static const struct bitsieve_peer p = {%s};
const struct bitsieve_peer *bitsieve_peer_at(size_t i) { return %s ? &p : NULL; }
`
	const filters = ".create = none, .destroy = drop, .add_uint64s = add, .test_uint64s = test"
	for _, test := range []struct{ fields, present, want string }{
		{".abi = 2, .name = \"x\", " + filters, "i < 1", ""},
		{".abi = 3, .name = \"x\", " + filters, "i < 1", "version 3 of peer.h, this program has 2"},
		{".abi = 2, " + filters, "i < 1", "no name"},
		{".abi = 2, .name = \"\", " + filters, "i < 1", `name ""`},
		{".abi = 2, .name = \"a\\nb\", " + filters, "i < 1", "printable"},
		{".abi = 2, .name = \"\\xff\", " + filters, "i < 1", "UTF-8"},
		{".abi = 2, .name = \"" + strings.Repeat("x", 49) + "\", " + filters, "i < 1", "1 to 48 bytes"},
		{".abi = 2, .name = \"x\"", "i < 1", "neither kernels nor filters"},
		{".abi = 2, .name = \"x\", .count = count", "i < 1", "Count of"},
		{".abi = 2, .name = \"x\", .op_count[BITSIEVE_XOR] = words_count", "i < 1", "XorCount of"},
		{".abi = 2, .name = \"x\", .op_words[BITSIEVE_AND] = words", "i < 1", ""},
		{".abi = 2, .name = \"x\", .op_words[BITSIEVE_OR] = words", "i < 1", "Or of 1 words: word 0"},
		{".abi = 2, .name = \"x\", .op_words_count[BITSIEVE_AND] = both", "i < 1", "AndWithCount of 1 words is 0"},
		{".abi = 2, .name = \"x\", .create = none, .destroy = drop, .add_uint64s = add", "i < 1", "test_uint64s is NULL"},
		{".abi = 2, .name = \"x\", .test_hashes = test, " + filters, "i < 1", "add_hashes is NULL, but test_hashes is not"},
		{".abi = 2, .name = \"x\", .test_hashes = test, .add_hashes = add", "i < 1", "create is NULL"},
		{".abi = 2, .name = \"x\", " + filters, "i > 0", "bitsieve_peer_at(0) is NULL"},
		{".abi = 2, .name = \"x\", " + filters, "i < 99", "at most 64"},
	} {
		source := filepath.Join(t.TempDir(), "p.c")
		if err := os.WriteFile(source, fmt.Appendf(nil, prologue, test.fields, test.present), 0o666); err != nil {
			t.Fatal(err)
		}
		peers, err := Load(compile(t, source))
		if test.want == "" {
			if err != nil {
				t.Errorf("%s: %v", test.fields, err)
				continue
			}
			if peers[0].NewFilter == nil {
				continue
			}
			// create of this one says that it made a filter, and gives no bits.
			if f, err := peers[0].NewFilter(64, 10); f != nil || err == nil {
				t.Errorf("a filter of nothing: %v, %v", f, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.fields, err, test.want)
		}
	}
	for _, file := range []string{"nothing.so", "peer.h"} {
		if _, err := Load(file); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v", file, err)
		}
	}
}
