// Package dnscheck judges the DNS records of a domain that sends mail: SPF (RFC 7208),
// DMARC (RFC 7489) and MX. A fault of the DNS is never a fault of the domain: the
// result is then unknown.
//
// It keeps nothing and knows no mailboxes; storage and the application tell it what
// sends for a domain.
package dnscheck
