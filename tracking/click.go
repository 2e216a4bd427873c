package tracking

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"outreach"
	"outreach/internal/groupcommit"
	"outreach/tracking/hit"
)

// The limits of a group of clicks: those that arrive within clickWait of the first, at most
// clickGroup, in one statement of at most clickTimeout.
const (
	clickGroup   = 256
	clickWait    = 2 * time.Millisecond
	clickTimeout = 10 * time.Second
)

// newClickGroup returns a group that records the clicks of many visitors in few statements and
// reports for each whether its message is known on its host. A visitor is answered when the
// statement has committed.
func newClickGroup(store clickStore) *groupcommit.Group[hit.Click, bool] {
	return groupcommit.New(groupcommit.Config[hit.Click, bool]{
		Size: clickGroup, Wait: clickWait, Timeout: clickTimeout,
		Run: func(ctx context.Context, clicks []hit.Click) []groupcommit.Result[bool] {
			known, err := store.RecordClicks(ctx, clicks)
			return groupcommit.Results(len(clicks), known, err)
		},
	})
}

type clickStore interface {
	RecordClicks(ctx context.Context, clicks []hit.Click) ([]bool, error)
	JudgeClicks(ctx context.Context, rule hit.Rule) (int, error)
}

// click redirects to the target in the token after the click is stored. If the process dies before
// the commit, nothing was answered; if it dies after it, another process judges the click. It
// serves only hosts that are, or were, the verified tracking domain of the message's workspace: on
// any other host a workspace could use another owner's host name for its links.
func (s *Site) click(w http.ResponseWriter, r *http.Request) {
	message, _, target, ok := outreach.OpenLink(s.Keyring, outreach.LinkClick, r.PathValue("token"))
	if !ok || !isTarget(target) {
		s.notFound(w, r)
		return
	}
	s.recorded.Add(1)
	known, err := s.clicks.Do(r.Context(), hit.Click{Message: message, Host: requestHost(r), URL: target, Visitor: s.visitor(r)})
	switch {
	case err != nil:
		s.busy(w, r, "record click", err)
	case !known:
		s.notFound(w, r)
	default:
		http.Redirect(w, r, target, http.StatusFound)
	}
}

// isTarget reports whether a target is a web address without characters that a header or the
// database would refuse. The signature already vouches for it; this is a second check.
func isTarget(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && utf8.ValidString(raw) && !strings.ContainsRune(raw, 0)
}
