package rest

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"outreach"
)

// admit tells who asks, and counts the request against the token's rate.
func (a *api) admit(w http.ResponseWriter, r *http.Request) (outreach.Actor, error) {
	token, err := bearer(r.Header)
	if err != nil {
		return outreach.Actor{}, err
	}
	actor, err := a.Tokens.Authenticate(r.Context(), token.Hash())
	if refused, ok := errors.AsType[*outreach.Error](err); ok && refused.Code == outreach.CodeNotFound {
		err = errUnauthorized
	}
	if err != nil {
		return outreach.Actor{}, err
	}
	return actor, a.limit(w, r, hex.EncodeToString(token.Hash()[:16]))
}

// bearer reads the one Authorization header; the name of the scheme has no case
// (RFC 9110, section 11.1).
func bearer(header http.Header) (Token, error) {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return "", errUnauthorized
	}
	scheme, credentials, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", errUnauthorized
	}
	return ParseToken(strings.Trim(credentials, " "))
}
