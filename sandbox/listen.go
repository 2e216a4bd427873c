package sandbox

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// PrintLines returns an observer for a Receiver (ReceiverConfig.Observe) that prints each webhook
// on one line: time, type, prospect, delivery id, signature. It prints a dash for a missing value
// and ignores errors of the writer.
func PrintLines(w io.Writer) func(ReceivedHook) {
	return func(hook ReceivedHook) {
		signature := "signature ok"
		if !hook.SignatureValid {
			signature = "SIGNATURE BAD: " + oneLine(hook.SignatureError)
		}
		if hook.Attempt > 1 {
			signature += fmt.Sprintf(" (attempt %d)", hook.Attempt)
		}
		fmt.Fprintf(w, "%s  %-12s  %s  %s  %s\n", hook.ReceivedAt.Format("2006-01-02T15:04:05Z"),
			oneLine(hook.Event), oneLine(prospectOf(hook.Body)), oneLine(hook.DeliveryID), signature)
	}
}

// prospectOf reads the field of a body that a line shows.
func prospectOf(body string) string {
	var payload struct {
		Email string `json:"prospect_email"`
	}
	// A body that is not JSON has no prospect.
	_ = json.Unmarshal([]byte(body), &payload)
	return payload.Email
}

// oneLine removes control characters from text of strangers, which could move the cursor of the
// terminal.
func oneLine(text string) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return -1
	}, text)
	if text == "" {
		return "-"
	}
	return text
}
