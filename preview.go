package outreach

// Preview is a step rendered for one prospect. Missing lists the variables that have no value.
type Preview struct {
	Subject *string
	HTML    *string
	Text    *string
	Missing []string
	Error   *string
}

// TestSent is the result of sending a test e-mail.
type TestSent struct {
	Recipient    string
	Subject      string
	Outcome      TestOutcome
	Command      string // connect, MAIL, RCPT, DATA, or "." for the end of the message
	SMTPResponse string
	DurationMs   int
}

// TestOutcome is the outcome of sending a test e-mail.
type TestOutcome string
