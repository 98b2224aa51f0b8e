//go:build !purego

package block_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/tune"
	"github.com/bitsieve/bitsieve/internal/calibrate"
	"github.com/bitsieve/bitsieve/internal/cpu"
)

// TestSweep prints what each hint and distance costs, in ns a key: the figures that
// a row of internal/cpu's table is filled in from.
//
//	BITSIEVE_CALIBRATE=1 go test -run 'Sweep/avx512/64MiB' -v ./internal/block
func TestSweep(t *testing.T) {
	if os.Getenv(calibrate.Env) == "" {
		t.Skip(calibrate.Env + " is not set")
	}
	saved := cpu.Tune
	defer func() { cpu.Tune = saved }()
	for _, level := range []struct {
		level cpu.Level
		field string
	}{{cpu.LevelAVX512, "Batches.Blocked512"}, {cpu.LevelAVX2, "Batches.Blocked256"}} {
		t.Run(level.level.String(), func(t *testing.T) {
			if !cpu.Has(level.level) {
				t.Skip("not here")
			}
			for _, size := range []int{256 << 10, 1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20, 32 << 20, 64 << 20, 256 << 20, 1 << 30} {
				for _, n := range []int{16, 32, 64, 128, 256, 512, tune.Batch} {
					for _, k := range []int{6, 8, 12} {
						t.Run(fmt.Sprintf("%dKiB/n=%d/k=%d", size>>10, n, k), func(t *testing.T) {
							cpu.Tune.Batches.BlockedCached = 0 // all sizes go by the second
							sweep(t, tune.Knob{Field: level.field + "[1]", Level: level.level, Values: tune.Distances(),
								Works: func() []tune.Work { return tune.Blocked([]int{size}, k, n) }})
						})
					}
				}
			}
		})
	}
}

func sweep(t *testing.T, k tune.Knob) {
	timing := tune.Timing{Span: 300 * time.Microsecond, Rounds: 100, Total: 5 * time.Second}
	err := tune.Measure(context.Background(), []tune.Knob{k}, timing, func(r *tune.Result) {
		values := r.Tried()
		order := make([]int, len(values))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int {
			if r.Relative(i) < r.Relative(j) {
				return -1
			}
			return 1
		})
		t.Logf("%-18s %s", "", strings.Join(r.Names, "  "))
		for _, i := range order {
			now := ""
			if i == 0 {
				now = "  in force"
			}
			t.Logf("%-18s %.3f of the median; at least %.3f ns%s", tune.Literal(values[i]), r.Shares[i], r.Times[i], now)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
