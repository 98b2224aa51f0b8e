//go:build purego || (!amd64 && !arm64)

package bitrev

// Reverse sets dst[i] to the bits of src[i] in reverse order, for each index of dst.
// src must not be shorter. dst may be src; if it overlaps it otherwise, its contents are
// undefined.
func Reverse(dst, src []byte) { reverseGeneric(dst, src) }
