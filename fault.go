package outreach

import (
	"fmt"
	"slices"
)

// The codes of a single value at fault, inside Error.Fields.
const (
	FieldRequired Code = "required"
	FieldInvalid  Code = "invalid"
	FieldTooLong  Code = "too_long"
	FieldType     Code = "invalid_type"
)

// FieldError says what is wrong with one value of a request.
type FieldError struct {
	Path   Path
	Code   Code
	Detail string
}

// Pointer returns the path as a JSON pointer.
func (e FieldError) Pointer() string { return e.Path.Pointer() }

// MaxFaults limits how many faults one refusal lists.
const MaxFaults = 100

// Faults collects the values at fault of one request in the order in which they
// were found. The zero value is ready to use.
type Faults []FieldError

// Add records one fault, unless MaxFaults are recorded already.
func (f *Faults) Add(path Path, code Code, format string, args ...any) {
	if len(*f) >= MaxFaults {
		return
	}
	*f = append(*f, FieldError{Path: path, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// AddUnknown records an id that the workspace does not have.
func (f *Faults) AddUnknown(path Path) {
	f.Add(path, CodeUnknownReference, "%s", ErrNotFound.Message)
}

// Merge adds later faults, without those about a value that is at fault already. A
// value with a part at fault was given, so that it is not required any more.
func (f *Faults) Merge(later []FieldError) {
	known := (*f)[:len(*f):len(*f)]
	for _, fault := range later {
		if len(*f) < MaxFaults && !known.cover(fault) {
			*f = append(*f, fault)
		}
	}
}

// cover reports whether one of the faults makes a later one needless.
func (f Faults) cover(later FieldError) bool {
	return slices.ContainsFunc(f, func(known FieldError) bool {
		given := later.Code == FieldRequired && len(later.Path) > 0 && known.Path.Within(later.Path)
		return given || later.Path.Within(known.Path)
	})
}

// Under returns the faults with path put before each of theirs.
func (f Faults) Under(path Path) Faults {
	moved := make(Faults, len(f))
	for i, fault := range f {
		fault.Path = path.Join(fault.Path...)
		moved[i] = fault
	}
	return moved
}

// Err returns nil without faults, else one error that lists them. Its code is
// that of the faults if they share one that clients act on (read_only_field,
// unknown_reference, url_not_allowed, mailbox_unreachable), else
// validation_failed.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	code := f[0].Code
	for _, fault := range f {
		if fault.Code != code {
			code = CodeValidation
		}
	}
	switch code {
	case CodeReadOnlyField, CodeUnknownReference, CodeURLNotAllowed, CodeMailboxUnreachable:
	default:
		code = CodeValidation
	}
	return &Error{Code: code, Message: f[0].Detail, Fields: f}
}

// FaultsOf returns the faults that err lists; nil for an error of another kind.
func FaultsOf(err error) Faults {
	if refused, ok := asError(err); ok {
		return refused.Fields
	}
	return nil
}
