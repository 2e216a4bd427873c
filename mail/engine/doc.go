// Package engine runs two loops: one sends the messages that are due, one reads incoming mail. It
// uses package mail to talk to servers and a Store to decide what is due and to keep the ledger of
// each message. It also renders steps (Composer) and tries logins (Prober).
//
// It must not know SQL, HTTP or queues. The store decides when a message may be sent, what follows
// from an SMTP answer and what an incoming message changes. The engine settles every claimed
// message, and keeps a slow or broken server from delaying other mailboxes.
package engine
