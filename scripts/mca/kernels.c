// The kernels' work in plain C, for clang to vectorise: the yardstick of the
// model in run.sh. The restrict is a gift to it that Go's callers do not make.

#include <stddef.h>
#include <stdint.h>

uint64_t count(const uint64_t *p, size_t n) {
	uint64_t c = 0;
	for (size_t i = 0; i < n; i++)
		c += __builtin_popcountll(p[i]);
	return c;
}

#define BINARY(name, expr) \
	void name(uint64_t *restrict dst, const uint64_t *restrict a, const uint64_t *restrict b, size_t n) { \
		for (size_t i = 0; i < n; i++) \
			dst[i] = expr; \
	} \
	uint64_t name##Count(const uint64_t *a, const uint64_t *b, size_t n) { \
		uint64_t c = 0; \
		for (size_t i = 0; i < n; i++) \
			c += __builtin_popcountll(expr); \
		return c; \
	}

BINARY(and, a[i] & b[i])
BINARY(or, a[i] | b[i])
BINARY(xor, a[i] ^ b[i])
BINARY(andNot, a[i] & ~b[i])

void andRows(uint64_t *restrict counts, const uint64_t *query, const uint64_t *rows, size_t words, size_t n) {
	for (size_t i = 0; i < n; i++, rows += words) {
		uint64_t c = 0;
		for (size_t j = 0; j < words; j++)
			c += __builtin_popcountll(query[j] & rows[j]);
		counts[i] = c;
	}
}

#define DECODE(name, type) \
	size_t name(type *dst, const uint64_t *p, size_t n, type base) { \
		type *start = dst; \
		for (size_t i = 0; i < n; i++, base += 64) \
			for (uint64_t w = p[i]; w; w &= w - 1) \
				*dst++ = base + __builtin_ctzll(w); \
		return dst - start; \
	}

DECODE(decode32, uint32_t)
DECODE(decode64, uint64_t)

void reverse(uint8_t *restrict dst, const uint8_t *restrict src, size_t n) {
	for (size_t i = 0; i < n; i++)
		dst[i] = __builtin_bitreverse8(src[i]);
}

// The blocked filter of internal/block/block.go, with k known to the compiler.

#define MIX_MUL 0xd6e8feb86659fd93
#define WORD_MUL 0x9e3779b97f4a7c15

typedef uint64_t block[8];

static inline uint64_t mix(uint64_t x) {
	x ^= x >> 29;
	x *= MIX_MUL;
	x ^= x >> 32;
	x *= MIX_MUL;
	return x ^ x >> 32;
}

static inline uint64_t test_lanes(const uint64_t *b, uint64_t w, uint64_t v, unsigned n) {
	uint64_t miss = 0;
	if (n == 8) {
		for (unsigned j = 0; j < 8; j++)
			miss |= ~b[j] >> (v >> (16 + 6 * j) & 63);
	} else {
		for (unsigned i = 0; i < n; i++) {
			unsigned j = (i - w) & 7;
			miss |= ~b[j] >> (v >> (16 + 6 * j) & 63);
		}
	}
	return miss;
}

static inline void add_lanes(uint64_t *b, uint64_t w, uint64_t v, unsigned n) {
	if (n == 8) {
		for (unsigned j = 0; j < 8; j++)
			b[j] |= (uint64_t)1 << (v >> (16 + 6 * j) & 63);
	} else {
		for (unsigned i = 0; i < n; i++) {
			unsigned j = (i - w) & 7;
			b[j] |= (uint64_t)1 << (v >> (16 + 6 * j) & 63);
		}
	}
}

#define BLOCKED(k) \
	void test##k(const block *blocks, uint64_t nblocks, const uint64_t *keys, size_t n, uint64_t *hits) { \
		uint64_t word = 0; \
		for (size_t i = 0; i < n; i++) { \
			uint64_t h = mix(keys[i]), w = h * WORD_MUL; \
			const uint64_t *b = blocks[(unsigned __int128)h * nblocks >> 64]; \
			uint64_t miss = test_lanes(b, w, w, k < 8 ? k : 8); \
			if (k > 8) \
				miss |= test_lanes(b, w, (h ^ h >> 32) * MIX_MUL, k - 8); \
			word |= (~miss & 1) << (i & 63); \
			if ((i & 63) == 63) { \
				*hits++ = word; \
				word = 0; \
			} \
		} \
		if (n & 63) \
			*hits = word; \
	} \
	void add##k(block *blocks, uint64_t nblocks, const uint64_t *keys, size_t n) { \
		for (size_t i = 0; i < n; i++) { \
			uint64_t h = mix(keys[i]), w = h * WORD_MUL; \
			uint64_t *b = blocks[(unsigned __int128)h * nblocks >> 64]; \
			add_lanes(b, w, w, k < 8 ? k : 8); \
			if (k > 8) \
				add_lanes(b, w, (h ^ h >> 32) * MIX_MUL, k - 8); \
		} \
	} \
	void testAdd##k(block *blocks, uint64_t nblocks, const uint64_t *keys, size_t n, uint64_t *restrict hits) { \
		uint64_t word = 0; \
		for (size_t i = 0; i < n; i++) { \
			uint64_t h = mix(keys[i]), w = h * WORD_MUL, w2 = (h ^ h >> 32) * MIX_MUL; \
			uint64_t *b = blocks[(unsigned __int128)h * nblocks >> 64]; \
			uint64_t miss = test_lanes(b, w, w, k < 8 ? k : 8); \
			if (k > 8) \
				miss |= test_lanes(b, w, w2, k - 8); \
			add_lanes(b, w, w, k < 8 ? k : 8); \
			if (k > 8) \
				add_lanes(b, w, w2, k - 8); \
			word |= (~miss & 1) << (i & 63); \
			if ((i & 63) == 63) { \
				*hits++ = word; \
				word = 0; \
			} \
		} \
		if (n & 63) \
			*hits = word; \
	}

BLOCKED(4)
BLOCKED(8)
BLOCKED(12)

// One key, with k unknown to the compiler.

struct filter {
	block *blocks;
	uint64_t nblocks, capacity, k;
};

int testOne(const struct filter *f, uint64_t x) {
	uint64_t h = mix(x), w = h * WORD_MUL;
	const uint64_t *b = f->blocks[(unsigned __int128)h * f->nblocks >> 64];
	if (f->k < 8)
		return ~test_lanes(b, w, w, f->k) & 1;
	uint64_t miss = test_lanes(b, w, w, 8);
	if (f->k > 8)
		miss |= test_lanes(b, w, (h ^ h >> 32) * MIX_MUL, f->k - 8);
	return ~miss & 1;
}

void addOne(struct filter *f, uint64_t x) {
	uint64_t h = mix(x), w = h * WORD_MUL;
	uint64_t *b = f->blocks[(unsigned __int128)h * f->nblocks >> 64];
	if (f->k < 8) {
		add_lanes(b, w, w, f->k);
		return;
	}
	add_lanes(b, w, w, 8);
	if (f->k > 8)
		add_lanes(b, w, (h ^ h >> 32) * MIX_MUL, f->k - 8);
}
