package peers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestKnownFile reads the filter in data_index_bloom_encoding_stats.parquet of
// apache/parquet-testing, which parquet-java wrote, where parquet-go's module has it.
func TestKnownFile(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/parquet-go/parquet-go").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "testdata", "data_index_bloom_encoding_stats.parquet"))
	if err != nil {
		t.Skip(err)
	}
	f := open(t, data)
	if chunk := f.Chunk(0, 0); chunk.FilterOffset != 192 || f.RowGroups() != 1 || len(f.Columns()) != 1 {
		t.Fatalf("the filter is at %d", chunk.FilterOffset)
	}
	filter, err := f.ReadFilter(0, 0)
	if err != nil || filter.SizeBytes() != 1024 {
		t.Fatal(err)
	}
	if got := filter.Fill() * 8 * 1024; got != 112 {
		t.Errorf("%v bits are set, want 112", got)
	}
	there := []string{"Hello", "a", "test", "How", "doing ", "today", "the quick", "brown fox", "jumps", "over", "the lazy", "dog"}
	if n := filter.TestStrings(there, nil); n != len(there) {
		t.Errorf("%d of %d found", n, len(there))
	}
	if n := filter.TestStrings([]string{"foo", "zzz", "nope"}, nil); n != 0 {
		t.Errorf("%d found that are not there", n)
	}
}
