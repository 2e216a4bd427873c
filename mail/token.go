package mail

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/emersion/go-sasl"

	"outreach"
)

// xoauth2 is the mechanism that Google and Microsoft used before RFC 7628.
const xoauth2 = "XOAUTH2"

// tokenClient logs in with an access token. A server that refuses first sends a challenge with the
// reason. XOAUTH2 requires an empty line as the answer, OAUTHBEARER a byte 1 (RFC 7628, section
// 3.2.3). The refusal follows.
type tokenClient struct {
	mechanism string
	initial   []byte
	refusal   []byte // answers the challenge
}

func (t *tokenClient) Start() (mechanism string, initial []byte, err error) {
	return t.mechanism, t.initial, nil
}

func (t *tokenClient) Next([]byte) ([]byte, error) { return t.refusal, nil }

// tokenLogin returns the token login that the server supports. XOAUTH2 comes first: every provider
// with OAUTHBEARER also has it and tests it more. Tokens are only sent over TLS.
func tokenLogin(supports func(string) bool, server outreach.MailServer) (sasl.Client, error) {
	if server.Security != outreach.SecurityTLS && server.Security != outreach.SecurityStartTLS {
		return nil, &ServerError{Kind: KindTLS, Reason: "an access token is sent over TLS only"}
	}
	if strings.ContainsAny(server.Username+server.Token, "\x01\r\n") {
		return nil, &ServerError{Kind: KindLogin, Reason: "the user name or the token has a control character"}
	}
	switch {
	case supports(xoauth2):
		text := fmt.Sprintf("user=%s\x01auth=Bearer %s\x01\x01", server.Username, server.Token)
		return &tokenClient{mechanism: xoauth2, initial: []byte(text), refusal: []byte{}}, nil
	case supports(sasl.OAuthBearer):
		name := strings.NewReplacer("=", "=3D", ",", "=2C").Replace(server.Username) // RFC 5801, section 4
		text := fmt.Sprintf("n,a=%s,\x01host=%s\x01port=%s\x01auth=Bearer %s\x01\x01", name, server.Host, strconv.Itoa(server.Port), server.Token)
		return &tokenClient{mechanism: sasl.OAuthBearer, initial: []byte(text), refusal: []byte{1}}, nil
	}
	return nil, &ServerError{Kind: KindLogin, Reason: "the server offers no login with a token"}
}

const (
	noPasswords = "The provider no longer accepts passwords; connect the mailbox with the provider's button"
	enableSMTP  = "Ask your administrator to enable SMTP AUTH for this mailbox"
	appPassword = "Use an app password, which you create in the settings of the account"
	turnOnIMAP  = "Turn on IMAP in the settings of the account, or ask your administrator to do so"
)

// loginAdvice tells users how to correct a refused login, by the code or text of the refusal, in
// lower case. The first entry that fits counts.
var loginAdvice = []struct {
	sign, advice string
	// password limits the entry to logins with a password: the same words mean something else
	// after a token.
	password bool
}{
	// Exchange Online has one code for several causes.
	{"basic authentication is disabled", noPasswords, true},
	{"user credentials were incorrect", "Check the user name and the password", true},
	{"5.7.139", enableSMTP, false},
	{"smtpclientauthentication is disabled", enableSMTP, false},
	{"5.7.30", noPasswords, false},
	{"authenticated but not connected", "Ask your administrator to give the application access to this mailbox", false},
	// Gmail, by SMTP and IMAP.
	{"application-specific password required", appPassword, true},
	{"mail/?p=badcredentials", appPassword, true},
	// Gmail and Zoho.
	{"not enabled for imap", turnOnIMAP, false},
	{"imap access is disabled", turnOnIMAP, false},
	{"yet to enable imap", turnOnIMAP, false},
}

// adviceOf returns the advice for a refused login, empty if there is none.
func adviceOf(refusal string, password bool) string {
	refusal = strings.ToLower(refusal)
	for _, a := range loginAdvice {
		if strings.Contains(refusal, a.sign) && (password || !a.password) {
			return a.advice
		}
	}
	return ""
}
