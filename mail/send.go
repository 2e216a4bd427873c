package mail

import (
	"context"
	"errors"
	"fmt"

	"github.com/emersion/go-smtp"
)

// Status is what is known about a message after an attempt to send it.
type Status string

// The outcomes of an attempt. SMTP cannot send exactly once (RFC 1047): between the final dot and
// its answer only the server knows the outcome, which is StatusUnknown. All other outcomes are
// certain.
const (
	StatusAccepted Status = "accepted" // the server accepted it
	StatusRefused  Status = "refused"  // the server refused it for good (5xx)
	StatusDeferred Status = "deferred" // the server refused it for now (4xx)
	StatusNotSent  Status = "not_sent" // failed before the final dot was out
	StatusUnknown  Status = "unknown"  // the final dot is out, the answer is lost
)

// Outcome is the result of one attempt.
type Outcome struct {
	Status Status
	// Command is the command that decided: connect, RSET, MAIL, RCPT, DATA, commit, or "." for the
	// final dot.
	Command string
	// Code and Enhanced (RFC 3463) are from the server's answer, 0 and empty without one.
	Code     int
	Enhanced string
	// Text is the server's answer on one line, or the reason as a text.
	Text string
	// Recipient is the refused recipient of RCPT, empty for other commands.
	Recipient string
	// NamedID is the Message-ID that the answer to an accepted message names, if it names one.
	NamedID string
}

// Envelope holds sender and recipients of the SMTP envelope (RFC 5321 2.3.1). A message goes to
// all its recipients or to none: one refusal ends the attempt.
type Envelope struct {
	From string
	To   string
	Cc   []string
}

// recipients returns all of them, To first.
func (e Envelope) recipients() []string { return append([]string{e.To}, e.Cc...) }

// Send opens a session for one message, sends it and closes the session. See
// Conn.Send.
func Send(ctx context.Context, config SMTPConfig, env Envelope, raw []byte, beforeCommit func(context.Context) error) (Outcome, error) {
	c, err := DialSMTP(ctx, config)
	if err != nil {
		return Outcome{Status: StatusNotSent, Command: "connect", Text: err.Error()}, err
	}
	defer c.Close()
	return c.Send(ctx, env, raw, beforeCommit)
}

// Send sends one message. It calls beforeCommit once, after the server has asked for the message
// and all of it except its end is written, and before the final dot. If beforeCommit fails, the
// connection is dropped and the message is not sent. An attempt that ends earlier never calls it.
//
// The error is nil if the server decided (accepted, refused, deferred), else the reason for
// not_sent or unknown; the outcome is valid in both cases. The context can end an attempt until
// the final dot. After it only the Answer timeout can: leaving early would turn sent messages into
// unknown ones.
//
// After accepted, refused and deferred (except 421) the session can send the next message. Whether
// the server is still there shows at the next MAIL, or at RSET if a transaction must be cleared
// first: it may have closed the connection, or answer 421 to say so (RFC 5321 3.8).
func (c *Conn) Send(ctx context.Context, env Envelope, raw []byte, beforeCommit func(context.Context) error) (Outcome, error) {
	if c.broken {
		return c.failed("connect", &ServerError{Kind: KindConnect, Reason: "connection closed", Temporary: true})
	}
	stop := c.watch(ctx)
	defer stop()
	defer func() {
		if c.broken {
			_ = c.wire.Close() // not QUIT, which would write the dot first
		}
	}()
	// If the process dies before the final dot, the server sees the connection end within a
	// transaction and discards it (RFC 5321 4.1.1.4).
	data, out, err := c.begin(ctx, env, raw)
	if data == nil {
		return out, err
	}
	if err := beforeCommit(ctx); err != nil {
		return c.failed("commit", err)
	}
	if err := ctx.Err(); err != nil {
		return c.failed("commit", explain(err))
	}
	stop()
	out, err = c.finish(data)
	if out.Status == StatusAccepted {
		out.NamedID = namedID(out.Text, c.config.Server.Host, append(env.recipients(), env.From))
	}
	return out, err
}

// begin runs the transaction up to the last byte before the final dot. If it returns no writer,
// the attempt has ended with the returned outcome.
func (c *Conn) begin(ctx context.Context, env Envelope, raw []byte) (*smtp.DataCommand, Outcome, error) {
	type step struct {
		command, recipient string
		do                 func() error
	}
	steps := []step{
		{"RSET", "", c.reset},
		{"MAIL", "", func() error { return c.mail(env, len(raw)) }},
	}
	for _, to := range env.recipients() {
		steps = append(steps, step{"RCPT", to, func() error { return c.rcpt(to) }})
	}
	for _, step := range steps {
		c.wire.allow(c.times.Command, answerBytes)
		if err := step.do(); err != nil {
			out, err := c.answered(step.command, whySent(ctx, err))
			out.Recipient = step.recipient
			return nil, out, err
		}
	}
	c.wire.allow(c.times.Command, answerBytes)
	data, err := c.client.Data()
	if err != nil {
		out, err := c.answered("DATA", whySent(ctx, err))
		return nil, out, err
	}
	// From here to the answer no other command can be sent: the writer would first end the message
	// with its dot. So every return drops the connection, including panics.
	c.broken = true
	c.wire.allow(c.times.Data, answerBytes)
	if _, err := data.Write(raw); err != nil {
		out, err := c.failed("DATA", whyCancelled(ctx, err))
		return nil, out, err
	}
	return data, Outcome{}, nil
}

