package main

import (
	"fmt"
	"net/http"
	"time"
)

// hstsAge is a year, in seconds.
const hstsAge = "31536000"

// securityHeaders sets the headers of every answer: browsers must not guess content types, and
// with https set they use only https from then on.
func securityHeaders(https bool, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if https {
			w.Header().Set("Strict-Transport-Security", "max-age="+hstsAge)
		}
		next.ServeHTTP(w, r)
	})
}

// securityText serves the contact for reports of vulnerabilities (RFC 9116). The answer is valid
// for a year less a day from each request, because the RFC asks for less than a year.
func securityText(contact, base string, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		expires := now().UTC().AddDate(1, 0, -1).Format(time.RFC3339)
		fmt.Fprintf(w, "Contact: %s\nExpires: %s\nCanonical: %s/.well-known/security.txt\nPreferred-Languages: en\n", contact, expires, base)
	})
}
