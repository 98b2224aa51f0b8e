package cpu

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// TuningEnv is the environment variable that puts another microarchitecture's row
// in force at start-up, by its name.
const TuningEnv = "BITSIEVE_TUNING"

// A Tuning is what the kernels are told of the machine that they run on: one row of
// the table. No row changes an answer. TUNING.md names the run that each figure
// comes from.
type Tuning struct {
	Batches Batches // of keys, in filters
	Words   Words   // of bitsets
	Arm     Arm     // what only NEON's kernels take
}

// Tune is the row in force. SetTuning writes it: once at start-up, and in tests and
// benchmarks.
var Tune Tuning

// rows are the table. A microarchitecture that nobody has measured has the row of
// its nearest relative, and Unknown the one that loses least on all measured ones.
var rows = [NumMicros]Tuning{
	Unknown:        {batchesUnknown, wordsUnknown, armUnknown},
	Zen2:           {batchesZen4, wordsZen4, armUnknown},
	Zen3:           {batchesZen4, wordsZen4, armUnknown},
	Zen4:           {batchesZen4, wordsZen4, armUnknown},
	Zen5:           {batchesZen5, wordsZen5, armUnknown},
	Haswell:        {batchesUnknown, wordsUnknown, armUnknown},
	AlderLake:      {batchesUnknown, wordsUnknown, armUnknown},
	SkylakeServer:  {batchesSapphireRapids, wordsSapphireRapids, armUnknown},
	IceLake:        {batchesSapphireRapids, wordsSapphireRapids, armUnknown},
	SapphireRapids: {batchesSapphireRapids, wordsSapphireRapids, armUnknown},
	NeoverseN1:     {batchesUnknown, wordsUnknown, armUnknown},
	NeoverseV1:     {batchesUnknown, wordsUnknown, armUnknown},
	NeoverseV2:     {batchesUnknown, wordsUnknown, armUnknown},
	Apple:          {batchesUnknown, wordsUnknown, armUnknown},
}

var (
	tuned     Micro // whose row is in force
	tuningErr error // why BITSIEVE_TUNING was not followed
)

func init() {
	var m Micro
	m, tuningErr = chooseMicro(os.Getenv(TuningEnv), micro)
	SetTuning(m)
}

// chooseMicro applies the value of BITSIEVE_TUNING to the machine's own
// microarchitecture. The error is for the user.
func chooseMicro(env string, own Micro) (Micro, error) {
	if env == "" {
		return own, nil
	}
	for m := range NumMicros {
		if env == m.String() {
			return m, nil
		}
	}
	return own, errors.New("bitsieve: " + TuningEnv + "=" + strconv.Quote(env) + " is not one of " +
		strings.Join(microNames[:], ", ") + "; using " + own.String())
}

// SetTuning puts the row of a microarchitecture in force. Nothing else may run at
// the time.
func SetTuning(m Micro) {
	tuned = m
	Tune = rows[m]
}

// Tuned returns the microarchitecture whose row is in force.
func Tuned() Micro { return tuned }

// Machine returns the microarchitecture of this machine.
func Machine() Micro { return micro }

// TuningError returns why BITSIEVE_TUNING was not followed, or nil.
func TuningError() error { return tuningErr }

// DescribeTuning returns the name of the row in force, and that of the machine if
// the row is another's.
func DescribeTuning() string {
	if tuned == micro {
		return tuned.String()
	}
	return fmt.Sprintf("%v (this is %v)", tuned, micro)
}
