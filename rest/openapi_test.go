package rest

import (
	"net/http"
	"testing"
)

func validated(t testing.TB, h http.Handler) http.Handler { return h }
