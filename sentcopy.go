package outreach

// SentCopy is a copy of a message of ours that lies in a Sent folder. It is known by its signed
// reference.
type SentCopy struct {
	Message   Ref
	MessageID string // with angle brackets; empty if it has none that is valid
}
