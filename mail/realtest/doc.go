// Package realtest tests the engine with Dovecot and Postfix as Debian packages
// them: sign-in, queues, delivery status notifications and UIDVALIDITY as real
// servers make them. It is tests and nothing else (`make test-full`), and must
// not know how the engine or the store do their work.
package realtest
