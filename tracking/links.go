package tracking

import (
	"strings"

	"github.com/google/uuid"

	"outreach"
)

// Links writes the public addresses that go into mails.
type Links struct {
	Keyring *outreach.Keyring
	// Origin is scheme and host: that of the workspace's verified tracking domain
	// (Domains.Origin), or of the service itself for what needs none.
	Origin string
}

// Click is the address that counts a click and leads to target. Number tells the
// links of one message apart, counted from 0 or 1 as the caller likes.
func (l Links) Click(message uuid.UUID, number int, target string) string {
	return l.at("/t/c/", outreach.LinkClick, message, number, target)
}

// Open is the address of the pixel of a message.
func (l Links) Open(message uuid.UUID) string {
	return l.at("/t/o/", outreach.LinkOpen, message, 0, "")
}

// Unsubscribe is the address for the List-Unsubscribe header and for a link in the
// text; it works on every host that leads to the service.
func (l Links) Unsubscribe(message uuid.UUID) string {
	return l.at("/u/", outreach.LinkUnsubscribe, message, 0, "")
}

func (l Links) at(path string, kind outreach.LinkKind, id uuid.UUID, number int, target string) string {
	return strings.TrimSuffix(l.Origin, "/") + path + outreach.SignLink(l.Keyring, kind, id, number, target)
}
