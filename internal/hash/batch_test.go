package hash

import "testing"

func TestScattered(t *testing.T) {
	text := make([]byte, 4*touchSpan)
	at := func(i int) []byte { return text[i : i+1] }
	for _, c := range []struct {
		keys [][]byte
		want bool
	}{
		{nil, false},
		{[][]byte{at(0)}, false},
		{[][]byte{at(0), at(3 * touchSpan), at(1)}, false},
		{[][]byte{at(0), at(touchSpan)}, false},
		{[][]byte{at(0), at(touchSpan + 1)}, true},
		{[][]byte{at(touchSpan), at(0)}, false},
		{[][]byte{at(touchSpan + 1), at(0)}, true},
		{[][]byte{at(3 * touchSpan), at(1), at(0)}, true},
		{[][]byte{nil, nil}, false},
	} {
		if got := scattered(c.keys); got != c.want {
			t.Errorf("%d keys: %v, want %v", len(c.keys), got, c.want)
		}
	}
}
