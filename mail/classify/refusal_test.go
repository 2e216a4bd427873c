package classify_test

import (
	"testing"

	"outreach/mail/classify"
)

// Replies that blame the recipient say so by a code or in words about the
// recipient. Everything else leaves the address alone.
func TestRefusalsThatNameADeadAddress(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"550 5.1.1 <a@werk.test>: Recipient address rejected: User unknown in virtual mailbox table",
		"550 5.1.1 The email account that you tried to reach does not exist. Please try double-checking the address",
		"550 No such user here",
		"550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient a@werk.test not found by SMTP address lookup",
		"550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [x.prod.protection.outlook.com]",
		"553 sorry, no mailbox here by that name (#5.1.1)",
		"554 delivery error: dd This user doesn't have a yahoo.com account (a@werk.test) [0] - mta1.mail.test",
		"550 5.2.1 The email account that you tried to reach is disabled",
		"550 Invalid recipient: a@werk.test",
		"550 mailbox not found",
		"556 5.1.10 a@werk.test: Recipient address rejected: Domain werk.test does not accept mail (nullMX)",
		"550 5.1.2 Host unknown (Name server: werk.test: host not found)",
		"550 Address unknown",
		"550 Empfänger unbekannt",
		"550 Utilisateur inconnu",
		"550 La cuenta no existe",
		"550 Account has been disabled or discontinued",
		"550 5.5.0 Requested action not taken: mailbox unavailable (user not found)",
		"DNS Error: DNS type 'mx' lookup of werk.test responded with code NXDOMAIN Domain name not found: werk.test",
	} {
		if got, reason := classify.SMTP(0, "", reply); got != classify.RecipientFault {
			t.Errorf("%s: got %s (%s), want recipient", reply, got, reason)
		}
	}
}

func TestRefusalsThatLeaveTheAddressAlive(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]classify.Class{
		// Vague: neither code nor words name a culprit.
		"Google tried to deliver your message, but it was rejected by the server for the recipient domain corp.example " +
			"by mx.corp.example. The error that the other server returned was: 550 Administrative refusal": classify.Transient,
		"Your message was rejected by the recipient domain corp.example. 550 5.0.0 refused":                classify.Transient,
		"550 5.0.0 Message could not be delivered to the recipient domain":                                 classify.Transient,
		"554 5.0.0 Service unavailable":                                                                    classify.Transient,
		"550 Requested action not taken":                                                                   classify.Transient,
		"554 Transaction failed":                                                                           classify.Transient,
		"550 5.1.0 Address rejected, reason not given":                                                     classify.Transient,
		"550 Rejected by the recipient's system":                                                           classify.Transient,
		"550 this email address is temporarily not able to receive mail":                                   classify.Transient,
		"450 4.2.0 Requested mail action not taken: mailbox unavailable":                                   classify.Transient,
		"450 4.1.1 <a@werk.test>: Recipient address rejected: unverified address: user lookup in progress": classify.Transient,
		"451 4.3.0 <a@werk.test>: Temporary lookup failure, user unknown for now":                          classify.Transient,
		"550 the recipient's server has moved to a new data center, please try again tomorrow":             classify.Transient,
		"452 4.2.2 The recipient's inbox is out of storage space, no mailbox quota left":                   classify.Transient,
		"550 5.2.2 mailbox unavailable: over quota":                                                        classify.Transient,
		"550 5.4.4 temporary lookup failure for the recipient domain":                                      classify.Transient,
		"the recipient's mail server is no longer available, connection timed out":                         classify.Transient,
		"550 Recipient's account is fine but the server is in maintenance, unknown error":                  classify.Transient,
		"421 4.4.2 domain is not reachable at the moment":                                                  classify.Transient,
		// About us.
		"550 5.7.1 This server does not accept mail from your network":                       classify.SenderFault,
		"554 Your domain does not exist in DNS":                                              classify.SenderFault,
		"550 5.7.1 Sender address rejected: Domain not found":                                classify.SenderFault,
		"553 5.1.8 <anna@alpenblick.example>... Domain of sender address does not exist":     classify.SenderFault,
		"550 unknown host in HELO: mail.alpenblick.example":                                  classify.SenderFault,
		"550 Your sending server doesn't have a PTR record":                                  classify.SenderFault,
		"550 5.7.1 Client host does not have a valid account here":                           classify.SenderFault,
		"550 Invalid sender domain name, no MX record for alpenblick.example":                classify.SenderFault,
		"554 5.7.1 Your IP address is not listed in our allow list":                          classify.SenderFault,
		"550 5.7.1 not a valid DKIM signature":                                               classify.SenderFault,
		"550 5.7.1 Message to this email address was blocked by policy":                      classify.SenderFault,
		"550 5.7.1 recipient rejected your message as spam":                                  classify.SenderFault,
		"550 The sender's mailbox does not exist":                                            classify.SenderFault,
		"550 5.7.0 Your account is suspended for sending too much":                           classify.SenderFault,
		"550 sender account does not exist here":                                             classify.SenderFault,
		"550 MAIL FROM address does not exist":                                               classify.SenderFault,
		"550 callback verification of the sender failed: no such user":                       classify.SenderFault,
		"535 5.7.8 Invalid user name or password, authentication failed for unknown user":    classify.SenderFault,
		"550 Your certificate is not a valid one: unknown host":                              classify.SenderFault,
		"550 5.7.1 Unable to relay for a@werk.test, no such domain in our configuration":     classify.SenderFault,
		"550 5.7.25 The IP address sending this message does not have a PTR record, no such": classify.SenderFault,
	} {
		if got, reason := classify.SMTP(0, "", reply); got != want {
			t.Errorf("%s: got %s (%s), want %s", reply, got, reason, want)
		}
	}
}
