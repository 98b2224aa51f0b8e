//go:build purego || !amd64

package many

// No kernels: folding two by two is faster than the specification. On arm64 the
// two-operand kernels do it on chunks that stay in the first-level cache.

func andAll([]uint64, [][]uint64) bool        { return false }
func orAll([]uint64, [][]uint64) bool         { return false }
func andAllCount([][]uint64, int) (int, bool) { return 0, false }
func orAllCount([][]uint64, int) (int, bool)  { return 0, false }
