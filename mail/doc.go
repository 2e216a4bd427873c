// Package mail renders a step of a campaign as a message, sends it by SMTP and reads mailboxes by
// IMAP. It fills templates, composes the bytes of a message, sends them with a known outcome, and
// reads mailboxes from the position of the last call.
//
// It must not know SQL, queues, schedules, workspaces or HTTP: the caller decides when, to which
// recipient and how often to send, and keeps the ledger. It stores nothing between calls, writes
// no log, and never puts a password into an error.
package mail
