// Package report holds the results of a run and renders them: as JSON, as
// aligned text, as Markdown, and several machines side by side.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
)

// Schema is the version of the JSON form. Read refuses another.
const Schema = 1

// A Report is what one run found out about one machine.
type Report struct {
	Schema   int             `json:"schema"`
	Created  time.Time       `json:"created"`
	Library  string          `json:"library,omitempty"` // the commit measured
	Machine  machine.Machine `json:"machine"`
	Settings Settings        `json:"settings"`
	Rows     []Row           `json:"rows"`
	Rates    []Rate          `json:"rates"`
}

// Settings tell how the figures were taken.
type Settings struct {
	Quick        bool     `json:"quick"`
	Brief        bool     `json:"brief,omitempty"`
	Rounds       int      `json:"rounds"`
	Batch        int      `json:"batch"` // keys per call of the filters' batch operations
	BitsPerKey   float64  `json:"bits_per_key"`
	PresentShare float64  `json:"present_share"` // of the keys that are tested
	Filter       string   `json:"filter,omitempty"`
	Note         string   `json:"note,omitempty"`
	Libraries    []string `json:"libraries,omitempty"` // in C and C++: source, commit, compiler
}

// The kinds of contenders.
const (
	Ours  = "bitsieve" // a level of this library
	Peer  = "peer"     // in Go
	C     = "c"        // a loop or library in C or C++, compiled for this machine
	Bound = "limit"    // reads the same memory and does nothing else
)

// Generic is the name of the lowest level of every machine.
const Generic = "generic"

// The operations that measure limits alone, and the pages that they do it on.
const (
	StreamLimit = "StreamLimit" // reading in order
	RandomLimit = "RandomLimit" // reading random lines of 64 bytes
	Huge        = "huge"
	Small       = "small"
)

// The units that work is counted in.
const (
	Bytes    = "byte"    // of one operand; shown as GB/s
	Keys     = "key"     // shown as ns a key
	Indices  = "index"   // decoded; shown as ns an index
	Integers = "integer" // sorted; shown as ns an integer
)

// A Row is one contender in one group: a group is one operation at one size,
// its contenders measured in turn, round after round.
type Row struct {
	Op      string  `json:"op"`
	Param   string  `json:"param,omitempty"` // such as density=1of8
	Size    int64   `json:"size"`            // bytes of one operand, or of the filter
	Impl    string  `json:"impl"`            // a level, a peer, or the limit's variant
	Kind    string  `json:"kind"`            // Ours, Peer, C or Bound
	Pages   string  `json:"pages,omitempty"` // Huge or Small, of the groups of limits
	Unit    string  `json:"unit"`            // one of the above
	PerCall float64 `json:"per_call"`        // units in one call
	Samples Samples `json:"ns"`              // nanoseconds per call, one a round

	// Of filters only.
	K          int     `json:"k,omitempty"`
	BitsPerKey float64 `json:"bits_per_key,omitempty"` // as built
	FPRate     float64 `json:"fp_rate,omitempty"`      // measured
	FPTrials   int64   `json:"fp_trials,omitempty"`    // absent keys that it was measured with

	// Filled in by Compare, relative to the rows of the same group.
	VsPeer    float64 `json:"vs_peer,omitempty"`    // times as fast as the fastest peer
	VsC       float64 `json:"vs_c,omitempty"`       // times as fast as the fastest in C or C++
	VsGeneric float64 `json:"vs_generic,omitempty"` // times as fast as this library without assembly
	VsLimit   float64 `json:"vs_limit,omitempty"`   // times as long as the limit
}

// A Rate is the false-positive rate of one filter at one number of bits per key.
type Rate struct {
	Filter     string  `json:"filter"`
	K          int     `json:"k"`
	FixedK     bool    `json:"fixed_k,omitempty"` // k is not chosen for the bits per key
	BitsPerKey float64 `json:"bits_per_key"`
	Hits       int64   `json:"hits"`
	Trials     int64   `json:"trials"`
}

// FPRate returns the measured rate.
func (r Rate) FPRate() float64 { return float64(r.Hits) / float64(r.Trials) }

