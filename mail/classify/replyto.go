package classify

// ReplyTo returns where the author wants answers (RFC 5322, 3.6.2): the first address
// of Reply-To, empty without one or where it is the author's own.
func (m *Message) ReplyTo() string {
	found := addresses(m.Header("Reply-To"))
	if len(found) == 0 || found[0] == m.From {
		return ""
	}
	return found[0]
}
