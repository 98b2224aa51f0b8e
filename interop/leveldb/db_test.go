package leveldb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

// counting counts what a policy answers.
type counting struct {
	filter.Filter
	may, not *atomic.Int64
}

func count(f filter.Filter) counting { return counting{f, new(atomic.Int64), new(atomic.Int64)} }

func (c counting) Contains(data, key []byte) bool {
	hit := c.Filter.Contains(data, key)
	if hit {
		c.may.Add(1)
	} else {
		c.not.Add(1)
	}
	return hit
}

// dbKey returns a key; those of odd i are never written.
func dbKey(i int) []byte {
	return binary.BigEndian.AppendUint64([]byte("key-"), uint64(i)*0x9e3779b97f4a7c15)
}

func openDB(t testing.TB, s storage.Storage, f filter.Filter) *leveldb.DB {
	t.Helper()
	db, err := leveldb.Open(s, &opt.Options{Filter: f})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// fillDB writes n keys and puts them into tables.
func fillDB(t testing.TB, db *leveldb.DB, n int) {
	t.Helper()
	var b leveldb.Batch
	for i := range n {
		b.Put(dbKey(2*i), dbKey(2*i))
	}
	if err := errors.Join(db.Write(&b, nil), db.CompactRange(util.Range{})); err != nil {
		t.Fatal(err)
	}
}

// TestDatabase writes databases by one policy and reads them by another. What the filters answer must be the
// same.
func TestDatabase(t *testing.T) {
	const n = 5000
	theirs, ours := filter.NewBloomFilter(10), NewBloomFilter(10)
	var want [2]int64
	for i, c := range []struct {
		name        string
		write, read filter.Filter
	}{
		{"goleveldb's, read by goleveldb's", theirs, theirs},
		{"goleveldb's, read by ours", theirs, ours},
		{"ours, read by goleveldb's", ours, theirs},
		{"ours, read by ours", ours, ours},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storage.NewMemStorage()
			db := openDB(t, s, c.write)
			fillDB(t, db, n)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			counted := count(c.read)
			db = openDB(t, s, counted)
			defer db.Close()
			for i := range 2 * n {
				value, err := db.Get(dbKey(i), nil)
				if i%2 == 1 && !errors.Is(err, leveldb.ErrNotFound) || i%2 == 0 && (err != nil || string(value) != string(dbKey(i))) {
					t.Fatalf("key %d: %x, %v", i, value, err)
				}
			}
			got := [2]int64{counted.may.Load(), counted.not.Load()}
			if i == 0 {
				want = got
			}
			if got != want {
				t.Errorf("the filters said %d times may and %d times not, with goleveldb's policy %v", got[0], got[1], want)
			}
			if got[0] < n || got[0] > n+n/20 || got[1] < n-n/20 {
				t.Errorf("the filters said %d times may and %d times not", got[0], got[1])
			}
		})
	}
}

// BenchmarkGet looks up keys that are not there in a database in memory; the databases take turns.
func BenchmarkGet(b *testing.B) {
	const n, turn = 20_000, 500
	var turns []func()
	for _, f := range []filter.Filter{filter.NewBloomFilter(10), NewBloomFilter(10)} {
		db := openDB(b, storage.NewMemStorage(), f)
		defer db.Close()
		fillDB(b, db, n)
		from := 1
		turns = append(turns, func() {
			for j := range turn {
				if _, err := db.Get(dbKey((from+2*j)%(2*n)), nil); err == nil {
					b.Fatal("found what was never written")
				}
			}
			from += 2 * turn
		})
	}
	b.Run(fmt.Sprintf("keys=%d", n), func(b *testing.B) { byTurns(b, turn, turns[0], turns[1]) })
}
