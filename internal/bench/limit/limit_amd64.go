package limit

import "github.com/klauspost/cpuid/v2"

// Readers returns the ways to read in order that this CPU has.
func Readers() []Reader {
	r := []Reader{{"64-bit loads", asm(read64)}}
	if cpuid.CPU.Supports(cpuid.AVX2) {
		r = append(r,
			Reader{"256-bit loads", asm(read256)},
			Reader{"256-bit loads, four streams", func(p []uint64) uint64 {
				n := len(p) / (4 * ReadWords) * 4
				return readSteps(read256x4, p[:n*ReadWords]) | readSteps(read256, p[n*ReadWords:])
			}})
	}
	if cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ) {
		r = append(r, Reader{"512-bit loads", asm(read512)})
	}
	return r
}

func asm(f func(p *uint64, n int) uint64) func([]uint64) uint64 {
	return func(p []uint64) uint64 { return readSteps(f, p) }
}

func readSteps(f func(p *uint64, n int) uint64, p []uint64) uint64 {
	if len(p) < ReadWords {
		return 0
	}
	return f(&p[0], len(p)/ReadWords)
}

//go:noescape
func read64(p *uint64, n int) uint64

//go:noescape
func read256(p *uint64, n int) uint64

//go:noescape
func read512(p *uint64, n int) uint64

//go:noescape
func read256x4(p *uint64, n int) uint64

//go:noescape
func randomLines(p *uint64, lines *uint32, n int) uint64

//go:noescape
func randomLinesAhead(p *uint64, lines *uint32, n, ahead int) uint64

//go:noescape
func randomLinesAheadL2(p *uint64, lines *uint32, n, ahead int) uint64
