package sandbox

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const (
	maxMessageBytes = 25 << 20
	idleTimeout     = 5 * time.Minute
)

var (
	errLoginFirst = &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "Authentication required"}
	errNotStored  = &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "The message could not be stored, try again"}
)

func (s *MailServer) newSMTP() *smtp.Server {
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &smtpSession{server: s}, nil
	}))
	server.Domain = hostName
	server.MaxMessageBytes = maxMessageBytes
	server.ReadTimeout, server.WriteTimeout = idleTimeout, idleTimeout
	server.AllowInsecureAuth = true // the server listens on loopback only
	server.EnableSMTPUTF8 = true
	server.ErrorLog = slog.NewLogLogger(s.config.Logger.Handler(), slog.LevelDebug)
	return server
}

// smtpSession is one SMTP connection.
type smtpSession struct {
	server *MailServer
	login  string
	from   string
	to     []string
}

// AuthMechanisms are the two that every client knows, and those for tokens.
func (c *smtpSession) AuthMechanisms() []string {
	return []string{sasl.Plain, sasl.Login, xoauth2, sasl.OAuthBearer}
}

// Auth starts an exchange that ends in a login or in 535.
func (c *smtpSession) Auth(mechanism string) (sasl.Server, error) {
	switch mechanism {
	case sasl.Plain:
		return sasl.NewPlainServer(func(_, username, password string) error {
			return c.authenticate(username, password)
		}), nil
	case sasl.Login:
		return &loginServer{authenticate: c.authenticate}, nil
	case xoauth2, sasl.OAuthBearer:
		return &tokenServer{mechanism: mechanism, login: c.authenticateToken}, nil
	}
	return nil, smtp.ErrAuthUnknownMechanism
}

func (c *smtpSession) authenticateToken(username, text string) error {
	if err := c.server.accounts.quirksOf(username).refuses(false); err != nil {
		return err
	}
	if _, ok := c.server.openID.login(username, text); !ok {
		return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "Username and Password not accepted"}
	}
	c.login = fold(username)
	return nil
}

func (c *smtpSession) authenticate(username, password string) error {
	if err := c.server.accounts.quirksOf(username).refuses(true); err != nil {
		return err
	}
	email, ok := c.server.accounts.login(username, password)
	if !ok {
		return smtp.ErrAuthFailed
	}
	c.login = email
	return nil
}

// Mail begins a message. A logged-in client may use any sender, because a mailbox may send from
// another address than its login.
func (c *smtpSession) Mail(from string, _ *smtp.MailOptions) error {
	if c.login == "" {
		return errLoginFirst
	}
	if c.server.accounts.quirksOf(c.login).Throttled == ThrottleMail {
		return errManyMails
	}
	c.from, c.to = from, nil
	return nil
}

// Rcpt accepts every recipient except the persona that bounces.
func (c *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	if personaOf(to) == personaBounce && c.server.accounts.password(to) == "" {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1},
			Message: fmt.Sprintf("<%s>: Recipient address rejected: User unknown in virtual mailbox table", to)}
	}
	c.to = append(c.to, to)
	return nil
}

// Data stores the message, then answers. If the process dies before storing, nothing was accepted.
// If it dies between storing and the answer, the message is delivered and in the Sent folder, but
// the client does not know it.
func (c *smtpSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	quirks := c.server.accounts.quirksOf(c.login)
	if quirks.Throttled == ThrottleDot {
		return errTooFast
	}
	raw, answer := quirks.sent(raw)
	woken, err := c.server.store.deliver(envelope{login: c.login, from: c.from, to: c.to, raw: raw, home: ProspectsMailbox})
	if err != nil {
		c.server.config.Logger.Error("sandbox cannot store mail", slog.Any("error", err))
		return errNotStored
	}
	for _, received := range woken {
		c.server.agenda.add(task{Received: received})
	}
	return answer
}

// Reset drops the current message and keeps the login.
func (c *smtpSession) Reset() { c.from, c.to = "", nil }

// Logout does nothing.
func (c *smtpSession) Logout() error { return nil }

// loginServer is the server side of the LOGIN mechanism, which has no RFC: two
// prompts, user name and password.
type loginServer struct {
	authenticate func(username, password string) error
	username     *string
}

// Next reads one answer of the client and returns the next prompt.
func (l *loginServer) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case response == nil:
		return []byte("Username:"), false, nil
	case l.username == nil:
		l.username = new(string(response))
		return []byte("Password:"), false, nil
	default:
		return nil, true, l.authenticate(*l.username, string(response))
	}
}
