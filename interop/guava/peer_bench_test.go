package guava

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// A series holds the nanoseconds a key of one contender in one operation, one a round.
type series []float64

func (s series) String() string {
	sorted := slices.Sorted(slices.Values(s))
	return fmt.Sprintf("%6.1f (%.1f to %.1f)", s.median(), sorted[0], sorted[len(sorted)-1])
}

func (s series) median() float64 { return slices.Sorted(slices.Values(s))[len(s)/2] }

// A javaBench is a JVM that runs Peer.java's command bench.
type javaBench struct {
	stdin  io.Writer
	stdout *bufio.Reader
}

func startBench(b *testing.B, n int) javaBench {
	peer := javaPeer(b)
	cmd := exec.Command(peer[0], append(peer[1:], "bench", fmt.Sprint(n))...)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	return javaBench{stdin, bufio.NewReader(stdout)}
}

// run returns the nanoseconds and the hits, or changes, of an operation.
func (j javaBench) run(b *testing.B, op string) (ns, hits int) {
	fmt.Fprintln(j.stdin, op)
	line, err := j.stdout.ReadString('\n')
	if err == nil {
		_, err = fmt.Sscan(line, &ns, &hits)
	}
	if err != nil {
		b.Fatalf("%s: %q: %v", op, line, err)
	}
	return ns, hits
}

// A contender is a way of ours to do the three operations.
type contender struct {
	name  string
	keys  int // how many of the keys it does
	level cpu.Level
	add   func(f *Filter, keys []int32)
	test  func(f *Filter, keys []int32) int
}

func contenders(n int) (cs []contender) {
	best := cpu.Current()
	cs = append(cs, contender{"single", n / 10, best,
		func(f *Filter, keys []int32) {
			for _, key := range keys {
				f.AddInt32(key)
			}
		},
		func(f *Filter, keys []int32) (hits int) {
			for _, key := range keys {
				if f.TestInt32(key) {
					hits++
				}
			}
			return hits
		}})
	for _, l := range cpu.Available() {
		keys := n / 10
		if l == best {
			keys = n
		}
		cs = append(cs, contender{"batch, " + l.String(), keys, l, (*Filter).AddInt32s,
			func(f *Filter, keys []int32) int { return f.TestInt32s(keys, nil) }})
	}
	return cs
}

// BenchmarkGuava compares the filter with Guava's own on the example of its
// documentation: n integers at a rate of 0.01, put, found again, and as many that are not
// there. After a warm-up the contenders take turns, and every iteration is a round: figures
// are medians of nanoseconds a key, with the lowest and the highest. Single calls and lower
// levels do a tenth of the keys.
//
//	go test -run '^$' -bench 'Guava$' -benchtime 5x ./interop/guava
func BenchmarkGuava(b *testing.B) {
	const n = 10_000_000
	present, absent := ints(n, 0), ints(n, n)
	java := startBench(b, n)
	cs, level := contenders(n), cpu.Current()
	defer cpu.Set(level)
	ops := []string{"put", "present", "absent"}
	results := map[string]series{}
	round := func(measured bool) {
		record := func(name, op string, ns float64, keys int) {
			if measured {
				results[name+"/"+op] = append(results[name+"/"+op], ns/float64(keys))
			}
		}
		hits := map[string]int{}
		for _, op := range ops {
			ns, count := java.run(b, op)
			record("Guava", op, float64(ns), n)
			hits[op] = count
		}
		for _, c := range cs {
			cpu.Set(c.level)
			start := time.Now()
			f, err := New(n, 0.01)
			if err != nil {
				b.Fatal(err)
			}
			c.add(f, present[:c.keys])
			record(c.name, "put", float64(time.Since(start)), c.keys)
			f.AddInt32s(present[c.keys:])
			for op, keys := range map[string][]int32{"present": present[:c.keys], "absent": absent[:c.keys]} {
				start := time.Now()
				got := c.test(f, keys)
				record(c.name, op, float64(time.Since(start)), c.keys)
				if c.keys == n && got != hits[op] {
					b.Fatalf("%s: %s: %d hits, Guava has %d", c.name, op, got, hits[op])
				}
			}
		}
	}
	round(false)
	for b.Loop() {
		round(true)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "\nns a key, median of %d rounds (lowest to highest), and how often it goes into Guava's\n", b.N)
	names := []string{"Guava"}
	for _, c := range cs {
		names = append(names, c.name)
	}
	for _, op := range ops {
		for _, name := range names {
			s := results[name+"/"+op]
			fmt.Fprintf(&table, "%-8s%-15s%-25v%6.2f\n", op, name, s, results["Guava/"+op].median()/s.median())
		}
		b.ReportMetric(results["Guava/"+op].median(), "guava-"+op+"-ns/key")
		b.ReportMetric(results["batch, "+level.String()+"/"+op].median(), op+"-ns/key")
	}
	fmt.Print(table.String()) // b.Log would cut it at ten lines
}
