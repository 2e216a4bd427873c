// Package oauth connects mailboxes by OAuth 2.0 and keeps their access tokens valid
// (RFC 6749, RFC 9700, OpenID Connect Core 1.0). It knows the providers, serves the
// pages /oauth/start and /oauth/callback, and renews tokens. It knows neither SQL nor
// mail protocols: it reaches storage and mail through small interfaces. No token, code
// or secret is part of an error or of the log.
package oauth
