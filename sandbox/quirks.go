package sandbox

import (
	"net/http"
	"time"
)

// Quirks change the behaviour of the providers. The zero value behaves like the real ones.
type Quirks struct {
	// TokenLife is how long an access token is valid; an hour when zero.
	TokenLife time.Duration
	// GrantLife is how long the tokens of a sign-in can be renewed; without end when zero. Google
	// ends those of a client in testing after seven days.
	GrantLife time.Duration
	// Tenant is the directory of Microsoft's accounts; the sandbox's own when empty.
	Tenant string
	// ClaimedEmail is the address that an account claims to have; its own when empty. The owner of a
	// directory can make Microsoft claim any.
	ClaimedEmail string
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

// providerQuirks are the buttons of the page on which the providers are changed by hand.
var providerQuirks = []struct {
	Name, Title string
	Quirks      Quirks
}{
	{"none", "Work", Quirks{}},
	{"away", "Issue no tokens (503)", Quirks{Away: true}},
	{"refuses-client", "Refuse the client (401)", Quirks{RefusesClient: true}},
	{"ends-former", "End a refresh token when the next one is issued", Quirks{EndsFormer: true}},
	{"short-tokens", "End access tokens after a minute", Quirks{TokenLife: time.Minute}},
	{"short-grants", "End new sign-ins after five minutes, and their access tokens after one",
		Quirks{TokenLife: time.Minute, GrantLife: 5 * time.Minute}},
}

// providersByForm handles the buttons for both providers. Forms of other sites are refused.
func (o *openID) providersByForm(w http.ResponseWriter, r *http.Request) {
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		http.Error(w, "Only a form of this page can do this.", http.StatusForbidden)
		return
	}
	for _, q := range providerQuirks {
		if q.Name == r.PostFormValue("quirk") {
			o.setQuirks(q.Quirks)
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
	}
	http.Error(w, "There is no such quirk.", http.StatusBadRequest)
}

func (o *openID) setQuirks(q Quirks) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.quirks = q
}

// SetQuirks changes the behaviour of the identity servers.
func (s *MailServer) SetQuirks(q Quirks) { s.openID.setQuirks(q) }

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
