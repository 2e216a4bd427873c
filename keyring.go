package outreach

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Purpose names a use of the secret key. Each purpose has its own derived key, so that a value
// made for one use is invalid for another.
type Purpose string

// The purposes.
const (
	PurposeMailbox       Purpose = "mailbox-password"
	PurposeSigningSecret Purpose = "signing-secret"
	PurposeCursor        Purpose = "cursor"
	PurposeTracking      Purpose = "tracking-link"
	PurposeSession       Purpose = "session"
	PurposeIdempotency   Purpose = "idempotent-answer"
	PurposeTOTP          Purpose = "totp-secret"
	PurposeOAuth         Purpose = "oauth-token"
)

// Keyring holds the operator's secret keys. The first key seals and signs; all keys open and
// verify, so that a key can be replaced without losing data.
type Keyring struct{ roots [][]byte }

// errSealed is the same for every cause, so that it reveals nothing.
var errSealed = errors.New("sealed value cannot be opened with the current keys")

// ParseKeyring reads one or more base64 keys of 32 bytes, separated by commas.
func ParseKeyring(text string) (*Keyring, error) {
	ring := &Keyring{}
	for part := range strings.SplitSeq(text, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(part))
		if err != nil || len(key) != 32 {
			return nil, fmt.Errorf("key %d is not 32 bytes in base64", len(ring.roots)+1)
		}
		ring.roots = append(ring.roots, key)
	}
	return ring, nil
}

// derive returns the 32-byte key of one purpose (HKDF with SHA-256, RFC 5869).
func derive(root []byte, purpose Purpose) []byte {
	key, err := hkdf.Key(sha256.New, root, nil, "outreach:"+string(purpose), 32)
	if err != nil {
		panic(err) // only for lengths that HKDF does not support
	}
	return key
}

// Seal encrypts and authenticates plain (AES-256-GCM). Open needs the same purpose and the same
// context, such as the id of the row.
func (k *Keyring) Seal(purpose Purpose, context, plain []byte) []byte {
	aead := newAEAD(derive(k.roots[0], purpose))
	nonce := make([]byte, aead.NonceSize(), aead.NonceSize()+len(plain)+aead.Overhead())
	rand.Read(nonce)
	return aead.Seal(nonce, nonce, plain, context)
}

// Open returns the plain value of a sealed one. It returns an error if no key opens it.
func (k *Keyring) Open(purpose Purpose, context, sealed []byte) ([]byte, error) {
	plain, _, err := k.open(purpose, context, sealed)
	return plain, err
}

// open returns the plain value of a sealed one, and what KeyOf returns.
func (k *Keyring) open(purpose Purpose, context, sealed []byte) ([]byte, int, error) {
	for place, root := range k.roots {
		aead := newAEAD(derive(root, purpose))
		if len(sealed) < aead.NonceSize() {
			break
		}
		plain, err := aead.Open(nil, sealed[:aead.NonceSize()], sealed[aead.NonceSize():], context)
		if err == nil {
			return plain, place, nil
		}
	}
	return nil, -1, errSealed
}

// KeyOf returns the place in the list of the key that sealed a value: 0 for the first, -1 if no key
// opens the value.
func (k *Keyring) KeyOf(purpose Purpose, context, sealed []byte) int {
	_, place, _ := k.open(purpose, context, sealed)
	return place
}

// Rotating reports whether there are older keys that only open and verify.
func (k *Keyring) Rotating() bool { return len(k.roots) > 1 }

// Reseal seals a value again with the first key. It returns nil if the first key sealed it
// already.
func (k *Keyring) Reseal(purpose Purpose, context, sealed []byte) ([]byte, error) {
	plain, place, err := k.open(purpose, context, sealed)
	if err != nil || place == 0 {
		return nil, err
	}
	return k.Seal(purpose, context, plain), nil
}

// MAC authenticates message with the first key (HMAC-SHA256).
func (k *Keyring) MAC(purpose Purpose, message []byte) []byte {
	return mac(derive(k.roots[0], purpose), message)
}

// Verify reports in constant time whether tag is the MAC of message, or its first bytes (16 at
// least), under any of the keys.
func (k *Keyring) Verify(purpose Purpose, message, tag []byte) bool {
	if len(tag) < 16 || len(tag) > sha256.Size {
		return false
	}
	for _, root := range k.roots {
		if hmac.Equal(mac(derive(root, purpose), message)[:len(tag)], tag) {
			return true
		}
	}
	return false
}

func mac(key, message []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(message)
	return h.Sum(nil)
}

func newAEAD(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(err) // only for wrong key lengths
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	return aead
}
