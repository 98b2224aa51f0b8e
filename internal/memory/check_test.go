package memory

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, n := range []uint64{0, 1, 1 << 20, checkFrom - 1} {
		if err := Check(n); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	for _, n := range []uint64{MaxBytes + 1, math.MaxUint64} {
		if err := Check(n); !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "addresses at most") {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	// No 64-bit machine has this much left, so that one which says what it has
	// refuses.
	if err := Check(MaxBytes); MaxBytes > 1<<40 && left() != unlimited && !errors.Is(err, ErrMemory) {
		t.Errorf("%d bytes of about %v: %v", uint64(MaxBytes), left(), err)
	}
}

func TestCheckAgainst(t *testing.T) {
	l := limit{1600, "a test"}
	if err := checkAgainst(1500, l); err != nil {
		t.Error(err)
	}
	err := checkAgainst(1501, l)
	if !errors.Is(err, ErrMemory) || !strings.Contains(err.Error(), "1501 bytes, about 1500 can be had (a test)") {
		t.Error(err)
	}
	if err := checkAgainst(MaxBytes, unlimited); err != nil {
		t.Error(err)
	}
}

// What the user says overrules the system, for Left and for Check.
func TestOverride(t *testing.T) {
	defer func() { Override = 0 }()
	Override = 4 * checkFrom
	if Left() != 4*checkFrom || Check(2*checkFrom) != nil || !errors.Is(Check(4*checkFrom), ErrMemory) {
		t.Errorf("Left() = %d, Check: %v, %v", Left(), Check(2*checkFrom), Check(4*checkFrom))
	}
}
