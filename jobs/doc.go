// Package jobs carries webhook deliveries from Postgres to their endpoints over asynq. The row of
// a delivery decides whether an attempt may be made. Redis and asynq only carry tasks, and may
// lose all of them. One process at a time scans for due deliveries, any number of processes
// attempt them.
//
// The package must not know SQL, HTTP requests to endpoints, signatures or the environment:
// storage and the webhook client are passed in as small interfaces.
package jobs
