// Each function does its work reps times over n words, so that the call from Go
// weighs nothing. What counts returns the last count.

#include <stddef.h>
#include <stdint.h>

uint64_t count_loop(const uint64_t *a, size_t n, size_t reps);
uint64_t and_count_loop(const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
void and_loop(uint64_t *dst, const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
void and_in_place_loop(uint64_t *dst, const uint64_t *b, size_t n, size_t reps);

// Zero where the compiler's target lacks the instructions; the functions then
// return 0.
extern const int have_harley_seal, have_vpopcnt;

uint64_t count_harley_seal(const uint64_t *a, size_t n, size_t reps);
uint64_t and_count_harley_seal(const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
uint64_t count_vpopcnt(const uint64_t *a, size_t n, size_t reps);
uint64_t and_count_vpopcnt(const uint64_t *a, const uint64_t *b, size_t n, size_t reps);
