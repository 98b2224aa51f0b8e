//go:build amd64 || arm64

package block

import (
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/bitsieve/bitsieve/internal/cpu"
	"github.com/bitsieve/bitsieve/internal/kerneltest"
)

// A filter of more than 2^32 blocks, over memory of which only the pages that a
// few keys touch come to exist.
func TestVerbsHuge(t *testing.T) {
	if testing.Short() {
		t.Skip("an emulator needs seconds to map 256 GiB")
	}
	const nb = 1<<32 + 12_345
	mem, err := unix.Mmap(-1, 0, nb*Bytes, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Skipf("no %d GiB of address space: %v", nb*Bytes>>30, err)
	}
	t.Cleanup(func() { unix.Munmap(mem) })
	blocks := unsafe.Slice((*Block)(unsafe.Pointer(&mem[0])), nb)

	kerneltest.EachLevel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, uint64(cpu.Current())))
		for _, k := range []int{3, 8, 11} {
			hashes := make([]uint64, 77)
			for i := range hashes {
				hashes[i] = r.Uint64()
			}
			hashes[5], hashes[6] = 0, ^uint64(0) // the first block and the last
			filterOver(blocks, k).AddHashes(hashes)
			var want, got [2]uint64
			testGeneric(blocks, k, hashes, want[:], false)
			if n := bits.OnesCount64(want[0]) + bits.OnesCount64(want[1]); n != len(hashes) {
				t.Fatalf("k = %d: %d of %d added keys are present", k, n, len(hashes))
			}
			for i := range hashes {
				if i%2 == 0 {
					hashes[i] += 1 << 17 // mostly the same block, other bits
				}
			}
			testGeneric(blocks, k, hashes, want[:], false)
			if filterOver(blocks, k).TestHashes(hashes, got[:]); got != want {
				t.Fatalf("k = %d: hits %x, want %x", k, got, want)
			}
		}
	})
}
