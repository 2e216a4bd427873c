package outreach

import "time"

// SentHead is what is known of a mail of the Sent folder before its text is fetched.
type SentHead struct {
	MessageID string   // with angle brackets; empty if it has none
	Answered  []string // the Message-IDs of In-Reply-To and References, likeliest first
}

// ExternalAnswer is a mail that a person wrote in another program and that the Sent folder of a
// mailbox holds. Its MessageID is never empty.
type ExternalAnswer struct {
	SentHead
	To      string
	Cc      []string
	Subject string
	Text    string    // without quotations
	At      time.Time // when the server took it in
}
