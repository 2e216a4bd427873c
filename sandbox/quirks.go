package sandbox

import (
	"net/http"
	"time"
)

// Quirks change the behaviour of the providers. The zero value behaves like the real ones.
type Quirks struct {
	// TokenLife is how long an access token is valid; an hour when zero.
	TokenLife time.Duration
	// EndsFormer makes a refresh token invalid once the next one was issued.
	EndsFormer bool
	// Away makes token requests fail with 503.
	Away bool
	// RefusesClient makes token requests fail with invalid_client.
	RefusesClient bool
	// Renewing is called for a request with a refresh token, before new tokens are made. If the
	// client closes the connection meanwhile, none are made.
	Renewing func()
	// Answering is called after new tokens are made and before the answer.
	Answering func()
}

// SetQuirks changes the behaviour of the identity servers.
func (s *MailServer) SetQuirks(q Quirks) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	s.openID.quirks = q
}

// AcceptTokens makes the mail servers also accept access tokens of another issuer. check returns
// the end of a token that opens an account.
func (s *MailServer) AcceptTokens(check func(username, token string) (ends time.Time, ok bool)) {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	s.openID.foreign = check
}

// hooks returns the functions to call before and after the tokens of a request are made.
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

// Renewals returns how often a refresh token was used.
func (s *MailServer) Renewals() int {
	s.openID.mu.Lock()
	defer s.openID.mu.Unlock()
	return s.openID.renewals
}

// RepeatedRenewals returns how many refresh tokens were presented more than once.
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
