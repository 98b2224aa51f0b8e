package tests

import (
	"io"
	"runtime"
	"testing"
	"time"

	. "github.com/bitsieve/bitsieve"
)

// BenchmarkGCBeside measures how long a garbage collection takes beside each verb
// that may run for seconds: assembly cannot be preempted, and the collection waits
// for it. The figures are the longest and the number of collections.
//
//	go test -run '^$' -bench GCBeside -benchtime 1x ./tests
//
// That calls into assembly are short is a test of each room: those of the pieces
// into which they cut.
func BenchmarkGCBeside(b *testing.B) {
	if testing.Short() {
		b.Skip("operands of gigabytes")
	}
	const nkeys = 200_000_000
	keys := make([]uint64, nkeys)
	for i := range keys {
		keys[i] = uint64(i)
	}
	f := mustBlocked(b, 1<<22, 8) // 256 MiB
	var hits BitSet
	beside := func(name string, verb func()) {
		b.Run(name, func(b *testing.B) {
			var longest time.Duration
			n := 0
			for b.Loop() {
				done := make(chan struct{})
				go func() {
					defer close(done)
					verb()
				}()
				for running := true; running; n++ {
					time.Sleep(5 * time.Millisecond)
					start := time.Now()
					runtime.GC()
					longest = max(longest, time.Since(start))
					select {
					case <-done:
						running = false
					default:
					}
				}
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-GC-ms")
			b.ReportMetric(float64(n), "GCs")
		})
	}
	beside("verb=none", func() { time.Sleep(time.Second) })
	beside("verb=AddUint64s", func() { f.AddUint64s(keys) })
	beside("verb=AddHashes", func() { f.AddHashes(keys) })
	beside("verb=TestUint64s", func() { f.TestUint64s(keys, &hits) })
	beside("verb=TestUint64s,nil", func() { f.TestUint64s(keys, nil) })
	beside("verb=TestAndAddUint64s", func() { f.TestAndAddUint64s(keys, &hits) })
	beside("verb=Blocked.WriteTo", func() {
		if _, err := f.WriteTo(io.Discard); err != nil {
			b.Error(err)
		}
	})
	beside("verb=Blocked.Fill", func() { sinkInt += int(f.Fill()) })

	x, y, dst := keys[:nkeys/2], keys[nkeys/2:], make([]uint64, nkeys/2) // 800 MB each
	beside("verb=Count", func() { sinkInt += Count(keys) })
	beside("verb=And", func() { And(dst, x, y) })
	beside("verb=Or,inPlace", func() { Or(dst, dst, y) })
	beside("verb=AndCount", func() { sinkInt += AndCount(x, y) })
	beside("verb=AndAll", func() { AndAll(dst, x, y, keys[1:], keys[2:]) })
	beside("verb=OrAllCount", func() { sinkInt += OrAllCount(x, y, keys[1:], keys[2:]) })
	counts := make([]int, len(y)/64)
	beside("verb=AndCountRows", func() { sinkInt += AndCountRows(counts, x[:64], y) })

	s, mask := FromWords(x), FromWords(y)
	beside("verb=BitSet.InPlaceUnion", func() { s.InPlaceUnion(mask) })
	beside("verb=BitSet.Extract", func() { sinkInt += int(s.Extract(mask).Len()) })
	beside("verb=BitSet.Deposit", func() { sinkInt += int(s.Deposit(mask).Len()) })
	indices := make([]uint32, 0, 1<<30)
	beside("verb=AppendIndices32", func() { sinkInt += len(AppendIndices32(indices, x[:1<<24])) })
	runtime.KeepAlive(keys)
}
