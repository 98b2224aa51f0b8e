package pebble

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// quiet drops what Pebble has to say, but for what is fatal.
type quiet struct{ pebble.Logger }

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}

// openDB opens a database whose tables stay in level 0, where every look-up asks all their filters. It
// writes filters by policy, and reads those of policy and of others.
func openDB(t testing.TB, fs vfs.FS, policy pebble.FilterPolicy, others ...pebble.FilterPolicy) *pebble.DB {
	t.Helper()
	o := &pebble.Options{
		FS: fs, Logger: quiet{pebble.DefaultLogger},
		DisableAutomaticCompactions: true, L0StopWritesThreshold: 1000,
		MemTableSize: 64 << 20, CacheSize: 512 << 20,
		Filters: map[string]pebble.FilterPolicy{},
	}
	o.Levels[0].FilterPolicy = policy
	for _, p := range others {
		o.Filters[p.Name()] = p
	}
	db, err := pebble.Open("db", o)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// dbKey returns a key; those of odd i are never written.
func dbKey(i int) []byte {
	return binary.BigEndian.AppendUint64([]byte("key-"), uint64(i)*0x9e3779b97f4a7c15)
}

// fillDB writes n keys to each of a number of tables.
func fillDB(t testing.TB, db *pebble.DB, tables, n int) {
	t.Helper()
	for i := range tables {
		b := db.NewBatch()
		for j := range n {
			key := dbKey(2 * (i*n + j))
			if err := b.Set(key, key, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(b.Commit(pebble.NoSync), db.Flush()); err != nil {
			t.Fatal(err)
		}
	}
}

// readDB looks up n keys that are there and n that are not, and returns how often a filter spared a
// table, and how often it did not.
func readDB(t testing.TB, db *pebble.DB, n int) (spared, read int64) {
	t.Helper()
	for i := range 2 * n {
		key := dbKey(i)
		value, closer, err := db.Get(key)
		switch {
		case i%2 == 1:
			if !errors.Is(err, pebble.ErrNotFound) {
				t.Fatalf("key %d was never written: %v", i, err)
			}
		case err != nil:
			t.Fatalf("key %d is lost: %v", i, err)
		default:
			if string(value) != string(key) {
				t.Fatalf("key %d has the value %x", i, value)
			}
			closer.Close()
		}
	}
	f := db.Metrics().Filter
	return f.Hits, f.Misses
}

// TestDatabase writes databases by one policy and reads them by another. The numbers of tables that the
// filters spare must be the same for both of Pebble's own format.
func TestDatabase(t *testing.T) {
	const tables = 4
	n := 2000
	if testing.Short() {
		n = 400
	}
	peer, ours, blocked := bloom.FilterPolicy(10), FilterPolicy(10), BlockedPolicy(10)
	type counts struct{ spared, read int64 }
	want := map[bool]counts{} // by whether the filters are blocked
	for _, c := range []struct {
		name         string
		write        pebble.FilterPolicy
		read         []pebble.FilterPolicy
		blocked, use bool
	}{
		{"Pebble's, read by Pebble's", peer, []pebble.FilterPolicy{peer}, false, true},
		{"Pebble's, read by ours", peer, []pebble.FilterPolicy{ours}, false, true},
		{"ours, read by Pebble's", ours, []pebble.FilterPolicy{peer}, false, true},
		{"ours, read by ours", ours, []pebble.FilterPolicy{ours}, false, true},
		{"blocked, read by blocked", blocked, []pebble.FilterPolicy{blocked}, true, true},
		{"blocked, read by Pebble's", blocked, []pebble.FilterPolicy{peer}, true, false},
		{"blocked, read by Pebble's and blocked", blocked, []pebble.FilterPolicy{peer, blocked}, true, true},
		{"Pebble's, read by blocked", peer, []pebble.FilterPolicy{blocked}, false, false},
		{"Pebble's, read by blocked and ours", peer, []pebble.FilterPolicy{blocked, ours}, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			fs := vfs.NewMem()
			db := openDB(t, fs, c.write)
			fillDB(t, db, tables, n)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = openDB(t, fs, c.read[0], c.read[1:]...)
			defer db.Close()
			spared, read := readDB(t, db, tables*n)
			if !c.use {
				if spared+read != 0 {
					t.Errorf("filters of an unknown policy were asked %d times", spared+read)
				}
				return
			}
			w, ok := want[c.blocked]
			if !ok {
				w = counts{spared, read}
				want[c.blocked] = w
			}
			if (counts{spared, read}) != w {
				t.Errorf("filters spared %d reads and did not spare %d; with the format's own policy %v", spared, read, w)
			}
			// Every key that is there is in one table: the others should be spared.
			asked, there := float64(spared+read), float64(tables*n)
			if rate := (float64(read) - there) / (asked - there); rate < 0.004 || rate > 0.02 {
				t.Errorf("false-positive rate %.4f", rate)
			}
		})
	}
}

// TestCompaction changes a database over: a compaction writes the filters anew, by the new policy.
func TestCompaction(t *testing.T) {
	fs := vfs.NewMem()
	db := openDB(t, fs, bloom.FilterPolicy(10))
	fillDB(t, db, 3, 2000)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openDB(t, fs, BlockedPolicy(10), FilterPolicy(10))
	fillDB(t, db, 3, 2000) // the same keys again, over the old ones
	if err := db.Compact(t.Context(), []byte("k"), []byte("l"), false); err != nil {
		t.Fatal(err)
	}
	readDB(t, db, 6000)
	infos, err := db.SSTables(pebble.WithProperties())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, level := range infos {
		for _, info := range level {
			n++
			if got, want := info.Properties.FilterPolicyName, (BlockedPolicy(10)).Name(); got != want {
				t.Errorf("a table has the filter %q after the compaction, want %q", got, want)
			}
		}
	}
	if n == 0 {
		t.Error("no tables")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkGet looks up keys that are not there in a database of ten tables in memory, which asks ten
// filters; the block cache holds everything. The databases take turns.
func BenchmarkGet(b *testing.B) {
	for _, n := range []int{1000, 30_000} {
		var dbs []*pebble.DB
		for _, c := range contenders {
			db := openDB(b, vfs.NewMem(), c.policy)
			defer db.Close()
			fillDB(b, db, 10, n)
			readDB(b, db, n)
			dbs = append(dbs, db)
		}
		const turn = 500
		from := 1
		b.Run(fmt.Sprintf("tables=10/keys=%d", n), func(b *testing.B) {
			byTurns(b, turn, func(i int) {
				for j := range turn {
					if _, _, err := dbs[i].Get(dbKey((from + 2*j) % (20 * n))); err == nil {
						b.Fatal("found what was never written")
					}
				}
				if i == len(dbs)-1 {
					from += 2 * turn
				}
			})
		})
	}
}
