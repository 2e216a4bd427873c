// Package house holds tests of the checkout itself: which package may import which, names, words,
// the compose file, the targets of make and the links of the documents. It reads files and runs
// tools, and must not import another package of the service.
package house
