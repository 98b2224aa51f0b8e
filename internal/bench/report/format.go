package report

import (
	"math"
	"strconv"
	"strings"
)

// Size writes a number of bytes in binary units, without a space, as Go's
// benchmark names want it: 256KiB. Round numbers of another kind are 40MB.
func Size(n int64) string {
	for _, u := range []struct {
		name  string
		shift uint
	}{{"GiB", 30}, {"MiB", 20}, {"KiB", 10}} {
		if n >= 1<<u.shift && n&(1<<u.shift-1) == 0 {
			return strconv.FormatInt(n>>u.shift, 10) + u.name
		}
	}
	if n >= 1e6 && n%1e6 == 0 {
		return strconv.FormatInt(n/1e6, 10) + "MB"
	}
	return strconv.FormatInt(n, 10) + "B"
}

// SizeWords is Size for reading: 256 KiB.
func SizeWords(n int64) string {
	s := Size(n)
	i := strings.IndexAny(s, "BKMG")
	return s[:i] + " " + s[i:]
}

// Significant writes x with three significant digits, and no exponent unless x
// is tiny.
func Significant(x float64) string {
	switch {
	case x != x:
		return "–"
	case x == 0 || x >= 100:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case x < 1e-5:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	decimals := 2 - int(math.Floor(math.Log10(x)))
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// percent writes a rate with three Significant digits: 1.05 %.
func percent(x float64) string { return Significant(100*x) + " %" }

// Times writes a ratio with two decimals or three digits: 3.20×, 0.07×, 12.5×.
func Times(x float64) string {
	decimals := 2
	if x >= 9.995 {
		decimals = 1
	}
	if x >= 99.95 {
		decimals = 0
	}
	return strconv.FormatFloat(x, 'f', decimals, 64) + "×"
}

// Heading says an operation and its parameter in words.
func Heading(op, param string) string {
	if param == "" {
		return op
	}
	name, value, _ := strings.Cut(param, "=")
	switch name {
	case "density":
		return op + ", 1 bit in " + strings.TrimPrefix(value, "1of") + " set"
	case "len":
		return op + ", keys of " + value + " bytes"
	}
	return op + ", " + param
}

// opNotes say what each operation is and how the contenders do it.
var opNotes = map[string]string{
	"Count":           "Number of set bits.",
	"And":             "dst = a & b. GB/s of one operand.",
	"AndInPlace":      "a &= b. GB/s of one operand.",
	"AndCount":        "Number of set bits of a & b, nothing stored. GB/s of one operand.",
	"Or":              "dst = a | b, one bitmap container of roaring's. GB/s of one operand.",
	"Xor":             "dst = a ^ b, one container. GB/s of one operand.",
	"AndNot":          "dst = a &^ b, one container. GB/s of one operand.",
	"OrCount":         "Number of set bits of a | b, one container, nothing stored. GB/s of one operand.",
	"XorCount":        "Number of set bits of a ^ b, one container, nothing stored. GB/s of one operand.",
	"AndNotCount":     "Number of set bits of a &^ b, one container, nothing stored. GB/s of one operand.",
	"AndWithCount":    "dst = a & b and its number of set bits, one container. GB/s of one operand.",
	"OrWithCount":     "dst = a | b and its number of set bits, one container. GB/s of one operand.",
	"XorWithCount":    "dst = a ^ b and its number of set bits, one container; roaring does it in two passes. GB/s of one operand.",
	"AndNotWithCount": "dst = a &^ b and its number of set bits, one container; roaring does it in two passes. GB/s of one operand.",
	"Decode":          "Set bits to a slice of uint. The limit clears that.",
	"Decode32":        "Set bits to a slice of uint32. The limit clears that.",
	"Sort":            "All uint32 below n in random order, to a sorted slice; slices.Sort sorts a copy. size is that of the input.",
	"SortUnique":      "As Sort, of n integers below n drawn with repetition; duplicates are dropped.",
	"NextSetMany":     "Set bits through a buffer of 512 indices.",
	"Test":            "uint64 keys, half of them present, as many at a time as the filter takes; hashing included.",
	"TestOne":         "uint64 keys, half of them present, one call a key; hashing included.",
	"TestHashes":      "Ready 64-bit hashes, half of them present.",
	"TestStrings":     "Strings, half of them present; hashing included.",
	"SharedTest":      "AtomicBlocked and its peer, which goroutines may add to meanwhile; uint64 keys, half of them present, as many at a time as the filter takes, by one goroutine.",
	"SharedTestOne":   "As SharedTest, one call a key.",
	"SharedAdd":       "AtomicBlocked and its peer: uint64 keys, as many at a time as the filter takes, by one goroutine. They are in the filter already.",
	"BloomTest":       "The standard filters, of one layout and on the same bits; strings, half of them present, as many at a time as the filter takes.",
	"BloomTestOne":    "The standard filters; strings, half of them present, one call a key.",
	"BloomAdd":        "The standard filters; strings, as many at a time as the filter takes. They are in the filter already.",
	"BloomAddOne":     "The standard filters; strings, one call a key. They are in the filter already.",
	"Add":             "uint64 keys, as many at a time as the filter takes; hashing included. The keys are in the filter already, so that it keeps its load: the same stores are made.",
}
