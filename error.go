package outreach

import (
	"errors"
	"fmt"
)

// Code names a kind of error. Codes are stable: clients branch on them, and one
// table in rest maps them to HTTP statuses.
type Code string

// The codes that clients see.
const (
	CodeInvalidParameter     Code = "invalid_parameter"
	CodeInvalidCursor        Code = "invalid_cursor"
	CodeInvalidHeader        Code = "invalid_header"
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
	CodeCompanyReplied       Code = "company_replied"
	CodeCampaignArchived     Code = "campaign_archived"
	CodeCampaignStepInUse    Code = "campaign_step_in_use"
	CodeConfirmationRequired Code = "confirmation_required"
	CodePasswordRequired     Code = "password_required"
	CodeTOTPRequired         Code = "totp_required"
	CodeTOTPSetupRequired    Code = "totp_setup_required"
	CodeQuotaReached         Code = "quota_reached"
	CodeIdempotencyRunning   Code = "idempotency_key_in_progress"
	CodeIdempotencyReused    Code = "idempotency_key_reused"
	CodeRequestTimeout       Code = "request_timeout"
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

// Error is a refusal whose message is shown to the client unchanged. Any other error is a fault of
// the service: it is logged, and the client only sees CodeInternal.
type Error struct {
	Code    Code
	Message string
	Fields  []FieldError
	// Extra holds additional members of the problem document, such as prospect_id for
	// CodeProspectExists.
	Extra map[string]string
}

// Error returns code and message as one line for logs.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Errorf returns an error for the client with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// ErrNotFound is returned for an id that the workspace does not have, even if another workspace
// has it.
var ErrNotFound = &Error{Code: CodeNotFound, Message: "This workspace has no such resource."}

// InvalidCursor returns the error for a cursor that cannot be used. Its message is the one that the
// specification asks for; why says what is wrong, in a sentence.
func InvalidCursor(why string) *Error {
	return &Error{Code: CodeInvalidCursor, Message: "cursor is not valid",
		Fields: Faults{{Path: At("cursor"), Code: CodeInvalidCursor, Detail: why}}}
}

// ErrMalformedCursor is returned for a cursor that no page can have.
var ErrMalformedCursor = InvalidCursor("cursor is malformed: send the next_cursor of a page unchanged.")

// NotUUID returns the text of the refusal of a value that is not a UUID.
func NotUUID(name string) string { return name + " must be a UUID of 36 characters." }

// CodeOf returns the code of err, CodeInternal if it has none.
func CodeOf(err error) Code {
	if e, ok := asError(err); ok {
		return e.Code
	}
	return CodeInternal
}

func asError(err error) (*Error, bool) { return errors.AsType[*Error](err) }
