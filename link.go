package outreach

import (
	"encoding/base64"
	"encoding/binary"
	"strings"

	"github.com/google/uuid"
)

// LinkKind is the use of a signed public link. A link of one kind is not valid for
// another.
type LinkKind byte

// The public pages.
const (
	LinkClick       LinkKind = 'c' // /t/c/…: redirect to the URL in the link
	LinkOpen        LinkKind = 'o' // /t/o/…: the pixel
	LinkUnsubscribe LinkKind = 'u' // /u/…
	LinkOffer       LinkKind = 'f' // /o/…
	LinkMessage     LinkKind = 'm' // no page: a header that identifies a message
	LinkPlacement   LinkKind = 'p' // no page: a header that identifies a placement check
)

// A token is its tag, then the kind, two ids and the number, then the target.
const (
	linkTag  = 16
	linkHead = 1 + 2*16 + 2
)

// SignLink returns the token of a public link: the kind, the message or offer with its workspace,
// a number (of the link in its message) and, for clicks, the target, with 16 bytes of HMAC-SHA256.
func SignLink(keys *Keyring, kind LinkKind, to Ref, number int, target string) string {
	raw := append([]byte{byte(kind)}, to.WorkspaceID[:]...)
	raw = append(raw, to.ID[:]...)
	raw = binary.BigEndian.AppendUint16(raw, uint16(number))
	raw = append(raw, target...)
	return base64.RawURLEncoding.EncodeToString(append(keys.MAC(PurposeTracking, raw)[:linkTag], raw...))
}

// OpenLink reads a token. It reports false unless the token was signed for kind.
func OpenLink(keys *Keyring, kind LinkKind, token string) (to Ref, number int, target string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	// Decoding ignores line breaks, so compare the text too.
	if err != nil || len(raw) < linkTag+linkHead || base64.RawURLEncoding.EncodeToString(raw) != token {
		return to, 0, "", false
	}
	tag, message := raw[:linkTag], raw[linkTag:]
	if message[0] != byte(kind) || !keys.Verify(PurposeTracking, message, tag) {
		return to, 0, "", false
	}
	to = Ref{uuid.UUID(message[1:17]), uuid.UUID(message[17:33])}
	return to, int(binary.BigEndian.Uint16(message[33:linkHead])), string(message[linkHead:]), true
}

// Links returns the URLs of the public pages. Their paths are written only here.
type Links struct {
	Keyring *Keyring
	// Origin is scheme and host: those of the workspace's verified tracking domain,
	// or of the service for links that need none.
	Origin string
}

// Click returns the URL that counts a click and redirects to target. number distinguishes
// the links of one message.
func (l Links) Click(message Ref, number int, target string) string {
	return l.at("/t/c/", LinkClick, message, number, target)
}

// Open returns the URL of the pixel of a message.
func (l Links) Open(message Ref) string {
	return l.at("/t/o/", LinkOpen, message, 0, "")
}

// Unsubscribe returns the URL for the List-Unsubscribe header and for a link in the
// text. It works on every host of the service.
func (l Links) Unsubscribe(message Ref) string {
	return l.at("/u/", LinkUnsubscribe, message, 0, "")
}

// Offer returns the URL of an offer's page.
func (l Links) Offer(offer Ref) string {
	return l.at("/o/", LinkOffer, offer, 0, "")
}

func (l Links) at(path string, kind LinkKind, to Ref, number int, target string) string {
	return strings.TrimSuffix(l.Origin, "/") + path + SignLink(l.Keyring, kind, to, number, target)
}
