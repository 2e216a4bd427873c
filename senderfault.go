package outreach

// MaxSenderFaults is the number of faults in a row that pauses a mailbox.
const MaxSenderFaults = 3

// SentMessage is a sent message, as PausesMailbox counts it.
type SentMessage struct {
	Recipient   string
	SenderFault bool // a server refused it because of the sender
}

// PausesMailbox reports whether the faults of a mailbox pause it (docs/reference.md#faults). sent
// are its last messages, newest first; the faults before the first message without one are in a
// row. They must concern two recipient domains: one server that refuses us says nothing about the
// others. If unnamed is set, the refusal came before a recipient was named and concerns all
// domains. counted is the number of refusals since a message was accepted, including this one.
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
