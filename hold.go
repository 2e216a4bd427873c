package outreach

// HoldKind says what an enrollment is held for, and by that what ends the hold. A user
// may resume any.
type HoldKind string

// The kinds of holds.
const (
	HoldContent HoldKind = "content" // its message could not be composed: until the prospect or the steps change
	HoldAbsence HoldKind = "absence" // the prospect is away: until a date
	HoldUnknown HoldKind = "unknown" // nobody knows whether its step was sent: until a user settles it
	HoldSender  HoldKind = "sender"  // a server refused its mailbox: until a user resumes the mailbox, or the campaign drops it
)

// HoldKinds are all of them.
var HoldKinds = []HoldKind{HoldContent, HoldAbsence, HoldUnknown, HoldSender}

// Replaces reports whether a hold of kind k takes the place of one of kind before. An
// absence stays, whatever else would hold the enrollment: that is found again on its
// turn. Otherwise the newer hold counts.
func (k HoldKind) Replaces(before HoldKind) bool {
	return k == HoldAbsence || before != HoldAbsence
}

// Keeps returns the kinds of holds that a hold of kind k does not replace.
func (k HoldKind) Keeps() []HoldKind {
	kept := []HoldKind{}
	for _, before := range HoldKinds {
		if !k.Replaces(before) {
			kept = append(kept, before)
		}
	}
	return kept
}
