// Package webhook is everything between a delivery and the customer's endpoint:
// the frozen body, the signature over it, the rules that a destination must
// keep, and the HTTP client that enforces them on the address it really dials.
//
// It must not know of databases, queues, attempts to come or the API: it turns
// one delivery into one attempt and says how that went, in words that the
// customer may read.
package webhook
