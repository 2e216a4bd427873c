package outreach

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/google/uuid"
)

// LinkKind is what a signed public link is for; a link made for one kind opens
// no other.
type LinkKind byte

// The public pages.
const (
	LinkClick       LinkKind = 'c' // /t/c/…: redirect to the URL in the link
	LinkOpen        LinkKind = 'o' // /t/o/…: the pixel
	LinkUnsubscribe LinkKind = 'u' // /u/…
	LinkOffer       LinkKind = 'f' // /o/…
)

const linkTag = 16

// SignLink writes the token of a public link: the kind, the id of its message or
// offer, a number (of the link in its message), and for clicks the target,
// authenticated by 16 bytes of HMAC-SHA256.
func SignLink(keys *Keyring, kind LinkKind, id uuid.UUID, number int, target string) string {
	raw := append([]byte{byte(kind)}, id[:]...)
	raw = binary.BigEndian.AppendUint16(raw, uint16(number))
	raw = append(raw, target...)
	return base64.RawURLEncoding.EncodeToString(append(keys.MAC(PurposeTracking, raw)[:linkTag], raw...))
}

// OpenLink reads a token back; false unless it was signed for kind.
func OpenLink(keys *Keyring, kind LinkKind, token string) (id uuid.UUID, number int, target string, ok bool) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(raw) < linkTag+1+16+2 || base64.RawURLEncoding.EncodeToString(raw) != token { // decoding skips line breaks
		return id, 0, "", false
	}
	tag, message := raw[:linkTag], raw[linkTag:]
	if message[0] != byte(kind) || !keys.Verify(PurposeTracking, message, tag) {
		return id, 0, "", false
	}
	return uuid.UUID(message[1:17]), int(binary.BigEndian.Uint16(message[17:19])), string(message[19:]), true
}
