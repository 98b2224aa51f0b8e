// A program without a C library that calls one function of kernels.c:
//
//	start FUNCTION P N
//
// over N words or keys. Words are P + 1 random words ANDed; for a filter of a k
// that is given at run time P is k, for rows the number of their words. The program
// exists to be traced: its answers go nowhere.

#include <stddef.h>
#include <stdint.h>

typedef uint64_t block[8];

#define MAX 4096 // words or keys

static uint64_t a[MAX], b[MAX], dst[64 * MAX];
static block blocks[1024];

uint64_t count(const uint64_t *, size_t);
void andRows(uint64_t *, const uint64_t *, const uint64_t *, size_t, size_t);
size_t decode32(uint32_t *, const uint64_t *, size_t, uint32_t);
size_t decode64(uint64_t *, const uint64_t *, size_t, uint64_t);
void reverse(uint8_t *, const uint8_t *, size_t);

#define DECLARE_BINARY(name) \
	void name(uint64_t *, const uint64_t *, const uint64_t *, size_t); \
	uint64_t name##Count(const uint64_t *, const uint64_t *, size_t);
DECLARE_BINARY(and)
DECLARE_BINARY(or)
DECLARE_BINARY(xor)
DECLARE_BINARY(andNot)

#define DECLARE_BLOCKED(k) \
	void test##k(const block *, uint64_t, const uint64_t *, size_t, uint64_t *); \
	void add##k(block *, uint64_t, const uint64_t *, size_t); \
	void testAdd##k(block *, uint64_t, const uint64_t *, size_t, uint64_t *);
DECLARE_BLOCKED(4)
DECLARE_BLOCKED(8)
DECLARE_BLOCKED(12)

struct filter {
	block *blocks;
	uint64_t nblocks, capacity, k;
};
int testOne(const struct filter *, uint64_t);
void addOne(struct filter *, uint64_t);

static int same(const char *s, const char *t) {
	while (*s && *s == *t)
		s++, t++;
	return *s == *t;
}

// The generator of internal/kerneltest/model.go.
static uint64_t state = 88172645463325252;

static uint64_t next(void) {
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void fill(size_t ands) {
	for (size_t i = 0; i < MAX; i++) {
		a[i] = next();
		for (size_t j = 0; j < ands; j++)
			a[i] &= next();
		b[i] = next();
	}
}

static size_t number(const char *s) {
	size_t n = 0;
	for (; *s; s++)
		n = 10 * n + (*s - '0');
	return n;
}

static void run(const char *name, size_t p, size_t n) {
#define IS(f) same(name, #f)
	fill(p);
	if (IS(count)) count(a, n);
#define RUN_BINARY(f) \
	if (IS(f)) f(dst, a, b, n); \
	if (IS(f##Count)) f##Count(a, b, n);
	RUN_BINARY(and)
	RUN_BINARY(or)
	RUN_BINARY(xor)
	RUN_BINARY(andNot)
	if (IS(andRows)) andRows(dst, b, a, p, n / p);
	if (IS(decode32)) decode32((uint32_t *)dst, a, n, 0);
	if (IS(decode64)) decode64(dst, a, n, 0);
	if (IS(reverse)) reverse((uint8_t *)dst, (uint8_t *)a, 8 * n);
#define RUN_BLOCKED(k) \
	if (IS(test##k)) test##k(blocks, 1024, a, n, dst); \
	if (IS(add##k)) add##k(blocks, 1024, a, n); \
	if (IS(testAdd##k)) testAdd##k(blocks, 1024, a, n, dst);
	RUN_BLOCKED(4)
	RUN_BLOCKED(8)
	RUN_BLOCKED(12)
	struct filter f = {blocks, 1024, 1024, p};
	for (size_t i = 0; i < n; i++) {
		if (IS(testOne)) testOne(&f, a[i]);
		if (IS(addOne)) addOne(&f, a[i]);
	}
}

void start(long *stack) { // argc, argv…
	char **argv = (char **)(stack + 1);
	run(argv[1], number(argv[2]), number(argv[3]));
	register long call asm("x8") = 93, status asm("x0") = 0;
	asm volatile("svc 0" : : "r"(call), "r"(status));
}

asm(".global _start\n_start:\n\tmov x0, sp\n\tbl start\n");

void *memset(void *p, int c, size_t n) {
	for (char *q = p; n; n--)
		*q++ = c;
	return p;
}
