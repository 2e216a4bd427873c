package outreach

// HoldKind is the cause of a hold. It decides what ends the hold. A user may resume any.
type HoldKind string

// The kinds of holds.
const (
	HoldContent HoldKind = "content" // the message could not be composed; ends when the prospect or the steps change
	HoldAbsence HoldKind = "absence" // the prospect is away; ends at a date
	HoldUnknown HoldKind = "unknown" // it is unknown whether the step was sent; ends when a user settles it
	HoldSender  HoldKind = "sender"  // a server refused the mailbox; ends when a user resumes the mailbox or the campaign drops it
)

// HoldKinds lists all kinds.
var HoldKinds = []HoldKind{HoldContent, HoldAbsence, HoldUnknown, HoldSender}

// Replaces reports whether a hold of kind k replaces one of kind before. An absence is never
// replaced: any other cause is found again when the step is next due. Otherwise the newer hold
// replaces the older.
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
