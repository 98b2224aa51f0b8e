//go:build arm64 || (amd64 && purego)

package popcount

// What the functions of here.go call.

func countRest(p []uint64) int { return Count(p) }

func andRest(a, b []uint64, n int) int    { return And(a[:n], b[:n]) }
func orRest(a, b []uint64, n int) int     { return Or(a[:n], b[:n]) }
func xorRest(a, b []uint64, n int) int    { return Xor(a[:n], b[:n]) }
func andNotRest(a, b []uint64, n int) int { return AndNot(a[:n], b[:n]) }
