package outreach

import (
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

// Sends reports whether the steps of a campaign are sent. A completed one sends again as soon as an
// enrollment is added or continues.
func (s CampaignStatus) Sends() bool { return s == CampaignActive || s == CampaignCompleted }

// Told returns the status for a sentence about a campaign, after "is".
func (s CampaignStatus) Told() string {
	if s == CampaignDraft {
		return "a draft"
	}
	return string(s)
}

// Weekday is a day of the week.
type Weekday string

// Weekdays lists the days, beginning with Monday.
var Weekdays = []Weekday{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// WeekdayOf returns the weekday of a local time.
func WeekdayOf(t time.Time) Weekday { return Weekdays[(int(t.Weekday())+6)%7] }

// Campaign is a sequence of steps with a schedule, sent from one or more
// mailboxes.
type Campaign struct {
	ID                 uuid.UUID
	WorkspaceID        uuid.UUID
	Name               string
	Status             CampaignStatus
	NotSendingReason   *string
	Timezone           string
	SendDays           []Weekday
	SendFrom           string   // HH:MM
	SendUntil          string   // HH:MM
	SkipDates          []string // YYYY-MM-DD, in order, in the time zone of the window
	StartsOn           *string  // YYYY-MM-DD: nothing is sent before it
	EndsOn             *string  // YYYY-MM-DD: nothing is sent after it
	DailyNewLimit      *int
	CompanyDailyLimit  *int // new prospects of one company a day
	StopOnReply        bool
	StopCompanyOnReply bool
	TrackClicks        bool
	TrackOpens         bool
	MailboxIDs         []uuid.UUID
	Steps              []Step
	CreatedAt          time.Time
}

// Step is one e-mail of a campaign. Its position in Campaign.Steps, counted from 1, is its number.
// A follow-up without a subject stays in the thread.
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
	Search       *string // a part of the name
}

// CampaignStats counts prospects, except that Active and Held count enrollments of
// that status. Sent and Accepted count messages, and Opens is an upper bound that includes
// programs that load the pixel.
type CampaignStats struct {
	CampaignID              uuid.UUID
	Prospects, Active, Held int
	Statuses                []EnrollmentCount // without zeros, by name
	Sent                    int               // handed to a server, also what bounced and what is unknown
	Accepted                int               // by a server; each has an event "sent"
	Replied, Positive, Clicked, Bounced, Unsubscribed,
	Opens int
}

// EnrollmentCount is how many prospects of a campaign have an enrollment of a status.
type EnrollmentCount struct {
	Status    EnrollmentStatus
	Prospects int
}

// NewCampaign returns a draft with the default settings of the API.
func NewCampaign() Campaign {
	return Campaign{
		Status:      CampaignDraft,
		Timezone:    "UTC",
		SendDays:    slices.Clone(Weekdays[:5]),
		SendFrom:    "09:00",
		SendUntil:   "17:00",
		SkipDates:   []string{},
		StopOnReply: true,
		TrackClicks: true,
		MailboxIDs:  []uuid.UUID{},
		Steps:       []Step{},
	}
}

// Copy returns a draft with the settings and the steps of a campaign. Its name is "Copy of" and the
// name of the campaign. It has no enrollments.
func (c *Campaign) Copy() Campaign {
	made := *c
	made.ID, made.CreatedAt, made.Status, made.NotSendingReason = uuid.Nil, time.Time{}, CampaignDraft, nil
	name := []rune("Copy of " + c.Name)
	made.Name = string(name[:min(len(name), MaxText)])
	made.SendDays, made.SkipDates = slices.Clone(c.SendDays), slices.Clone(c.SkipDates)
	made.MailboxIDs, made.Steps = slices.Clone(c.MailboxIDs), slices.Clone(c.Steps)
	for i := range made.Steps {
		made.Steps[i].ID = uuid.Nil
	}
	return made
}

// The limits of a campaign.
const (
	MaxSteps        = 50
	MaxBody         = 100_000       // characters of one body
	MaxDelayMinutes = 60 * 24 * 365 // one year
	MaxMailboxes    = 100
	MaxSkipDates    = 366
	maxDailyNew     = 1_000_000
)

var clock = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// Normalize trims texts, sets empty ones to nil, sorts the skip dates and removes duplicates.
func (c *Campaign) Normalize() {
	c.Name = strings.TrimSpace(c.Name)
	// Validate reports invalid skip dates; leave them as they are.
	if len(c.SkipDates) <= MaxSkipDates && !slices.ContainsFunc(c.SkipDates, func(date string) bool { return !isDate(date) }) {
		c.SkipDates = append([]string{}, c.SkipDates...)
		slices.Sort(c.SkipDates)
		c.SkipDates = slices.Compact(c.SkipDates)
	}
	for i := range c.Steps {
		c.Steps[i].Subject = trimmed(c.Steps[i].Subject)
		c.Steps[i].BodyHTML = trimmed(c.Steps[i].BodyHTML)
		c.Steps[i].BodyText = trimmed(c.Steps[i].BodyText)
	}
}

// Validate returns an error that lists every invalid field, nil if there is none. Templates and
// ids are checked elsewhere.
func (c *Campaign) Validate() error {
	var faults Faults
	require(&faults, At("name"), c.Name)
	ValidateText(&faults, At("name"), &c.Name, MaxText)
	ValidateTimezone(&faults, At("timezone"), c.Timezone)
	c.validateWindow(&faults)
	c.validateDates(&faults)
	if c.DailyNewLimit != nil {
		validateRange(&faults, At("daily_new_limit"), *c.DailyNewLimit, 1, maxDailyNew)
	}
	if c.CompanyDailyLimit != nil {
		validateRange(&faults, At("company_daily_limit"), *c.CompanyDailyLimit, 1, maxDailyNew)
	}
	if len(c.MailboxIDs) > MaxMailboxes {
		faults.Add(At("mailbox_ids"), FieldTooLong, "mailbox_ids must have at most %d elements.", MaxMailboxes)
	}
	c.validateSteps(&faults)
	return faults.Err()
}

func (c *Campaign) validateWindow(faults *Faults) {
	if len(c.SendDays) == 0 {
		faults.Add(At("send_days"), FieldRequired, "send_days must contain at least one day.")
	}
	for i, day := range c.SendDays {
		if !slices.Contains(Weekdays, day) || slices.Contains(c.SendDays[:i], day) {
			faults.Add(At("send_days").Index(i), FieldInvalid, "send_days must contain each of mon, tue, wed, thu, fri, sat, sun at most once.")
		}
	}
	from, until := clock.MatchString(c.SendFrom), clock.MatchString(c.SendUntil)
	if !from {
		faults.Add(At("send_from"), FieldInvalid, "send_from must be a time of day, such as 09:00.")
	}
	switch {
	case !until:
		faults.Add(At("send_until"), FieldInvalid, "send_until must be a time of day, such as 17:00.")
	case from && c.SendFrom >= c.SendUntil:
		faults.Add(At("send_until"), FieldInvalid, "send_until must be later than send_from.")
	}
}

func (c *Campaign) validateDates(faults *Faults) {
	if len(c.SkipDates) > MaxSkipDates {
		faults.Add(At("skip_dates"), FieldTooLong, "skip_dates must have at most %d elements.", MaxSkipDates)
	}
	for i, date := range c.SkipDates {
		validateDate(faults, At("skip_dates").Index(i), &date)
	}
	starts := validateDate(faults, At("starts_on"), c.StartsOn)
	ends := validateDate(faults, At("ends_on"), c.EndsOn)
	if starts && ends && *c.StartsOn > *c.EndsOn {
		faults.Add(At("ends_on"), FieldInvalid, "ends_on must not be earlier than starts_on.")
	}
}

// validateDate adds a fault if date is set and not a date. It reports whether date is set and
// valid.
func validateDate(faults *Faults, at Path, date *string) bool {
	if date == nil {
		return false
	}
	if !isDate(*date) {
		faults.Add(at, FieldInvalid, "%s must be a date, such as 2026-12-25.", at)
		return false
	}
	return true
}

// isDate reports whether text is a date of the years 1 to 9999, as YYYY-MM-DD.
func isDate(text string) bool {
	date, err := time.Parse(time.DateOnly, text)
	return err == nil && date.Year() > 0
}

func (c *Campaign) validateSteps(faults *Faults) {
	if len(c.Steps) > MaxSteps {
		faults.Add(At("steps"), FieldTooLong, "steps must have at most %d elements.", MaxSteps)
		return
	}
	for i, step := range c.Steps {
		at := At("steps").Index(i)
		validateRange(faults, at.Join("delay_minutes"), step.DelayMinutes, 0, MaxDelayMinutes)
		if i == 0 && step.Subject == nil {
			faults.Add(at.Join("subject"), FieldRequired, "subject is required on the first step.")
		}
		ValidateText(faults, at.Join("subject"), step.Subject, MaxText)
		ValidateText(faults, at.Join("body_html"), step.BodyHTML, MaxBody)
		if step.BodyHTML == nil && step.BodyText == nil {
			faults.Add(at.Join("body_text"), FieldRequired, "A step needs body_html or body_text.")
		}
		ValidateText(faults, at.Join("body_text"), step.BodyText, MaxBody)
	}
}

// CanActivate returns an error with the reason if the campaign cannot be activated, else nil.
func (c *Campaign) CanActivate() error {
	if c.Status == CampaignArchived {
		return Errorf(CodeInvalidState, "Cannot activate: the campaign is archived.")
	}
	var missing Faults
	if len(c.Steps) == 0 {
		missing.Add(At("steps"), FieldRequired, "The campaign needs at least one step.")
	}
	if len(c.MailboxIDs) == 0 {
		missing.Add(At("mailbox_ids"), FieldRequired, "The campaign needs at least one mailbox.")
	}
	if len(missing) == 0 {
		return nil
	}
	return &Error{Code: CodePrecondition, Message: "Cannot activate: the campaign needs at least one step and one mailbox.", Fields: missing}
}

// Idle returns why a campaign that is not active sends nothing; nil for an active campaign, whose
// reason comes from its schedule.
func (c *Campaign) Idle() *string {
	switch c.Status {
	case CampaignDraft:
		return new("The campaign is a draft: activate it to send.")
	case CampaignPaused:
		return new("The campaign is paused.")
	case CampaignCompleted:
		return new("All enrollments of the campaign have ended.")
	case CampaignArchived:
		return new("The campaign is archived.")
	}
	return nil
}
