package parquet_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/bitsieve/bitsieve"
	. "github.com/bitsieve/bitsieve/interop/parquet"
)

// FuzzRead reads arbitrary bytes as a filter: as a view, from memory and from a
// stream. All agree, and what they accept can be written again and gives the same
// answers.
func FuzzRead(f *testing.F) {
	for _, size := range []int{32, 96, 1024} {
		f.Add(marshal(f, filled(f, size, size/8, 1)))
	}
	for _, header := range goodHeaders {
		f.Add(append(unhex(f, header), make([]byte, 32)...))
	}
	for _, c := range badHeaders {
		f.Add(append(unhex(f, c.header), make([]byte, 32)...))
	}
	f.Add(append(AppendHeader(nil, MaxBytes), 1, 2, 3))
	hashes := randomHashes(100, 7)
	f.Fuzz(func(t *testing.T, data []byte) {
		view, err := NewView(data)
		if err != nil {
			wantTyped(t, err)
		}
		var fromMemory, fromStream Filter
		if memErr := fromMemory.UnmarshalBinary(data); (memErr == nil) != (err == nil) {
			t.Fatalf("NewView: %v, UnmarshalBinary: %v", err, memErr)
		}
		n, streamErr := fromStream.ReadFrom(bytes.NewReader(data))
		if n > int64(len(data)) || err == nil && n != int64(len(data)) {
			t.Fatalf("%d of %d bytes read", n, len(data))
		}
		if (streamErr == nil) != (err == nil || errors.Is(err, bitsieve.ErrTrailingData)) && len(data) < 4096 {
			t.Fatalf("NewView: %v, ReadFrom: %v", err, streamErr)
		}
		if streamErr != nil {
			wantTyped(t, streamErr)
		}
		if err != nil {
			return
		}
		if !fromMemory.Equal(&fromStream) || !bytes.Equal(fromMemory.Bitset(), view.Bitset()) {
			t.Fatal("the readers differ")
		}
		again, err := NewView(marshal(t, &fromMemory))
		if err != nil || !bytes.Equal(again.Bitset(), view.Bitset()) {
			t.Fatalf("written again: %v", err)
		}
		var hits bitsieve.BitSet
		if view.TestHashes(hashes, &hits) != fromMemory.TestHashes(hashes, nil) {
			t.Fatal("view and filter count different hits")
		}
		for i, h := range hashes {
			if hits.Test(uint(i)) != view.TestHash(h) || fromMemory.TestHash(h) != view.TestHash(h) {
				t.Fatal("view, filter and batch differ")
			}
		}
		if rate, fill := view.FPRate(), view.Fill(); !(rate >= 0 && rate <= 1 && fill >= 0 && fill <= 1) {
			t.Fatalf("rate %v, fill %v", rate, fill)
		}
		view.EstimatedCount()
	})
}

func wantTyped(t *testing.T, err error) {
	t.Helper()
	var fe *bitsieve.FormatError
	if !errors.As(err, &fe) && !errors.Is(err, bitsieve.ErrMemory) {
		t.Fatalf("error %v of type %T", err, err)
	}
	if fe != nil && (fe.Field == "" || fe.Detail == "" || fe.Offset < 0) {
		t.Fatalf("error %+v", fe)
	}
}

// FuzzFile opens arbitrary bytes as a Parquet file, as they are and as the footer of
// one, and reads every filter that it finds.
func FuzzFile(f *testing.F) {
	f.Add(smallFile(f))
	f.Add([]byte(smallFooter(4, 84, 1040)))
	f.Add([]byte(metadata([]thrift{group("", 0)}, nil)))
	f.Add([]byte(smallFooter(4, 84, 1040).sub(8, thrift{})))
	f.Add([]byte("PAR1\x00\x00\x00\x00PARE"))
	f.Add([]byte(strings.Repeat("\x1c", 100)))
	contents := marshal(f, filled(f, 64, 3, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzFile(t, data)
		fuzzFile(t, parquetFile(contents, data))
	})
}

func fuzzFile(t *testing.T, data []byte) {
	file, err := open(data)
	if err != nil {
		wantTyped(t, err)
		return
	}
	for c := range file.Columns() {
		if c > 100 {
			break
		}
		path := strings.Join(file.Path(c), ".")
		if found, ok := file.Find(path); !ok || found > c {
			t.Fatalf("Find(%q) = %d, %v, want %d", path, found, ok, c)
		}
	}
	for g := range min(file.RowGroups(), 10) {
		for c := range min(len(file.Columns()), 10) {
			chunk := file.Chunk(g, c)
			filter, err := file.ReadFilter(g, c)
			if err != nil {
				if errors.Is(err, ErrNoFilter) != (chunk.FilterOffset == 0) {
					t.Fatalf("%+v: %v", chunk, err)
				}
				if chunk.FilterOffset != 0 {
					wantTyped(t, err)
				}
				continue
			}
			if !bytes.Contains(data[chunk.FilterOffset:], filter.Bitset()) {
				t.Fatal("the filter is not in the file")
			}
			filter.AddHash(1)
			if !filter.TestHash(1) {
				t.Fatal("a value is lost")
			}
		}
	}
}
