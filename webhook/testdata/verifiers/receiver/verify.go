// Package receiver is the Go verifier that docs/webhooks.md shows. It uses the
// standard library alone, as a receiver elsewhere would.
package receiver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// Verify says whether the sender of body knew secret and signed it less than
// five minutes before or after now.
func Verify(secret, header string, body []byte, now time.Time) bool {
	var timestamp string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		switch key, value, _ := strings.Cut(strings.TrimSpace(part), "="); key {
		case "t":
			timestamp = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	want := []byte(hex.EncodeToString(mac.Sum(nil)))
	for _, signature := range signatures {
		if hmac.Equal(want, []byte(signature)) {
			return true
		}
	}
	return false
}
