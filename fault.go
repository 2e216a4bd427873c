package outreach

import (
	"fmt"
	"slices"
	"strings"
)

// The codes of one invalid value, in Error.Fields.
const (
	FieldRequired Code = "required"
	FieldInvalid  Code = "invalid"
	FieldTooLong  Code = "too_long"
	FieldType     Code = "invalid_type"
)

// FieldError describes one invalid value of a request.
type FieldError struct {
	Path   Path
	Code   Code
	Detail string
}

// Pointer returns the path as a JSON pointer.
func (e FieldError) Pointer() string { return e.Path.Pointer() }

// MaxFaults limits how many faults one refusal lists.
const MaxFaults = 100

// Faults collects the invalid values of one request in the order in which they were found. The
// zero value is ready to use.
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

// Merge adds later faults, except those about a value that has a fault already. A value of which
// a part has a fault was given, so a later fault that it is required is dropped too.
func (f *Faults) Merge(later []FieldError) {
	known := (*f)[:len(*f):len(*f)]
	for _, fault := range later {
		if len(*f) < MaxFaults && !known.cover(fault) {
			*f = append(*f, fault)
		}
	}
}

// cover reports whether one of the faults makes a later one redundant.
func (f Faults) cover(later FieldError) bool {
	return slices.ContainsFunc(f, func(known FieldError) bool {
		given := later.Code == FieldRequired && len(later.Path) > 0 && known.Path.Within(later.Path)
		return given || later.Path.Within(known.Path)
	})
}

// Details returns the details of all faults in one text.
func (f Faults) Details() string {
	all := make([]string, len(f))
	for i, fault := range f {
		all[i] = fault.Detail
	}
	return strings.Join(all, "; ")
}

// Under returns the faults with path prepended to each path.
func (f Faults) Under(path Path) Faults {
	moved := make(Faults, len(f))
	for i, fault := range f {
		fault.Path = path.Join(fault.Path...)
		moved[i] = fault
	}
	return moved
}

// Err returns nil if there are no faults, else one error that lists them. If all faults have the
// same code and clients act on it (read_only_field, unknown_reference, url_not_allowed,
// mailbox_unreachable), the error has that code, else validation_failed.
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
