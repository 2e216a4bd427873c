// Package house holds no program, only tests that survey the checkout: the walls
// between rooms, the names, the compose file, the targets of make and the links
// of the documents. It reads files and runs tools, and must not import a room.
package house
