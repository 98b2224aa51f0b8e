//go:build !purego

package many

// What the calibration, which compares with the module's own kernels for two
// operands and so stands outside of this package, needs of it.
const (
	MaxRowAVX2   = maxRowAVX2
	MaxRowAVX512 = maxRowAVX512
)

var (
	AndAllAVX2              = andAllAVX2
	OrAllAVX2               = orAllAVX2
	AndAllCountAVX2         = andAllCountAVX2
	OrAllCountAVX2          = orAllCountAVX2
	AndAllCountAVX512       = andAllCountAVX512
	OrAllCountAVX512        = orAllCountAVX512
	AndCountRowsAVX2        = andCountRowsAVX2
	AndAllAVX512            = andAllAVX512
	AndAllStreamAVX512      = andAllStreamAVX512
	AndAllCountWideAVX512   = andAllCountWideAVX512
	AndCountShortRowsAVX512 = andCountShortRowsAVX512
	OrCountRowsAVX2         = orCountRowsAVX2
	XorCountRowsAVX2        = xorCountRowsAVX2
	AndCountRowsAVX512      = andCountRowsAVX512
	OrCountRowsAVX512       = orCountRowsAVX512
	XorCountRowsAVX512      = xorCountRowsAVX512
)
