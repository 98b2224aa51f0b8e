//go:build cbench && cgo && !windows

#define _DEFAULT_SOURCE // MAP_ANONYMOUS and madvise

#include "peer_cgo.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *peer_open(const char *path, const char **why) {
	void *f = NULL;
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL); // stays: its functions are used to the end
	if (object)
		f = dlsym(object, "bitsieve_peer_at");
	if (!f)
		*why = dlerror();
	return f;
}

#ifdef __linux__

#define HUGE ((size_t)2 << 20)

// Like internal/memory: from a huge page's boundary on, and advised before the
// first touch, if there is one to fill.
static void *map(size_t bytes) {
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t whole = (bytes + page - 1) & ~(page - 1);
	size_t align = bytes < HUGE ? page : HUGE;
	char *raw = mmap(NULL, whole + align, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (raw == MAP_FAILED)
		return NULL;
	size_t head = -(uintptr_t)raw & (align - 1);
	if (head > 0)
		munmap(raw, head);
	munmap(raw + head + whole, align - head);
	if (bytes >= HUGE)
		madvise(raw + head, bytes, MADV_HUGEPAGE); // a kernel without huge pages fails
	return raw + head;
}

static void unmap(void *p, size_t bytes) { munmap(p, bytes); }

#else

static void *map(size_t bytes) {
	void *p;
	if (posix_memalign(&p, 64, bytes) != 0)
		return NULL;
	return memset(p, 0, bytes);
}

static void unmap(void *p, size_t bytes) {
	(void)bytes;
	free(p);
}

#endif

const struct bitsieve_memory peer_memory = {map, unmap};
