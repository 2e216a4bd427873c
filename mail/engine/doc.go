// Package engine sends what is due and reads what arrives: two loops over
// package mail, which talks to the servers, and a store, which decides what is
// due and keeps the ledger of each message. It also renders steps (Composer) and
// tries logins (Prober).
//
// It must not know of SQL, HTTP or queues. When a message may go, what follows
// from an answer and what an incoming message changes is the store's business;
// the engine sees to it that every claimed message gets its outcome told and that
// no mailbox, however its server behaves, holds up another.
package engine
