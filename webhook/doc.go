// Package webhook delivers to the customer's endpoint: the frozen body, its signature, the rules
// for a destination, and the HTTP client that checks them on the address it dials.
//
// It must not know databases, queues, later attempts or the API: it makes one attempt of one
// delivery and reports its result in texts that the customer may read.
package webhook
