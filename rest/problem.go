package rest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"outreach"
)

// problemType is the media type of every refusal (RFC 9457).
const problemType = "application/problem+json"

// refusal is the status and title of a code.
type refusal struct {
	status int
	title  string
}

// refusals maps every code to its HTTP status and title.
var refusals = map[outreach.Code]refusal{
	outreach.CodeInvalidParameter:     {400, "A query parameter is not valid"},
	outreach.CodeInvalidCursor:        {400, "The cursor is not valid"},
	outreach.CodeInvalidHeader:        {400, "A request header is not valid"},
	outreach.CodeInvalidJSON:          {400, "The JSON of the body is not accepted"},
	outreach.CodeUnauthorized:         {401, "A valid API token is needed"},
	outreach.CodeForbidden:            {403, "Not allowed"},
	outreach.CodeNotFound:             {404, "Not found"},
	outreach.CodeMethodNotAllowed:     {405, "Method not allowed"},
	outreach.CodeRequestTimeout:       {408, "The body did not arrive in time"},
	outreach.CodeConflict:             {409, "Conflict"},
	outreach.CodeInvalidState:         {409, "Not possible in the current state"},
	outreach.CodeInUse:                {409, "Still in use"},
	outreach.CodeProspectExists:       {409, "The prospect exists already"},
	outreach.CodeMailboxExists:        {409, "The mailbox exists already"},
	outreach.CodeSnippetExists:        {409, "The snippet exists already"},
	outreach.CodeProspectSuppressed:   {409, "The address is suppressed"},
	outreach.CodeProspectUnsubscribed: {409, "The prospect has unsubscribed"},
	outreach.CodeProspectBounced:      {409, "The prospect's address bounces"},
	outreach.CodeProspectReplied:      {409, "The prospect has replied"},
	outreach.CodeCompanyReplied:       {409, "A colleague has replied"},
	outreach.CodeCampaignArchived:     {409, "The campaign is archived"},
	outreach.CodeCampaignStepInUse:    {409, "An enrollment has passed this step"},
	outreach.CodeConfirmationRequired: {409, "A confirmation is needed"},
	outreach.CodeIdempotencyRunning:   {409, "The request under this key is still running"},
	outreach.CodeQuotaReached:         {409, "The workspace has reached a limit"},
	outreach.CodePasswordRequired:     {403, "The password is needed again"},
	outreach.CodeTOTPRequired:         {401, "A second factor is needed"},
	outreach.CodeTOTPSetupRequired:    {403, "Two-factor sign-in must be set up"},
	outreach.CodeTooLarge:             {413, "The body is too large"},
	outreach.CodeUnsupportedMedia:     {415, "The media type is not supported"},
	outreach.CodeValidation:           {422, "The body is not valid"},
	outreach.CodeReadOnlyField:        {422, "A field is read-only"},
	outreach.CodeUnknownReference:     {422, "An id in the body is unknown"},
	outreach.CodePrecondition:         {422, "A precondition is not met"},
	outreach.CodeURLNotAllowed:        {422, "The URL is not allowed"},
	outreach.CodeMailboxUnreachable:   {422, "The mail server could not be used"},
	outreach.CodeIdempotencyReused:    {422, "The key belongs to another request"},
	outreach.CodeRateLimited:          {429, "Too many requests"},
	outreach.CodeInternal:             {500, "Internal error"},
	outreach.CodeUnavailable:          {503, "Not available right now"},
}

// problem is the body of a refusal.
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Code      outreach.Code  `json:"code"`
	RequestID string         `json:"request_id"`
	Errors    []problemField `json:"errors,omitempty"`
	// ProspectID is set with prospect_exists.
	ProspectID string `json:"prospect_id,omitempty"`
}

type problemField struct {
	Pointer   *string       `json:"pointer,omitempty"`
	Parameter *string       `json:"parameter,omitempty"`
	Code      outreach.Code `json:"code"`
	Detail    string        `json:"detail"`
}

// refuse returns the answer for an error. An error that is not meant for the client becomes
// internal, or unavailable if a dependency cannot be reached.
func refuse(err error, requestID string) *answer {
	shown := shownError(err)
	as, ok := refusals[shown.Code]
	if !ok {
		shown = errInternal
		as = refusals[shown.Code]
	}
	body, _ := json.Marshal(problem{
		Type: "/docs#" + string(shown.Code), Title: as.title, Status: as.status, Detail: shown.Message,
		Code: shown.Code, RequestID: requestID, Errors: problemFields(shown), ProspectID: shown.Extra["prospect_id"],
	})
	return &answer{Status: as.status, Type: problemType, Body: body, code: shown.Code}
}

var (
	errInternal    = outreach.Errorf(outreach.CodeInternal, "Something went wrong on our side. Find it in our log by the request id.")
	errUnavailable = outreach.Errorf(outreach.CodeUnavailable, "The service cannot answer right now. Try again in a moment.")
)

func shownError(err error) *outreach.Error {
	if shown, ok := errors.AsType[*outreach.Error](err); ok {
		return shown
	}
	if unavailable(err) {
		return errUnavailable
	}
	return errInternal
}

// unavailable reports whether err says that a database or another dependency cannot be reached or does
// not answer in time: network errors, statements that were never sent, and the SQLSTATE classes 08
// (connection), 53 (resources) and 57P (shutting down, starting up).
func unavailable(err error) bool {
	if _, network := errors.AsType[net.Error](err); network {
		return true
	}
	if unsent, ok := errors.AsType[interface {
		error
		SafeToRetry() bool
	}](err); ok && unsent.SafeToRetry() {
		return true
	}
	if refused, ok := errors.AsType[interface {
		error
		SQLState() string
	}](err); ok {
		state := refused.SQLState()
		return strings.HasPrefix(state, "08") || strings.HasPrefix(state, "53") || strings.HasPrefix(state, "57P")
	}
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, io.ErrUnexpectedEOF)
}

// problemFields returns one entry for each fault, named by query parameter, header or JSON pointer
// into the body.
func problemFields(shown *outreach.Error) (fields []problemField) {
	for _, fault := range shown.Fields {
		field := problemField{Code: fault.Code, Detail: strings.ToValidUTF8(fault.Detail, "\uFFFD")}
		switch shown.Code {
		case outreach.CodeInvalidParameter, outreach.CodeInvalidCursor, outreach.CodeInvalidHeader:
			field.Parameter = new(fault.Path.String())
		default:
			field.Pointer = new(fault.Pointer())
		}
		fields = append(fields, field)
	}
	return fields
}

// How many seconds a client should wait before it repeats a request.
const (
	retryUnavailable = "5"
	retryRunning     = "1"
)

// refusalHeaders sets the headers of a refusal.
func (a *answer) refusalHeaders(header http.Header) {
	switch {
	case a.Status == http.StatusUnauthorized:
		header.Set("WWW-Authenticate", "Bearer")
	case a.Status == http.StatusServiceUnavailable:
		header.Set("Retry-After", retryUnavailable)
	case a.Status == http.StatusTooManyRequests && header.Get("Retry-After") == "":
		header.Set("Retry-After", "60") // limits of single calls, such as testing mailboxes, are per minute
	case a.code == outreach.CodeIdempotencyRunning:
		header.Set("Retry-After", retryRunning)
	}
}
