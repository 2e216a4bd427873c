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
	LinkMessage     LinkKind = 'm' // no page: a header by which a message is known again
)

const linkTag = 16

// SignLink returns the token of a public link: the kind, the id of its message or
// offer, a number (of the link in its message) and, for clicks, the target,
// authenticated by 16 bytes of HMAC-SHA256.
func SignLink(keys *Keyring, kind LinkKind, id uuid.UUID, number int, target string) string {
	raw := append([]byte{byte(kind)}, id[:]...)
	raw = binary.BigEndian.AppendUint16(raw, uint16(number))
	raw = append(raw, target...)
	return base64.RawURLEncoding.EncodeToString(append(keys.MAC(PurposeTracking, raw)[:linkTag], raw...))
}

// OpenLink reads a token; false unless it was signed for kind.
func OpenLink(keys *Keyring, kind LinkKind, token string) (id uuid.UUID, number int, target string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < linkTag+1+16+2 || base64.RawURLEncoding.EncodeToString(raw) != token { // decoding ignores line breaks
		return id, 0, "", false
	}
	tag, message := raw[:linkTag], raw[linkTag:]
	if message[0] != byte(kind) || !keys.Verify(PurposeTracking, message, tag) {
		return id, 0, "", false
	}
	return uuid.UUID(message[1:17]), int(binary.BigEndian.Uint16(message[17:19])), string(message[19:]), true
}

// Links returns the URLs of the public pages, so that their paths are written in
// one place.
type Links struct {
	Keyring *Keyring
	// Origin is scheme and host: those of the workspace's verified tracking domain,
	// or of the service for links that need none.
	Origin string
}

// Click returns the URL that counts a click and redirects to target. Number tells
// the links of one message apart.
func (l Links) Click(message uuid.UUID, number int, target string) string {
	return l.at("/t/c/", LinkClick, message, number, target)
}

// Open returns the URL of the pixel of a message.
func (l Links) Open(message uuid.UUID) string {
	return l.at("/t/o/", LinkOpen, message, 0, "")
}

// Unsubscribe returns the URL for the List-Unsubscribe header and for a link in the
// text. It works on every host of the service.
func (l Links) Unsubscribe(message uuid.UUID) string {
	return l.at("/u/", LinkUnsubscribe, message, 0, "")
}

// Offer returns the URL of an offer's page.
func (l Links) Offer(offer uuid.UUID) string {
	return l.at("/o/", LinkOffer, offer, 0, "")
}

func (l Links) at(path string, kind LinkKind, id uuid.UUID, number int, target string) string {
	return strings.TrimSuffix(l.Origin, "/") + path + SignLink(l.Keyring, kind, id, number, target)
}
