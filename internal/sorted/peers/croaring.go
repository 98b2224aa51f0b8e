//go:build croaring

package peers

// #include <stdint.h>
// #include <stddef.h>
// #include <stdbool.h>
// #include <roaring/array_util.h>
//
// // What CRoaring's array containers call on a CPU with AVX-512, all pairs in one call
// // from Go.
// static size_t run(int op, uint16_t *elements, int32_t *ends, int lists, uint16_t *dst) {
//   size_t n = 0;
//   int32_t start = 0;
//   for (int i = 0; i < lists; i += 2) {
//     uint16_t *a = elements + start, *b = elements + ends[i];
//     size_t na = ends[i] - start, nb = ends[i + 1] - ends[i];
//     start = ends[i + 1];
//     const size_t skew = 64;
//     switch (op) {
//     case 0:
//       n += na * skew < nb ? intersect_skewed_uint16(a, na, b, nb, dst)
//          : nb * skew < na ? intersect_skewed_uint16(b, nb, a, na, dst)
//                           : intersect_vector16(a, na, b, nb, dst);
//       break;
//     case 1:
//       n += na * skew < nb ? intersect_skewed_uint16_cardinality(a, na, b, nb)
//          : nb * skew < na ? intersect_skewed_uint16_cardinality(b, nb, a, na)
//                           : intersect_vector16_cardinality(a, na, b, nb);
//       break;
//     case 2: n += difference_vector16(a, na, b, nb, dst); break;
//     case 3: n += fast_union_uint16(a, na, b, nb, dst); break;
//     case 4: n += xor_vector16(a, na, b, nb, dst); break;
//     }
//   }
//   return n;
// }
import "C"

const haveCRoaring = true

// croaring does operation op on all pairs, and returns the sum of the results' lengths.
// dst has room for the longest pair and 64 elements.
func croaring(op int, p *pairs, dst []uint16) int {
	return int(C.run(C.int(op), (*C.uint16_t)(&p.elements[0]), (*C.int32_t)(&p.ends[0]), C.int(len(p.ends)), (*C.uint16_t)(&dst[0])))
}
