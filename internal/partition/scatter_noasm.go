//go:build purego || !amd64

package partition

func (w *Writer) scatter(keys []uint64, mixed bool) int { return w.scatterGeneric(keys, mixed) }

func stream(dst *[stageKeys]uint64, src *[stageWords]uint64, _ bool) { copy(dst[:], src[:]) }
