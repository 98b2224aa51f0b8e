// Boost.Bloom (boostorg/bloom): batches by its bulk functions, single keys by its
// ordinary ones. Keys are hashed as boost::bloom::filter does it by default, integers
// by boost::hash, which leaves them as they are, and a multiplication, text by
// boost::hash alone; hashes that come ready are taken as they are.
#include "peer.h"

#include <boost/bloom.hpp>
#include <boost/container_hash/hash.hpp>
#include <cstdint>
#include <new>
#include <string_view>

#ifndef SUFFIX
#define SUFFIX ""
#endif

namespace {

// A hash that comes ready, for the filter to tell it from a key.
struct Ready { uint64_t h; };

struct Hash {
	using is_transparent = void;
	using is_avalanching = std::true_type; // so that the filter mixes none of these again
	size_t operator()(uint64_t x) const { return boost::bloom::detail::mulx64(boost::hash<uint64_t>()(x)); }
	size_t operator()(const bitsieve_string &s) const { return boost::hash<std::string_view>()({s.data, s.len}); }
	size_t operator()(const Ready &r) const { return r.h; }
};

// The benchmark's memory as an allocator.
template <class T> struct Alloc {
	using value_type = T;
	const bitsieve_memory *memory;
	explicit Alloc(const bitsieve_memory *m) : memory(m) {}
	template <class U> Alloc(const Alloc<U> &o) : memory(o.memory) {}
	T *allocate(size_t n) {
		void *p = memory->alloc(n * sizeof(T));
		if (!p)
			throw std::bad_alloc();
		return static_cast<T *>(p);
	}
	void deallocate(T *p, size_t n) { memory->release(p, n * sizeof(T)); }
	template <class U> bool operator==(const Alloc<U> &o) const { return memory == o.memory; }
	template <class U> bool operator!=(const Alloc<U> &o) const { return memory != o.memory; }
};

template <class Subfilter, int K> struct Peer {
	using Filter = boost::bloom::filter<uint64_t, 1, Subfilter, 0, Hash, Alloc<unsigned char>>;

	static int create(const bitsieve_memory *memory, uint64_t bytes, double, bitsieve_filter *made) try {
		auto *f = new Filter(size_t(bytes) * 8, Hash(), Alloc<unsigned char>(memory));
		*made = {f, f->array().data(), f->array().size(), K};
		return 0;
	} catch (...) {
		return 1;
	}
	static void destroy(void *self) { delete static_cast<Filter *>(self); }

	template <class T> static void add(void *self, const T *keys, size_t n) { static_cast<Filter *>(self)->insert(keys, keys + n); }
	template <class T> static size_t test(const void *self, const T *keys, size_t n) {
		size_t hits = 0;
		static_cast<const Filter *>(self)->may_contain(keys, keys + n, [&hits](const T &, bool in) { hits += in; });
		return hits;
	}
	static size_t test_one_by_one(const void *self, const uint64_t *keys, size_t n) {
		const Filter &f = *static_cast<const Filter *>(self);
		size_t hits = 0;
		for (size_t i = 0; i < n; i++)
			hits += f.may_contain(keys[i]);
		return hits;
	}
	static const Ready *ready(const uint64_t *hashes) { return reinterpret_cast<const Ready *>(hashes); }

	static bitsieve_peer make(const char *name) {
		bitsieve_peer p{};
		p.abi = BITSIEVE_PEER_ABI;
		p.name = name;
		p.create = create;
		p.destroy = destroy;
		p.add_uint64s = add<uint64_t>;
		p.test_uint64s = test<uint64_t>;
		p.test_uint64s_one_by_one = test_one_by_one;
		p.add_strings = add<bitsieve_string>;
		p.test_strings = test<bitsieve_string>;
		p.add_hashes = [](void *self, const uint64_t *h, size_t n) { add(self, ready(h), n); };
		p.test_hashes = [](const void *self, const uint64_t *h, size_t n) { return test(self, ready(h), n); };
		return p;
	}
};

const bitsieve_peer peers[] = {
	Peer<boost::bloom::multiblock<uint64_t, 8>, 8>::make("Boost multiblock<uint64,8>" SUFFIX),
	Peer<boost::bloom::fast_multiblock64<8>, 8>::make("Boost fast_multiblock64<8>" SUFFIX),
	Peer<boost::bloom::fast_multiblock32<8>, 8>::make("Boost fast_multiblock32<8>" SUFFIX),
};

} // namespace

extern "C" const bitsieve_peer *bitsieve_peer_at(size_t i) { return i < sizeof peers / sizeof *peers ? &peers[i] : nullptr; }
