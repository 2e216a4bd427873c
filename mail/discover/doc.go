// Package discover finds the mail servers of an address: in a table of providers, by
// the domain or its MX; by SRV records (RFC 6186); and by usual names and the MX, which
// are tried.
// A server is tried by TLS and its greeting only. No password is sent.
package discover
