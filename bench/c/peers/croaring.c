// CRoaring (RoaringBitmap/CRoaring): its functions of bitmap containers, called for
// one container of 8 KiB after the other, as the library calls them. They know no
// other size: what is left of an array is a plain loop here, and so are all of 64 B
// and of 1 KiB. Do not read those rows as CRoaring's.
#include "peer.h"
#include <roaring/containers/bitset.h>

#ifndef SUFFIX
#define SUFFIX ""
#endif

#define WORDS 1024


// A container over words that are not its own. Its fields have changed names, but not
// places, over CRoaring's versions.
#define AT(words) (&(bitset_container_t){0, (uint64_t *)(words)})

static uint64_t count(const uint64_t *a, size_t n, size_t reps) {
	uint64_t sum = 0;
	for (; reps > 0; reps--) {
		__asm__ volatile("" ::: "memory"); // once a repetition, not once for all
		sum = 0;
		size_t i = 0;
		for (; i + WORDS <= n; i += WORDS)
			sum += (uint64_t)bitset_container_compute_cardinality(AT(a + i));
		for (; i < n; i++)
			sum += (uint64_t)__builtin_popcountll(a[i]);
	}
	return sum;
}

// The three functions of an operation: its cardinality, its words, and both.
#define OPERATION(name, word)                                                                                         \
	static uint64_t name##_count(const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {                   \
		uint64_t sum = 0;                                                                                     \
		for (; reps > 0; reps--) {                                                                            \
			__asm__ volatile("" ::: "memory");                                                            \
			sum = 0;                                                                                      \
			size_t i = 0;                                                                                 \
			for (; i + WORDS <= n; i += WORDS)                                                            \
				sum += (uint64_t)bitset_container_##name##_justcard(AT(a + i), AT(b + i));            \
			for (; i < n; i++)                                                                            \
				sum += (uint64_t)__builtin_popcountll(word(a[i], b[i]));                              \
		}                                                                                                     \
		return sum;                                                                                           \
	}                                                                                                             \
	static void name##_words(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {        \
		for (; reps > 0; reps--) {                                                                            \
			__asm__ volatile("" ::: "memory");                                                            \
			size_t i = 0;                                                                                 \
			for (; i + WORDS <= n; i += WORDS)                                                            \
				bitset_container_##name##_nocard(AT(a + i), AT(b + i), AT(dst + i));                  \
			for (; i < n; i++)                                                                            \
				dst[i] = word(a[i], b[i]);                                                            \
		}                                                                                                     \
	}                                                                                                             \
	static uint64_t name##_words_count(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) { \
		uint64_t sum = 0;                                                                                     \
		for (; reps > 0; reps--) {                                                                            \
			__asm__ volatile("" ::: "memory");                                                            \
			sum = 0;                                                                                      \
			size_t i = 0;                                                                                 \
			for (; i + WORDS <= n; i += WORDS)                                                            \
				sum += (uint64_t)bitset_container_##name(AT(a + i), AT(b + i), AT(dst + i));          \
			for (; i < n; i++)                                                                            \
				sum += (uint64_t)__builtin_popcountll(dst[i] = word(a[i], b[i]));                     \
		}                                                                                                     \
		return sum;                                                                                           \
	}

#define AND(x, y) ((x) & (y))
#define OR(x, y) ((x) | (y))
#define XOR(x, y) ((x) ^ (y))
#define ANDNOT(x, y) ((x) & ~(y))

OPERATION(and, AND)
OPERATION(or, OR)
OPERATION(xor, XOR)
OPERATION(andnot, ANDNOT)

static const struct bitsieve_peer peer = {
	.abi = BITSIEVE_PEER_ABI, .name = "CRoaring" SUFFIX, .count = count,
	.op_count = {and_count, or_count, xor_count, andnot_count},
	.op_words = {and_words, or_words, xor_words, andnot_words},
	.op_words_count = {and_words_count, or_words_count, xor_words_count, andnot_words_count},
};

const struct bitsieve_peer *bitsieve_peer_at(size_t i) { return i == 0 ? &peer : NULL; }
