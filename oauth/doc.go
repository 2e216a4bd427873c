// Package oauth connects mailboxes by OAuth 2.0 and keeps their access tokens valid (RFC 6749, RFC
// 9700, OpenID Connect Core 1.0). It knows the providers, serves the pages /oauth/start and
// /oauth/callback, and renews tokens. It must not know SQL or mail protocols: it uses storage and
// mail through small interfaces. Errors and logs contain no tokens, codes or secrets.
package oauth
