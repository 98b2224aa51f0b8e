package format

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// What can be wrong with a file. An Error wraps one of them.
var (
	ErrNotFilter    = errors.New("bitsieve: not a bitsieve file")
	ErrVersion      = errors.New("bitsieve: unknown format version")
	ErrKind         = errors.New("bitsieve: another kind of filter")
	ErrTruncated    = errors.New("bitsieve: truncated")
	ErrTrailingData = errors.New("bitsieve: data after the end")
	ErrChecksum     = errors.New("bitsieve: checksum mismatch")
	ErrHeader       = errors.New("bitsieve: invalid header")
)

// ErrNotDurable is wrapped when a file was replaced by the new one, but the
// system did not confirm that its name is on disk.
var ErrNotDurable = errors.New("bitsieve: saved, but may not survive a crash")

// ErrEmpty is what writing a filter without bits gives.
var ErrEmpty = errors.New("bitsieve: the filter is closed or was never made")

// An Error says what is wrong with a filter's file or stream, and where. It is
// the root package's FormatError.
type Error struct {
	Path   string // the file; "" if the data did not come from a named file
	Field  string // the part of the format at fault, such as "payload"
	Offset int64  // where that part starts, or where the data ended
	Detail string // what was found, and what was expected
	Err    error  // the sort of fault: ErrTruncated, ErrChecksum, …
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("bitsieve: ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	b.WriteString(strings.TrimPrefix(e.Err.Error(), "bitsieve: "))
	fmt.Fprintf(&b, ": %s at byte %d: %s", e.Field, e.Offset, e.Detail)
	return b.String()
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error about a field, with a formatted Detail.
func Errorf(err error, field string, offset int64, detail string, args ...any) *Error {
	return &Error{Field: field, Offset: offset, Detail: fmt.Sprintf(detail, args...), Err: err}
}

// WithPath adds the name of the file to an error that lacks it.
func WithPath(err error, path string) error {
	var e *Error
	if errors.As(err, &e) {
		e.Path = path
		return err
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, path)
}
