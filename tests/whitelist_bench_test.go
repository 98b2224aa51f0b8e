package tests

import (
	"fmt"
	"math/rand/v2"
	"testing"

	. "github.com/bitsieve/bitsieve"
)

// BenchmarkWhitelist tests keys, of which a share passes the filter, in batches of 4096
// and one by one: in the filter itself, and with a list of exceptions that none of the
// keys is on. It states how many bytes an exception of 20 bytes or an integer takes.
func BenchmarkWhitelist(b *testing.B) {
	const n, batch = 200_000, 4096
	r := rand.New(rand.NewPCG(3, 4))
	text := func(kind string, i int) string { return fmt.Sprintf("%s%012d.org", kind, i) } // 20 bytes with a kind of 4
	for _, share := range []float64{0, 0.01, 0.5} {
		var texts []string
		var ints []uint64
		f, err := NewBlocked(2*n, 1e-6)
		if err != nil {
			b.Fatal(err)
		}
		for i := range n {
			kind := "othr"
			if r.Float64() < share {
				kind = "spam"
			}
			texts, ints = append(texts, text(kind, i)), append(ints, r.Uint64())
			if kind == "spam" {
				f.AddString(texts[i])
				f.AddUint64(ints[i])
			}
		}
		texts, ints = texts[:n&^(batch-1)], ints[:n&^(batch-1)]
		filters := []struct {
			name string
			f    Filter
		}{{"none", f}}
		for _, exceptions := range []int{1000, 1_000_000} {
			w, list := NewWhitelist(f), make([]string, exceptions)
			for i := range list {
				list[i] = text("good", i)
			}
			w.ExceptStrings(list)
			size := w.ExceptionBytes()
			for i := range exceptions {
				w.ExceptUint64(uint64(i))
			}
			if share == 0 {
				b.Logf("%d exceptions: %.2f bytes for a string of %d bytes, %.2f for an integer", exceptions,
					float64(size)/float64(exceptions), len(list[0]), float64(w.ExceptionBytes()-size)/float64(exceptions))
			}
			filters = append(filters, struct {
				name string
				f    Filter
			}{fmt.Sprint(exceptions), w})
		}
		var hits BitSet
		for _, c := range filters {
			for _, op := range []struct {
				name string
				run  func()
			}{
				{"TestStrings", func() {
					for i := 0; i < len(texts); i += batch {
						c.f.TestStrings(texts[i:i+batch], &hits)
					}
				}},
				{"TestStrings-count", func() { c.f.TestStrings(texts, nil) }},
				{"TestUint64s", func() {
					for i := 0; i < len(ints); i += batch {
						c.f.TestUint64s(ints[i:i+batch], &hits)
					}
				}},
				{"TestString", func() {
					for _, s := range texts {
						c.f.TestString(s)
					}
				}},
				{"TestUint64", func() {
					for _, x := range ints {
						c.f.TestUint64(x)
					}
				}},
				{"AddStrings", func() {
					for i := 0; i < len(texts); i += batch {
						c.f.AddStrings(texts[i : i+batch])
					}
				}},
			} {
				if op.name == "AddStrings" && share < 0.5 {
					continue // it would change the share
				}
				b.Run(fmt.Sprintf("op=%s/hits=%v%%/exceptions=%s", op.name, 100*share, c.name), func(b *testing.B) {
					for b.Loop() {
						op.run()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(texts)), "ns/key")
				})
			}
		}
	}
}
