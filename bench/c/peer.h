/*
 * How a library in C or C++ takes part in the benchmark: as a shared object that
 * exports bitsieve_peer_at and is named on the command line,
 *
 *	cc -O3 -march=native -shared -fPIC -I bench/c -o peer.so peer.c
 *	go run -tags cbench . -peer peer.so
 *
 * example_peer.c is one. The header is C99 and C++11, and needs nothing of
 * bitsieve. No function may throw, keep a pointer that it was passed, or call
 * back but where this says so. Functions that are not offered are NULL.
 */
#ifndef BITSIEVE_PEER_H
#define BITSIEVE_PEER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What this header describes. A shared object of another number is refused. */
#define BITSIEVE_PEER_ABI 2

/* Text of len bytes that need not end in a zero. */
struct bitsieve_string {
	const char *data;
	size_t len;
};

/*
 * Where a filter's bits had better lie: every contender of the benchmark has its
 * bits on huge pages if they fill one and the system grants it. alloc returns
 * zeroed memory at a cache line's boundary, or NULL; release takes the same
 * number of bytes. Both may be called from any thread.
 */
struct bitsieve_memory {
	void *(*alloc)(size_t bytes);
	void (*release)(void *p, size_t bytes);
};

/* What create made. */
struct bitsieve_filter {
	void *self;       /* passed to the other functions */
	const void *bits; /* the array that is probed: it is read once before filters are timed */
	uint64_t bytes;   /* its size, by which the row's bits per key are computed */
	uint32_t k;       /* bits that a key sets */
};

/* The operations of two operands: a & b, a | b, a ^ b, a & ~b. */
enum { BITSIEVE_AND, BITSIEVE_OR, BITSIEVE_XOR, BITSIEVE_ANDNOT, BITSIEVE_OPS };

struct bitsieve_peer {
	uint32_t abi;     /* BITSIEVE_PEER_ABI */
	const char *name; /* of the rows, in UTF-8: "libpopcnt" */

	/*
	 * Kernels: each does its work reps times over n words, so that the call from
	 * Go weighs nothing, in a way that the compiler cannot do once for all. What
	 * counts returns the last count. The arrays have a place for each operation:
	 * set bits of its result, nothing stored; the result; both at once. dst is a
	 * for AndInPlace, and else apart from both. Before they are timed, their
	 * answers are compared with those of a loop.
	 */
	uint64_t (*count)(const uint64_t *a, size_t n, size_t reps);
	uint64_t (*op_count[BITSIEVE_OPS])(const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
	void (*op_words[BITSIEVE_OPS])(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
	uint64_t (*op_words_count[BITSIEVE_OPS])(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps);

	/*
	 * Filters: create, destroy, add_uint64s and test_uint64s, or none of them.
	 *
	 * create makes an empty filter of bytes bytes, or as close to that as the
	 * library gets, which its user expects to hold bytes * 8 / bits_per_key keys:
	 * k is as such a user chooses it. It returns 0, or anything else to decline
	 * this size. Different filters may be used in different threads at a time.
	 *
	 * Keys come by the thousand. Test returns how many of them the filter may
	 * contain; how the library reports each is its own affair. Hashing is part of
	 * the work, by the hash that the library's users would take.
	 */
	int (*create)(const struct bitsieve_memory *memory, uint64_t bytes, double bits_per_key, struct bitsieve_filter *made);
	void (*destroy)(void *self);
	void (*add_uint64s)(void *self, const uint64_t *keys, size_t n);
	size_t (*test_uint64s)(const void *self, const uint64_t *keys, size_t n);

	/*
	 * The same answers, each key tested to the end before the next is looked at.
	 * NULL if test_uint64s does so already.
	 */
	size_t (*test_uint64s_one_by_one)(const void *self, const uint64_t *keys, size_t n);

	/* Optional, both or none: strings, and ready 64-bit hashes. */
	void (*add_strings)(void *self, const struct bitsieve_string *keys, size_t n);
	size_t (*test_strings)(const void *self, const struct bitsieve_string *keys, size_t n);
	void (*add_hashes)(void *self, const uint64_t *hashes, size_t n);
	size_t (*test_hashes)(const void *self, const uint64_t *hashes, size_t n);
};

/*
 * The one function that the shared object exports: its contender i, NULL after
 * the last. They must stay there, unchanged, while the program runs.
 */
const struct bitsieve_peer *bitsieve_peer_at(size_t i);

#ifdef __cplusplus
}
#endif

#endif
