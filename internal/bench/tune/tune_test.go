package tune

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// restore puts the row back that is in force.
func restore(t *testing.T) {
	saved := cpu.Tune
	t.Cleanup(func() { cpu.Tune = saved })
}

var quick = Timing{Span: time.Microsecond, Rounds: 3, Total: time.Nanosecond}

// spin makes a work that takes the longer the further a field is from 7.
func spin(name string) Work {
	return Work{Name: name, N: 1, Do: func() {
		wait := 20 * time.Microsecond * time.Duration(1+math.Abs(float64(cpu.Tune.Batches.Chunk-7)))
		for start := time.Now(); time.Since(start) < wait; {
		}
	}}
}

// The value that is fastest is left in force, for the knob after it.
func TestMeasure(t *testing.T) {
	restore(t)
	cpu.Tune.Batches.Chunk = 3
	level := cpu.Current()
	var results []*Result
	knobs := []Knob{
		{Field: "Batches.Chunk", Values: []any{1, 3, 7, 9}, Works: func() []Work { return []Work{spin("a"), spin("b")} }},
		{Field: "Batches.Chunk", Values: []any{5}, Works: func() []Work { return []Work{spin("c")} }},
	}
	err := Measure(context.Background(), knobs, quick, func(r *Result) { results = append(results, r) })
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || cpu.Tune.Batches.Chunk != 7 || cpu.Current() != level {
		t.Fatalf("%d results, %d in force", len(results), cpu.Tune.Batches.Chunk)
	}
	first, second := results[0], results[1]
	if first.Now != 3 || first.Best != 7 || first.Gain < 2 || first.Gain > 10 || len(first.Tried()) != 4 {
		t.Errorf("first: %+v", first)
	}
	if second.Now != 7 || second.Best != 7 || second.Gain != 1 {
		t.Errorf("second: %+v", second)
	}
	if s := first.String(); !strings.HasPrefix(s, "Batches.Chunk: 7 for 3, ") || !strings.Contains(s, ", b ") {
		t.Errorf("first: %s", s)
	}
	if s := second.String(); !strings.HasPrefix(s, "Batches.Chunk: 7 stays; 5 takes ") {
		t.Errorf("second: %s", s)
	}
}

// What a knob is given holds while it is measured, and no longer.
func TestGiven(t *testing.T) {
	restore(t)
	cpu.Tune.Batches.Chunk, cpu.Tune.Words.CountAhead = 3, 11
	given := 0
	knob := Knob{Field: "Batches.Chunk", Values: []any{7}, Given: func() { cpu.Tune.Words.CountAhead = 22 }, Works: func() []Work {
		given = cpu.Tune.Words.CountAhead
		return []Work{spin("a")}
	}}
	if err := Measure(context.Background(), []Knob{knob}, quick, func(*Result) {}); err != nil {
		t.Fatal(err)
	}
	if given != 22 || cpu.Tune.Words.CountAhead != 11 || cpu.Tune.Batches.Chunk != 7 {
		t.Errorf("given %d, %d afterwards; the best value is %d", given, cpu.Tune.Words.CountAhead, cpu.Tune.Batches.Chunk)
	}
}

func TestMeasureStops(t *testing.T) {
	restore(t)
	before := cpu.Tune
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	knobs := []Knob{{Field: "Batches.Chunk", Values: []any{1}, Works: func() []Work { return []Work{spin("a")} }}}
	err := Measure(ctx, knobs, quick, func(*Result) { t.Error("a result") })
	if !errors.Is(err, context.Canceled) || cpu.Tune != before {
		t.Errorf("%v; the row has changed: %v", err, cpu.Tune != before)
	}
}

// Every knob names a field, and has values that may be in a row.
func TestBatches(t *testing.T) {
	restore(t)
	small := Sizes{Cached: []int{4 << 10}, Border: []int{4 << 10, 8 << 10}, Beyond: []int{16 << 10}}
	measured := 0
	err := Measure(context.Background(), Batches(small), quick, func(r *Result) {
		measured++
		for _, v := range r.Tried() {
			if l, ok := v.(cpu.Lookahead); ok && (l.Ahead < 1 || l.Ahead+l.Fill > cpu.MaxLookahead) {
				t.Errorf("%s: %v", r.Field, v)
			}
		}
		for i, times := range r.Times {
			for j, ns := range times {
				if !(ns > 0 && ns < 1e6) || !(r.Shares[i][j] > 0) {
					t.Errorf("%s, %v, %s: %v ns, %v of the median", r.Field, r.Tried()[i], r.Names[j], ns, r.Shares[i][j])
				}
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, k := range Batches(small) {
		if cpu.Has(k.Level) {
			want++
		}
	}
	if measured != want {
		t.Errorf("%d knobs were measured, want %d", measured, want)
	}
}

func TestSource(t *testing.T) {
	restore(t)
	for _, c := range []struct {
		value any
		want  string
	}{
		{cpu.Lookahead{Near: true, Ahead: 4, Fill: 3}, "{true, 4, 3}"},
		{[2]cpu.Lookahead{{Ahead: 1}, {Near: true, Ahead: 2, Fill: 3}}, "[2]Lookahead{{false, 1, 0}, {true, 2, 3}}"},
		{8 << 20, "8 << 20"}, {3 << 10, "3 << 10"}, {1 << 30, "1 << 30"}, {512, "512"}, {0, "0"}, {true, "true"}, {math.MaxInt, "Never"},
	} {
		if got := Literal(c.value); got != c.want {
			t.Errorf("%v: %s, want %s", c.value, got, c.want)
		}
	}
	cpu.Tune.Batches.Chunk = 1234
	s := Source("Batches", cpu.SapphireRapids)
	if !strings.HasPrefix(s, "\tbatchesSapphireRapids = Batches{\n\t\tBlocked") ||
		!strings.Contains(s, "\n\t\tChunk:         1234,\n") || !strings.HasSuffix(s, ",\n\t}\n") {
		t.Errorf("%s", s)
	}
}
