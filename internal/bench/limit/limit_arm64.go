package limit

// Readers returns the ways to read in order that this CPU has.
func Readers() []Reader {
	return []Reader{{"128-bit loads", func(p []uint64) uint64 {
		if len(p) < ReadWords {
			return 0
		}
		return read128(&p[0], len(p)/ReadWords)
	}}}
}

//go:noescape
func read128(p *uint64, n int) uint64

//go:noescape
func randomLines(p *uint64, lines *uint32, n int) uint64

//go:noescape
func randomLinesAhead(p *uint64, lines *uint32, n, ahead int) uint64

//go:noescape
func randomLinesAheadL2(p *uint64, lines *uint32, n, ahead int) uint64