// NsPerUnit returns the median time of one unit of work.
func (r Row) NsPerUnit() float64 { return r.Samples.Median() / r.PerCall }

// GBps returns the median speed, if the unit is Bytes.
func (r Row) GBps() float64 { return r.PerCall / r.Samples.Median() }

// IsFilter reports whether the row is about a filter, and so is worth nothing
// without its false-positive rate.
func (r Row) IsFilter() bool { return r.Unit == Keys && r.Kind != Bound }

// Shown reports whether the row may be published: a filter's speed only
// together with its measured false-positive rate.
func (r Row) Shown() bool {
	return len(r.Samples) > 0 && (!r.IsFilter() || r.FPTrials > 0)
}

// Lost reports whether this is a row of this library's and a peer in Go was
// faster.
func (r Row) Lost() bool { return r.Kind == Ours && lost(r.VsPeer) }

// lost tells of a ratio, if there is one, whether it is below one by more than
// half a percent.
func lost(ratio float64) bool { return ratio > 0 && ratio < 0.995 }

// Name is the group's name: what -run selects by.
func (r Row) Name() string { return GroupName(r.Op, r.Param, r.Size) }

// GroupName joins the parts of a group's name as Go's benchmarks do.
func GroupName(op, param string, size int64) string {
	if param != "" {
		op += "/" + param
	}
	return op + "/size=" + Size(size)
}

// Compare fills in the ratios of the rows of one group. They are medians of the
// ratios within each round, in which whatever else the machine was doing
// weighs on both sides alike.
func Compare(group []Row) {
	peer, c, limit := fastest(group, Peer), fastest(group, C), fastest(group, Bound)
	for i := range group {
		r := &group[i]
		if r.Kind == Bound {
			continue
		}
		if peer >= 0 {
			r.VsPeer = group[peer].Samples.Over(r.Samples)
		}
		if c >= 0 {
			r.VsC = group[c].Samples.Over(r.Samples)
		}
		if limit >= 0 {
			r.VsLimit = r.Samples.Over(group[limit].Samples)
		}
		if g := r.generic(group); g != nil {
			r.VsGeneric = g.Samples.Over(r.Samples)
		}
	}
}

// generic returns the row of the group that does the same as r at the generic
// level, nil if there is none or r is that row.
func (r Row) generic(group []Row) *Row {
	if r.Kind != Ours || r.Impl == Generic {
		return nil
	}
	for i, g := range group {
		if g.Kind == Ours && g.Impl == Generic && g.K == r.K {
			return &group[i]
		}
	}
	return nil
}

// fastest returns the index of the row of a kind with the lowest median, -1 if
// there is none.
func fastest(group []Row, kind string) int {
	best := -1
	for i, r := range group {
		if r.Kind == kind && (best < 0 || r.Samples.Median() < group[best].Samples.Median()) {
			best = i
		}
	}
	return best
}

// Groups splits rows by group, in order of appearance.
func Groups(rows []Row) [][]Row {
	var groups [][]Row
	for start := 0; start < len(rows); {
		end := start
		for end < len(rows) && rows[end].Name() == rows[start].Name() {
			end++
		}
		groups = append(groups, rows[start:end])
		start = end
	}
	return groups
}

// BestLevel returns the name of the highest level of the machine.
func (r *Report) BestLevel() string {
	if len(r.Machine.Levels) == 0 {
		return ""
	}
	return r.Machine.Levels[len(r.Machine.Levels)-1]
}

// WriteJSON writes the report, indented.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}

// ReadJSON reads a report that WriteJSON wrote.
func ReadJSON(rd io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(rd).Decode(&r); err != nil {
		return nil, err
	}
	if r.Schema != Schema {
		return nil, fmt.Errorf("report of schema %d, this program reads %d", r.Schema, Schema)
	}
	for i, row := range r.Rows {
		if len(row.Samples) == 0 || row.PerCall <= 0 {
			return nil, fmt.Errorf("row %d (%s) has no measurement", i, row.Name())
		}
	}
	return &r, nil
}

// ReadFile reads a report from a file.
func ReadFile(path string) (*Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := ReadJSON(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
