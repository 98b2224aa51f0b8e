package c

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// A C kernel that gives a wrong answer is no contender.
func TestKernels(t *testing.T) {
	ks := Kernels()
	if len(ks) == 0 {
		t.Skip("built without the tag cbench")
	}
	for n := range 200 {
		a, b := make([]uint64, n), make([]uint64, n)
		want := map[string]int{}
		and := make([]uint64, n)
		for i := range a {
			a[i], b[i] = rand.Uint64(), rand.Uint64()
			and[i] = a[i] & b[i]
			want["Count"] += bits.OnesCount64(a[i])
			want["AndCount"] += bits.OnesCount64(and[i])
		}
		for _, k := range ks {
			dst := append([]uint64{}, a...) // AndInPlace starts from a
			got := k.Run(dst, a, b, 2)
			if got != want[k.Op] {
				t.Fatalf("%s, %s, %d words: got %d, want %d", k.Op, k.Name, n, got, want[k.Op])
			}
			if k.Op == "And" || k.Op == "AndInPlace" {
				for i := range dst {
					if dst[i] != and[i] {
						t.Fatalf("%s, %s, %d words: word %d differs", k.Op, k.Name, n, i)
					}
				}
			}
		}
	}
}
