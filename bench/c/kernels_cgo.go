//go:build cbench && cgo

package c

// #cgo CFLAGS: -O3 -march=native -Wall
// #include "popcount.h"
import "C"

import "unsafe"

func ptr(p []uint64) *C.uint64_t { return (*C.uint64_t)(unsafe.Pointer(unsafe.SliceData(p))) }

// Kernels returns the kernels that the compiler could build for this CPU.
func Kernels() []Kernel {
	ks := []Kernel{
		{"Count", "C loop", func(_, a, _ []uint64, reps int) int {
			return int(C.count_loop(ptr(a), C.size_t(len(a)), C.size_t(reps)))
		}},
		{"AndCount", "C loop", func(_, a, b []uint64, reps int) int {
			return int(C.and_count_loop(ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps)))
		}},
		{"And", "C loop", func(dst, a, b []uint64, reps int) int {
			C.and_loop(ptr(dst), ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps))
			return 0
		}},
		{"AndInPlace", "C loop", func(dst, _, b []uint64, reps int) int {
			C.and_in_place_loop(ptr(dst), ptr(b), C.size_t(len(b)), C.size_t(reps))
			return 0
		}},
	}
	if C.have_harley_seal != 0 {
		ks = append(ks,
			Kernel{"Count", "C Harley-Seal", func(_, a, _ []uint64, reps int) int {
				return int(C.count_harley_seal(ptr(a), C.size_t(len(a)), C.size_t(reps)))
			}},
			Kernel{"AndCount", "C Harley-Seal", func(_, a, b []uint64, reps int) int {
				return int(C.and_count_harley_seal(ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps)))
			}})
	}
	if C.have_vpopcnt != 0 {
		ks = append(ks,
			Kernel{"Count", "C VPOPCNTDQ", func(_, a, _ []uint64, reps int) int {
				return int(C.count_vpopcnt(ptr(a), C.size_t(len(a)), C.size_t(reps)))
			}},
			Kernel{"AndCount", "C VPOPCNTDQ", func(_, a, b []uint64, reps int) int {
				return int(C.and_count_vpopcnt(ptr(a), ptr(b), C.size_t(len(a)), C.size_t(reps)))
			}})
	}
	return ks
}
