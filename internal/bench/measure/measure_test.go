package measure

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/machine"
	"github.com/bitsieve/bitsieve/internal/bench/report"
)

func TestKeysDistinct(t *testing.T) {
	seen := map[uint64]bool{}
	for family := uint64(0); family < 4; family++ {
		for _, from := range []uint64{0, AbsentFrom, TrialFrom} {
			for i := range uint64(10_000) {
				seen[Key(family, from+i)] = true
			}
		}
	}
	if len(seen) != 4*3*10_000 {
		t.Errorf("%d distinct keys, want %d", len(seen), 4*3*10_000)
	}
}

func TestCursorCoversAll(t *testing.T) {
	c := Cursor[int]{Keys: make([]int, 3*Batch)}
	for i := range c.Keys {
		c.Keys[i] = i
	}
	for i := range 7 {
		if got := c.Next(); len(got) != Batch || got[0] != i%3*Batch {
			t.Fatalf("batch %d begins at %d", i, got[0])
		}
	}
}

// A run sets up, fills, measures and cleans up in this order, and skips what
// needs more memory than there is.
func TestRun(t *testing.T) {
	var log []string
	note := func(s string) func() { return func() { log = append(log, s) } }
	contender := func(name, kind string, d time.Duration) Contender {
		return Contender{Impl: name, Kind: kind, Wake: note("wake " + name), Run: func(calls int) {
			for start := time.Now(); time.Since(start) < d*time.Duration(calls); {
			}
		}}
	}
	stage := &Stage{
		Title: "stage",
		Groups: []*Group{{Op: "Op", Size: 64, Unit: report.Bytes, PerCall: 64, Contenders: []Contender{
			contender("slow", report.Ours, 20*time.Microsecond),
			contender("limit", report.Bound, 5*time.Microsecond),
		}}},
		Setup:   func() error { note("setup")(); return nil },
		Fill:    func(step func()) error { note("fill")(); step(); return nil },
		Fills:   1,
		Cleanup: note("cleanup"),
	}
	huge := &Stage{Title: "huge", Need: 1 << 60, Setup: func() error { return errors.New("no") }}
	if !machineTells() {
		huge.Setup, huge.Cleanup = func() error { return nil }, func() {}
	}
	p := new(steps)
	run := Run{Rounds: 5, KernelTime: 100 * time.Microsecond, Progress: p}
	r := new(report.Report)
	stages := []*Stage{huge, stage}
	if err := run.Stages(context.Background(), stages, r); err != nil {
		t.Fatal(err)
	}
	if want := []string{"setup", "fill", "wake slow", "wake limit", "cleanup"}; !slices.Equal(log, want) {
		t.Errorf("%q, want %q", log, want)
	}
	if want := run.Steps(stages); p.n != want || want != 1+2*5 {
		t.Errorf("%d steps done of %d", p.n, want)
	}
	if len(r.Rows) != 2 || len(r.Rows[0].Samples) != 5 {
		t.Fatalf("rows: %+v", r.Rows)
	}
	if v := r.Rows[0].VsLimit; v < 1.5 {
		t.Errorf("%.2f times the limit, want about 4", v)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := run.Stages(ctx, []*Stage{stage}, r); !errors.Is(err, context.Canceled) || len(r.Rows) != 2 {
		t.Errorf("after its context's end: %v, %d rows", err, len(r.Rows))
	}
}

func machineTells() bool { return machine.AvailableMemory() > 0 }

type steps struct{ n int }

func (s *steps) Say(string)  {}
func (s *steps) Step()       { s.n++ }
func (s *steps) Note(string) {}
