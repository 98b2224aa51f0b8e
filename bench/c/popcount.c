//go:build cbench && cgo

#include "popcount.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// The kernels are called, not inlined into the repetitions: a caller in C would
// pay for the call, too.
#define KERNEL static __attribute__((noinline))

// COUNTED and DONE repeat a kernel. The barrier keeps the compiler from doing the
// work once for all repetitions.
#define BARRIER __asm__ volatile("" ::: "memory")
#define COUNTED(call)                                                                  \
	do {                                                                           \
		uint64_t sum = 0;                                                      \
		for (; reps > 0; reps--) {                                             \
			BARRIER;                                                       \
			sum = call;                                                    \
		}                                                                      \
		return sum;                                                            \
	} while (0)
#define DONE(call)                                                                     \
	for (; reps > 0; reps--) {                                                     \
		BARRIER;                                                               \
		call;                                                                  \
	}

// Plain loops: what the compiler makes of them is the point.

KERNEL uint64_t count1(const uint64_t *a, size_t n) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i]);
	return sum;
}

KERNEL uint64_t and_count1(const uint64_t *a, const uint64_t *b, size_t n) {
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i] & b[i]);
	return sum;
}

KERNEL void and1(uint64_t *restrict dst, const uint64_t *restrict a, const uint64_t *restrict b, size_t n) {
	for (size_t i = 0; i < n; i++)
		dst[i] = a[i] & b[i];
}

KERNEL void and_in_place1(uint64_t *restrict dst, const uint64_t *restrict b, size_t n) {
	for (size_t i = 0; i < n; i++)
		dst[i] &= b[i];
}

uint64_t count_loop(const uint64_t *a, size_t n, size_t reps) { COUNTED(count1(a, n)); }

uint64_t and_count_loop(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	COUNTED(and_count1(a, b, n));
}

void and_loop(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	DONE(and1(dst, a, b, n))
}

void and_in_place_loop(uint64_t *dst, const uint64_t *b, size_t n, size_t reps) {
	DONE(and_in_place1(dst, b, n))
}

#if defined(__AVX2__)
const int have_harley_seal = 1;

// count_lanes returns, in each 64-bit lane, the number of bits set there, by a
// table of the sixteen nibbles (Mula, Kurz, Lemire: Faster population counts
// using AVX2 instructions, 2018).
static inline __m256i count_lanes(__m256i v) {
	const __m256i table = _mm256_setr_epi8(
		0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
		0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
	const __m256i low = _mm256_set1_epi8(15);
	__m256i lo = _mm256_shuffle_epi8(table, _mm256_and_si256(v, low));
	__m256i hi = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32(v, 4), low));
	return _mm256_sad_epu8(_mm256_add_epi8(lo, hi), _mm256_setzero_si256());
}

// ADD3 is a carry-save adder: the bits of a, b and c, added, are sum and twice
// carry. sum may be an operand.
#define ADD3(carry, sum, a, b, c)                                                      \
	do {                                                                           \
		__m256i x = (a), y = (b), z = (c), u = _mm256_xor_si256(x, y);         \
		carry = _mm256_or_si256(_mm256_and_si256(x, y), _mm256_and_si256(u, z)); \
		sum = _mm256_xor_si256(u, z);                                          \
	} while (0)

// HARLEY_SEAL adds to sum the bits of LOAD(i), i < n/4: sixteen vectors are added bit
// by bit before one is counted.
#define HARLEY_SEAL(LOAD)                                                              \
	do {                                                                           \
		__m256i zero = _mm256_setzero_si256(), total = zero;                   \
		__m256i ones = zero, twos = zero, fours = zero, eights = zero;         \
		__m256i twos_a, twos_b, fours_a, fours_b, eights_a, eights_b, sixteens; \
		size_t v = n / 4, i = 0;                                               \
		for (; i + 16 <= v; i += 16) {                                         \
			ADD3(twos_a, ones, ones, LOAD(i), LOAD(i + 1));                \
			ADD3(twos_b, ones, ones, LOAD(i + 2), LOAD(i + 3));            \
			ADD3(fours_a, twos, twos, twos_a, twos_b);                     \
			ADD3(twos_a, ones, ones, LOAD(i + 4), LOAD(i + 5));            \
			ADD3(twos_b, ones, ones, LOAD(i + 6), LOAD(i + 7));            \
			ADD3(fours_b, twos, twos, twos_a, twos_b);                     \
			ADD3(eights_a, fours, fours, fours_a, fours_b);                \
			ADD3(twos_a, ones, ones, LOAD(i + 8), LOAD(i + 9));            \
			ADD3(twos_b, ones, ones, LOAD(i + 10), LOAD(i + 11));          \
			ADD3(fours_a, twos, twos, twos_a, twos_b);                     \
			ADD3(twos_a, ones, ones, LOAD(i + 12), LOAD(i + 13));          \
			ADD3(twos_b, ones, ones, LOAD(i + 14), LOAD(i + 15));          \
			ADD3(fours_b, twos, twos, twos_a, twos_b);                     \
			ADD3(eights_b, fours, fours, fours_a, fours_b);                \
			ADD3(sixteens, eights, eights, eights_a, eights_b);            \
			total = _mm256_add_epi64(total, count_lanes(sixteens));        \
		}                                                                      \
		total = _mm256_slli_epi64(total, 4);                                   \
		total = _mm256_add_epi64(total, _mm256_slli_epi64(count_lanes(eights), 3)); \
		total = _mm256_add_epi64(total, _mm256_slli_epi64(count_lanes(fours), 2)); \
		total = _mm256_add_epi64(total, _mm256_slli_epi64(count_lanes(twos), 1)); \
		total = _mm256_add_epi64(total, count_lanes(ones));                    \
		for (; i < v; i++)                                                     \
			total = _mm256_add_epi64(total, count_lanes(LOAD(i)));         \
		sum += (uint64_t)_mm256_extract_epi64(total, 0) + (uint64_t)_mm256_extract_epi64(total, 1) + \
		      (uint64_t)_mm256_extract_epi64(total, 2) + (uint64_t)_mm256_extract_epi64(total, 3); \
	} while (0)

