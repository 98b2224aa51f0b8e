// RocksDB's filter of "format_version 5", FastLocalBloomImpl in util/bloom_impl.h,
// hashed by XXPH3 as RocksDB hashes keys. Each way of using it has the look-ahead that
// RocksDB itself has there: a MultiGet prepares its 32 keys before it probes the first,
// a table's builder has eight keys under way, a Get takes one.
#include "peer.h"

#include "util/bloom_impl.h"
#include "util/xxph3.h"
#include <algorithm>

#ifndef SUFFIX
#define SUFFIX ""
#endif

using namespace ROCKSDB_NAMESPACE;

namespace {

constexpr size_t kMultiGet = 32, kBuilder = 8; // keys

struct Filter {
	const bitsieve_memory *memory;
	char *data;
	uint32_t bytes; // whole lines
	int k;
};

int create(const bitsieve_memory *memory, uint64_t bytes, double bits_per_key, bitsieve_filter *made) {
	bytes &= ~uint64_t{63};
	if (bytes == 0 || bytes > 0xffffffc0) // RocksDB keeps the size in 32 bits
		return 1;
	auto *data = static_cast<char *>(memory->alloc(bytes));
	if (!data)
		return 1;
	int k = FastLocalBloomImpl::ChooseNumProbes(int(bits_per_key * 1000 + 0.5)); // takes thousandths
	*made = {new Filter{memory, data, uint32_t(bytes), k}, data, bytes, uint32_t(k)};
	return 0;
}

void destroy(void *self) {
	auto *f = static_cast<Filter *>(self);
	f->memory->release(f->data, f->bytes);
	delete f;
}

// A hash that comes ready.
struct Ready { uint64_t h; };

inline uint64_t hash(uint64_t x) { return XXPH3_64bits(&x, sizeof x); }
inline uint64_t hash(const bitsieve_string &s) { return XXPH3_64bits(s.data, s.len); }
inline uint64_t hash(Ready r) { return r.h; }

// A key whose line is on its way.
struct Underway { uint32_t offset, bits; };

template <class T> inline Underway start(const Filter &f, const T &key) {
	uint64_t h = hash(key);
	Underway u;
	FastLocalBloomImpl::PrepareHash(Lower32of64(h), f.bytes, f.data, &u.offset); // prefetches
	u.bits = Upper32of64(h);
	return u;
}

inline void set(const Filter &f, Underway u) { FastLocalBloomImpl::AddHashPrepared(u.bits, f.k, f.data + u.offset); }
inline bool has(const Filter &f, Underway u) { return FastLocalBloomImpl::HashMayMatchPrepared(u.bits, f.k, f.data + u.offset); }

template <class T> void add(void *self, const T *keys, size_t n) {
	const Filter f = *static_cast<Filter *>(self);
	Underway ring[kBuilder];
	size_t first = std::min(n, kBuilder);
	for (size_t i = 0; i < first; i++)
		ring[i] = start(f, keys[i]);
	for (size_t i = first; i < n; i++) {
		Underway &u = ring[i % kBuilder];
		set(f, u);
		u = start(f, keys[i]);
	}
	for (size_t i = 0; i < first; i++)
		set(f, ring[i]);
}

template <class T> size_t test(const void *self, const T *keys, size_t n) {
	const Filter f = *static_cast<const Filter *>(self);
	Underway batch[kMultiGet];
	size_t hits = 0;
	while (n > 0) {
		size_t m = std::min(n, kMultiGet);
		for (size_t i = 0; i < m; i++)
			batch[i] = start(f, keys[i]);
		for (size_t i = 0; i < m; i++)
			hits += has(f, batch[i]);
		keys += m;
		n -= m;
	}
	return hits;
}

size_t test_one_by_one(const void *self, const uint64_t *keys, size_t n) {
	const Filter f = *static_cast<const Filter *>(self);
	size_t hits = 0;
	for (size_t i = 0; i < n; i++)
		hits += has(f, start(f, keys[i]));
	return hits;
}

const Ready *ready(const uint64_t *hashes) { return reinterpret_cast<const Ready *>(hashes); }
void add_hashes(void *self, const uint64_t *h, size_t n) { add(self, ready(h), n); }
size_t test_hashes(const void *self, const uint64_t *h, size_t n) { return test(self, ready(h), n); }

bitsieve_peer make() {
	bitsieve_peer p{};
	p.abi = BITSIEVE_PEER_ABI;
	p.name = "RocksDB FastLocalBloom" SUFFIX;
	p.create = create;
	p.destroy = destroy;
	p.add_uint64s = add<uint64_t>;
	p.test_uint64s = test<uint64_t>;
	p.test_uint64s_one_by_one = test_one_by_one;
	p.add_strings = add<bitsieve_string>;
	p.test_strings = test<bitsieve_string>;
	p.add_hashes = add_hashes;
	p.test_hashes = test_hashes;
	return p;
}

const bitsieve_peer peer = make();

} // namespace

extern "C" const bitsieve_peer *bitsieve_peer_at(size_t i) { return i == 0 ? &peer : nullptr; }
