// Package sandbox is the outside world of `outreach dev` and of tests: a mail
// server whose prospects answer, bounce, click and unsubscribe by their names,
// and an https receiver that verifies webhooks and shows what arrived.
//
// It listens on loopback only. It must know nothing of the service that it plays
// against: no storage, no API, no signature scheme (a function is passed in).
package sandbox
