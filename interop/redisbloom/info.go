package redisbloom

import "math"

// Info says what BF.INFO and BF.DEBUG do, and more.
type Info struct {
	Keys      uint64 // that were added: BF.CARD
	Capacity  uint64 // of all links so far
	Bytes     uint64 // of all links' bits
	Expansion uint32 // for how many times the keys of a full link the next one is made
	Scaling   bool   // a link follows a full one; if not, it takes no more keys
	Hash64    bool   // keys have hashes of 64 bits, as in all filters of today
	Links     []LinkInfo
}

// LinkInfo describes one link.
type LinkInfo struct {
	Keys     uint64  // that were added to it
	Capacity uint64  // that it was made for
	Bytes    uint64  // of its bits
	Bits     uint64  // that keys are spread over
	K        int     // bits that a key sets
	Rate     float64 // of false positives, that it was made for
	Fill     float64 // fraction of the bits that are set
}

// Info describes the filter, the oldest link first. It reads the whole filter.
func (f *Filter) Info() Info {
	info := f.chain.info()
	for i := range f.links {
		l := &f.links[i]
		info.add(&l.linkInfo, l.probe.setBits(l.bytes))
	}
	return info
}

// Info describes the filter, the oldest link first. It reads the whole filter.
func (v View) Info() Info {
	c := v.chain()
	info := c.info()
	set := make([]uint64, c.links)
	for w := v.walk(); w.next(); {
		set[w.i] = w.probe.setBits(w.size)
	}
	for i, n := range set {
		l := linkAt(v.header, i)
		info.add(&l, n)
	}
	return info
}

func (c *chainInfo) info() Info {
	return Info{Keys: c.size, Expansion: c.growth, Scaling: c.options&optNoScaling == 0, Hash64: c.wide()}
}

func (info *Info) add(l *linkInfo, set uint64) {
	info.Capacity += l.entries
	info.Bytes += l.bytes
	info.Links = append(info.Links, LinkInfo{
		Keys: l.size, Capacity: l.entries, Bytes: l.bytes, Bits: l.modulus(), K: int(l.k), Rate: l.rate,
		Fill: min(float64(set)/float64(l.modulus()), 1), // damage sets bits past those that keys are spread over
	})
}

// FPRate returns the false-positive rate of the filter as it stands: that of a key whose
// hashes are independent, from the bits set in each link. It is 0 for no links.
func (info *Info) FPRate() float64 {
	none := 0.0 // the logarithm of the probability that no link has the key
	for _, l := range info.Links {
		none += math.Log1p(-math.Pow(l.Fill, float64(l.K)))
	}
	return -math.Expm1(none)
}

// Count returns the number of keys added, as the filter counts them: a key that is taken
// for present already is not counted.
func (f *Filter) Count() uint64 { return f.chain.size }

// Count returns the number of keys added, as the header says.
func (v View) Count() uint64 { c := v.chain(); return c.size }

// Links returns the number of links.
func (f *Filter) Links() int { return len(f.links) }

// Bits returns the number of bits of all links.
func (f *Filter) Bits() (n uint64) {
	for i := range f.links {
		n += f.links[i].modulus()
	}
	return n
}

// Bits returns the number of bits of all links.
func (v View) Bits() (n uint64) {
	for i := range v.Links() {
		l := linkAt(v.header, i)
		n += l.modulus()
	}
	return n
}

// K returns the number of bits that a key sets in the newest link, 0 if there is none.
func (f *Filter) K() int {
	if len(f.links) == 0 {
		return 0
	}
	return int(f.links[len(f.links)-1].k)
}

// K returns the number of bits that a key sets in the newest link, 0 if there is none.
func (v View) K() int {
	if v.Links() == 0 {
		return 0
	}
	l := linkAt(v.header, v.Links()-1)
	return int(l.k)
}

// FPRate is Info's: it reads the whole filter.
func (f *Filter) FPRate() float64 { info := f.Info(); return info.FPRate() }

// FPRate is Info's: it reads the whole filter.
func (v View) FPRate() float64 { info := v.Info(); return info.FPRate() }