// finish writes the final dot and reads the answer.
//
// The caller has just recorded that this will happen. If the process dies before the dot, there is
// a record and no message; if it dies after it, there are both. The record alone cannot tell these
// apart, so it means unknown.
func (c *Conn) finish(data *smtp.DataCommand) (Outcome, error) {
	c.wire.allow(c.times.Answer, answerBytes)
	c.wire.missing.Store(0)
	resp, err := data.CloseWithResponse()
	if err == nil {
		// Accepted. If the process dies before this is recorded, the message stays unknown until
		// it is found in the Sent folder or a reply to it arrives.
		c.broken, c.begun = false, false
		return Outcome{Status: StatusAccepted, Command: ".", Code: 250, Text: shorten("250 " + resp.StatusText)}, nil
	}
	if answer, ok := errors.AsType[*smtp.SMTPError](err); ok {
		return c.decided(answer)
	}
	// The dot is the last three bytes of the last write, or in its last TLS record: if at least
	// that many were not sent, the server did not get the dot.
	if c.wire.missing.Load() >= 3 {
		return c.failed(".", explain(err))
	}
	reason := explain(err)
	return Outcome{Status: StatusUnknown, Command: ".", Text: "no answer after the message: " + reason.Error()}, reason
}

// decided returns the outcome of an answer to the final dot other than 250.
func (c *Conn) decided(answer *smtp.SMTPError) (Outcome, error) {
	c.broken = answer.Code == 421
	out := outcomeOf(".", answer)
	if answer.Code/100 == 2 {
		c.begun, out.Status = false, StatusAccepted
	}
	if out.Status != "" {
		return out, nil
	}
	// After a 3xx or an invalid answer the outcome is unknown.
	c.broken, out.Status = true, StatusUnknown
	return out, &ServerError{Kind: KindProtocol, Reason: "unexpected answer: " + out.Text, cause: answer}
}

// answered returns the outcome of an error before the message was written: the server's decision,
// or a failure.
func (c *Conn) answered(command string, err error) (Outcome, error) {
	answer, ok := errors.AsType[*smtp.SMTPError](err)
	if !ok {
		return c.failed(command, explain(err))
	}
	out := outcomeOf(command, answer)
	if out.Status == "" || command == "RSET" {
		return c.failed(command, explain(err))
	}
	c.broken = answer.Code == 421
	return out, nil
}

// outcomeOf returns the outcome of an answer by its class (RFC 5321 4.2.1); the status is empty
// for classes that decide nothing.
func outcomeOf(command string, answer *smtp.SMTPError) Outcome {
	out := Outcome{Command: command, Code: answer.Code, Enhanced: enhancedCode(answer), Text: answerText(answer)}
	switch answer.Code / 100 {
	case 4:
		out.Status = StatusDeferred
	case 5:
		out.Status = StatusRefused
	}
	return out
}

// failed returns the outcome of an attempt that certainly sent nothing.
func (c *Conn) failed(command string, err error) (Outcome, error) {
	c.broken = true
	return Outcome{Status: StatusNotSent, Command: command, Text: err.Error()}, err
}

// whySent returns an answer of the server unchanged and explains every other error.
func whySent(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*smtp.SMTPError](err); ok {
		return err
	}
	return whyCancelled(ctx, err)
}

// reset clears the previous transaction. After an accepted message nothing is left to clear (RFC
// 5321 4.1.1.4). The client sends EHLO again after it, so it costs two round trips.
func (c *Conn) reset() error {
	if !c.begun {
		return nil
	}
	c.begun = false
	return c.client.Reset()
}

func (c *Conn) mail(env Envelope, size int) error {
	addr, err := envelopeAddress(env.From)
	if err != nil {
		return localRefusal(553, smtp.EnhancedCode{5, 1, 7}, err)
	}
	options := &smtp.MailOptions{Size: int64(size)}
	for _, address := range append(env.recipients(), env.From) {
		options.UTF8 = options.UTF8 || !ascii(address) && needsUTF8(address)
	}
	if ok, _ := c.client.Extension("SMTPUTF8"); options.UTF8 && !ok {
		return localRefusal(553, smtp.EnhancedCode{5, 6, 7},
			errors.New("the server does not accept addresses with non-ASCII characters (SMTPUTF8)"))
	}
	c.begun = true
	return c.client.Mail(addr, options)
}

func (c *Conn) rcpt(to string) error {
	addr, err := envelopeAddress(to)
	if err != nil {
		return localRefusal(553, smtp.EnhancedCode{5, 1, 3}, err)
	}
	return c.client.Rcpt(addr, nil)
}

// localRefusal is an outcome without asking a server: the address can never be used.
func localRefusal(code int, enhanced smtp.EnhancedCode, err error) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: fmt.Sprint(err)}
}

// needsUTF8 reports whether an address is not ASCII after its domain is mapped.
func needsUTF8(address string) bool {
	addr, err := envelopeAddress(address)
	return err == nil && !ascii(addr)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
