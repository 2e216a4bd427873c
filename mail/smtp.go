package mail

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-smtp"

	"outreach"
)

// SMTPConfig configures the connection to a submission server.
type SMTPConfig struct {
	Server  outreach.MailServer
	Network Network
}

// Conn is one authenticated SMTP session that can send several messages, one after the other. It
// is not safe for concurrent use.
type Conn struct {
	config SMTPConfig
	times  Timeouts
	wire   *wire
	client *smtp.Client
	begun  bool // a transaction began and no message was accepted: the next one needs RSET
	broken bool // the session cannot continue
}

// DialSMTP connects, secures the connection as configured and logs in (unless the username is
// empty). With starttls it fails if the server does not offer it: nothing is ever sent unencrypted
// instead. Errors are *ServerError. The context only limits connecting; Send has its own.
//
// If the process dies here, nothing has been sent.
func DialSMTP(ctx context.Context, config SMTPConfig) (*Conn, error) {
	w, err := config.Network.dial(ctx, config.Server)
	if err != nil {
		return nil, err
	}
	w.budget.Store(4 * answerBytes) // with the certificates
	c := &Conn{config: config, times: config.Network.Timeouts.withDefaults(), wire: w}
	defer c.watch(ctx)()
	if err := c.open(); err != nil {
		_ = w.Close()
		return nil, whyCancelled(ctx, err)
	}
	return c, nil
}

// watch drops the connection when the context ends, until the returned function
// is called.
func (c *Conn) watch(ctx context.Context) (stop func()) {
	cancel := context.AfterFunc(ctx, func() { _ = c.wire.Close() })
	return func() { cancel() }
}

// whyCancelled returns the context's error if it ended, instead of its consequence, a closed
// connection.
func whyCancelled(ctx context.Context, err error) error {
	if cause := ctx.Err(); cause != nil && err != nil {
		return explain(cause)
	}
	return explain(err)
}

func (c *Conn) open() error {
	if err := c.greet(); err != nil {
		return err
	}
	hello := c.config.Network.HelloName
	if hello == "" {
		hello = "localhost"
	}
	if err := c.client.Hello(hello); err != nil {
		return explain(err)
	}
	return c.login()
}

// greet creates the client, with TLS unless the configuration says none.
func (c *Conn) greet() error {
	server := c.config.Server
	switch server.Security {
	case outreach.SecurityTLS:
		conn, err := handshake(c.wire, c.config.Network.tlsConfig(server))
		if err != nil {
			return explain(err)
		}
		c.client = smtp.NewClient(conn)
	case outreach.SecurityStartTLS:
		client, err := smtp.NewClientStartTLS(c.wire, c.config.Network.tlsConfig(server))
		if err != nil {
			return startTLSRefused(err)
		}
		c.client = client
	case outreach.SecurityNone:
		c.client = smtp.NewClient(c.wire)
	default:
		return &ServerError{Kind: KindTLS, Reason: fmt.Sprintf("unknown security %q", server.Security)}
	}
	// The wire's phases end earlier; the library's timeouts must not.
	c.client.CommandTimeout, c.client.SubmissionTimeout = c.times.Answer, c.times.Answer
	return nil
}

func startTLSRefused(err error) error {
	_, answered := errors.AsType[*smtp.SMTPError](err)
	if answered || strings.Contains(err.Error(), "support STARTTLS") {
		return &ServerError{Kind: KindTLS, Reason: "the server does not offer STARTTLS", cause: err}
	}
	return explain(err)
}

func (c *Conn) login() error {
	server := c.config.Server
	if server.Username == "" {
		return nil
	}
	mechanism, err := saslFor(c.client.SupportsAuth, server)
	if err != nil {
		return err
	}
	if err := c.client.Auth(mechanism); err != nil {
		return loginRefused(err, server)
	}
	return nil
}

// goodbye is how long a server may take to answer QUIT or LOGOUT.
const goodbye = 5 * time.Second

// Close ends an idle session with QUIT and drops any other: QUIT while a message is being written
// would finish that message. It takes at most five seconds.
func (c *Conn) Close() {
	if !c.broken {
		c.wire.allow(goodbye, answerBytes)
		_ = c.client.Quit()
	}
	c.broken = true
	_ = c.wire.Close()
}

// CheckSMTP logs in and out. Errors are *ServerError.
func CheckSMTP(ctx context.Context, config SMTPConfig) error {
	c, err := DialSMTP(ctx, config)
	if err != nil {
		return err
	}
	defer c.watch(ctx)()
	c.Close()
	return nil
}

// CheckSender logs in, begins a message from an address and gives it up, which also finds a server
// that takes no mail from this sender. Errors are *ServerError.
func CheckSender(ctx context.Context, config SMTPConfig, from string) error {
	c, err := DialSMTP(ctx, config)
	if err != nil {
		return err
	}
	defer c.watch(ctx)()
	defer c.Close()
	c.wire.allow(c.times.Command, answerBytes)
	return whyCancelled(ctx, c.mail(Envelope{From: from}, 0))
}
