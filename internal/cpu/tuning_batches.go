package cpu

// Batches is the part of a row that the batches of keys go by.
type Batches struct{}

var (
	batchesZen4           = Batches{}
	batchesZen5           = Batches{}
	batchesSapphireRapids = Batches{}
	batchesUnknown        = batchesZen4
)
