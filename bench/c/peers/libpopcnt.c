// libpopcnt (kimwalisch/libpopcnt), one header: the bits of a whole array at once.
#include "libpopcnt.h"
#include "peer.h"

#ifndef SUFFIX
#define SUFFIX ""
#endif

static uint64_t count(const uint64_t *a, size_t n, size_t reps) {
	uint64_t sum = 0;
	for (; reps > 0; reps--) {
		__asm__ volatile("" ::: "memory"); // once a repetition, not once for all
		sum = popcnt(a, n * 8);
	}
	return sum;
}

static const struct bitsieve_peer peer = {.abi = BITSIEVE_PEER_ABI, .name = "libpopcnt" SUFFIX, .count = count};

const struct bitsieve_peer *bitsieve_peer_at(size_t i) { return i == 0 ? &peer : NULL; }
