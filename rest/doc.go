// Package rest serves everything under /api/v1: it authenticates, limits,
// decodes and validates a request, runs one prepared GraphQL operation in
// process, and writes the bytes of its answer as they are. It also serves the
// OpenAPI document and its readable page.
//
// It knows no database and no business rule. The operations in operations/ name
// every field by its REST name, so that a GraphQL answer is the REST body.
package rest
