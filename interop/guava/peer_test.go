package guava

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/bitsieve/bitsieve"
)

// Guava itself, by testdata/Peer.java, which says what its commands do.

const (
	// requireGuava, set to 1, makes a test that lacks Java or Guava fail instead of skip.
	requireGuava = "BITSIEVE_TEST_REQUIRE_GUAVA"
	// guavaJar is another place of Guava's jar.
	guavaJar     = "BITSIEVE_GUAVA_JAR"
	debianGuava  = "/usr/share/java/guava.jar"
	failureJar   = "/usr/share/java/failureaccess.jar" // what newer jars need
	peerRate     = 0.01
	peerSeed     = 1 // of the keys that Java adds,
	goSeed       = 2 // that Go adds,
	absentSeed   = 3 // and that nobody adds
	peerTestKeys = 1_000_000
)

// javaPeer compiles Peer.java and returns the command that runs it, but for the
// arguments. It skips the test if there is no compiler or no Guava.
func javaPeer(t testing.TB) []string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv(requireGuava) == "1" {
		missing = t.Fatalf
	}
	jar := os.Getenv(guavaJar)
	if jar == "" {
		jar = debianGuava
	}
	for _, program := range []string{"javac", "java"} {
		if _, err := exec.LookPath(program); err != nil {
			missing("needs a JDK (Debian's default-jdk-headless): %v", err)
		}
	}
	if _, err := os.Stat(jar); err != nil {
		missing("needs Guava (Debian's libguava-java, or %s=FILE): %v", guavaJar, err)
	}
	dir := t.TempDir()
	path := strings.Join([]string{dir, jar, failureJar}, string(os.PathListSeparator))
	out, err := exec.Command("javac", "-nowarn", "-cp", path, "-d", dir, "testdata/Peer.java").CombinedOutput()
	if err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return []string{"java", "-Xmx2g", "-cp", path, "Peer"}
}

// runPeer runs a command of the peer and returns the lines that it prints.
func runPeer(t testing.TB, peer []string, stdin io.Reader, args ...string) []string {
	t.Helper()
	args = append(peer[1:len(peer):len(peer)], args...)
	cmd := exec.Command(peer[0], args...)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = stdin, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, &stderr)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// The keys, as Peer.java makes them.

func peerMix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func peerNumber(seed uint64, i int) uint64 { return peerMix(seed + uint64(i)*0x9e3779b97f4a7c15) }

func peerBytes(seed uint64, i int) []byte {
	z := peerNumber(seed, i)
	b := make([]byte, z&63)
	for j := range b {
		if j%8 == 0 {
			z = peerMix(z)
		}
		b[j] = byte(z >> (8 * (j % 8)))
	}
	return b
}

func peerText(seed uint64, i int) string {
	z := peerNumber(seed, i)
	n, ascii := int(z&31), z&32 != 0
	var s strings.Builder
	for range n {
		z = peerMix(z)
		v, kind := rune(z>>40), z&3
		if ascii {
			kind = 0
		}
		switch kind {
		case 0:
			s.WriteRune(0x20 + v%95)
		case 1:
			s.WriteRune(0x80 + v%(0x800-0x80))
		case 2:
			v = 0x800 + v%(0x10000-0x800-0x800)
			if v >= 0xd800 {
				v += 0x800
			}
			s.WriteRune(v)
		case 3:
			s.WriteRune(0x10000 + v%0x100000)
		}
	}
	return s.String()
}

func peerUnits(seed uint64, i int) []uint16 {
	z := peerNumber(seed, i)
	units := make([]uint16, z&31)
	for j := range units {
		z = peerMix(z)
		units[j] = uint16(z)
		if z&(1<<20) != 0 {
			units[j] = 0xd800 + uint16(z&0x7ff)
		}
	}
	return units
}

// A kind makes keys of one funnel.
type kind struct {
	name string
	load func(seed uint64, n int) keySet // keys 0 … n−1 of a seed
}

// A keySet is keys with the methods that take key i or, as a batch, keys from up to to.
type keySet struct {
	add        func(f *Filter, i int)
	test       func(f tester, i int) bool
	testAndAdd func(f *Filter, i int) bool
	addAll     func(f *Filter, from, to int)
	testAll    func(f tester, from, to int, hits *bitsieve.BitSet) int
}

// A tester is a *Filter or a *View.
type tester interface {
	Test(key []byte) bool
	TestString(s string) bool
	TestUnencodedChars(s string) bool
	TestUTF16(units []uint16) bool
	TestInt32(x int32) bool
	TestInt64(x int64) bool
	TestBytes(keys [][]byte, hits *bitsieve.BitSet) int
	TestStrings(keys []string, hits *bitsieve.BitSet) int
	TestUnencodedStrings(keys []string, hits *bitsieve.BitSet) int
	TestInt32s(keys []int32, hits *bitsieve.BitSet) int
	TestInt64s(keys []int64, hits *bitsieve.BitSet) int
}

