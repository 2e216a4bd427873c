package outreach

import (
	"maps"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// ProspectStatus says where a prospect stands: of the statuses that hold, the
// one that weighs most is shown.
type ProspectStatus string

// The statuses of a prospect, from the lightest to the one that outweighs all.
const (
	ProspectNew          ProspectStatus = "new"
	ProspectFinished     ProspectStatus = "finished"
	ProspectPaused       ProspectStatus = "paused"
	ProspectInSequence   ProspectStatus = "in_sequence"
	ProspectReplied      ProspectStatus = "replied"
	ProspectBounced      ProspectStatus = "bounced"
	ProspectUnsubscribed ProspectStatus = "unsubscribed"
)

// Interest is what a person wants, as far as the replies show it.
type Interest string

// The three readings of a reply.
const (
	InterestPositive Interest = "positive"
	InterestNeutral  Interest = "neutral"
	InterestNegative Interest = "negative"
)

// Prospect is a person who may be written to.
type Prospect struct {
	ID              uuid.UUID
	WorkspaceID     uuid.UUID
	Email           string
	FirstName       *string
	LastName        *string
	CompanyName     *string
	CompanyID       *uuid.UUID
	JobTitle        *string
	Phone           *string
	Website         *string
	LinkedinURL     *string
	Timezone        *string
	CustomFields    map[string]any
	Status          ProspectStatus
	Interest        *Interest
	LastContactedAt *time.Time
	LastRepliedAt   *time.Time
	CreatedAt       time.Time
}

// ProspectFilter narrows a list of prospects; nil fields do not narrow.
type ProspectFilter struct {
	Status       *ProspectStatus
	Email        *string
	CampaignID   *uuid.UUID
	CompanyID    *uuid.UUID
	CreatedSince *time.Time
	Search       *string
}

// The bounds of a prospect's values, in characters.
const (
	MaxText         = 500
	MaxCustomFields = 100
)

// Normalize trims the texts and turns empty ones into absent ones.
func (p *Prospect) Normalize() {
	p.Email = strings.TrimSpace(p.Email)
	for _, text := range p.texts() {
		*text.value = trimmed(*text.value)
	}
	if p.CustomFields == nil {
		p.CustomFields = map[string]any{}
	}
}

// Validate names every field that a prospect cannot have.
func (p *Prospect) Validate() error {
	var faults Faults
	ValidateEmail(&faults, "/email", p.Email)
	for _, text := range p.texts() {
		ValidateText(&faults, text.pointer, *text.value, MaxText)
	}
	if p.Timezone != nil {
		ValidateTimezone(&faults, "/timezone", *p.Timezone)
	}
	p.validateCustomFields(&faults)
	return faults.Err()
}

type textField struct {
	pointer string
	value   **string
}

func (p *Prospect) texts() []textField {
	return []textField{
		{"/first_name", &p.FirstName},
		{"/last_name", &p.LastName},
		{"/company_name", &p.CompanyName},
		{"/job_title", &p.JobTitle},
		{"/phone", &p.Phone},
		{"/website", &p.Website},
		{"/linkedin_url", &p.LinkedinURL},
		{"/timezone", &p.Timezone},
	}
}

// Changes names by JSON pointer, in order, what a client may write and next has
// otherwise than p.
func (p *Prospect) Changes(next *Prospect) []string {
	changes := []string{}
	if p.Email != next.Email {
		changes = append(changes, "/email")
	}
	others := next.texts()
	for i, text := range p.texts() {
		if a, b := *text.value, *others[i].value; (a == nil) != (b == nil) || a != nil && *a != *b {
			changes = append(changes, text.pointer)
		}
	}
	var fields []string
	for key, value := range p.CustomFields {
		if other, ok := next.CustomFields[key]; !ok || asFloat(other) != asFloat(value) {
			fields = append(fields, "/custom_fields/"+EscapePointer(key))
		}
	}
	for key := range next.CustomFields {
		if _, ok := p.CustomFields[key]; !ok {
			fields = append(fields, "/custom_fields/"+EscapePointer(key))
		}
	}
	slices.Sort(fields)
	return append(changes, fields...)
}

// asFloat gives numbers the form that the store gives them back in; all else stays.
func asFloat(value any) any {
	switch v := value.(type) {
	case int:
		return float64(v)
	case int64:
		return float64(v)
	}
	return value
}

func (p *Prospect) validateCustomFields(faults *Faults) {
	if len(p.CustomFields) > MaxCustomFields {
		faults.Add("/custom_fields", FieldTooLong, "custom_fields holds at most %d keys.", MaxCustomFields)
		return
	}
	for key, value := range p.CustomFields {
		pointer := "/custom_fields/" + EscapePointer(key)
		switch v := value.(type) {
		case string:
			ValidateText(faults, pointer, &v, 10*MaxText)
		case bool, float64, int, int64:
		default:
			faults.Add(pointer, FieldType, "A custom field is a string, a number or a boolean.")
		}
		if key == "" || utf8.RuneCountInString(key) > 100 || strings.ContainsRune(key, 0) {
			faults.Add(pointer, FieldInvalid, "The name of a custom field has 1 to 100 characters.")
		}
	}
}

// MergeCustomFields applies a merge patch (RFC 7396) to the custom fields: a nil
// value takes its key away, a nil patch takes all.
func (p *Prospect) MergeCustomFields(patch map[string]any) {
	merged := make(map[string]any, len(p.CustomFields)+len(patch))
	if patch != nil {
		maps.Copy(merged, p.CustomFields)
	}
	for key, value := range patch {
		if value == nil {
			delete(merged, key)
		} else {
			merged[key] = value
		}
	}
	p.CustomFields = merged
}

// FoldEmail is the form under which two spellings of one address meet: trimmed
// and case-folded.
func FoldEmail(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// EmailDomain is the folded part behind the last @, empty without one.
func EmailDomain(email string) string {
	at := strings.LastIndexByte(email, '@')
	return FoldEmail(email[at+1:])
}

// ValidateEmail accepts a bare addr-spec of RFC 5322 within the lengths of RFC
// 5321, section 4.5.3.1, and RFC 1035: 254 octets in all, 64 before the @, 63 for
// each label behind it. What nobody can see in an address is refused with the rest.
func ValidateEmail(faults *Faults, pointer, email string) {
	name := strings.TrimPrefix(pointer, "/")
	if email == "" {
		faults.Add(pointer, FieldRequired, "%s is required.", name)
		return
	}
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || parsed.Name != "" || tooLong(email) || strings.ContainsFunc(email, notInEmail) {
		faults.Add(pointer, FieldInvalid, "%s is not an e-mail address.", name)
	}
}

func tooLong(email string) bool {
	local, domain, _ := strings.Cut(email, "@")
	longLabel := func(label string) bool { return len(label) > 63 }
	return len(email) > 254 || len(local) > 64 || slices.ContainsFunc(strings.Split(domain, "."), longLabel)
}

func notInEmail(r rune) bool {
	return strings.ContainsRune(`<>"`, r) || unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf)
}

// ValidateText refuses a NUL, and a text of more than limit characters.
func ValidateText(faults *Faults, pointer string, text *string, limit int) {
	if text == nil {
		return
	}
	if strings.ContainsRune(*text, 0) {
		faults.Add(pointer, FieldInvalid, "A NUL character cannot be stored.")
	}
	if utf8.RuneCountInString(*text) > limit {
		faults.Add(pointer, FieldTooLong, "At most %d characters fit here.", limit)
	}
}

// ValidateTimezone accepts the names of the IANA time zone database. All of them
// begin with a capital; beside them a system has files such as localtime and
// right/UTC, which mean something else elsewhere or nothing.
func ValidateTimezone(faults *Faults, pointer, name string) {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" || name[0] < 'A' || name[0] > 'Z' {
		faults.Add(pointer, FieldInvalid, "timezone is no IANA name such as Europe/Paris.")
	}
}

// EscapePointer writes one key as a token of a JSON pointer (RFC 6901).
func EscapePointer(key string) string { return pointerEscapes.Replace(key) }

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func trimmed(text *string) *string {
	if text == nil {
		return nil
	}
	t := strings.TrimSpace(*text)
	if t == "" {
		return nil
	}
	return &t
}
