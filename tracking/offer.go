package tracking

import (
	"context"
	"net/http"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"outreach"
	"outreach/tracking/hit"
)

type offerStore interface {
	OfferPage(ctx context.Context, offer outreach.Ref, host string) (hit.Offer, error)
	RecordVisit(ctx context.Context, offer hit.Offer, by hit.Visitor, window time.Duration) error
}

// offer shows an offer, or redirects to its target, after the visit is stored. If the process dies
// before the commit, nothing was shown and nothing counted; if it dies after, the visitor tries
// again and is counted twice.
func (s *Site) offer(w http.ResponseWriter, r *http.Request) {
	ref, _, _, ok := outreach.OpenLink(s.Keyring, outreach.LinkOffer, r.PathValue("token"))
	if !ok {
		s.notFound(w, r)
		return
	}
	offer, err := s.Store.OfferPage(r.Context(), ref, requestHost(r))
	if !s.found(w, r, offer.Foreign, "read offer", err) {
		return
	}
	by := s.visitor(r)
	if by.Scanner == "" && isMember(r, offer.WorkspaceID) {
		by.Scanner = "signed-in user of the workspace"
	}
	err = s.Store.RecordVisit(r.Context(), offer, by, window)
	if s.found(w, r, false, "record visit", err) {
		s.showOffer(w, r, offer)
	}
}

func (s *Site) showOffer(w http.ResponseWriter, r *http.Request, o hit.Offer) {
	switch {
	case o.TargetURL != nil && isTarget(*o.TargetURL):
		http.Redirect(w, r, *o.TargetURL, http.StatusFound)
	case o.BodyHTML != nil:
		s.offerPage(w, r, o.Title, offerHTML.Sanitize(*o.BodyHTML))
	default:
		s.notFound(w, r)
	}
}

// offerHTML sanitises again what was sanitised when it was stored, as a second line of defence.
var offerHTML = bluemonday.UGCPolicy()
