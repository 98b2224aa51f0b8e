package main

import (
	"regexp"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// curveSize is the size of the filters whose false-positive rates are measured
// at several numbers of bits per key. Rates do not depend on the size, but for
// the luck of the keys, which is small here.
const curveSize = 1 << 20

// curveName is what -run selects a filter's rate by.
func curveName(filter string) string { return "FPRate/impl=" + filter }

// curveCases returns the filters to measure the rates of.
func (p plan) curveCases(re *regexp.Regexp) (cases []*filterCase) {
	for _, bits := range p.curve {
		n := uint64(curveSize * 8 / bits)
		for _, spec := range append(filterSpecs(bits), p.cFilters.at(curveSize, bits)...) {
			if re.MatchString(curveName(spec.name)) {
				cases = append(cases, &filterCase{
					filterSpec: spec,
					size:       curveSize,
					load:       load{integers: n},
					trials:     p.curveTrials,
				})
			}
		}
	}
	return cases
}

// rates fills the cases and returns their false-positive rates.
func rates(cases []*filterCase, step func()) ([]report.Rate, error) {
	if err := fillAll(cases, step); err != nil {
		return nil, err
	}
	var out []report.Rate
	for _, c := range cases {
		out = append(out, report.Rate{
			Filter: c.name, K: c.k, FixedK: c.fixed, BitsPerKey: c.bitsPerKey(), Hits: c.hits, Trials: c.tested,
		})
		c.drop()
	}
	return out, nil
}
