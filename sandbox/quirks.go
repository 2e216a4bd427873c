package sandbox

import (
	"net/http"
	"time"
)

// Quirks are how the providers behave. The zero value is what the real ones do.
type Quirks struct {
	// TokenLife is how long an access token is valid; an hour when zero.
	TokenLife time.Duration
	// EndsFormer makes a refresh token useless once the next one was given.
	EndsFormer bool
	// Away makes token requests fail with 503.
	Away bool
	// RefusesClient makes token requests fail with invalid_client.
	RefusesClient bool
	// Renewing is called when a request with a refresh token has come in, before new tokens
	// are made. None are made if the client has gone meanwhile.
	Renewing func()
	// Answering is called between the making of new tokens and the answer.
	Answering func()
}

// SetQuirks changes how the identity servers behave from now on.
func (s *MailServer) SetQuirks(q Quirks) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	s.openID.quirks = q
}

// AcceptTokens makes the mail servers take access tokens of another issuer too. check returns
// when a token that opens an account ends.
func (s *MailServer) AcceptTokens(check func(username, token string) (ends time.Time, ok bool)) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	s.openID.foreign = check
}

// hooks returns what to call before the tokens of a request are made, and after it.
func (o *openID) hooks(r *http.Request) (before, after func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	before, after = o.quirks.Renewing, o.quirks.Answering
	if before == nil || r.PostFormValue("grant_type") != "refresh_token" {
		before = func() {}
	}
	if after == nil {
		after = func() {}
	}
	return before, after
}

// Renewals is how often a refresh token was used.
func (s *MailServer) Renewals() int {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	return s.openID.renewals
}

// RepeatedRenewals is how many refresh tokens were presented more than once.
func (s *MailServer) RepeatedRenewals() (n int) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	for _, times := range s.openID.used {
		if times > 1 {
			n++
		}
	}
	return n
}
