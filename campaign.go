package outreach

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// CampaignStatus is the state of a campaign.
type CampaignStatus string

// The states of a campaign.
const (
	CampaignDraft     CampaignStatus = "draft"
	CampaignActive    CampaignStatus = "active"
	CampaignPaused    CampaignStatus = "paused"
	CampaignCompleted CampaignStatus = "completed"
	CampaignArchived  CampaignStatus = "archived"
)

// Weekday is a day on which a campaign may send.
type Weekday string

// Weekdays in the order of the week.
var Weekdays = []Weekday{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// WeekdayOf names the day of a civil time.
func WeekdayOf(t time.Time) Weekday { return Weekdays[(int(t.Weekday())+6)%7] }

// Campaign is a sequence of steps with the rules for sending it.
type Campaign struct {
	ID                 uuid.UUID
	WorkspaceID        uuid.UUID
	Name               string
	Status             CampaignStatus
	NotSendingReason   *string
	Timezone           string
	SendDays           []Weekday
	SendFrom           string // HH:MM
	SendUntil          string // HH:MM
	DailyNewLimit      *int
	StopOnReply        bool
	StopCompanyOnReply bool
	TrackClicks        bool
	TrackOpens         bool
	MailboxIDs         []uuid.UUID
	Steps              []Step
	CreatedAt          time.Time
}

// Step is one mail of a sequence; its place in Campaign.Steps, counted from 1,
// is its number. A nil subject on a follow-up keeps it in the thread.
type Step struct {
	ID           uuid.UUID
	DelayMinutes int
	Subject      *string
	BodyHTML     *string
	BodyText     *string
}

// CampaignFilter narrows a list of campaigns.
type CampaignFilter struct {
	Status       *CampaignStatus
	CreatedSince *time.Time
}

// CampaignStats counts distinct prospects for Prospects and Positive, enrollments
// of that status for Active and Held, and events for the rest. Opens is an upper
// bound: pixels are fetched by programs too.
type CampaignStats struct {
	CampaignID                                                     uuid.UUID
	Prospects, Active, Held                                        int
	Sent, Replied, Positive, Clicked, Bounced, Unsubscribed, Opens int
}

// NewCampaign is a draft with the defaults of the contract (section 4).
func NewCampaign() Campaign {
	return Campaign{
		Status:      CampaignDraft,
		Timezone:    "UTC",
		SendDays:    slices.Clone(Weekdays[:5]),
		SendFrom:    "09:00",
		SendUntil:   "17:00",
		StopOnReply: true,
		TrackClicks: true,
		MailboxIDs:  []uuid.UUID{},
		Steps:       []Step{},
	}
}

// The bounds of a campaign.
const (
	MaxSteps        = 50
	MaxBody         = 100_000       // characters of one body
	MaxDelayMinutes = 60 * 24 * 365 // one year
	MaxMailboxes    = 100
)

var clock = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// Normalize trims texts and turns empty ones into absent ones.
func (c *Campaign) Normalize() {
	c.Name = strings.TrimSpace(c.Name)
	for i := range c.Steps {
		c.Steps[i].Subject = trimmed(c.Steps[i].Subject)
		c.Steps[i].BodyHTML = trimmed(c.Steps[i].BodyHTML)
		c.Steps[i].BodyText = trimmed(c.Steps[i].BodyText)
	}
}

// Validate names every field that a campaign cannot have. Whether templates are
// sound and ids known is judged where templates and ids are.
func (c *Campaign) Validate() error {
	var faults Faults
	if c.Name == "" {
		faults.Add("/name", FieldRequired, "name is required.")
	}
	ValidateText(&faults, "/name", &c.Name, MaxText)
	ValidateTimezone(&faults, "/timezone", c.Timezone)
	c.validateWindow(&faults)
	if c.DailyNewLimit != nil && (*c.DailyNewLimit < 1 || *c.DailyNewLimit > 1_000_000) {
		faults.Add("/daily_new_limit", FieldInvalid, "daily_new_limit is null or 1 to 1000000.")
	}
	if len(c.MailboxIDs) > MaxMailboxes {
		faults.Add("/mailbox_ids", FieldTooLong, "A campaign names at most %d mailboxes.", MaxMailboxes)
	}
	c.validateSteps(&faults)
	return faults.Err()
}

func (c *Campaign) validateWindow(faults *Faults) {
	if len(c.SendDays) == 0 {
		faults.Add("/send_days", FieldRequired, "send_days names at least one day.")
	}
	for i, day := range c.SendDays {
		if !slices.Contains(Weekdays, day) || slices.Contains(c.SendDays[:i], day) {
			faults.Add(fmt.Sprintf("/send_days/%d", i), FieldInvalid, "send_days holds each of mon, tue, wed, thu, fri, sat, sun at most once.")
		}
	}
	for pointer, value := range map[string]string{"/send_from": c.SendFrom, "/send_until": c.SendUntil} {
		if !clock.MatchString(value) {
			faults.Add(pointer, FieldInvalid, "%s is a time of day such as 09:00.", pointer[1:])
		}
	}
	if clock.MatchString(c.SendFrom) && clock.MatchString(c.SendUntil) && c.SendFrom >= c.SendUntil {
		faults.Add("/send_until", FieldInvalid, "send_until is later than send_from.")
	}
}

func (c *Campaign) validateSteps(faults *Faults) {
	if len(c.Steps) > MaxSteps {
		faults.Add("/steps", FieldTooLong, "A campaign has at most %d steps.", MaxSteps)
		return
	}
	for i, step := range c.Steps {
		at := fmt.Sprintf("/steps/%d", i)
		if step.DelayMinutes < 0 || step.DelayMinutes > MaxDelayMinutes {
			faults.Add(at+"/delay_minutes", FieldInvalid, "delay_minutes is 0 to %d.", MaxDelayMinutes)
		}
		if step.BodyHTML == nil && step.BodyText == nil {
			faults.Add(at+"/body_text", FieldRequired, "A step has body_html, body_text or both.")
		}
		if i == 0 && step.Subject == nil {
			faults.Add(at+"/subject", FieldRequired, "The first step has a subject.")
		}
		ValidateText(faults, at+"/subject", step.Subject, MaxText)
		ValidateText(faults, at+"/body_html", step.BodyHTML, MaxBody)
		ValidateText(faults, at+"/body_text", step.BodyText, MaxBody)
	}
}

// Revision is a digest of what UpdateCampaign can change, in 32 hex digits: the
// status and what is sent leave it as it is.
func (c *Campaign) Revision() string {
	digest := sha256.New()
	fmt.Fprintf(digest, "%q %q %q %q %q %q %t %t %t %t %s", c.Name, c.Timezone, c.SendDays, c.SendFrom, c.SendUntil, orNone(c.DailyNewLimit),
		c.StopOnReply, c.StopCompanyOnReply, c.TrackClicks, c.TrackOpens, c.MailboxIDs)
	for _, step := range c.Steps {
		fmt.Fprintf(digest, " %s %d %q %q %q", step.ID, step.DelayMinutes, orNone(step.Subject), orNone(step.BodyHTML), orNone(step.BodyText))
	}
	return hex.EncodeToString(digest.Sum(nil)[:16])
}

// orNone writes an absent value as no value there can be.
func orNone[T any](value *T) []any {
	if value == nil {
		return nil
	}
	return []any{*value}
}

// CanActivate says what is missing before a campaign can send, nil when nothing.
func (c *Campaign) CanActivate() error {
	switch {
	case c.Status == CampaignArchived:
		return Errorf(CodeInvalidState, "An archived campaign cannot be activated.")
	case len(c.Steps) == 0:
		return &Error{Code: CodePrecondition, Message: "A campaign needs at least one step before it can be activated.",
			Fields: []FieldError{{Pointer: "/steps", Code: FieldRequired, Detail: "Add a step."}}}
	case len(c.MailboxIDs) == 0:
		return &Error{Code: CodePrecondition, Message: "A campaign needs at least one mailbox before it can be activated.",
			Fields: []FieldError{{Pointer: "/mailbox_ids", Code: FieldRequired, Detail: "Name a mailbox."}}}
	}
	return nil
}
