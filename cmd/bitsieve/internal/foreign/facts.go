package foreign

import (
	"fmt"
	"math"
)

// A Fact is a line of what is to be said of a file.
type Fact struct{ Name, Value string }

func fact(name, value string, args ...any) Fact { return Fact{name, fmt.Sprintf(value, args...)} }

// bitFacts are what there is to say of a filter's bits.
func bitFacts(bytes, bits uint64, k int, items uint64, fill, rate float64) []Fact {
	return []Fact{
		fact("size", "%d bytes, %d bits", bytes, bits),
		fact("k", "%d bits per key", k),
		fact("items", "%s", about(items)),
		fact("fill", "%.1f %% of the bits", 100*fill),
		fact("false-positive rate", "%.3g now", rate),
	}
}

// about renders an estimate.
func about(items uint64) string {
	if items == math.MaxUint64 {
		return "too many to tell"
	}
	return fmt.Sprintf("about %d", items)
}
