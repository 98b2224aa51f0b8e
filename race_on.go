//go:build race

package bitsieve

import (
	"runtime"
	"unsafe"
)

// raceEnabled tells that this build runs under the race detector, which does
// not see the memory that assembly touches: the dispatch verbs declare it.
const raceEnabled = true

func raceReadWords(p []uint64) {
	if len(p) > 0 {
		runtime.RaceReadRange(unsafe.Pointer(&p[0]), len(p)*8)
	}
}

func raceWriteWords(p []uint64) {
	if len(p) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&p[0]), len(p)*8)
	}
}

// raceWriteIndices is raceWriteWords for indices, which need not start at a word.
func raceWriteIndices[T uint | uint32](p []T) {
	if len(p) > 0 {
		runtime.RaceWriteRange(unsafe.Pointer(&p[0]), len(p)*int(unsafe.Sizeof(p[0])))
	}
}
