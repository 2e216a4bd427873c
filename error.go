package outreach

import (
	"errors"
	"fmt"
)

// Code names a kind of refusal. It is stable: clients branch on it, and one
// table in rest maps it to an HTTP status.
type Code string

// The codes that the service gives to its clients.
const (
	CodeInvalidParameter     Code = "invalid_parameter"
	CodeInvalidCursor        Code = "invalid_cursor"
	CodeInvalidJSON          Code = "invalid_json"
	CodeUnauthorized         Code = "unauthorized"
	CodeForbidden            Code = "forbidden"
	CodeNotFound             Code = "not_found"
	CodeMethodNotAllowed     Code = "method_not_allowed"
	CodeConflict             Code = "conflict"
	CodeInvalidState         Code = "invalid_state"
	CodeInUse                Code = "in_use"
	CodeProspectExists       Code = "prospect_exists"
	CodeMailboxExists        Code = "mailbox_exists"
	CodeSnippetExists        Code = "snippet_exists"
	CodeProspectSuppressed   Code = "prospect_suppressed"
	CodeProspectUnsubscribed Code = "prospect_unsubscribed"
	CodeProspectBounced      Code = "prospect_bounced"
	CodeProspectReplied      Code = "prospect_replied"
	CodeCampaignArchived     Code = "campaign_archived"
	CodeCampaignStepInUse    Code = "campaign_step_in_use"
	CodeConfirmationRequired Code = "confirmation_required"
	CodeIdempotencyRunning   Code = "idempotency_key_in_progress"
	CodeIdempotencyReused    Code = "idempotency_key_reused"
	CodeTooLarge             Code = "payload_too_large"
	CodeUnsupportedMedia     Code = "unsupported_media_type"
	CodeValidation           Code = "validation_failed"
	CodeReadOnlyField        Code = "read_only_field"
	CodeUnknownReference     Code = "unknown_reference"
	CodePrecondition         Code = "precondition_failed"
	CodeURLNotAllowed        Code = "url_not_allowed"
	CodeMailboxUnreachable   Code = "mailbox_unreachable"
	CodeRateLimited          Code = "rate_limited"
	CodeUnavailable          Code = "unavailable"
	CodeInternal             Code = "internal"
)

// The codes of a single field at fault, inside Error.Fields.
const (
	FieldRequired Code = "required"
	FieldInvalid  Code = "invalid"
	FieldTooLong  Code = "too_long"
	FieldType     Code = "invalid_type"
)

// FieldError says what is wrong with one value of a request. Pointer is a JSON
// pointer into the body (RFC 6901, REST spelling), Parameter the name of a query
// parameter; one of the two is set.
type FieldError struct {
	Pointer   string
	Parameter string
	Code      Code
	Detail    string
}

// Error is a refusal meant for the client: its message may be shown as it
// stands. Every other error is ours, is logged, and reaches the client only as
// CodeInternal.
type Error struct {
	Code    Code
	Message string
	Fields  []FieldError
	// Extra holds members that a single code adds to its problem document,
	// such as prospect_id for CodeProspectExists.
	Extra map[string]string
}

// Error gives code and message in one line for logs.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf builds a client error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrNotFound is the one answer for an id that does not exist in the asking
// workspace, whether or not another workspace has it.
var ErrNotFound = &Error{Code: CodeNotFound, Message: "There is no such resource in this workspace."}

// CodeOf gives the client code of err, CodeInternal when it has none.
func CodeOf(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return CodeInternal
}

// MaxFaults bounds what one refusal names; a body of a million faults is not worth
// an answer of as many.
const MaxFaults = 100

// Faults collects the fields at fault of one body; its zero value is ready.
type Faults []FieldError

// Add records one field at fault, unless MaxFaults are there already.
func (f *Faults) Add(pointer string, code Code, format string, args ...any) {
	if len(*f) >= MaxFaults {
		return
	}
	*f = append(*f, FieldError{Pointer: pointer, Code: code, Detail: fmt.Sprintf(format, args...)})
}

// Err is nil when nothing is at fault, else one error that names every field.
// Its code is that of the fields when they all share one that clients branch on
// (read_only_field, unknown_reference, url_not_allowed), else validation_failed.
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
