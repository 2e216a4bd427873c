package sandbox

import "strings"

// persona is how a prospect of the sandbox behaves.
type persona string

// The personas. The local part of an address selects one.
const (
	personaReply  persona = "reply"  // answers that it is interested
	personaNo     persona = "no"     // answers that it is not
	personaOOO    persona = "ooo"    // answers automatically, with a return date
	personaBounce persona = "bounce" // refused at RCPT
	personaDSN    persona = "dsn"    // accepted, then bounced to the envelope sender
	personaClick  persona = "click"  // follows the first tracked link
	personaUnsub  persona = "unsub"  // unsubscribes with one click (RFC 8058)
	personaSilent persona = ""
)

// personaOf returns the persona of an address: its local part, case folded, up to the first full
// stop, plus sign or digit.
func personaOf(address string) persona {
	local := fold(address)
	if at := strings.LastIndexByte(local, '@'); at >= 0 {
		local = local[:at]
	}
	if end := strings.IndexAny(local, ".+0123456789"); end >= 0 {
		local = local[:end]
	}
	switch p := persona(local); p {
	case personaReply, personaNo, personaOOO, personaBounce, personaDSN, personaClick, personaUnsub:
		return p
	}
	return personaSilent
}

// acts reports whether the persona does something after it received a message.
func (p persona) acts() bool { return p != personaSilent && p != personaBounce }
