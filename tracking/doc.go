// Package tracking serves the public pages that mails lead to: clicks, the pixel,
// unsubscribing, offers. It decides who is a person and who a scanner, and what is
// answered when; it must not know SQL, GraphQL, mail servers, or how people sign
// in. The tracking domain of a workspace and the addresses inside mails are
// its business too.
//
// Every address carries a signed token (outreach.SignLink), so that nothing here
// redirects to, or acts on, what the service has not written itself.
package tracking
