package classify

import (
	"regexp"
	"slices"
	"strings"
)

// idField and idValue are the two forms in which reports name a Message-ID.
var (
	idField = regexp.MustCompile(`(?im)^[\s>*|]*(?:x-)?(?:original-)?message-?id\s*:[ \t]*(?:\r?\n[ \t>]+)?([^\s]{3,400})`)
	idValue = regexp.MustCompile(`"(?i:message-id)"\s*,\s*"value"\s*:\s*"(<[^"<>\s]{3,300}>)`)
)

// originals returns the identifiers of the message that a report is about, likeliest first: from
// the header of the returned message, then from In-Reply-To and References, then from any
// Message-ID field in the text.
func (m *Message) originals() []string {
	var ids []string
	for _, header := range m.returnedHeaders() {
		ids = append(ids, ownID(header.Get("Message-Id")))
	}
	return m.notOwn(slices.Concat(ids, m.thread(), m.bodyIDs()))
}

// Answered returns the identifiers of the messages that a reply answers by its header, likeliest
// first.
func (m *Message) Answered() []string { return m.notOwn(m.thread()) }

// thread returns In-Reply-To, then References with the latest first.
func (m *Message) thread() []string {
	ids := []string{m.InReplyTo}
	for i := len(m.References) - 1; i >= 0; i-- {
		ids = append(ids, m.References[i])
	}
	return ids
}

// returnedType reports whether a part holds a returned message or its header.
func returnedType(mediaType string) bool {
	switch mediaType {
	case "message/rfc822", "text/rfc822-headers", "text/rfc822-header", "message/rfc822-headers", "message/global",
		"message/global-headers", "message/partial":
		return true
	}
	return false
}

// bodyIDs returns Message-ID fields anywhere in the decoded parts, or in the raw body if the parts
// have none.
func (m *Message) bodyIDs() []string {
	var ids []string
	for _, p := range m.parts {
		ids = append(ids, fieldIDs(p.text)...)
	}
	if len(ids) == 0 {
		ids = fieldIDs(m.body())
	}
	return ids
}

func fieldIDs(text string) []string {
	var ids []string
	text = strings.ReplaceAll(text, "!\n ", "")
	for _, form := range []*regexp.Regexp{idField, idValue} {
		for _, found := range form.FindAllStringSubmatch(text, 20) {
			if strings.HasPrefix(found[1], "<") || strings.Contains(found[1], "@") {
				ids = append(ids, ownID(found[1]))
			}
		}
	}
	return ids
}

// ownID normalises one identifier, which may lack the @ or the brackets.
func ownID(value string) string {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "<") && strings.HasSuffix(value, ">") && !strings.ContainsAny(value[1:], " \t<") {
		return value
	}
	return firstID(value)
}

// notOwn removes empty and repeated identifiers and that of m itself.
func (m *Message) notOwn(ids []string) []string {
	var kept []string
	seen := map[string]bool{"": true, m.MessageID: true}
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			kept = append(kept, id)
		}
	}
	return kept
}
