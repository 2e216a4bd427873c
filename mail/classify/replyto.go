package classify

// ReplyTo returns the first address of Reply-To (RFC 5322, 3.6.2). It is empty if there is none or
// if it is the author's own.
func (m *Message) ReplyTo() string {
	found := addresses(m.Header("Reply-To"))
	if len(found) == 0 || found[0] == m.From {
		return ""
	}
	return found[0]
}
