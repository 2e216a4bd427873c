// Package demo fills the workspace of `outreach dev`: with four weeks of the past, written by the code of
// the service under a clock of its own, and with a first campaign, created over the REST API. It must not
// know how the service is started.
package demo
