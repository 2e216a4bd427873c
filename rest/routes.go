package rest

import "strings"

// route is one call of the API: its path, its operation and the shape of its answer. A download has
// no operation.
type route struct {
	method, path, operation string
	shape                   shape
}

var routes = []route{
	{"GET", "/prospects", "prospects", pageOfList},
	{"POST", "/prospects", "createProspect", created},
	{"POST", "/prospects/bulk", "bulkProspects", changed},
	{"GET", "/prospects/{id}", "prospect", resource},
	{"PATCH", "/prospects/{id}", "updateProspect", changed},
	{"DELETE", "/prospects/{id}", "deleteProspect", deleted},
	{"GET", "/enrollments", "enrollments", pageOfList},
	{"POST", "/enrollments", "enroll", createdOr},
	{"GET", "/enrollments/{id}", "enrollment", resource},
	{"POST", "/enrollments/{id}/stop", "stopEnrollment", changed},
	{"POST", "/enrollments/{id}/pause", "pauseEnrollment", changed},
	{"POST", "/enrollments/{id}/resume", "resumeEnrollment", changed},
	{"GET", "/campaigns", "campaigns", pageOfList},
	{"POST", "/campaigns", "createCampaign", created},
	{"GET", "/campaigns/{id}", "campaign", resource},
	{"PATCH", "/campaigns/{id}", "updateCampaign", changed},
	{"DELETE", "/campaigns/{id}", "deleteCampaign", deleted},
	{"GET", "/campaigns/{id}/stats", "campaignStats", resource},
	{"POST", "/campaigns/{id}/activate", "activateCampaign", changed},
	{"POST", "/campaigns/{id}/pause", "pauseCampaign", changed},
	{"POST", "/campaigns/{id}/archive", "archiveCampaign", changed},
	{"POST", "/campaigns/{id}/continue_finished", "continueFinished", changed},
	{"GET", "/companies", "companies", pageOfList},
	{"GET", "/companies/{id}", "company", resource},
	{"GET", "/offers", "offers", pageOfList},
	{"POST", "/offers", "createOffer", created},
	{"GET", "/offers/{id}", "offer", resource},
	{"PATCH", "/offers/{id}", "updateOffer", changed},
	{"DELETE", "/offers/{id}", "deleteOffer", deleted},
	{"GET", "/snippets", "snippets", pageOfList},
	{"POST", "/snippets", "createSnippet", created},
	{"GET", "/snippets/{id}", "snippet", resource},
	{"PATCH", "/snippets/{id}", "updateSnippet", changed},
	{"DELETE", "/snippets/{id}", "deleteSnippet", deleted},
	{"GET", "/mailboxes", "mailboxes", fullList},
	{"POST", "/mailboxes", "createMailbox", created},
	{"GET", "/mailboxes/{id}", "mailbox", resource},
	{"PATCH", "/mailboxes/{id}", "updateMailbox", changed},
	{"DELETE", "/mailboxes/{id}", "deleteMailbox", deleted},
	{"POST", "/mailboxes/{id}/pause", "pauseMailbox", changed},
	{"POST", "/mailboxes/{id}/resume", "resumeMailbox", changed},
	{"POST", "/mailboxes/{id}/check", "checkMailbox", changed},
	{"POST", "/mailboxes/{id}/placement_check", "checkPlacement", begun},
	{"GET", "/placement_checks/{id}", "placementCheck", resource},
	{"GET", "/sending_domains", "sendingDomains", pageOfList},
	{"GET", "/sending_domains/{id}", "sendingDomain", resource},
	{"POST", "/sending_domains/{id}/check", "checkSendingDomain", changed},
	{"POST", "/mailbox_connections", "createMailboxConnection", created},
	{"GET", "/mailbox_connections/{id}", "mailboxConnection", resource},
	{"GET", "/messages", "messages", pageOfList},
	{"GET", "/messages/{id}", "message", resource},
	{"PATCH", "/messages/{id}", "updateAnswer", changed},
	{"DELETE", "/messages/{id}", "withdrawAnswer", deleted},
	{"POST", "/messages/{id}/resolve", "resolveMessage", changed},
	{"GET", "/replies", "replies", pageOfList},
	{"GET", "/replies/{id}", "reply", resource},
	{"PATCH", "/replies/{id}", "updateReply", changed},
	{"GET", "/replies/{id}/attachments/{attachment_id}", "", download},
	{"GET", "/suppressions", "suppressions", pageOfList},
	{"POST", "/suppressions", "createSuppression", createdOr},
	{"GET", "/suppressions/{id}", "suppression", resource},
	{"DELETE", "/suppressions/{id}", "deleteSuppression", deleted},
	{"GET", "/subscriptions", "subscriptions", pageOfList},
	{"POST", "/replies/{id}/answer", "answerReply", answered},
	{"POST", "/replies/{id}/assign", "assignReply", changed},
	{"POST", "/replies/{id}/dismiss", "dismissReply", changed},
	{"POST", "/subscriptions", "createSubscription", created},
	{"GET", "/subscriptions/{id}", "subscription", resource},
	{"PATCH", "/subscriptions/{id}", "updateSubscription", changed},
	{"DELETE", "/subscriptions/{id}", "deleteSubscription", deleted},
	{"POST", "/subscriptions/{id}/test", "testSubscription", changed},
	{"POST", "/subscriptions/{id}/rotate_secret", "rotateSubscriptionSecret", changed},
	{"GET", "/deliveries", "deliveries", pageOfList},
	{"GET", "/deliveries/{id}", "delivery", resource},
	{"POST", "/deliveries/{id}/redeliver", "redeliver", created},
	{"GET", "/me", "me", resource},
	{"PATCH", "/me", "updateMe", changed},
}

// pathIDs are the ids in the path of a request.
type pathIDs struct{ resource, attachment string }

// templateOf returns a path below Base as the OpenAPI document spells it, if its second segment is
// the id of a resource and its fourth, in a path of four, that of an attachment.
func templateOf(path string) (string, pathIDs) {
	var ids pathIDs
	segments := strings.Split(path, "/")
	if len(segments) > 2 {
		ids.resource, segments[2] = segments[2], "{id}"
	}
	if len(segments) == 5 {
		ids.attachment, segments[4] = segments[4], "{attachment_id}"
	}
	return strings.Join(segments, "/"), ids
}

// Route returns the path of a request as the OpenAPI document spells it, with {id}
// in place of an id, for metrics. It is "" for a path outside of the API.
func Route(path string) string {
	if path == openAPIPath {
		return path
	}
	below, ok := strings.CutPrefix(path, Base)
	if !ok {
		return ""
	}
	found := ""
	template, _ := templateOf(below)
	for _, r := range routes {
		switch r.path {
		case below:
			return path
		case template:
			found = Base + template
		}
	}
	return found
}
