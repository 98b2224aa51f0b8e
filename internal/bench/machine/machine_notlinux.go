//go:build !linux

package machine

import "errors"

// AvailableMemory returns how much memory this process may take without
// swapping; 0 if unknown.
func AvailableMemory() int64 { return 0 }

func hugePages() string { return "not asked for on this system" }

// HugeInUse returns how much of this process's memory lies on huge pages, as
// far as is known.
func HugeInUse() int64 { return 0 }

// DisableHugePages makes this process, from now on, get small pages only.
func DisableHugePages() error {
	return errors.New("huge pages can be switched off on Linux only")
}
