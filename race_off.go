//go:build !race

package bitsieve

const raceEnabled = false

func raceReadWords(p []uint64)  {}
func raceWriteWords(p []uint64) {}

func raceWriteIndices[T uint | uint32](p []T) {}
