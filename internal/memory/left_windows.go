package memory

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var globalMemoryStatusEx = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// memoryStatus is MEMORYSTATUSEX.
type memoryStatus struct {
	length, load                 uint32
	totalPhysical, availPhysical uint64
	totalCommit, availCommit     uint64
	totalVirtual, availVirtual   uint64
	availExtendedVirtual         uint64
}

// left returns how much memory this process can commit, and address.
func left() limit {
	s := memoryStatus{length: uint32(unsafe.Sizeof(memoryStatus{}))}
	if globalMemoryStatusEx.Find() != nil {
		return unlimited
	}
	if ok, _, _ := globalMemoryStatusEx.Call(uintptr(unsafe.Pointer(&s))); ok == 0 {
		return unlimited
	}
	l := limit{s.availCommit, "memory and page file that can be committed"}
	l.lower(s.availVirtual, "the process's address space")
	return l
}
