package peers

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

var opNames = [numOps]string{"Intersect", "IntersectCount", "Difference", "Union", "SymmetricDifference"}

// A contender does an operation on all pairs, and returns the sum of the results' lengths.
type contender struct {
	name string
	run  func(op int) int
}

func bitsievePairs(op int, p *pairs, dst []uint16) (n int) {
	for i := 0; i < len(p.ends); i += 2 {
		a, b := p.list(i), p.list(i+1)
		switch op {
		case opIntersect:
			n += len(bitsieve.Intersect(dst, a, b))
		case opCount:
			n += bitsieve.IntersectCount(a, b)
		case opDifference:
			n += len(bitsieve.Difference(dst, a, b))
		case opUnion:
			n += len(bitsieve.Union(dst, a, b))
		case opSymmetric:
			n += len(bitsieve.SymmetricDifference(dst, a, b))
		}
	}
	return n
}

// roaringPairs allocates the results, but for the count: its functions on slices are
// not exported.
func roaringPairs(op int, maps []*roaring.Bitmap) (n int) {
	for i := 0; i < len(maps); i += 2 {
		a, b := maps[i], maps[i+1]
		var c *roaring.Bitmap
		switch op {
		case opIntersect:
			c = roaring.And(a, b)
		case opCount:
			n += int(a.AndCardinality(b))
			continue
		case opDifference:
			c = roaring.AndNot(a, b)
		case opUnion:
			c = roaring.Or(a, b)
		case opSymmetric:
			c = roaring.Xor(a, b)
		}
		n += int(c.GetCardinality())
	}
	return n
}

// loopPairs is a merge with branches, which writes what the operation says.
func loopPairs(op int, p *pairs, dst []uint16) (sum int) {
	for i := 0; i < len(p.ends); i += 2 {
		a, b := p.list(i), p.list(i+1)
		switch op {
		case opIntersect:
			sum += loopIntersect(dst, a, b)
		case opCount:
			sum += loopCount(a, b)
		default:
			sum += loopMerge(dst, a, b, op != opIntersect, op == opUnion, op != opDifference)
		}
	}
	return sum
}

func loopIntersect(dst, a, b []uint16) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			dst[n] = a[i]
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

func loopCount(a, b []uint16) (n int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}

// loopMerge writes what is only in a, in both, or only in b.
func loopMerge(dst, a, b []uint16, onlyA, both, onlyB bool) (n int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			if onlyA {
				dst[n] = a[i]
				n++
			}
			i++
		case a[i] > b[j]:
			if onlyB {
				dst[n] = b[j]
				n++
			}
			j++
		default:
			if both {
				dst[n] = a[i]
				n++
			}
			i, j = i+1, j+1
		}
	}
	if onlyA {
		n += copy(dst[n:], a[i:])
	}
	if onlyB {
		n += copy(dst[n:], b[j:])
	}
	return n
}

// contenders returns those for a set of pairs.
func contenders(p *pairs) []contender {
	longest := 0
	var maps []*roaring.Bitmap
	for i := range p.ends {
		longest = max(longest, len(p.list(i)))
		m := roaring.New()
		for _, x := range p.list(i) {
			m.Add(uint32(x))
		}
		maps = append(maps, m)
	}
	dst := make([]uint16, 2*longest+64)
	list := []contender{}
	for _, l := range slices.Backward(cpu.Available()) {
		list = append(list, contender{l.String(), func(op int) int {
			saved := cpu.Current()
			cpu.Set(l)
			defer cpu.Set(saved)
			return bitsievePairs(op, p, dst)
		}})
	}
	list = append(list,
		contender{"loop", func(op int) int { return loopPairs(op, p, dst) }},
		contender{"roaring", func(op int) int { return roaringPairs(op, maps) }})
	if haveCRoaring {
		list = append(list, contender{"croaring", func(op int) int { return croaring(op, p, dst) }})
	}
	return list
}

