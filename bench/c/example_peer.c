//go:build ignore

// An example of peer.h: a loop that counts bits, and a blocked Bloom filter of
// eight bits in one line of 64 bytes.
//
//	cc -O3 -march=native -shared -fPIC -I bench/c -o example.so bench/c/example_peer.c

#include "peer.h"
#include <stdlib.h>

static uint64_t count(const uint64_t *a, size_t n, size_t reps) {
	uint64_t sum = 0;
	for (; reps > 0; reps--) {
		__asm__ volatile("" ::: "memory"); // once a repetition, not once for all
		sum = 0;
		for (size_t i = 0; i < n; i++)
			sum += (uint64_t)__builtin_popcountll(a[i]);
	}
	return sum;
}

struct filter {
	const struct bitsieve_memory *memory;
	uint64_t (*lines)[8];
	uint64_t n;
};

static int create(const struct bitsieve_memory *memory, uint64_t bytes, double bits_per_key, struct bitsieve_filter *made) {
	(void)bits_per_key; // k is 8, whatever the load
	uint64_t n = bytes / 64;
	struct filter *f = malloc(sizeof *f);
	void *lines = f && n > 0 ? memory->alloc(n * 64) : NULL;
	if (!lines) {
		free(f);
		return 1; // declines, too, what there is no memory for
	}
	*f = (struct filter){memory, lines, n};
	*made = (struct bitsieve_filter){f, lines, n * 64, 8};
	return 0;
}

static void destroy(void *self) {
	struct filter *f = self;
	f->memory->release(f->lines, f->n * 64);
	free(f);
}

static uint64_t mix(uint64_t x) {
	x = (x ^ x >> 32) * 0x9fb21c651e98df25;
	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
	return x ^ x >> 32;
}

static uint64_t text(struct bitsieve_string s) {
	uint64_t h = 0xcbf29ce484222325 ^ s.len;
	for (size_t i = 0; i < s.len; i++)
		h = (h ^ (unsigned char)s.data[i]) * 0x100000001b3;
	return mix(h);
}

// A key's line is chosen by the high half of its hash, its bits by a product.
#define LINE(f, h) ((f)->lines[((h) >> 32) * (f)->n >> 32])
#define BIT(h, i) (UINT64_C(1) << ((h) * 0x9e3779b97f4a7c15 >> (6 * (i) + 16) & 63))

static void add(const struct filter *f, uint64_t h) {
	for (int i = 0; i < 8; i++)
		LINE(f, h)[i] |= BIT(h, i);
}

static size_t test(const struct filter *f, uint64_t h) {
	uint64_t missing = 0;
	for (int i = 0; i < 8; i++)
		missing |= BIT(h, i) & ~LINE(f, h)[i];
	return missing == 0;
}

#define FUNCTIONS(kind, type, hash)                                              \
	static void add_##kind(void *self, const type *keys, size_t n) {         \
		for (size_t i = 0; i < n; i++)                                   \
			add(self, hash(keys[i]));                                \
	}                                                                        \
	static size_t test_##kind(const void *self, const type *keys, size_t n) { \
		size_t hits = 0;                                                 \
		for (size_t i = 0; i < n; i++)                                   \
			hits += test(self, hash(keys[i]));                       \
		return hits;                                                     \
	}

FUNCTIONS(uint64s, uint64_t, mix)
FUNCTIONS(strings, struct bitsieve_string, text)
FUNCTIONS(hashes, uint64_t, (uint64_t))

static const struct bitsieve_peer peer = {
	.abi = BITSIEVE_PEER_ABI, .name = "example", .count = count, .create = create, .destroy = destroy,
	.add_uint64s = add_uint64s, .test_uint64s = test_uint64s,
	.add_strings = add_strings, .test_strings = test_strings,
	.add_hashes = add_hashes, .test_hashes = test_hashes,
};

const struct bitsieve_peer *bitsieve_peer_at(size_t i) { return i == 0 ? &peer : NULL; }
