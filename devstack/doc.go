// Package devstack runs a private Postgres and a private Redis for
// `outreach dev` and for tests, on Linux and macOS, as root or as a plain user.
// Both servers listen on Unix sockets in folders that only their owner may
// enter, so the well-known ports do not matter and nothing is open to the
// network.
//
// Each server belongs to a supervisor: a copy of the running program that holds
// an exclusive lock on the server's folder. A process that uses the server keeps a
// connection to the supervisor open. When the last connection ends, by Close, by exit
// or by kill -9, the supervisor stops the server and exits.
// Several processes that name the same folder share one server.
//
// A program that uses the package calls RunIfSupervisor as the first line of main. The package
// reads no environment variables of the service, applies no migrations and must not know the stored
// data.
package devstack
