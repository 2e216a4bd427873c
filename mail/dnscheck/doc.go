// Package dnscheck judges the DNS records of a domain that sends mail: SPF (RFC 7208),
// DMARC (RFC 7489) and MX. If the DNS does not answer, the result
// is unknown.
//
// It keeps nothing and knows no mailboxes; storage and the application tell it what
// sends for a domain.
package dnscheck
