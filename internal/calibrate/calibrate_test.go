package calibrate

import "testing"

// TestCrossover checks the judgement with invented figures.
func TestCrossover(t *testing.T) {
	th := Threshold{Name: "min", Unit: "words", Value: 4, Sizes: []int{1, 2, 4, 8, 16}}
	upTo := th
	upTo.UpTo = true
	for _, c := range []struct {
		th   Threshold
		gain []float64
		want string
	}{
		{th, []float64{.5, .8, 1.2, 2, 3}, "3 to 4\tagrees"},
		{th, []float64{.5, .8, .97, 1.03, 3}, "3 to 16\tagrees"},
		{th, []float64{.5, .8, .8, 1.03, 3}, "5 to 16\tcosts 25 % at 4"},
		{th, []float64{.5, 1.5, 2, 2, 3}, "2 to 2\tcosts 50 % at 2"},
		{th, []float64{1, 1, 1, 1.05, .95}, "any\tagrees"},
		{th, []float64{1, 1, 1, 2, 2}, "at most 8\tagrees"},
		{th, []float64{.5, .5, .5, .5, .5}, "at least 17\tcosts 100 % at 4"},
		{th, []float64{.5, 1.2, .5, 2, 2}, "not one: 2 to 5\tcosts 100 % at 4"},
		{upTo, []float64{.5, .8, .8, 1.2, 3}, "4 to 7\tagrees"},
		{upTo, []float64{.5, .8, 1.2, 2, 3}, "2 to 3\tcosts 20 % at 4"},
	} {
		got := calibrated{c.th, c.gain}.String()
		if want := "threshold\tmin\twords\t4\t" + c.want; got != want {
			t.Errorf("%v: %q, want %q", c.gain, got, want)
		}
	}
}
