//go:build purego || !amd64

package bitsieve

// single is what the verbs for one key want of a filter besides its blocks and
// its k: nothing here.
type single struct{}

func newSingle(int, hasher) single { return single{} }
