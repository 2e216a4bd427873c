// Package sandbox simulates the outside world for `outreach dev` and for tests: a mail server whose
// prospects answer, bounce, click or unsubscribe depending on their names, and an https receiver
// that verifies webhooks and shows them.
//
// It listens on loopback only. It must not know the service that uses it: no storage, no API, and
// no signature scheme (a function is passed in).
package sandbox
