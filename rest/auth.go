package rest

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"

	"outreach"
)

// admit returns the actor of a request and counts the request against the rate of
// its token.
func (a *api) admit(ctx context.Context, r *http.Request) (actor outreach.Actor, rate *Verdict, err error) {
	token, err := bearer(r.Header)
	if err != nil {
		return actor, nil, err
	}
	hash := token.Hash()
	workspace, stored, err := a.Tokens.WorkspaceByToken(ctx, hash)
	switch {
	case outreach.CodeOf(err) == outreach.CodeNotFound:
		return actor, nil, errUnauthorized
	case err != nil:
		return actor, nil, fmt.Errorf("find token: %w", err)
	case subtle.ConstantTimeCompare(stored, hash[:]) != 1:
		return actor, nil, errUnauthorized
	}
	if a.Limiter != nil {
		rate = new(a.Limiter.Allow(ctx, hex.EncodeToString(hash[:16])))
	}
	return outreach.Actor{WorkspaceID: workspace}, rate, nil
}

// bearer returns the token in the Authorization header. The scheme is case-insensitive (RFC 9110,
// section 11.1).
func bearer(header http.Header) (Token, error) {
	values := header.Values("Authorization")
	if len(values) != 1 {
		return "", errUnauthorized
	}
	scheme, credentials, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", errUnauthorized
	}
	return parseToken(strings.Trim(credentials, " "))
}
