package cpu

// Words is the part of a row that the kernels on words go by.
type Words struct{}

var (
	wordsZen4           = Words{}
	wordsZen5           = Words{}
	wordsSapphireRapids = Words{}
	wordsUnknown        = wordsZen4
)
