package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unsafe"

	"github.com/bitsieve/bitsieve"
	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/tune"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// knobs returns what bench -tune measures. A field of cpu.Tuning that is to be
// measured too needs a knob in this list and nothing else.
func knobs() []tune.Knob {
	return append(append(tune.Batches(tune.Standard), wordKnobs(wordLengths)...),
		tune.Knob{Field: "Batches.Chunk", Values: []any{512, 1024, 2048},
			Works: func() []tune.Work { return stringWorks(4<<20, 64<<20) }},
		tune.Knob{Field: "Batches.BloomNear", Values: []any{false, true},
			Works: func() []tune.Work { return bloomWorks(256<<10, 4<<20, 64<<20) }})
}

// tuneKeys is the number of keys that a filter's work goes around.
const tuneKeys = 1 << 20

// stringWorks tests strings of 16 bytes in blocked filters of the given sizes.
func stringWorks(sizes ...uint64) (works []tune.Work) {
	keys := make([]string, tuneKeys)
	text := make([]byte, 16*tuneKeys)
	for i := range keys {
		key := text[16*i : 16*i+16]
		binary.LittleEndian.PutUint64(key, uint64(i))
		keys[i] = unsafe.String(&key[0], len(key))
	}
	var hits bitsieve.BitSet
	for _, size := range sizes {
		f, err := bitsieve.NewBlockedWithSize(size/64, 8)
		if err != nil {
			panic(err)
		}
		works = append(works, tune.Work{Name: fmt.Sprintf("TestStrings %d MiB", size>>20), N: tune.Batch,
			Do: tune.Each(keys, tune.Batch, func(b []string) { f.TestStrings(b, &hits) })})
	}
	return works
}

// bloomWorks tests and adds integers in standard filters of the given sizes.
func bloomWorks(sizes ...uint64) (works []tune.Work) {
	r := rand.New(rand.NewPCG(12, 13))
	keys := make([]uint64, tuneKeys)
	for i := range keys {
		keys[i] = r.Uint64()
	}
	var hits bitsieve.BitSet
	for _, size := range sizes {
		f, err := bitsieve.NewBloomWithSize(8*size, 7)
		if err != nil {
			panic(err)
		}
		where := fmt.Sprintf(" Bloom %d KiB", size>>10)
		works = append(works,
			tune.Work{Name: "Add" + where, N: tune.Batch, Do: tune.Each(keys, tune.Batch, f.AddUint64s)},
			tune.Work{Name: "Test" + where, N: tune.Batch,
				Do: tune.Each(keys, tune.Batch, func(b []uint64) { f.TestUint64s(b, &hits) })})
	}
	return works
}

// tune measures knobs and prints what came of each, and the row as Go source. It
// leaves the row in force as it was.
func (t *tool) tune(ctx context.Context, knobs []tune.Knob, timing tune.Timing) error {
	saved := cpu.Tune
	defer func() { cpu.Tune = saved }()
	var text strings.Builder
	m := machine.Detect(cpu.Names(), false)
	name := m.Lines()[0][1]
	fmt.Fprintf(&text, "%s\ntuned for %s\n\n", name, cpu.DescribeTuning())
	var parts []string
	t.startSteps(len(knobs))
	err := tune.Measure(ctx, knobs, timing, func(r *tune.Result) {
		t.progress.add(1)
		part, _, _ := strings.Cut(r.Field, ".")
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
		fmt.Fprintln(&text, r)
	})
	if err != nil {
		return err
	}
	t.stopProgress()
	for _, part := range parts {
		fmt.Fprintf(&text, "\n\t// %s\n%s", name, tune.Source(part, cpu.Machine()))
	}
	_, err = fmt.Fprint(t.stdout, text.String())
	return err
}
