package block

// What other layouts take over from this one, so that there is one definition of
// where a key's fields are: internal/counters has counters in the place of bits.

const (
	WordMul    = wordMul
	MixMul     = mixMul
	FieldShift = fieldShift
	FieldBits  = fieldBits
)

// Word returns the in-block word of a hash: w in the package's comment.
func Word(h uint64) uint64 { return word(h) }

// Word2 returns the second in-block word, w2.
func Word2(h uint64) uint64 { return word2(h) }

// Turn moves v's fields to its low end, beginning with that of the first lane
// that w's rotation chooses, which it returns: what follows goes on by FieldBits
// bits and one lane, round from 7 to 0.
func Turn(w, v uint64) (fields uint64, lane uint) { return turn(w, v) }