// sets returns the sets of pairs by name.
func sets(t testing.TB) map[string]*pairs {
	r := rand.New(rand.NewPCG(7, 11))
	random := func(n, span int, cluster int) (list []uint16) {
		seen := map[int]bool{}
		for len(list) < n {
			at := r.IntN(span)
			for range 1 + r.IntN(cluster) {
				if at < span && len(list) < n && !seen[at] {
					seen[at] = true
					list = append(list, uint16(at))
				}
				at++
			}
		}
		slices.Sort(list)
		return list
	}
	m := map[string]*pairs{}
	for _, s := range []struct {
		name             string
		n, span, cluster int
	}{
		{"uniform64", 64, 1 << 16, 1}, {"uniform512", 512, 1 << 16, 1}, {"uniform2048", 2048, 1 << 16, 1},
		{"dense2048", 2048, 1 << 13, 1}, {"clustered2048", 2048, 1 << 16, 40},
	} {
		p := &pairs{}
		for range 8 + (1<<18)/s.n {
			p.add(random(s.n, s.span, s.cluster))
			p.add(random(s.n, s.span, s.cluster))
		}
		m[s.name] = p
	}
	if p := postings(); p != nil {
		m["debian"] = p
	}
	return m
}

// postings returns pairs of posting lists: for each trigram of Debian's package names the
// numbers of the names that have it, in alphabetic order. Pairs are of trigrams that are
// next to each other by how many names have them, 64 to 4096.
func postings() *pairs {
	out, err := exec.Command("apt-cache", "pkgnames").Output()
	if err != nil {
		return nil
	}
	names := strings.Fields(string(out))
	slices.Sort(names)
	if len(names) < 10_000 {
		return nil
	}
	lists := map[string][]uint16{}
	for i, name := range names[:min(len(names), 1<<16)] {
		for j := range max(0, len(name)-2) {
			list := lists[name[j:j+3]]
			if len(list) == 0 || list[len(list)-1] != uint16(i) {
				lists[name[j:j+3]] = append(list, uint16(i))
			}
		}
	}
	var trigrams []string
	for trigram, list := range lists {
		if len(list) >= 64 && len(list) <= 4096 {
			trigrams = append(trigrams, trigram)
		}
	}
	slices.SortFunc(trigrams, func(x, y string) int {
		if len(lists[x]) != len(lists[y]) {
			return len(lists[x]) - len(lists[y])
		}
		return strings.Compare(x, y)
	})
	p := &pairs{}
	for i := 0; i+1 < len(trigrams); i += 2 {
		p.add(lists[trigrams[i]])
		p.add(lists[trigrams[i+1]])
	}
	return p
}

// TestPeersAgree compares the lengths of the results.
func TestPeersAgree(t *testing.T) {
	for name, p := range sets(t) {
		for op := range numOps {
			want := -1
			for _, c := range contenders(p) {
				got := c.run(op)
				if want < 0 {
					want = got
				}
				if got != want {
					t.Errorf("%s of %s: %s has %d elements, others %d", opNames[op], name, c.name, got, want)
				}
			}
		}
	}
}

// BenchmarkPeers reports, for each contender, the median of 11 rounds in ns per element of
// both lists, and for each but the first the least, median and greatest ratio to
// the first in one round. The contenders take turns.
func BenchmarkPeers(b *testing.B) {
	all := sets(b)
	for _, name := range []string{"uniform64", "uniform512", "uniform2048", "dense2048", "clustered2048", "debian"} {
		p, ok := all[name]
		if !ok {
			continue
		}
		list := contenders(p)
		for op := range numOps {
			b.Run(fmt.Sprintf("op=%s/set=%s", opNames[op], name), func(b *testing.B) {
				times := make([][]float64, len(list))
				for range 11 {
					for i, c := range list {
						times[i] = append(times[i], perElement(c, op, len(p.elements)))
					}
				}
				line := ""
				for i, c := range list {
					var ratios []float64
					for round, t := range times[i] {
						ratios = append(ratios, t/times[0][round])
					}
					slices.Sort(ratios)
					slices.Sort(times[i])
					b.ReportMetric(times[i][5], c.name+"-ns/elem")
					line += fmt.Sprintf(" %s %.3f (%.2f %.2f %.2f)", c.name, times[i][5], ratios[0], ratios[5], ratios[10])
				}
				b.Logf("%s %s:%s", opNames[op], name, line)
				for b.Loop() {
				}
			})
		}
	}
}

// perElement measures a contender for a millisecond at least.
func perElement(c contender, op, elements int) float64 {
	start, n := time.Now(), 0
	for time.Since(start) < time.Millisecond {
		c.run(op)
		n++
	}
	return float64(time.Since(start).Nanoseconds()) / float64(n) / float64(elements)
}
