package c

import "testing"

// A C kernel that gives a wrong answer is no contender.
func TestKernels(t *testing.T) {
	ks := Kernels()
	if len(ks) == 0 {
		t.Skip("built without the tag cbench")
	}
	for _, k := range ks {
		if err := k.check(); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}
