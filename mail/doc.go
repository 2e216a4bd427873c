// Package mail turns a step of a campaign into a message, hands it to an SMTP
// server and reads what comes back by IMAP. It fills templates, composes the
// bytes of a message, sends them with a known outcome, and reads mailboxes from
// where the last call stopped.
//
// It must not know of SQL, queues, schedules, workspaces or HTTP: whoever calls
// it decides when, to whom and how often, and keeps the ledger. It keeps nothing
// between calls and writes no log; it never puts a password into an error.
package mail