// kindOf makes a kind of a type's methods.
func kindOf[K any](name string, key func(uint64, int) K, add func(*Filter, K), test func(tester, K) bool,
	testAndAdd func(*Filter, K) bool, addAll func(*Filter, []K), testAll func(tester, []K, *bitsieve.BitSet) int) kind {
	return kind{name, func(seed uint64, n int) keySet {
		keys := make([]K, n)
		for i := range keys {
			keys[i] = key(seed, i)
		}
		return keySet{
			func(f *Filter, i int) { add(f, keys[i]) },
			func(f tester, i int) bool { return test(f, keys[i]) },
			func(f *Filter, i int) bool { return testAndAdd(f, keys[i]) },
			func(f *Filter, from, to int) { addAll(f, keys[from:to]) },
			func(f tester, from, to int, hits *bitsieve.BitSet) int { return testAll(f, keys[from:to], hits) },
		}
	}}
}

// Code units as such have no batches. These loops stand in for them.
func addUnits(f *Filter, keys [][]uint16) {
	for _, key := range keys {
		f.AddUTF16(key)
	}
}

func testUnits(f tester, keys [][]uint16, hits *bitsieve.BitSet) (n int) {
	if hits == nil {
		hits = new(bitsieve.BitSet)
	}
	*hits = *bitsieve.NewBitSet(uint(len(keys)))
	for i, key := range keys {
		hit := f.TestUTF16(key)
		if hits.SetTo(uint(i), hit); hit {
			n++
		}
	}
	return n
}

var kinds = []kind{
	kindOf("ints", func(seed uint64, i int) int32 { return int32(peerNumber(seed, i)) },
		(*Filter).AddInt32, tester.TestInt32, (*Filter).TestAndAddInt32, (*Filter).AddInt32s, tester.TestInt32s),
	kindOf("longs", func(seed uint64, i int) int64 { return int64(peerNumber(seed, i)) },
		(*Filter).AddInt64, tester.TestInt64, (*Filter).TestAndAddInt64, (*Filter).AddInt64s, tester.TestInt64s),
	kindOf("bytes", peerBytes,
		(*Filter).Add, tester.Test, (*Filter).TestAndAdd, (*Filter).AddBytes, tester.TestBytes),
	kindOf("strings", peerText,
		(*Filter).AddString, tester.TestString, (*Filter).TestAndAddString, (*Filter).AddStrings, tester.TestStrings),
	kindOf("chars", peerText, (*Filter).AddUnencodedChars, tester.TestUnencodedChars,
		(*Filter).TestAndAddUnencodedChars, (*Filter).AddUnencodedStrings, tester.TestUnencodedStrings),
	kindOf("units", peerUnits,
		(*Filter).AddUTF16, tester.TestUTF16, (*Filter).TestAndAddUTF16, addUnits, testUnits),
}

// TestGuava compares filters of all kinds and strategies with those of Guava: what Java
// writes, Go reads, finds every key in, and rebuilds byte for byte, with the same answers
// of put; what Go writes, Java reads, finds every key in, writes again byte for byte, and says of
// every key that is not in it what Go says.
func TestGuava(t *testing.T) {
	peer := javaPeer(t)
	n := peerTestKeys
	if testing.Short() {
		n = 10_000
	}
	dir := t.TempDir()
	made := runPeer(t, peer, nil, "make", dir, fmt.Sprint(n))
	eachKind(func(i int, k kind, s Strategy) {
		name := filepath.Join(dir, fmt.Sprintf("%s-%d", k.name, s))
		if err := checkMade(name, k, s, n, made[i]); err != nil {
			t.Errorf("%s by %v, made by Java: %v", k.name, s, err)
		}
		f := newFilter(t, n, s)
		k.load(goSeed, n).addAll(f, 0, n)
		if err := os.WriteFile(name+".go", marshal(t, f), 0o666); err != nil {
			t.Fatal(err)
		}
	})
	checked := runPeer(t, peer, nil, "check", dir, fmt.Sprint(n))
	eachKind(func(i int, k kind, s Strategy) {
		name := filepath.Join(dir, fmt.Sprintf("%s-%d", k.name, s))
		if err := checkChecked(name, k, n, checked[i]); err != nil {
			t.Errorf("%s by %v, made by Go: %v", k.name, s, err)
		}
	})
}

// eachKind calls f in the order of Peer.java.
func eachKind(f func(i int, k kind, s Strategy)) {
	for i, s := range []Strategy{MITZ32, MITZ64} {
		for j, k := range kinds {
			f(i*len(kinds)+j, k, s)
		}
	}
}

