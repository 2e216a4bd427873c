package sandbox

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-smtp"
)

// AccountQuirks are how the provider of one account treats it. The zero value is a plain
// server.
type AccountQuirks struct {
	// IDs is what becomes of the Message-ID of mail that the account sends.
	IDs MessageIDs
	// NoPasswords refuses every password at SMTP (5.7.30), NoSMTPAuth every login (5.7.139).
	NoPasswords, NoSMTPAuth bool
	// Throttled is where the account is over its limits.
	Throttled Throttled
	// NoFieldSearch makes a search for a header field other than Message-ID find every message.
	NoFieldSearch bool
	// CutsSent drops the connection when the Sent folder is opened.
	CutsSent bool
}

// MessageIDs is what becomes of Message-IDs.
type MessageIDs int

// What becomes of them. A replaced one is what recipients see, and what the Sent folder
// holds.
const (
	KeepIDs      MessageIDs = iota
	NameIDs                 // replaced, and named in the answer to the final dot
	ReplaceIDs              // replaced without a word
	NameKeptIDs             // kept, and named in the answer
	NameQueueIDs            // kept; the answer names one and the same id for every message
)

// Throttled is the command at which an account is told to come back later.
type Throttled int

// Where an account is throttled.
const (
	NotThrottled  Throttled = iota
	ThrottleLogin           // SMTP AUTH: 432 4.3.2
	ThrottleMail            // MAIL: 421 4.7.0
	ThrottleDot             // after the message: 451 4.7.500
	ThrottleIMAP            // IMAP login: NO [LIMIT]
	ThrottleRead            // IMAP commands on a folder: NO [THROTTLED]
)

var (
	errNoPasswords = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 7, 30},
		Message: "Basic authentication is not supported for Client Submission."}
	errNoSMTPAuth = &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 139},
		Message: "Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."}
	errManyLogins = &smtp.SMTPError{Code: 432, EnhancedCode: smtp.EnhancedCode{4, 3, 2},
		Message: "Concurrent connections limit exceeded"}
	errManyMails = &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 7, 0}, Message: "Temporary System Problem. Try again later"}
	errTooFast   = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 500}, Message: "Server busy. Please try again later"}
	errManyIMAP  = &imap.Error{Type: imap.StatusResponseTypeNo, Code: imap.ResponseCodeLimit, Text: "Too many sessions"}
	errThrottled = &imap.Error{Type: imap.StatusResponseTypeNo, Code: "THROTTLED", Text: "Account is over its limits"}
)

// namedQuirk is a button of the page on which quirks are chosen by hand.
type namedQuirk struct {
	Name, Title string
	Quirks      AccountQuirks
}

var namedQuirks = []namedQuirk{
	{"none", "None", AccountQuirks{}},
	{"named-ids", "Replace Message-IDs, and name the new one in the answer", AccountQuirks{IDs: NameIDs}},
	{"replaced-ids", "Replace Message-IDs; only the Sent folder shows the new one", AccountQuirks{IDs: ReplaceIDs}},
	{"no-passwords", "Refuse passwords (550 5.7.30)", AccountQuirks{NoPasswords: true}},
	{"no-smtp-auth", "Refuse SMTP AUTH (535 5.7.139)", AccountQuirks{NoSMTPAuth: true}},
	{"throttle-login", "Throttle SMTP logins (432 4.3.2)", AccountQuirks{Throttled: ThrottleLogin}},
	{"throttle-mail", "Throttle messages (421 4.7.0)", AccountQuirks{Throttled: ThrottleMail}},
	{"throttle-dot", "Throttle at the end of a message (451 4.7.500)", AccountQuirks{Throttled: ThrottleDot}},
	{"throttle-imap", "Throttle IMAP logins (NO [LIMIT])", AccountQuirks{Throttled: ThrottleIMAP}},
	{"throttle-read", "Throttle reading (NO [THROTTLED])", AccountQuirks{Throttled: ThrottleRead}},
}

// quirksByForm is the buttons of the overview. Another site cannot press them.
func (o *openID) quirksByForm(w http.ResponseWriter, r *http.Request) {
	if err := new(http.CrossOriginProtection).Check(r); err != nil {
		http.Error(w, "Only a form of this page can do this.", http.StatusForbidden)
		return
	}
	at := slices.IndexFunc(namedQuirks, func(q namedQuirk) bool { return q.Name == r.PostFormValue("quirk") })
	if at < 0 {
		http.Error(w, "There is no such quirk.", http.StatusBadRequest)
		return
	}
	o.accounts.setQuirks(r.PostFormValue("account"), namedQuirks[at].Quirks)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// SetAccountQuirks changes how the servers treat an account from now on.
func (s *MailServer) SetAccountQuirks(email string, q AccountQuirks) {
	s.accounts.setQuirks(email, q)
}

func (a *accounts) setQuirks(email string, q AccountQuirks) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.quirks[fold(email)] = q
}

// quirksOf returns how an account is treated.
func (a *accounts) quirksOf(email string) AccountQuirks {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.quirks[fold(email)]
}

// refuses returns why a login at SMTP is refused whatever its secret is.
func (q AccountQuirks) refuses(password bool) error {
	switch {
	case q.NoSMTPAuth:
		return errNoSMTPAuth
	case q.NoPasswords && password:
		return errNoPasswords
	case q.Throttled == ThrottleLogin:
		return errManyLogins
	}
	return nil
}

// constantID is what NameQueueIDs names.
const constantID = "<queue@prod.sandbox.test>"

// sent returns a message as the provider passes it on, and its answer; nil for the usual
// one.
func (q AccountQuirks) sent(raw []byte) (passed []byte, answer error) {
	named := ""
	switch q.IDs {
	case NameIDs, ReplaceIDs:
		id := "<" + strings.ToUpper(rand.Text()) + "@prod.sandbox.test>"
		raw = withMessageID(raw, id)
		if q.IDs == NameIDs {
			named = id
		}
	case NameKeptIDs:
		named = headerField(raw, "Message-ID")
	case NameQueueIDs:
		named = constantID
	}
	if named == "" {
		return raw, nil
	}
	return raw, &smtp.SMTPError{Code: 250, EnhancedCode: smtp.EnhancedCode{2, 0, 0}, Message: "OK " + named + " [Hostname=prod.sandbox.test]"}
}

// withMessageID replaces the Message-ID of a message, at the place of the former one.
func withMessageID(raw []byte, id string) []byte {
	var out bytes.Buffer
	for rest := raw; len(rest) > 0; {
		line, next := cutField(rest)
		if len(bytes.TrimSpace(line)) == 0 {
			out.Write(rest)
			break
		}
		if key, _, found := bytes.Cut(line, []byte{':'}); found && strings.EqualFold(string(bytes.TrimSpace(key)), "Message-ID") {
			line = []byte("Message-ID: " + id + "\r\n")
		}
		out.Write(line)
		rest = next
	}
	return out.Bytes()
}
