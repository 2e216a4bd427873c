// Package jobs carries webhook deliveries from Postgres to their endpoints over
// asynq. The row of a delivery is the truth and decides whether an attempt may
// be made; Redis and asynq only carry work, and may lose all of it. One process
// at a time scans for what is due, any number of them attempt it.
//
// The package must not know SQL, HTTP requests to endpoints, signatures or the
// environment: storage and the webhook client come in through small interfaces.
package jobs
