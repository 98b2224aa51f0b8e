// Package peers compares the functions on sorted lists with those of others, in one run
// and interleaved: roaring's array containers, the loops that everybody writes, and, with
// build tag croaring, the functions of CRoaring's array containers:
//
//	go test -run '^$' -bench .
//	CGO_CFLAGS=-I…/CRoaring/include CGO_LDFLAGS="…/libroaring.a" go test -tags croaring -run '^$' -bench .
//
// The sets are made at run time: uniform and clustered ones, and the posting lists of
// the trigrams of Debian's package names, where apt-cache knows some.
package peers

// Operations, as bench and croaring.c number them.
const (
	opIntersect = iota
	opCount
	opDifference
	opUnion
	opSymmetric
	numOps
)

// A flat set of pairs of lists: pair i is lists 2*i and 2*i+1, and list i is
// elements[ends[i-1]:ends[i]].
type pairs struct {
	elements []uint16
	ends     []int32
}

func (p *pairs) add(list []uint16) {
	p.elements = append(p.elements, list...)
	p.ends = append(p.ends, int32(len(p.elements)))
}

func (p *pairs) list(i int) []uint16 {
	start := int32(0)
	if i > 0 {
		start = p.ends[i-1]
	}
	return p.elements[start:p.ends[i]]
}
