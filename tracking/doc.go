// Package tracking serves the public pages that mails link to: clicks, the pixel, unsubscribe
// pages, offers. It decides whether a visitor is a person or a scanner. It also manages the
// tracking domains of workspaces. It must not know SQL, GraphQL, mail servers, or how people sign
// in.
//
// Every address carries a signed token (outreach.SignLink), so that the pages only redirect to,
// and only act on, what the service has written itself.
package tracking
