package rest

import "strings"

// shape says how the data of an operation becomes an answer.
type shape int

const (
	page    shape = iota // 200, {"page": envelope}
	whole                // 200, a list that is never paginated
	found                // 200, {"body": resource}, with an ETag
	changed              // 200, {"body": resource}
	created              // 201, {"body": resource}, with a Location
	gone                 // 204
	made                 // 201 or 200, {"made": {"created": …, "body": resource}}
	joined               // 201 or 200, {"made": {"created": …, members of the answer}}
)

// route is one call of the API: its path, the operation it runs, its answer.
type route struct {
	method, path, operation string
	shape                   shape
}

var routes = []route{
	{"GET", "/prospects", "prospects", page},
	{"POST", "/prospects", "createProspect", created},
	{"POST", "/prospects/bulk", "bulkProspects", changed},
	{"GET", "/prospects/{id}", "prospect", found},
	{"PATCH", "/prospects/{id}", "updateProspect", changed},
	{"DELETE", "/prospects/{id}", "deleteProspect", gone},
	{"GET", "/enrollments", "enrollments", page},
	{"POST", "/enrollments", "enroll", joined},
	{"GET", "/enrollments/{id}", "enrollment", found},
	{"POST", "/enrollments/{id}/stop", "stopEnrollment", changed},
	{"POST", "/enrollments/{id}/pause", "pauseEnrollment", changed},
	{"POST", "/enrollments/{id}/resume", "resumeEnrollment", changed},
	{"GET", "/campaigns", "campaigns", page},
	{"POST", "/campaigns", "createCampaign", created},
	{"GET", "/campaigns/{id}", "campaign", found},
	{"PATCH", "/campaigns/{id}", "updateCampaign", changed},
	{"DELETE", "/campaigns/{id}", "deleteCampaign", gone},
	{"GET", "/campaigns/{id}/stats", "campaignStats", found},
	{"POST", "/campaigns/{id}/activate", "activateCampaign", changed},
	{"POST", "/campaigns/{id}/pause", "pauseCampaign", changed},
	{"POST", "/campaigns/{id}/archive", "archiveCampaign", changed},
	{"GET", "/companies", "companies", page},
	{"GET", "/companies/{id}", "company", found},
	{"GET", "/offers", "offers", page},
	{"POST", "/offers", "createOffer", created},
	{"GET", "/offers/{id}", "offer", found},
	{"PATCH", "/offers/{id}", "updateOffer", changed},
	{"DELETE", "/offers/{id}", "deleteOffer", gone},
	{"GET", "/snippets", "snippets", page},
	{"POST", "/snippets", "createSnippet", created},
	{"GET", "/snippets/{id}", "snippet", found},
	{"PATCH", "/snippets/{id}", "updateSnippet", changed},
	{"DELETE", "/snippets/{id}", "deleteSnippet", gone},
	{"GET", "/mailboxes", "mailboxes", whole},
	{"POST", "/mailboxes", "createMailbox", created},
	{"GET", "/mailboxes/{id}", "mailbox", found},
	{"PATCH", "/mailboxes/{id}", "updateMailbox", changed},
	{"DELETE", "/mailboxes/{id}", "deleteMailbox", gone},
	{"POST", "/mailboxes/{id}/pause", "pauseMailbox", changed},
	{"POST", "/mailboxes/{id}/resume", "resumeMailbox", changed},
	{"POST", "/mailboxes/{id}/check", "checkMailbox", changed},
	{"GET", "/messages", "messages", page},
	{"GET", "/messages/{id}", "message", found},
	{"POST", "/messages/{id}/resolve", "resolveMessage", changed},
	{"GET", "/replies", "replies", page},
	{"GET", "/replies/{id}", "reply", found},
	{"PATCH", "/replies/{id}", "updateReply", changed},
	{"GET", "/suppressions", "suppressions", page},
	{"POST", "/suppressions", "createSuppression", made},
	{"GET", "/suppressions/{id}", "suppression", found},
	{"DELETE", "/suppressions/{id}", "deleteSuppression", gone},
	{"GET", "/subscriptions", "subscriptions", page},
	{"POST", "/subscriptions", "createSubscription", created},
	{"GET", "/subscriptions/{id}", "subscription", found},
	{"PATCH", "/subscriptions/{id}", "updateSubscription", changed},
	{"DELETE", "/subscriptions/{id}", "deleteSubscription", gone},
	{"POST", "/subscriptions/{id}/test", "testSubscription", changed},
	{"POST", "/subscriptions/{id}/rotate_secret", "rotateSubscriptionSecret", changed},
	{"GET", "/deliveries", "deliveries", page},
	{"GET", "/deliveries/{id}", "delivery", found},
	{"POST", "/deliveries/{id}/redeliver", "redeliver", created},
	{"GET", "/me", "me", found},
}

// Route gives the path that the document has for a request's, with {id} in the
// place of an id: for whoever counts and measures, as there are few of them. It
// is "" for what is no call of the API.
func Route(path string) string {
	if path == openAPIPath {
		return path
	}
	below, ok := strings.CutPrefix(path, Base+"/")
	if !ok {
		return ""
	}
	segments, found := strings.Split(below, "/"), ""
	if len(segments) > 1 {
		segments[1] = "{id}"
	}
	withID := "/" + strings.Join(segments, "/")
	for _, r := range routes {
		switch r.path {
		case "/" + below:
			return path
		case withID:
			found = Base + withID
		}
	}
	return found
}
