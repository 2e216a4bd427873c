package session

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of a password hash: 19 MiB and two passes on one lane, the minimum that
// OWASP recommends for argon2id, about 20 ms of one core.
const (
	memoryKiB = 19 * 1024
	passes    = 2
	lanes     = 1
	saltBytes = 16
	keyBytes  = 32
)

// passwordChecks limits the memory of password checks: at most 8 run at once in a process; others wait.
var passwordChecks = make(chan struct{}, 8)

func derive(password string, salt []byte, passes, memoryKiB uint32, lanes uint8, length uint32) []byte {
	passwordChecks <- struct{}{}
	defer func() { <-passwordChecks }()
	return argon2.IDKey([]byte(password), salt, passes, memoryKiB, lanes, length)
}

// HashPassword returns the PHC string of a password.
func HashPassword(password string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	key := derive(password, salt, passes, memoryKiB, lanes, keyBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, memoryKiB, passes, lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(key))
}

// CheckPassword reports whether hash was made from password. It takes as long for an invalid hash
// as for a valid one, so that the time does not distinguish an unknown user from a wrong password.
func CheckPassword(hash, password string) bool {
	var version int
	var memory, time uint32
	var threads uint8
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		derive(password, make([]byte, saltBytes), passes, memoryKiB, lanes, keyBytes)
		return false
	}
	_, errVersion := fmt.Sscanf(parts[2], "v=%d", &version)
	_, errCost := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &memory, &time, &threads)
	salt, errSalt := base64.RawStdEncoding.DecodeString(parts[4])
	want, errKey := base64.RawStdEncoding.DecodeString(parts[5])
	if errors.Join(errVersion, errCost, errSalt, errKey) != nil || version != argon2.Version || time == 0 || threads == 0 {
		return false
	}
	got := derive(password, salt, time, memory, threads, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1
}

// NewPassword returns a password of 120 random bits.
func NewPassword() string { return rand.Text()[:24] }
