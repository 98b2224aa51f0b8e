//go:build purego || !amd64

package sorted

// intersect does what intersectGo does.
func intersect[T Elem](dst, a, b []T) int { return intersectRest(dst, a, b) }

// count does what countGo does.
func count[T Elem](a, b []T) int { return countRest(a, b) }

// difference does what differenceGo does.
func difference[T Elem](dst, a, b []T) int { return differenceRest(dst, a, b) }

// union does what unionGo does.
func union[T Elem](dst, a, b []T) int { return unionGo(dst, a, b) }

// symmetric does what symmetricGo does.
func symmetric[T Elem](dst, a, b []T) int { return symmetricGo(dst, a, b) }
