package main

import (
	"fmt"
	"os"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/memory"
)

// memoryEnv is the environment variable that overrules what the machine says of
// its memory.
const memoryEnv = "BITSIEVE_MEMORY"

// availableMemory returns how many bytes this process may still take, 0 if that
// is unknown. Go cannot report that memory has run out: it ends the program.
func availableMemory() (uint64, error) {
	memory.Override = 0
	if s := os.Getenv(memoryEnv); s != "" {
		n, err := parseSize(s)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", memoryEnv, err)
		}
		memory.Override = uint64(n)
	}
	return memory.Left(), nil
}

// affordable returns an error if what takes the bytes is too large for the
// machine. advice says what to do about it.
func affordable(what string, bytes float64, advice string) error {
	have, err := availableMemory()
	if err != nil {
		return err
	}
	if have == 0 || bytes <= float64(have) {
		return nil
	}
	return fmt.Errorf("%s takes %s of memory, and there are %s: %s; if there is more, say so by %s=64GiB",
		what, size(toUint64(bytes)), size(have), advice, memoryEnv)
}

// sampleLines is a number of lines for which a filter costs nothing to make.
const sampleLines = 100_000

// filterSize returns the size of a filter for n lines, some per cent too much,
// without making it.
func filterSize(n uint64, p float64) (float64, error) {
	f, err := bitsieve.NewBlocked(min(n, sampleLines), p)
	if err != nil {
		return 0, err
	}
	return float64(f.SizeBytes()) * max(1, float64(n)/sampleLines), nil
}

// checkFilter returns an error if the machine has not enough memory for a filter.
func checkFilter(n uint64, p float64) error {
	need, err := filterSize(n, p)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("a filter for %s at a rate of %g", plural(n, "line"), p)
	return affordable(what, need, "a lower -n or a higher -p takes less")
}

// newFilter returns a filter for n lines.
func newFilter(n uint64, p float64, opts ...bitsieve.Option) (*bitsieve.Blocked, error) {
	if err := checkFilter(n, p); err != nil {
		return nil, err
	}
	return bitsieve.NewBlocked(n, p, opts...)
}

// affordableLines returns for how many lines a filter can have a part of the
// memory, at most n.
func affordableLines(n uint64, p, part float64) (uint64, error) {
	have, err := availableMemory()
	if err != nil || have == 0 {
		return n, err
	}
	need, err := filterSize(n, p)
	if err != nil {
		return 0, err
	}
	return max(1, min(n, uint64(float64(n)*part*float64(have)/need))), nil
}
