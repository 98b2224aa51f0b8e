//go:build purego || !amd64

package rocksdb

func prepare(tl *tile, t *table)      { prepareGeneric(tl, t) }
func probe(tl *tile, t *table) uint64 { return probeGeneric(tl, t) }

func testOne(t *table, h uint64) bool {
	return testLine(t.line(t.offset(h)), uint32(h>>32), t.k)
}
