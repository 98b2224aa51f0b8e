package main

import (
	"github.com/bitsieve/bitsieve/internal/bench/measure"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

// What is measured, and how, is said in package measure.
type (
	Contender = measure.Contender
	Group     = measure.Group
	Stage     = measure.Stage
)

// batch is the number of keys per call of the operations on many keys.
const batch = measure.Batch

// sink keeps results alive.
var sink int

func peer(name string, warm int, run func(calls int)) Contender {
	return Contender{Impl: name, Kind: report.Peer, Run: run, Warm: warm}
}
