package sandbox

import (
	"errors"
	"strings"

	"github.com/emersion/go-sasl"
)

const xoauth2 = "XOAUTH2"

// tokenServer is the server side of XOAUTH2 and OAUTHBEARER (RFC 7628). It refuses with a challenge
// in JSON and requires the answer that the mechanism prescribes.
type tokenServer struct {
	mechanism string
	login     func(username, token string) error
	refusal   error
}

func (t *tokenServer) Next(response []byte) (challenge []byte, done bool, err error) {
	if t.refusal != nil {
		want := ""
		if t.mechanism == sasl.OAuthBearer {
			want = "\x01"
		}
		if string(response) != want {
			return nil, false, errors.New("the challenge was not answered as the mechanism prescribes")
		}
		return nil, false, t.refusal
	}
	if response == nil {
		return []byte{}, false, nil
	}
	username, text := t.read(string(response))
	if t.refusal = t.login(username, text); t.refusal == nil {
		return nil, true, nil
	}
	return []byte(`{"status":"401","schemes":"bearer mac","scope":"https://mail.google.com/"}`), false, nil
}

// read returns the user name and the token of the initial response.
func (t *tokenServer) read(response string) (username, token string) {
	fields := strings.Split(response, "\x01")
	for _, field := range fields[1:] {
		if value, ok := strings.CutPrefix(field, "auth=Bearer "); ok {
			token = value
		}
	}
	if t.mechanism == sasl.OAuthBearer {
		for part := range strings.SplitSeq(fields[0], ",") {
			if value, ok := strings.CutPrefix(part, "a="); ok {
				username = strings.NewReplacer("=2C", ",", "=3D", "=").Replace(value)
			}
		}
		return username, token
	}
	return strings.TrimPrefix(fields[0], "user="), token
}
