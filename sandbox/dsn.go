package sandbox

import (
	"bytes"
	"fmt"
	"net/mail"
	"time"

	"github.com/google/uuid"
)

// notification returns a delivery status notification (RFC 3464) about a mailbox that does not
// exist: a text for people, the report, and the header of the original.
func (m incoming) notification() []byte {
	var d draft
	boundary := "dsn-" + uuid.NewString()
	daemon := mail.Address{Name: "Mail Delivery System", Address: "MAILER-DAEMON@" + m.domain()}
	m.head(&d, daemon, m.From, "Undelivered Mail Returned to Sender")
	d.field("Auto-Submitted", "auto-replied")
	d.field("Content-Type", fmt.Sprintf("multipart/report; report-type=delivery-status; boundary=%q", boundary))
	m.words(&d, boundary)
	m.report(&d, boundary)
	m.returned(&d, boundary)
	fmt.Fprintf(&d, "\r\n--%s--\r\n", boundary)
	return d.Bytes()
}

func (m incoming) refusal() string {
	return fmt.Sprintf("550 5.1.1 <%s>: Recipient address rejected: User unknown in virtual mailbox table", m.To)
}

// words writes the part for people.
func (m incoming) words(d *draft, boundary string) {
	fmt.Fprintf(d, "\r\n--%s\r\nContent-Description: Notification\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n", boundary)
	fmt.Fprintf(d, "Your message could not be delivered to one or more recipients.\r\n\r\n<%s>: the mail server said: "+
		"%s\r\n", m.To, m.refusal())
}

// report writes the part for programs (RFC 3464, section 2).
func (m incoming) report(d *draft, boundary string) {
	fmt.Fprintf(d, "\r\n--%s\r\nContent-Description: Delivery report\r\nContent-Type: message/delivery-status\r\n\r\n", boundary)
	d.field("Reporting-MTA", "dns; mx."+m.domain())
	d.field("Arrival-Date", m.At.Format(time.RFC1123Z))
	d.WriteString("\r\n")
	d.field("Final-Recipient", "rfc822; "+m.To)
	d.field("Action", "failed")
	d.field("Status", "5.1.1")
	d.field("Diagnostic-Code", "smtp; "+m.refusal())
	d.field("Last-Attempt-Date", m.now.Format(time.RFC1123Z))
}

// returned writes the header of the original (RFC 3462, section 2), which identifies the message.
func (m incoming) returned(d *draft, boundary string) {
	fmt.Fprintf(d, "\r\n--%s\r\nContent-Description: Undelivered message headers\r\nContent-Type: text/rfc822-headers\r\n\r\n", boundary)
	head, _, _ := bytes.Cut(m.raw, []byte("\r\n\r\n"))
	d.Write(head)
	d.WriteString("\r\n")
}
