// The calls of a peer's functions, which Go cannot make by pointer.

#include <stdlib.h>
#include <string.h>

#include "peer.h"

extern const struct bitsieve_memory peer_memory;

// peer_open returns the address of bitsieve_peer_at in a shared object, or NULL and
// why.
void *peer_open(const char *path, const char **why);

static inline const struct bitsieve_peer *peer_at(void *f, size_t i) {
	return ((const struct bitsieve_peer *(*)(size_t))f)(i);
}

static inline uint64_t peer_count(const struct bitsieve_peer *p, const uint64_t *a, size_t n, size_t reps) {
	return p->count(a, n, reps);
}

static inline uint64_t peer_op_count(const struct bitsieve_peer *p, int op, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	return p->op_count[op](a, b, n, reps);
}

static inline void peer_op_words(const struct bitsieve_peer *p, int op, uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	p->op_words[op](dst, a, b, n, reps);
}

static inline uint64_t peer_op_words_count(const struct bitsieve_peer *p, int op, uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps) {
	return p->op_words_count[op](dst, a, b, n, reps);
}

static inline int peer_create(const struct bitsieve_peer *p, uint64_t bytes, double bits_per_key, struct bitsieve_filter *made) {
	return p->create(&peer_memory, bytes, bits_per_key, made);
}

static inline void peer_destroy(const struct bitsieve_peer *p, void *self) { p->destroy(self); }

static inline void peer_add_uint64s(const struct bitsieve_peer *p, void *self, const uint64_t *keys, size_t n) {
	p->add_uint64s(self, keys, n);
}

static inline size_t peer_test_uint64s(const struct bitsieve_peer *p, void *self, const uint64_t *keys, size_t n) {
	return p->test_uint64s(self, keys, n);
}

static inline size_t peer_test_one_by_one(const struct bitsieve_peer *p, void *self, const uint64_t *keys, size_t n) {
	return (p->test_uint64s_one_by_one ? p->test_uint64s_one_by_one : p->test_uint64s)(self, keys, n);
}

static inline void peer_add_hashes(const struct bitsieve_peer *p, void *self, const uint64_t *hashes, size_t n) {
	p->add_hashes(self, hashes, n);
}

static inline size_t peer_test_hashes(const struct bitsieve_peer *p, void *self, const uint64_t *hashes, size_t n) {
	return p->test_hashes(self, hashes, n);
}

// Strings come as the address of Go's own headers, which are of the same form.

static inline void peer_add_strings(const struct bitsieve_peer *p, void *self, uintptr_t keys, size_t n) {
	p->add_strings(self, (const struct bitsieve_string *)keys, n);
}

static inline size_t peer_test_strings(const struct bitsieve_peer *p, void *self, uintptr_t keys, size_t n) {
	return p->test_strings(self, (const struct bitsieve_string *)keys, n);
}
