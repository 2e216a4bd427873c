package outreach

import (
	"strings"
	"time"

	"github.com/google/uuid"
)

// ProspectStatus is the state of a prospect: docs/reference.md#prospects.
type ProspectStatus string

// The states of a prospect. A later one takes precedence over those before it.
const (
	ProspectNew          ProspectStatus = "new"
	ProspectFinished     ProspectStatus = "finished"
	ProspectPaused       ProspectStatus = "paused"
	ProspectInSequence   ProspectStatus = "in_sequence"
	ProspectReplied      ProspectStatus = "replied"
	ProspectBounced      ProspectStatus = "bounced"
	ProspectUnsubscribed ProspectStatus = "unsubscribed"
)

// Prospect is a person the workspace may write to.
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

// ProspectFilter narrows a list of prospects. A nil field does not narrow.
type ProspectFilter struct {
	Status       *ProspectStatus
	Email        *string
	CampaignID   *uuid.UUID
	CompanyID    *uuid.UUID
	CreatedSince *time.Time
	Search       *string
}

// Normalize trims the texts and sets empty ones to nil.
func (p *Prospect) Normalize() {
	p.Email = strings.TrimSpace(p.Email)
	for _, text := range p.texts() {
		*text.value = trimmed(*text.value)
	}
	if p.CustomFields == nil {
		p.CustomFields = map[string]any{}
	}
}

// Validate returns an error that lists every invalid field, nil if there is none.
func (p *Prospect) Validate() error {
	var faults Faults
	ValidateEmail(&faults, At("email"), p.Email)
	for _, text := range p.texts() {
		ValidateText(&faults, At(text.name), *text.value, MaxText)
	}
	if p.Timezone != nil {
		ValidateTimezone(&faults, At("timezone"), *p.Timezone)
	}
	p.validateCustomFields(&faults)
	return faults.Err()
}

type prospectText struct {
	name  string
	value **string
}

// texts lists the optional texts of a prospect, for normalizing, validating and comparing.
func (p *Prospect) texts() []prospectText {
	return []prospectText{
		{"first_name", &p.FirstName},
		{"last_name", &p.LastName},
		{"company_name", &p.CompanyName},
		{"job_title", &p.JobTitle},
		{"phone", &p.Phone},
		{"website", &p.Website},
		{"linkedin_url", &p.LinkedinURL},
		{"timezone", &p.Timezone},
	}
}

// SearchWords returns the words by which a search finds the prospect: those of the address, the
// names and the company.
func (p *Prospect) SearchWords() string {
	texts := []string{p.Email}
	for _, text := range []*string{p.FirstName, p.LastName, p.CompanyName} {
		if text != nil {
			texts = append(texts, *text)
		}
	}
	return SearchWords(texts...)
}

// Changes returns, in order, the fields that a client can write and that differ
// in next.
func (p *Prospect) Changes(next *Prospect) []Path {
	changes := []Path{}
	if p.Email != next.Email {
		changes = append(changes, At("email"))
	}
	others := next.texts()
	for i, text := range p.texts() {
		if a, b := *text.value, *others[i].value; (a == nil) != (b == nil) || a != nil && *a != *b {
			changes = append(changes, At(text.name))
		}
	}
	return append(changes, customChanges(p.CustomFields, next.CustomFields)...)
}
