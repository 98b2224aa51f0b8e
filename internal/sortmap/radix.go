package sortmap

import (
	"math/bits"
	"slices"

	"github.com/bitsieve/bitsieve/internal/memory"
)

// A pass of the radix sort orders by up to digitBits bits: their 2^11 counters fit the
// first-level cache beside what they order. Lists of up to shortSort integers get digits of
// 8 bits, whose counters are fewer to clear and to sum up.
const (
	digitBits      = 11
	shortDigitBits = 8
	shortSort      = 4096
)

// bySorting sorts the lists, and does the verb on what is sorted.
func (w *work) bySorting(op verb, dst, a, b []uint32, lo, hi uint32) []uint32 {
	w.second = sized(w.second, max(len(a), len(b)))
	if op.lists() == 1 {
		sorted := w.radixSort(a, w.second, lo, hi)
		return appendRuns(op, dst, sorted)
	}
	w.makeScratch(len(a) + len(b))
	p := within(w.scratch[:0], a, lo, hi)
	q := within(w.scratch[len(p):len(p)], b, lo, hi)
	// A pass for each digit goes to the other half and back: what ends there is copied.
	for _, v := range [][]uint32{p, q} {
		if sorted := w.radixSort(v, w.second[:len(v)], lo, hi); len(v) > 0 && &sorted[0] != &v[0] {
			memory.CopyOf(v, sorted)
		}
	}
	return appendMerged(op, dst, p, q)
}

// lists is how many lists a verb takes.
func (op verb) lists() int {
	if op >= intersection {
		return 2
	}
	return 1
}

// radixSort sorts v, whose integers lie from lo to hi, digit by digit from the lowest on.
// It returns v or other, whichever holds the result. They are of one length.
func (w *work) radixSort(v, other []uint32, lo, hi uint32) []uint32 {
	most := uint(digitBits)
	if len(v) <= shortSort {
		most = shortDigitBits
	}
	width := uint(bits.Len32(hi - lo))
	passes := (width + most - 1) / most
	if passes == 0 {
		return v
	}
	digit := (width + passes - 1) / passes
	for s := uint(0); s < width; s += digit {
		w.radixPass(other, v, lo, s, digit)
		v, other = other, v
	}
	return v
}

// radixPass copies v to dst, which is as long, in the order of the digit at bit shift of what
// is above lo.
func (w *work) radixPass(dst, v []uint32, lo uint32, shift, digit uint) {
	const top = 1<<digitBits - 1 // for the compiler, as is %32
	mask := uint32(1)<<digit - 1
	shift %= 32
	ends := &w.digits
	clear(ends[:mask+1])
	for _, x := range v {
		ends[(x-lo)>>shift&mask&top]++
	}
	at := uint32(0)
	for i, n := range ends[:mask+1] {
		ends[i] = at
		at += n
	}
	for _, x := range v {
		p := &ends[(x-lo)>>shift&mask&top]
		dst[*p] = x
		*p++
	}
}

// appendRuns appends the result of a verb for the sorted list v, whose beginning dst may be.
func appendRuns(op verb, dst, v []uint32) []uint32 {
	if op == unique {
		return appendUnique(dst, v)
	}
	for i := 0; i < len(v); {
		j := i + 1
		for j < len(v) && v[j] == v[i] {
			j++
		}
		if x := v[i]; (j-i == 1) == (op == singles) {
			dst = append(dst, x)
		}
		i = j
	}
	return dst
}

// appendUnique appends v without duplicates to dst. Whether an integer is one more is
// unpredictable, so it is written in any case.
func appendUnique(dst, v []uint32) []uint32 {
	if len(v) == 0 {
		return dst
	}
	out := slices.Grow(dst, len(v))[len(dst) : len(dst)+len(v)]
	n := 0
	out[0] = v[0]
	for _, x := range v[1:] {
		if x != out[n] {
			n++
		}
		out[n] = x
	}
	return dst[:len(dst)+n+1]
}

// appendMerged appends the result of a verb for two sorted lists, each integer once.
func appendMerged(op verb, dst, p, q []uint32) []uint32 {
	for i, j := 0, 0; i < len(p) || j < len(q); {
		var x uint32
		switch {
		case i == len(p):
			x = q[j]
		case j == len(q):
			x = p[i]
		default:
			x = min(p[i], q[j])
		}
		first, second := i, j
		for i < len(p) && p[i] == x {
			i++
		}
		for j < len(q) && q[j] == x {
			j++
		}
		inP, inQ := i > first, j > second
		if op == union || op == intersection && inP && inQ || op == difference && inP && !inQ {
			dst = append(dst, x)
		}
	}
	return dst
}
