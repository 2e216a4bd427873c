// Package resolve asks DNS servers for the records that mail depends on. The zones
// belong to strangers and the names are chosen by tenants, so everything is bounded:
// the time of a question, the questions of one lookup, and the records of an answer.
//
// It knows nothing of SPF, DMARC or mail servers.
package resolve
