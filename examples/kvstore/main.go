// Command kvstore is a store of keys and values in sorted tables on disk, as in
// LevelDB and its relatives, with a filter beside each table: a key that is in none
// of them is denied without reading the disk. See README.md.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A store keeps what was put last in memory and the rest in tables, newer ones after
// older ones. It has no log: what is not flushed is lost with the process. One
// goroutine at a time may use it.
type store struct {
	folder string
	rate   float64 // false-positive rate of the tables' filters, 0 for none
	memory map[string]string
	tables []*table
	looks  int // at tables, all of which cost a read each if there were no filters
	reads  int // from disk
}

// openStore opens the store in a folder. A table that was written without a filter, or
// whose filter was lost, gets a new one.
func openStore(folder string, rate float64) (*store, error) {
	s := &store{folder: folder, rate: rate, memory: map[string]string{}}
	for {
		t, err := openTable(s.path(len(s.tables)), rate)
		if errors.Is(err, fs.ErrNotExist) {
			return s, nil
		}
		if err != nil {
			return nil, errors.Join(err, s.close())
		}
		s.tables = append(s.tables, t)
	}
}

func (s *store) path(table int) string {
	return filepath.Join(s.folder, fmt.Sprintf("%06d.table", table))
}

func (s *store) close() error {
	var errs []error
	for _, t := range s.tables {
		errs = append(errs, t.close())
	}
	return errors.Join(errs...)
}

func (s *store) put(key, value string) { s.memory[key] = value }

// get returns the value that was put last, and whether there is one.
func (s *store) get(key string) (value string, ok bool, err error) {
	if value, ok = s.memory[key]; ok {
		return value, true, nil
	}
	for _, t := range slices.Backward(s.tables) {
		s.looks++
		if t.filter != nil && !t.filter.TestString(key) {
			continue // certainly not in this table
		}
		s.reads++
		if value, ok, err = t.get(key); ok || err != nil {
			return value, ok, err
		}
	}
	return "", false, nil
}

// flush writes what is in memory as the newest table.
func (s *store) flush() error {
	path := s.path(len(s.tables))
	if err := writeTable(path, s.memory); err != nil {
		return err
	}
	t, err := openTable(path, s.rate)
	if err != nil {
		return err
	}
	s.tables = append(s.tables, t)
	clear(s.memory)
	return nil
}

func main() {
	d := demo{tables: 10, keys: 20_000, lookups: 20_000}
	flag.IntVar(&d.tables, "tables", d.tables, "tables")
	flag.IntVar(&d.keys, "keys", d.keys, "keys in each")
	flag.IntVar(&d.lookups, "lookups", d.lookups, "keys that are looked up")
	rate := flag.Float64("p", 0.01, "false-positive rate of a table's filter")
	flag.Parse()

	folder, err := os.MkdirTemp("", "kvstore")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	if err := d.run(folder, *rate); err != nil {
		log.Print(err)
	}
}

// A demo is a store of several tables, and look-ups in it.
type demo struct{ tables, keys, lookups int }

// run fills two stores, one without filters, and looks the same keys up in both.
func (d demo) run(folder string, rate float64) error {
	fmt.Printf("%d tables of %d keys, %d look-ups of each kind\n\n", d.tables, d.keys, d.lookups)
	fmt.Println("filters  look-ups  tables asked  disk reads  reads per look-up  µs per look-up")
	for _, filters := range []struct {
		name string
		rate float64
	}{{"without", 0}, {"with", rate}} {
		folder := filepath.Join(folder, filters.name)
		if err := d.fill(folder, filters.rate); err != nil {
			return err
		}
		s, err := openStore(folder, filters.rate) // as after a restart: filters are mapped
		if err != nil {
			return err
		}
		defer s.close()
		for _, kind := range []string{"present", "absent"} {
			s.looks, s.reads = 0, 0
			start := time.Now()
			if err := d.look(s, kind == "present"); err != nil {
				return err
			}
			each := float64(d.lookups)
			fmt.Printf("%-7s  %-8s  %12d  %10d  %17.3f  %14.1f\n", filters.name, kind, s.looks, s.reads,
				float64(s.reads)/each, float64(time.Since(start).Microseconds())/each)
		}
		if filters.rate > 0 {
			fmt.Printf("\nof the tables asked for absent keys, %.2f %% were read (p = %g %%)\n",
				100*float64(s.reads)/float64(s.looks), 100*rate)
		}
	}
	return nil
}

// fill writes a store. Keys are spread over all tables, so that the tables' first and
// last keys tell nothing.
func (d demo) fill(folder string, rate float64) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	s, err := openStore(folder, rate)
	if err != nil {
		return err
	}
	for t := range d.tables {
		for i := range d.keys {
			s.put(d.key(i*d.tables+t, true), fmt.Sprintf("what the store knows of it, %d", i))
		}
		if err := s.flush(); err != nil {
			return errors.Join(err, s.close())
		}
	}
	return s.close()
}

// key returns key i: present and absent ones take turns in the order of keys.
func (d demo) key(i int, present bool) string {
	return fmt.Sprintf("user:%08d:%v", i, present)
}

// look looks keys up, in an order that the disk's cache does not know.
func (d demo) look(s *store, present bool) error {
	const prime = 7919
	n := d.tables * d.keys
	for i := range d.lookups {
		key := d.key(i*prime%n, present)
		if _, ok, err := s.get(key); err != nil {
			return err
		} else if ok != present {
			return fmt.Errorf("%s: present is %v, want %v", key, ok, present)
		}
	}
	return nil
}
