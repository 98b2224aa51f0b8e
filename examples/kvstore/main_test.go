package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestAgainstMap puts keys, many of them again, through flushes and restarts, and
// compares every answer with a map's.
func TestAgainstMap(t *testing.T) {
	for _, rate := range []float64{0, 0.1} {
		folder, want := t.TempDir(), map[string]string{}
		random := rand.New(rand.NewPCG(1, 2))
		s := open(t, folder, rate)
		for i := range 3000 {
			key := fmt.Sprintf("key%d", random.IntN(1000))
			value := fmt.Sprint(i)
			s.put(key, value)
			want[key] = value
			if i%500 == 499 {
				if err := s.flush(); err != nil {
					t.Fatal(err)
				}
			}
			if i%1000 == 999 {
				if err := s.close(); err != nil {
					t.Fatal(err)
				}
				s = open(t, folder, rate)
			}
			for range 3 {
				key := fmt.Sprintf("key%d", random.IntN(2000))
				got, ok, err := s.get(key)
				value, present := want[key]
				if err != nil || ok != present || got != value {
					t.Fatalf("rate %g: %s is %q, %v, %v; want %q, %v", rate, key, got, ok, err, value, present)
				}
			}
		}
		if len(s.tables) != 6 {
			t.Errorf("%d tables", len(s.tables))
		}
		s.close()
	}
}

// TestReadsSaved checks that of all reads for absent keys, about the share p is left.
func TestReadsSaved(t *testing.T) {
	d := demo{tables: 4, keys: 2000, lookups: 4000}
	const p = 0.05
	for _, rate := range []float64{0, p} {
		folder := t.TempDir()
		if err := d.fill(folder, rate); err != nil {
			t.Fatal(err)
		}
		s := open(t, folder, rate)
		defer s.close()
		if err := d.look(s, false); err != nil {
			t.Fatal(err)
		}
		share := float64(s.reads) / float64(s.looks)
		if s.looks != d.tables*d.lookups || rate == 0 && share != 1 || rate > 0 && (share > p || share < p/2) {
			t.Errorf("rate %g: %d reads for %d looks at tables", rate, s.reads, s.looks)
		}
		if err := d.look(s, true); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLostFilter damages filters: each is made again, and nothing is missing.
func TestLostFilter(t *testing.T) {
	folder := t.TempDir()
	d := demo{tables: 2, keys: 500, lookups: 1000}
	if err := d.fill(folder, 0.01); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.filter"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	if err := os.WriteFile(files[0], []byte("no filter"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(files[1]); err != nil {
		t.Fatal(err)
	}
	for _, rate := range []float64{0.01, 0.1} { // the second asks for other filters
		s := open(t, folder, rate)
		if err := d.look(s, true); err != nil {
			t.Error(err)
		}
		if _, p := s.tables[0].filter.Capacity(); p != rate {
			t.Errorf("a filter of rate %g, want %g", p, rate)
		}
		s.close()
	}
}

// TestCorruptTable cuts and changes a table: it may be refused or answer wrongly, but
// nothing panics.
func TestCorruptTable(t *testing.T) {
	folder := t.TempDir()
	d := demo{tables: 1, keys: 100, lookups: 10}
	if err := d.fill(folder, 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "000000.table")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		bad := append([]byte{}, good...)
		if i%2 == 0 {
			bad = bad[:random.IntN(len(bad))]
		} else {
			end := len(bad) - random.IntN(min(64, len(bad)))
			bad[end-1] ^= byte(1 + random.IntN(255))
		}
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := openStore(folder, 0); err == nil {
			d.look(s, true)
			s.close()
		}
	}
}

func open(t *testing.T, folder string, rate float64) *store {
	t.Helper()
	s, err := openStore(folder, rate)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
