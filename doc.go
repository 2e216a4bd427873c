// Package outreach holds the types of the service, such as prospects, campaigns,
// messages, events and deliveries, and the rules that need nothing but them:
// validation, canonical addresses, opening hours, temperature, signed links.
// It must not import SQL, HTTP, queues or JSON.
package outreach
