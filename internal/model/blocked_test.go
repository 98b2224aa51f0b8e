package model

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bitsieve/bitsieve/internal/block"
)

// The model's table against a direct simulation of one block.
func TestPassRates(t *testing.T) {
	trials := 400_000
	if testing.Short() {
		trials = 20_000
	}
	r := rand.New(rand.NewPCG(3, 4))
	for k := block.MinK; k <= block.MaxK; k++ {
		for _, m := range []int{1, 10, 50} {
			hits := 0
			for range trials / 100 {
				var b block.Block
				for range m {
					block.Add(&b, r.Uint64(), k)
				}
				for range 100 {
					hits += int(block.Test(&b, r.Uint64(), k))
				}
			}
			rate := bitLane.passRates(k)[m]
			// A hundred tests share a block, so their spread is wider than
			// binomial: take the bound of a hundredth of the tests where it is
			// the block that decides.
			want := rate * float64(trials)
			if got := float64(hits); math.Abs(got-want) > 5*math.Sqrt(3*want)+5+0.02*want {
				t.Errorf("k=%d, %d keys: %v of %d pass, want %.1f", k, m, got, trials, want)
			}
		}
	}
}

func TestSizeBlocked(t *testing.T) {
	// Bits per key at a million keys: a change here is a change of every
	// filter's size.
	for _, c := range []struct {
		p    float64
		bits float64
		k    int
	}{
		{0.1, 4.87, 3}, {0.03, 7.47, 5}, {0.01, 9.97, 6}, {0.001, 15.65, 9}, {1e-4, 22.19, 12}, {1e-6, 39.34, 16},
	} {
		blocks, k, err := SizeBlocked(1e6, c.p)
		if bits := float64(blocks) * 512 / 1e6; err != nil || math.Abs(bits-c.bits) > 0.01 || k != c.k {
			t.Errorf("p=%v: %.3f bits per key, k=%d, error %v; want %.2f, k=%d", c.p, bits, k, err, c.bits, c.k)
		}
	}
	// Rates fall and sizes grow all the way down, through the change of method
	// at cancelRate.
	last := uint64(0)
	for p := 0.99; p >= MinRate; p *= 0.7 {
		blocks, k, err := SizeBlocked(1e7, p)
		if err != nil || blocks < last || k < block.MinK || k > block.MaxK {
			t.Fatalf("p=%v: %d blocks after %d, k=%d, error %v", p, blocks, last, k, err)
		}
		if mean, _ := BlockedRate(1e7/float64(blocks), k); mean > p {
			t.Errorf("p=%v: the model gives %v", p, mean)
		}
		last = blocks
	}
}

// Sizes are the same on every architecture and in every run.
func TestGoldenSizes(t *testing.T) {
	for _, c := range []struct {
		n      uint64
		p      float64
		blocks uint64
		k      int
		bits   uint64
		bloomK int
	}{
		{0, 0.5, 1, 1, 2, 1},
		{1, 0.01, 1, 7, 10, 7},
		{1000, 0.03, 16, 5, 7299, 5},
		{1000, 0.001, 34, 9, 14378, 10},
		{1000000, 0.1, 9515, 3, 4808328, 3},
		{1000000, 0.01, 19462, 6, 9592955, 7},
		{1000000, 0.0001, 43336, 12, 19172955, 13},
		{121570, 0.0123, 2263, 6, 1113963, 6},
		{1000000000, 0.01, 19403150, 6, 9592954718, 7},
		{1000000000, 1e-09, 168738153, 16, 43132918016, 30},
		{10000000, 3e-12, 3566248, 16, 552246363, 38},
		{12345678, 0.00077, 393082, 10, 184281994, 10},
		{1000000000000, 0.05, 12389126243, 4, 6246977948894, 4},
	} {
		blocks, k, err := SizeBlocked(c.n, c.p)
		m, bloomK, err2 := SizeBloom(c.n, c.p, math.MaxUint64)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if blocks != c.blocks || k != c.k || m != c.bits || bloomK != c.bloomK {
			t.Errorf("{%d, %v, %d, %d, %d, %d},", c.n, c.p, blocks, k, m, bloomK)
		}
	}
}

