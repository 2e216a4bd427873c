package mail

import (
	"context"

	"outreach"
)

// Greet connects to a mail server of a protocol, smtp or imap, secures the connection
// and waits for the greeting. It does not log in. Errors are *ServerError.
func Greet(ctx context.Context, protocol string, server outreach.MailServer, network Network) error {
	server.Username, server.Password, server.Token = "", "", ""
	if protocol == "smtp" {
		conn, err := DialSMTP(ctx, SMTPConfig{Server: server, Network: network})
		if err == nil {
			conn.Close()
		}
		return err
	}
	box, err := OpenMailbox(ctx, IMAPConfig{Server: server, Network: network})
	if err == nil {
		box.Close()
	}
	return err
}
