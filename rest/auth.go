package rest

import (
	"crypto/subtle"
	"encoding/hex"
	"fmt"
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
	hash := token.Hash()
	workspace, stored, err := a.Tokens.WorkspaceByToken(r.Context(), hash)
	switch {
	case outreach.CodeOf(err) == outreach.CodeNotFound:
		return outreach.Actor{}, errUnauthorized
	case err != nil:
		return outreach.Actor{}, fmt.Errorf("find token: %w", err)
	case subtle.ConstantTimeCompare(stored, hash[:]) != 1:
		return outreach.Actor{}, errUnauthorized
	}
	return outreach.Actor{WorkspaceID: workspace}, a.limit(w, r, hex.EncodeToString(hash[:16]))
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
