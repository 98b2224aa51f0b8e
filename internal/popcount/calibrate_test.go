package popcount

import (
	"testing"

	"github.com/bitsieve/bitsieve/internal/calibrate"
)

func TestCalibrate(t *testing.T) { calibrate.Run(t, thresholds...) }

// thresholds return those of one subject each. The files of the architectures fill it
// in.
var thresholds []func() []calibrate.Threshold
