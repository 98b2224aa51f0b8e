//go:build !purego

package sorted

import "testing"

func TestTables(t *testing.T) {
	for mask := range 256 {
		n := 0
		for lane := range 8 {
			if mask>>lane&1 == 0 {
				continue
			}
			if laneNumbers[mask][n] != byte(lane) ||
				wordShuffles[mask][2*n] != byte(2*lane) || wordShuffles[mask][2*n+1] != byte(2*lane+1) {
				t.Fatalf("mask %#x, element %d: %v, %v", mask, n, laneNumbers[mask], wordShuffles[mask])
			}
			if lane < 4 && mask < 16 && (pairNumbers[mask][2*n] != byte(2*lane) || pairNumbers[mask][2*n+1] != byte(2*lane+1)) {
				t.Fatalf("mask %#x, element %d: %v", mask, n, pairNumbers[mask])
			}
			n++
		}
	}
}
