package tune

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/bitsieve/bitsieve/internal/cpu"
)

// get returns the value of a field of the row in force. Its path is one that a
// knob has: a wrong one panics.
func get(path string) any { return field(path).Interface() }

// set puts a value in force.
func set(path string, value any) { field(path).Set(reflect.ValueOf(value)) }

func field(path string) reflect.Value {
	v := reflect.ValueOf(&cpu.Tune).Elem()
	for name := range strings.SplitSeq(path, ".") {
		name, index, indexed := strings.Cut(strings.TrimSuffix(name, "]"), "[")
		v = v.FieldByName(name)
		if indexed {
			i, err := strconv.Atoi(index)
			if err != nil {
				panic(err)
			}
			v = v.Index(i)
		}
	}
	return v
}

// names are those of the microarchitectures in Go.
var names = [cpu.NumMicros]string{"Unknown", "Zen2", "Zen3", "Zen4", "Zen5", "Haswell", "AlderLake",
	"SkylakeServer", "IceLake", "SapphireRapids", "NeoverseN1", "NeoverseV1", "NeoverseV2", "Apple"}

// Source returns a part of the row in force, Batches or Words, as Go source: what
// internal/cpu has of a microarchitecture in its var block.
func Source(part string, m cpu.Micro) string {
	v, name := field(part), names[m]
	width := 0
	for i := range v.NumField() {
		width = max(width, len(v.Type().Field(i).Name))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s%s = %s{\n", strings.ToLower(part), name, v.Type().Name())
	for i := range v.NumField() {
		f := v.Type().Field(i).Name
		fmt.Fprintf(&b, "\t\t%s:%s %s,\n", f, strings.Repeat(" ", width-len(f)), Literal(v.Field(i).Interface()))
	}
	b.WriteString("\t}\n")
	return b.String()
}

// Literal returns a value as Go source: without its type if it is a struct's, and
// multiples of large powers of two as shifts.
func Literal(value any) string { return literal(reflect.ValueOf(value)) }

func literal(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			fields = append(fields, literal(v.Field(i)))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case reflect.Array:
		var elements []string
		for i := range v.Len() {
			elements = append(elements, literal(v.Index(i)))
		}
		return fmt.Sprintf("[%d]%s{%s}", v.Len(), v.Type().Elem().Name(), strings.Join(elements, ", "))
	case reflect.Int:
		if v.Int() == math.MaxInt {
			return "Never" // a length that no operand has
		}
		for _, shift := range []int{30, 20, 10} {
			if n := v.Int(); n != 0 && n%(1<<shift) == 0 {
				return fmt.Sprintf("%d << %d", n>>shift, shift)
			}
		}
	}
	return fmt.Sprint(v)
}