// A rate below that of equal 64-bit hashes cannot be had.
func TestSizeBlockedCollisions(t *testing.T) {
	if _, _, err := SizeBlocked(1e9, 1e-11); !errors.Is(err, ErrParameter) {
		t.Errorf("1e9 keys at 1e-11: error %v", err)
	}
	blocks, _, err := SizeBlocked(1e9, 1e-10)
	if err != nil {
		t.Fatal(err)
	}
	if more, _, _ := SizeBlocked(1e9, 1e-10-Collisions(1e9)); blocks <= more*99/100 {
		t.Errorf("%d blocks, fewer than the %d of what collisions leave", blocks, more)
	}
}

// Rates that are far below those of sizing rise with the load and are not noise.
func TestBlockedRateTiny(t *testing.T) {
	for k := block.MinK; k <= block.MaxK; k++ {
		last := 0.0
		for load := 1e-3; load < 60; load *= 1.1 {
			mean, dev := BlockedRate(load, k)
			if !(mean > last) || !(dev > 0) {
				t.Fatalf("k=%d, %v keys per block: rate %v after %v, deviation %v", k, load, mean, last, dev)
			}
			// One more key in a block sets at most k bits of a foreign key's k: the
			// rate grows no faster than the load to the power of k.
			if last > 0 && mean > last*math.Pow(1.1, float64(k))*1.0001 {
				t.Fatalf("k=%d, %v keys per block: rate %v jumps from %v", k, load, mean, last)
			}
			last = mean
		}
	}
}

// The table against sums of rational numbers: what one key does to another.
func TestPassRatesOfOneKey(t *testing.T) {
	for k := block.MinK; k <= block.MaxK; k++ {
		// For k <= 8, a key's pattern is k lanes that follow each other, with one bit
		// in each: another's covers it if rotation and bits are equal, or for k = 8
		// the bits.
		if k > 8 {
			break
		}
		want := math.Pow(1./64, float64(k)) / 8
		if k == 8 {
			want *= 8
		}
		rate := bitLane.passRates(k)
		if k < 8 {
			rate = bitLane.preciseRates(k)
		}
		if got := rate[1]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("k=%d: %v, want %v", k, got, want)
		}
	}
}

// The table says which k is best, to the third digit after the point.
func TestBestK(t *testing.T) {
	for k := block.MinK; k < block.MaxK; k++ {
		lo, hi := 0.25, 64.0
		for range 40 {
			mid := (lo + hi) / 2
			less, _ := BlockedRate(512/mid, k)
			more, _ := BlockedRate(512/mid, k+1)
			if more < less {
				hi = mid
			} else {
				lo = mid
			}
		}
		if math.Abs(hi-bestFrom[k]) > 0.0006 {
			t.Errorf("k = %d is better than %d from %.4f bits per key on, the table has %v", k+1, k, hi, bestFrom[k])
		}
	}
	const n = 1 << 20
	for bits := 1.0; bits < 64; bits += 0.3 {
		blocks, k := BlocksFor(n, bits, 1<<40)
		if want := uint64(math.Ceil(n * bits / 512)); blocks != want {
			t.Errorf("%v bits per key: %d blocks, want %d", bits, blocks, want)
		}
		for other := block.MinK; other <= block.MaxK; other++ {
			if best, rate := ExpectedRate(n, blocks, k), ExpectedRate(n, blocks, other); rate < 0.9999*best {
				t.Errorf("%v bits per key: k = %d has a rate of %v, %d of %v", bits, k, best, other, rate)
			}
		}
	}
}

func TestBlocksForLimits(t *testing.T) {
	for _, c := range []struct {
		n, most uint64
		bits    float64
		blocks  uint64
		k       int
	}{
		{0, 1 << 40, 10, 1, 16},
		{1, 1 << 40, 10, 1, 16},
		{51, 1 << 40, 10, 1, 6},
		{52, 1 << 40, 10, 2, 11},
		{512, 1 << 40, math.NaN(), 1, 1},
		{512, 1 << 40, -5, 1, 1},
		{512, 1 << 40, 0, 1, 1},
		{1, 1 << 40, math.Inf(1), 1 << 40, 16},
		{math.MaxUint64, 1 << 40, 10, 1 << 40, 1},
		{math.MaxUint64, 1, 1e300, 1, 1},
	} {
		if blocks, k := BlocksFor(c.n, c.bits, c.most); blocks != c.blocks || k != c.k {
			t.Errorf("BlocksFor(%d, %v, %d) = %d, %d, want %d, %d", c.n, c.bits, c.most, blocks, k, c.blocks, c.k)
		}
	}
}
