package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/bitsieve/bitsieve/bench/c"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// loadPeers loads the shared objects of -peer into the plan and asks their
// filters for every size that it has.
func (p *plan) loadPeers(files []string) error {
	names := map[string]string{"blobloom Sync": "bench", kelindar: "bench", roaringPeer: "bench", goLoop: "bench"}
	for _, spec := range filterSpecs(benchBitsPerKey) {
		names[spec.name] = "bench"
	}
	for _, k := range c.Kernels() {
		names[k.Name] = "bench"
	}
	for _, file := range files {
		peers, err := c.Load(file)
		if err != nil {
			return fmt.Errorf("-peer: %w", err)
		}
		for _, peer := range peers {
			if other, ok := names[peer.Name]; ok {
				return fmt.Errorf("-peer: %s: %q is the name of a contender of %s", file, peer.Name, other)
			}
			names[peer.Name] = file
		}
		p.cPeers = append(p.cPeers, peers...)
		p.cSources = append(p.cSources, sourceOf(file))
	}
	p.cFilters = cFilters{}
	for _, size := range p.filterSizes {
		p.cFilters[cFilterKey{size, benchBitsPerKey}] = nil
	}
	for _, bits := range p.curve {
		p.cFilters[cFilterKey{curveSize, bits}] = nil
	}
	for at := range p.cFilters {
		if free := machine.AvailableMemory(); free > 0 && free < at.size {
			continue // the stage will be skipped
		}
		for _, peer := range p.cPeers {
			if err := p.cFilters.ask(peer, at); err != nil {
				return fmt.Errorf("-peer: %w", err)
			}
		}
	}
	return nil
}

// sourceOf says what a shared object was built of: what stands in FILE.txt, where
// c/peers/build leaves that, else its name.
func sourceOf(file string) string {
	if text, err := os.ReadFile(file + ".txt"); err == nil {
		return strings.Join(strings.Fields(string(text)), " ")
	}
	return filepath.Base(file)
}

// cFilters are the filters in C by what they are asked for, in the order of their
// libraries.
type cFilters map[cFilterKey][]filterSpec

type cFilterKey struct {
	size       int64
	bitsPerKey float64
}

func (fs cFilters) at(size int64, bitsPerKey float64) []filterSpec {
	return fs[cFilterKey{size, bitsPerKey}]
}

// ask makes a filter, to learn what it is, and drops it.
func (fs cFilters) ask(p *c.Peer, at cFilterKey) error {
	if p.NewFilter == nil {
		return nil
	}
	f, err := p.NewFilter(at.size, at.bitsPerKey)
	if f == nil {
		return err // nil if it declines
	}
	defer f.Close()
	fs[at] = append(fs[at], filterSpec{
		name: p.Name, kind: report.C, k: f.K(), built: f.Size(), like: asFilter(p, nil),
		make: func(bytes int64, _ int) filter {
			f, err := p.NewFilter(bytes, at.bitsPerKey)
			if f == nil || err != nil {
				return nil
			}
			return asFilter(p, f)
		},
	})
	return nil
}

// asFilter returns f as a type that has the methods that the library offers.
func asFilter(p *c.Peer, f c.Filter) filter {
	numbers := cNumbers{f}
	switch {
	case p.Strings && p.Hashes:
		return &struct {
			cNumbers
			cTexts
			cHashes
		}{numbers, cTexts{f}, cHashes{f}}
	case p.Strings:
		return &struct {
			cNumbers
			cTexts
		}{numbers, cTexts{f}}
	case p.Hashes:
		return &struct {
			cNumbers
			cHashes
		}{numbers, cHashes{f}}
	}
	return numbers
}

// What every filter of a library in C has.
type cNumbers struct{ f c.Filter }

func (n cNumbers) AddUint64s(keys []uint64)              { n.f.AddUint64s(keys) }
func (n cNumbers) TestUint64s(keys []uint64) int         { return n.f.TestUint64s(keys) }
func (n cNumbers) TestUint64sOneByOne(keys []uint64) int { return n.f.TestUint64sOneByOne(keys) }
func (n cNumbers) readAll()                              { sink += int(n.f.Read()) }
func (n cNumbers) Close()                                { n.f.Close() }

// What some have.
type (
	cTexts  struct{ f c.Filter }
	cHashes struct{ f c.Filter }
)

func (t cTexts) AddStrings(keys []string)        { t.f.AddStrings(keys) }
func (t cTexts) TestStrings(keys []string) int   { return t.f.TestStrings(keys) }
func (h cHashes) AddHashes(hashes []uint64)      { h.f.AddHashes(hashes) }
func (h cHashes) TestHashes(hashes []uint64) int { return h.f.TestHashes(hashes) }
