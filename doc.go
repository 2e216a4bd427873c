// Package outreach is the vocabulary of the service: prospects, campaigns,
// messages, events, deliveries, and the rules that hold for them wherever they
// are stored or shown. It knows nothing of SQL, HTTP, queues or JSON.
package outreach
