package outreach

// MaxSenderFaults is the number of faults in a row that pauses a mailbox.
const MaxSenderFaults = 3

// SentMessage is what the faults in a row of a mailbox are counted from.
type SentMessage struct {
	Recipient   string
	SenderFault bool // a server refused it because of the sender
}

// PausesMailbox reports whether the faults of a mailbox pause it, before its reputation
// is gone (docs/reference.md#faults). sent are its last messages, newest first; only the
// faults before the first message without one are in a row. They must concern two
// recipient domains: a server that refuses us says nothing about the others. A refusal
// before a recipient was named concerns all of them; counted is how many refusals the
// mailbox has had since a message went, this one included.
func PausesMailbox(counted int, unnamed bool, sent []SentMessage) bool {
	if unnamed && counted >= MaxSenderFaults {
		return true
	}
	inARow, domains := 0, map[string]bool{}
	for _, m := range sent {
		if !m.SenderFault {
			break
		}
		inARow++
		domains[EmailDomain(m.Recipient)] = true
	}
	return inARow >= MaxSenderFaults && len(domains) > 1
}
