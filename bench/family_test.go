package main

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bitsieve/bitsieve/internal/bench/report"
)

func tinyFamilyPlan() familyPlan {
	return familyPlan{
		sizes: []int64{64 << 10}, rounds: 5, target: 100 * time.Microsecond, trials: 1e5, slice: 1 << 10, l3: 1 << 20,
	}
}

// TestFamilySmoke measures every member of every family at a tiny size.
func TestFamilySmoke(t *testing.T) {
	p := tinyFamilyPlan()
	count := 0
	err := measureFamilies(p, regexp.MustCompile(""), func(r *familyRun) {
		count++
		if len(r.tasks) < 2 || len(r.runs) < 2 {
			t.Errorf("%s: %d tasks of %d members", r.name, len(r.tasks), len(r.runs))
		}
		for _, m := range r.runs {
			for _, task := range r.tasks {
				samples := m.samples[task]
				if len(samples) != p.rounds && m.can(task) || len(samples) > 0 && !m.can(task) {
					t.Errorf("%s, %s, %s: samples %v", r.name, m.name, task, samples)
				}
			}
			if m.error == "" || m.bytes < 0 {
				t.Errorf("%s, %s: error %q, %g bytes a key", r.name, m.name, m.error, m.bytes)
			}
		}
		lines := strings.Split(strings.TrimSpace(r.markdown()), "\n")
		if len(lines) != 2+len(r.runs) {
			t.Errorf("%s: a table of %d lines", r.name, len(lines))
		}
		for _, l := range lines {
			if strings.Count(l, "|") != strings.Count(lines[0], "|") {
				t.Errorf("%s: %s", r.name, l)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if count != len(families()) {
		t.Errorf("%d families", count)
	}
	if table := sortFamily(p); strings.Count(table, "\n") != 2+len(sorters()) {
		t.Errorf("sorters:\n%s", table)
	}
}

// TestFamilyMeasuresWhatIsRight checks that members which answer wrongly are not
// measured, whatever is wrong.
func TestFamilyMeasuresWhatIsRight(t *testing.T) {
	set, counts := families()[1], families()[2]
	for _, c := range []struct {
		of   family
		make func(size int64, n uint64) any
		want string
	}{
		{set, func(int64, uint64) any { return &liar{mapMember: mapMember{}, forget: true} }, "missing"},
		{set, func(int64, uint64) any { return &liar{mapMember: mapMember{}, keep: true} }, "removed keys pass"},
		{set, func(int64, uint64) any { return &liar{mapMember: mapMember{}, excess: 1} }, "in batches"},
		{counts, func(int64, uint64) any { return &lowCounts{countMapMember{}} }, "too low"},
	} {
		c.of.members = []memberSpec{{name: "liar", kind: report.Peer, make: c.make}}
		if _, err := runFamily(c.of, tinyFamilyPlan(), 64<<10); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A liar forgets a key in a thousand, keeps those that are removed, or counts too many.
type liar struct {
	mapMember
	forget, keep bool
	excess       int
	added        int
}

func (l *liar) add(keys []uint64) {
	for i := range keys {
		if l.added++; !l.forget || l.added%1000 > 0 {
			l.mapMember.add(keys[i : i+1])
		}
	}
}

func (l *liar) testBatch(keys []uint64) int { return l.test(keys) + l.excess }

func (l *liar) remove(keys []uint64) int {
	if l.keep {
		return len(keys)
	}
	return l.mapMember.remove(keys)
}

type lowCounts struct{ countMapMember }

func (l *lowCounts) count(keys, counts []uint64) {
	l.countMapMember.count(keys, counts)
	counts[0]--
}

// TestFamilyKeys checks that the addresses and the stream are what they are said to be.
func TestFamilyKeys(t *testing.T) {
	seen := map[uint64]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(1 << 16) {
		for _, i := range []uint64{i, 1<<40 + i, 1<<27 - 1 - i} {
			x := ipv4Key(i)
			if seen[x] || x >= 1<<32 {
				t.Fatalf("address %d is %#x, not a new one", i, x)
			}
			seen[x] = true
		}
	}
	const n = 1 << 12
	counts := map[uint64]uint64{}
	for _, x := range zipf(n) {
		counts[x]++
	}
	if len(counts) != n {
		t.Errorf("%d different keys", len(counts))
	}
	key := families()[2].key
	for range 1000 {
		i := r.Uint64N(n)
		if counts[key(i)] != zipfWeight(i, n) {
			t.Fatalf("key %d comes %d times, want %d", i, counts[key(i)], zipfWeight(i, n))
		}
	}
}