#define LOAD_A(i) _mm256_loadu_si256((const __m256i *)a + (i))
#define LOAD_AB(i) _mm256_and_si256(LOAD_A(i), _mm256_loadu_si256((const __m256i *)b + (i)))

KERNEL uint64_t count_harley_seal1(const uint64_t *a, size_t n) {
	uint64_t sum = 0;
	HARLEY_SEAL(LOAD_A);
	for (size_t i = n / 4 * 4; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i]);
	return sum;
}

KERNEL uint64_t and_count_harley_seal1(const uint64_t *a, const uint64_t *b, size_t n) {
	uint64_t sum = 0;
	HARLEY_SEAL(LOAD_AB);
	for (size_t i = n / 4 * 4; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i] & b[i]);
	return sum;
}

uint64_t count_harley_seal(const uint64_t *a, size_t n, size_t reps) { COUNTED(count_harley_seal1(a, n)); }

uint64_t and_count_harley_seal(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	COUNTED(and_count_harley_seal1(a, b, n));
}
#else
const int have_harley_seal = 0;
uint64_t count_harley_seal(const uint64_t *a, size_t n, size_t reps) { return 0; }
uint64_t and_count_harley_seal(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) { return 0; }
#endif

#if defined(__AVX512F__) && defined(__AVX512VPOPCNTDQ__)
const int have_vpopcnt = 1;

// VPOPCNT adds to sum the bits of LOAD(i), i < n/8, with four sums.
#define VPOPCNT(LOAD)                                                                  \
	do {                                                                           \
		__m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;        \
		size_t v = n / 8, i = 0;                                               \
		for (; i + 4 <= v; i += 4) {                                           \
			s0 = _mm512_add_epi64(s0, _mm512_popcnt_epi64(LOAD(i)));       \
			s1 = _mm512_add_epi64(s1, _mm512_popcnt_epi64(LOAD(i + 1)));   \
			s2 = _mm512_add_epi64(s2, _mm512_popcnt_epi64(LOAD(i + 2)));   \
			s3 = _mm512_add_epi64(s3, _mm512_popcnt_epi64(LOAD(i + 3)));   \
		}                                                                      \
		for (; i < v; i++)                                                     \
			s0 = _mm512_add_epi64(s0, _mm512_popcnt_epi64(LOAD(i)));       \
		s0 = _mm512_add_epi64(_mm512_add_epi64(s0, s1), _mm512_add_epi64(s2, s3)); \
		sum += (uint64_t)_mm512_reduce_add_epi64(s0);                           \
	} while (0)

#define LOAD512_A(i) _mm512_loadu_si512((const __m512i *)a + (i))
#define LOAD512_AB(i) _mm512_and_si512(LOAD512_A(i), _mm512_loadu_si512((const __m512i *)b + (i)))

KERNEL uint64_t count_vpopcnt1(const uint64_t *a, size_t n) {
	uint64_t sum = 0;
	VPOPCNT(LOAD512_A);
	for (size_t i = n / 8 * 8; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i]);
	return sum;
}

KERNEL uint64_t and_count_vpopcnt1(const uint64_t *a, const uint64_t *b, size_t n) {
	uint64_t sum = 0;
	VPOPCNT(LOAD512_AB);
	for (size_t i = n / 8 * 8; i < n; i++)
		sum += (uint64_t)__builtin_popcountll(a[i] & b[i]);
	return sum;
}

uint64_t count_vpopcnt(const uint64_t *a, size_t n, size_t reps) { COUNTED(count_vpopcnt1(a, n)); }

uint64_t and_count_vpopcnt(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	COUNTED(and_count_vpopcnt1(a, b, n));
}
#else
const int have_vpopcnt = 0;
uint64_t count_vpopcnt(const uint64_t *a, size_t n, size_t reps) { return 0; }
uint64_t and_count_vpopcnt(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) { return 0; }
#endif