// newFilter returns an empty filter of the size of Guava 31.1.
func newFilter(t testing.TB, n int, s Strategy) *Filter {
	t.Helper()
	f, err := New(uint64(n), peerRate, WithStrategy(s), WithOlderK())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func marshal(t testing.TB, f *Filter) []byte {
	t.Helper()
	data, err := f.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// checkMade checks a filter that Java made.
func checkMade(file string, k kind, s Strategy, n int, line string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	put, err := os.ReadFile(file + ".put")
	if err != nil {
		return err
	}
	f := new(Filter)
	if _, err := f.ReadFrom(bufio.NewReader(bytes.NewReader(data))); err != nil {
		return err
	}
	view, err := NewView(data)
	if err != nil {
		return err
	}
	keys := k.load(peerSeed, n)
	for _, tester := range []tester{f, &view} {
		if hits := keys.testAll(tester, 0, n, nil); hits != n {
			return fmt.Errorf("%T finds %d of %d keys", tester, hits, n)
		}
		for i := range n {
			if !keys.test(tester, i) {
				return fmt.Errorf("%T does not find key %d", tester, i)
			}
		}
	}
	g, err := New(uint64(n), peerRate, WithStrategy(s), WithOlderK())
	if err != nil {
		return err
	}
	for i := range n {
		if keys.testAndAdd(g, i) == (put[i/8]>>(i%8)&1 != 0) {
			return fmt.Errorf("TestAndAdd of key %d is what put returned", i)
		}
	}
	if again, err := g.MarshalBinary(); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("rebuilt, it differs (%v)", err)
	}
	return checkEstimates(f, line, filepath.Base(file))
}

// checkChecked checks what Java said of a filter that Go made.
func checkChecked(file string, k kind, n int, line string) error {
	f, data, read := new(Filter), [2][]byte{}, error(nil)
	for i, suffix := range []string{".go", ".java"} {
		if data[i], read = os.ReadFile(file + suffix); read != nil {
			return read
		}
	}
	if !bytes.Equal(data[0], data[1]) {
		return fmt.Errorf("Java writes other bytes than it read")
	}
	if err := f.UnmarshalBinary(data[0]); err != nil {
		return err
	}
	if err := checkEstimates(f, line, fmt.Sprintf("%s %d", filepath.Base(file), n)); err != nil {
		return err
	}
	absent, err := os.ReadFile(file + ".absent")
	if err != nil {
		return err
	}
	hits, keys := new(bitsieve.BitSet), k.load(absentSeed, n)
	keys.testAll(f, 0, n, hits)
	for i := range n {
		want := absent[i/8]>>(i%8)&1 != 0
		if single := keys.test(f, i); single != want || hits.Test(uint(i)) != want {
			return fmt.Errorf("absent key %d: Java says %v, Go one by one %v, in a batch %v",
				i, want, single, hits.Test(uint(i)))
		}
	}
	return nil
}

// checkEstimates compares what Java printed of a filter after prefix. Java's pow and Go's
// differ in the last digits.
func checkEstimates(f *Filter, line, prefix string) error {
	var count, rateBits uint64
	if _, err := fmt.Sscanf(line, prefix+" %d %d", &count, &rateBits); err != nil {
		return fmt.Errorf("Java says %q: %v", line, err)
	}
	rate := math.Float64frombits(rateBits)
	if f.EstimatedCount() != count || math.Abs(f.FPRate()-rate) > 1e-14*rate {
		return fmt.Errorf("%d keys at %v, Java says %d at %v", f.EstimatedCount(), f.FPRate(), count, rate)
	}
	return nil
}

// TestGuavaSizes compares Parameters with Guava's.
func TestGuavaSizes(t *testing.T) {
	peer := javaPeer(t)
	type pair struct {
		n uint64
		p float64
	}
	var pairs []pair
	var in strings.Builder
	for i := range 20_000 {
		z := peerNumber(9, i)
		p := math.Exp2(-float64(z%4096+1) / 4096 * 255)
		if i%2 == 0 {
			p = float64(z%999_999+1) / 1_000_000
		}
		pairs = append(pairs, pair{peerNumber(10, i)>>(31+z>>40%32) + 1, p})
		fmt.Fprintf(&in, "%d %v\n", pairs[i].n, p)
	}
	lines := runPeer(t, peer, strings.NewReader(in.String()), "sizes")
	opts := []Option(nil)
	if lines[0] == "older" {
		opts = append(opts, WithOlderK())
	}
	for i, line := range lines[1:] {
		var m uint64
		var wantK int
		if _, err := fmt.Sscan(line, &m, &wantK); err != nil {
			t.Fatal(err)
		}
		words, k, err := Parameters(pairs[i].n, pairs[i].p, opts...)
		if m > 64*maxWords {
			if err == nil {
				t.Errorf("%v: %d words, where Guava has %d bits", pairs[i], words, m)
			}
			continue
		}
		if want := max((m+63)/64, 1); err != nil || words != want || k != wantK {
			t.Errorf("%v: %d words, k = %d, %v, want %d and %d", pairs[i], words, k, err, want, wantK)
		}
	}
}

// TestSurrogates is what Java's string funnel makes of an unpaired surrogate, and what
// the package's doc says of it.
func TestSurrogates(t *testing.T) {
	units := utf16.Encode([]rune("a\U0001f600"))
	f := newFilter(t, 50, MITZ64)
	f.AddUnencodedChars("a\U0001f600")
	if !f.TestUTF16(units) || f.TestUTF16(units[:2]) {
		t.Error("AddUnencodedChars and AddUTF16 differ")
	}
}
