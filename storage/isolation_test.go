package storage_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
)

// Every method that takes a workspace and an id answers another workspace's id
// as it answers one that exists nowhere, and changes nothing. A new method that
// is in no list here fails the test.
func TestWorkspacesAreApart(t *testing.T) {
	t.Parallel()
	checkApart(t, newStage(t).scene())
}

func checkApart(t *testing.T, s *scene) {
	t.Helper()
	reply := s.replyTo(s.box, "ann@x.test", s.out, nil)
	s.enroll(s.c, s.prospect("bob@x.test"))
	unknown := s.sendWith(s.box, outreach.SendResult{Kind: outreach.SendUnknown, Response: "lost"})
	suppression, err := s.CreateSuppression(s.ctx, outreach.Suppression{WorkspaceID: s.ws, Email: new("eve@x.test")})
	must(t, err)
	offer := got(s.CreateOffer(s.ctx, outreach.Offer{WorkspaceID: s.ws, Title: "T", BodyHTML: new("b"), ProspectID: &s.p.ID}))(t)
	delivery := got(s.ListDeliveries(s.ctx, s.ws, outreach.DeliveryFilter{}, outreach.Page{Limit: 1}))(t).Rows[0]
	got(s.Redeliver(s.ctx, s.ws, delivery.ID))(t)
	user := got(s.AddUser(s.ctx, s.ws, "u@x.test", "hash", outreach.RoleMember, false))(t)
	invitation := got(
		s.Invite(s.ctx, s.ws, outreach.Invitation{Email: "new@x.test", Role: outreach.RoleMember, InvitedBy: "u@x.test"}, [32]byte{1}))(t)
	must(t, s.RecordAudit(s.ctx, outreach.AuditEntry{WorkspaceID: s.ws, Actor: "shell", Action: outreach.AuditSignedIn}))
	granted, open, taken := s.granted("g@acme.test"), s.connection(1), s.connection(2)
	must(t, s.StartConnection(s.ctx, s.ws, taken.ID, outreach.AuthorizationStart{State: [32]byte{2}}))
	must(t, s.SetOAuthClient(s.ctx, s.ws, outreach.OAuthClient{Provider: outreach.ProviderGoogle, ClientID: "id", Secret: "secret"}))
	other := s.room(t)
	theirBox := other.mailbox("me@acme.test")
	s.ingest(s.box, s.received(s.box, outreach.ReceivedComplaint, "fbl@isp.test", nil))
	waiting := s.unmatched()[0]
	stopped := got(s.StopEnrollment(s.ctx, s.ws, s.enroll(s.c, s.prospect("stopped@x.test")).ID))(t)
	theirs := other.draft("Theirs", theirBox, steps(0)...)

	// What must be ErrNotFound, by method.
	calls := map[string]func(id uuid.UUID) error{
		"Prospect": func(id uuid.UUID) error { return second(s.Prospect(s.ctx, other.ws, id)) },
		"UpdateProspect": func(id uuid.UUID) error {
			return second(s.UpdateProspect(s.ctx, other.ws, id, func(p *outreach.Prospect) { p.Email = "taken@x.test" }))
		},
		"DeleteProspect":         func(id uuid.UUID) error { return s.DeleteProspect(s.ctx, other.ws, id) },
		"EraseProspect":          func(id uuid.UUID) error { return s.EraseProspect(s.ctx, other.ws, id) },
		"Enrollment":             func(id uuid.UUID) error { return second(s.Enrollment(s.ctx, other.ws, id)) },
		"StopEnrollment":         func(id uuid.UUID) error { return second(s.StopEnrollment(s.ctx, other.ws, id)) },
		"PauseEnrollment":        func(id uuid.UUID) error { return second(s.PauseEnrollment(s.ctx, other.ws, id)) },
		"ResumeEnrollment":       func(id uuid.UUID) error { return second(s.ResumeEnrollment(s.ctx, other.ws, id, false)) },
		"EnrollmentContinuation": func(id uuid.UUID) error { return second(s.EnrollmentContinuation(s.ctx, other.ws, id)) },
		"ContinueFinished":       func(id uuid.UUID) error { return second(s.ContinueFinished(s.ctx, other.ws, id)) },
		"FinishedContinuation":   func(id uuid.UUID) error { return second(s.FinishedContinuation(s.ctx, other.ws, id)) },
		"Campaign":               func(id uuid.UUID) error { return second(s.Campaign(s.ctx, other.ws, id)) },
		"UpdateCampaign": func(id uuid.UUID) error {
			return second(s.UpdateCampaign(s.ctx, other.ws, id, func(c *outreach.Campaign) { c.Name = "mine" }))
		},
		"ReviseCampaign": func(id uuid.UUID) error {
			return second(s.ReviseCampaign(s.ctx, other.ws, id, s.c.Revision(), func(c *outreach.Campaign) { c.Name = "mine" }))
		},
		"DeleteCampaign":   func(id uuid.UUID) error { return s.DeleteCampaign(s.ctx, other.ws, id) },
		"ActivateCampaign": func(id uuid.UUID) error { return second(s.ActivateCampaign(s.ctx, other.ws, id)) },
		"PauseCampaign":    func(id uuid.UUID) error { return second(s.PauseCampaign(s.ctx, other.ws, id)) },
		"ArchiveCampaign":  func(id uuid.UUID) error { return second(s.ArchiveCampaign(s.ctx, other.ws, id)) },
		"CampaignStats":    func(id uuid.UUID) error { return second(s.CampaignStats(s.ctx, other.ws, id, allFigures)) },
		"CampaignReport":   func(id uuid.UUID) error { return second(s.CampaignReport(s.ctx, other.ws, id, 30)) },
		"CampaignWaiting":  func(id uuid.UUID) error { return second(s.CampaignWaiting(s.ctx, other.ws, id)) },
		"MailStatus":       func(id uuid.UUID) error { return second(s.MailStatus(s.ctx, other.ws, id)) },
		"Company":          func(id uuid.UUID) error { return second(s.Company(s.ctx, other.ws, id)) },
		"Offer":            func(id uuid.UUID) error { return second(s.Offer(s.ctx, other.ws, id)) },
		"UpdateOffer": func(id uuid.UUID) error {
			return second(s.UpdateOffer(s.ctx, other.ws, id, func(o *outreach.Offer) { o.Title = "mine" }))
		},
		"DeleteOffer": func(id uuid.UUID) error { return s.DeleteOffer(s.ctx, other.ws, id) },
		"Snippet":     func(id uuid.UUID) error { return second(s.Snippet(s.ctx, other.ws, id)) },
		"UpdateSnippet": func(id uuid.UUID) error {
			return second(s.UpdateSnippet(s.ctx, other.ws, id, func(n *outreach.Snippet) { n.Name = "mine" }))
		},
		"PlacementCheck": func(id uuid.UUID) error { return second(s.PlacementCheck(s.ctx, other.ws, id)) },
		"SendingDomain":  func(id uuid.UUID) error { return second(s.SendingDomain(s.ctx, other.ws, id)) },
		"DomainQuestion": func(id uuid.UUID) error { return second(s.DomainQuestion(s.ctx, other.ws, id)) },
		"NoteDomainCheck": func(id uuid.UUID) error {
			return second(s.NoteDomainCheck(s.ctx, other.ws, id, passingCheck()))
		},
		"DeleteSnippet":        func(id uuid.UUID) error { return s.DeleteSnippet(s.ctx, other.ws, id) },
		"Mailbox":              func(id uuid.UUID) error { return second(s.Mailbox(s.ctx, other.ws, id)) },
		"MailboxWithPasswords": func(id uuid.UUID) error { return second(s.MailboxWithPasswords(s.ctx, other.ws, id)) },
		"DeleteMailbox":        func(id uuid.UUID) error { return s.DeleteMailbox(s.ctx, other.ws, id) },
		"PauseMailbox":         func(id uuid.UUID) error { return second(s.PauseMailbox(s.ctx, other.ws, id)) },
		"ResumeMailbox":        func(id uuid.UUID) error { return second(s.ResumeMailbox(s.ctx, other.ws, id)) },
		"NoteCheck":            func(id uuid.UUID) error { return second(s.NoteCheck(s.ctx, other.ws, id, nil)) },
		"Message":              func(id uuid.UUID) error { return second(s.Message(s.ctx, other.ws, id)) },
		"ResolveMessage":       func(id uuid.UUID) error { return second(s.ResolveMessage(s.ctx, other.ws, id, outreach.ResolvedSent)) },
		"Reply":                func(id uuid.UUID) error { return second(s.Reply(s.ctx, other.ws, id)) },
		"UpdateReply": func(id uuid.UUID) error {
			return second(s.UpdateReply(s.ctx, other.ws, id, func(r *outreach.Reply) { r.Automatic = true }))
		},
		"UpdateAnswer": func(id uuid.UUID) error {
			return second(s.UpdateAnswer(s.ctx, other.ws, id, func(a *outreach.Answer) { a.BodyText = new("mine") }, answerMail{}))
		},
		"WithdrawAnswer": func(id uuid.UUID) error { return s.WithdrawAnswer(s.ctx, other.ws, id) },
		"CreateAnswer": func(id uuid.UUID) error {
			text := outreach.AnswerText{BodyText: new("mine")}
			return second(s.CreateAnswer(s.ctx, outreach.Answer{WorkspaceID: other.ws, ReplyID: id, AnswerText: text}, answerMail{}))
		},
		"SaveAnswerDraft": func(id uuid.UUID) error {
			return second(s.SaveAnswerDraft(s.ctx, other.ws, user, outreach.AnswerDraft{ReplyID: id}))
		},
		"AssignReply":       func(id uuid.UUID) error { return second(s.AssignReply(s.ctx, other.ws, id, s.p.ID)) },
		"DismissReply":      func(id uuid.UUID) error { return second(s.DismissReply(s.ctx, other.ws, id)) },
		"Suppression":       func(id uuid.UUID) error { return second(s.Suppression(s.ctx, other.ws, id)) },
		"DeleteSuppression": func(id uuid.UUID) error { return s.DeleteSuppression(s.ctx, other.ws, id, true) },
		"UndoSuppressions": func(id uuid.UUID) error {
			return second(s.UndoSuppressions(s.ctx, other.ws, []uuid.UUID{id}, []uuid.UUID{id}))
		},
		"Subscription": func(id uuid.UUID) error { return second(s.Subscription(s.ctx, other.ws, id)) },
		"UpdateSubscription": func(id uuid.UUID) error {
			return second(s.UpdateSubscription(s.ctx, other.ws, id, func(s *outreach.Subscription) { s.Enabled = false }))
		},
		"DeleteSubscription": func(id uuid.UUID) error { return s.DeleteSubscription(s.ctx, other.ws, id) },
		"RotateSecret":       func(id uuid.UUID) error { return second(s.RotateSecret(s.ctx, other.ws, id, "whsec_x")) },
		"RevealSecret":       func(id uuid.UUID) error { return second(s.RevealSecret(s.ctx, other.ws, id)) },
		"Delivery":           func(id uuid.UUID) error { return second(s.Delivery(s.ctx, other.ws, id)) },
		"Redeliver":          func(id uuid.UUID) error { return second(s.Redeliver(s.ctx, other.ws, id)) },
		"Grant":              func(id uuid.UUID) error { return second(s.Grant(s.ctx, other.ws, id)) },
		"Connection":         func(id uuid.UUID) error { return second(s.Connection(s.ctx, other.ws, id)) },
		"StartConnection": func(id uuid.UUID) error {
			return s.StartConnection(s.ctx, other.ws, id, outreach.AuthorizationStart{State: [32]byte{9}})
		},
		"TakeConnection":   func(id uuid.UUID) error { return s.TakeConnection(s.ctx, other.ws, id) },
		"FailConnection":   func(id uuid.UUID) error { return s.FailConnection(s.ctx, other.ws, id, "mine") },
		"RevokeInvitation": func(id uuid.UUID) error { return s.RevokeInvitation(s.ctx, other.ws, id) },
		"RemoveMember":     func(id uuid.UUID) error { return s.RemoveMember(s.ctx, other.ws, id) },
		"RedeliverFailed":  func(id uuid.UUID) error { return second(s.RedeliverFailed(s.ctx, other.ws, id, time.Time{}, false)) },
		"StartTest": func(id uuid.UUID) error {
			_, err := s.StartTest(s.ctx, other.ws, id, time.Minute)
			return err
		},
	}
	answer := got(s.CreateAnswer(s.ctx,
		outreach.Answer{WorkspaceID: s.ws, ReplyID: reply.ID, AnswerText: outreach.AnswerText{BodyText: new("Hello")}}, answerMail{}))(t)
	got(s.SaveAnswerDraft(s.ctx, s.ws, user, outreach.AnswerDraft{ReplyID: reply.ID}))(t)
	snippet := got(s.CreateSnippet(s.ctx, outreach.Snippet{WorkspaceID: s.ws, Name: "N", BodyText: new("T")}))(t)
	before := s.everything()
	domain := got(s.ListSendingDomains(s.ctx, s.ws, outreach.Page{Limit: 1}))(t).Rows[0]
	foreign := []uuid.UUID{domain.ID, answer.ID, granted.ID, open.ID, taken.ID, snippet.ID, s.p.ID, s.e.ID, s.c.ID,
		*s.p.CompanyID, offer.ID, s.box.ID, s.out.ID, unknown.ID, reply.ID, waiting.ID, suppression.Suppression.ID,
		delivery.SubscriptionID, delivery.ID, user, invitation.ID, uuid.New()}
	for name, call := range calls {
		for _, id := range foreign {
			if err := call(id); outreach.CodeOf(err) != outreach.CodeNotFound {
				t.Errorf("%s of %s: %v, want not found", name, id, err)
			}
		}
	}

	// What answers with nothing.
	empty := map[string]func() int{
		"Prospects":          func() int { return len(got(s.Prospects(s.ctx, other.ws, foreign))(t)) },
		"Campaigns":          func() int { return len(got(s.Campaigns(s.ctx, other.ws, foreign))(t)) },
		"HealthOf":           func() int { return len(got(s.HealthOf(s.ctx, other.ws, foreign))(t)) },
		"ActivityOf":         func() int { return len(got(s.ActivityOf(s.ctx, other.ws, foreign))(t)) },
		"AttemptsOf":         func() int { return len(got(s.AttemptsOf(s.ctx, other.ws, foreign))(t)) },
		"SuppressionsOf":     func() int { return len(got(s.SuppressionsOf(s.ctx, other.ws, foreign))(t)) },
		"RunningEnrollments": func() int { return len(got(s.RunningEnrollments(s.ctx, other.ws, foreign))(t)) },
		"LastEnded":          func() int { return len(got(s.LastEnded(s.ctx, other.ws, foreign))(t)) },
		"MailStatuses":       func() int { return len(got(s.MailStatuses(s.ctx, other.ws, foreign))(t)) },
		"Redelivered":        func() int { return len(got(s.Redelivered(s.ctx, other.ws, foreign))(t)) },
		"ListHistory": func() int {
			return len(got(s.ListHistory(s.ctx, other.ws, s.p.ID, outreach.Page{Limit: 5}))(t).Rows)
		},
		"Attention":       func() int { return len(got(s.Attention(s.ctx, other.ws))(t)) },
		"Writers":         func() int { return len(got(s.Writers(s.ctx, other.ws, reply.ID, uuid.New()))(t)) },
		"DeleteProspects": func() int { return got(s.DeleteProspects(s.ctx, other.ws, []uuid.UUID{s.p.ID}))(t) },
		"RestoreEnrollments": func() int {
			return got(s.RestoreEnrollments(s.ctx, other.ws, []uuid.UUID{stopped.ID}))(t)
		},
		"WaitingAnswers": func() int { return len(got(s.WaitingAnswers(s.ctx, other.ws, s.p.ID))(t)) },
		"AnswerDraft": func() int {
			if got(s.AnswerDraft(s.ctx, other.ws, reply.ID, user))(t) != nil {
				return 1
			}
			return 0
		},
		"NewestReply": func() int {
			if got(s.NewestReply(s.ctx, other.ws))(t) != uuid.Nil {
				return 1
			}
			return 0
		},
		"ChosenPeople": func() int { return len(got(s.ChosenPeople(s.ctx, other.ws, theirs.ID, foreign))(t)) },
		"EnrolledPeople": func() int {
			return len(got(s.EnrolledPeople(s.ctx, other.ws, s.c.ID, outreach.Page{Limit: 5}))(t).Rows)
		},
		"WaitingReplies": func() int { return got(s.WaitingReplies(s.ctx, other.ws))(t) },
		"CampaignsStats": func() int { return len(got(s.CampaignsStats(s.ctx, other.ws, foreign, allFigures))(t)) },
		"OAuthClients":   func() int { return len(got(s.OAuthClients(s.ctx, other.ws))(t)) },
		"Members":        func() int { return len(got(s.Members(s.ctx, other.ws))(t)) },
		"Invitations":    func() int { return len(got(s.Invitations(s.ctx, other.ws))(t)) },
		"ListAudit": func() int {
			return len(got(s.ListAudit(s.ctx, other.ws, outreach.AuditFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListProspects": func() int {
			return len(got(s.ListProspects(s.ctx, other.ws, outreach.ProspectFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListEnrollments": func() int {
			return len(got(s.ListEnrollments(s.ctx, other.ws, outreach.EnrollmentFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"CountEnrollments": func() int {
			found := got(s.CountEnrollments(s.ctx, other.ws, s.c.ID, []string{"x"}))(t)
			return len(found) + len(got(s.CountEnrollments(s.ctx, other.ws, s.c.ID, nil))(t))
		},
		"ListMessages": func() int {
			return len(got(s.ListMessages(s.ctx, other.ws, outreach.MessageFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListReplies": func() int {
			return len(got(s.ListReplies(s.ctx, other.ws, outreach.ReplyFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListMail": func() int {
			return len(got(s.ListMail(s.ctx, other.ws, []string{"x", "test"}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListSuppressions": func() int {
			return len(got(s.ListSuppressions(s.ctx, other.ws, outreach.SuppressionFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListSubscriptions": func() int { return len(got(s.ListSubscriptions(s.ctx, other.ws, outreach.Page{Limit: 5}))(t).Rows) },
		"ListDeliveries": func() int {
			return len(got(s.ListDeliveries(s.ctx, other.ws, outreach.DeliveryFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListCompanies": func() int {
			warm := got(s.ListCompanies(s.ctx, other.ws, outreach.CompanyFilter{Temperature: new(outreach.TemperatureWarm)},
				outreach.Page{Limit: 5}))(t)
			return len(warm.Rows) + len(got(s.ListCompanies(s.ctx, other.ws, outreach.CompanyFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"MarkRepliesDone":     func() int { return got(s.MarkRepliesDone(s.ctx, other.ws, foreign, true))(t) },
		"AssignConversations": func() int { return got(s.AssignConversations(s.ctx, other.ws, foreign, nil))(t) },
		"SnoozeConversations": func() int { return got(s.SnoozeConversations(s.ctx, other.ws, foreign, nil))(t) },
		"WakeConversations":   func() int { return got(s.WakeConversations(s.ctx, other.ws, foreign))(t) },
		"SuppressionEffect":   func() int { return got(s.SuppressionEffect(s.ctx, other.ws, "x.test"))(t).Enrollments },
		"ListOffers": func() int {
			return len(got(s.ListOffers(s.ctx, other.ws, outreach.OfferFilter{}, outreach.Page{Limit: 5}))(t).Rows)
		},
		"ListSnippets": func() int { return len(got(s.ListSnippets(s.ctx, other.ws, outreach.Page{Limit: 5}))(t).Rows) },
		"ListSendingDomains": func() int {
			return len(got(s.ListSendingDomains(s.ctx, other.ws, outreach.Page{Limit: 5}))(t).Rows) - 1
		},
		"ListCampaigns": func() int {
			return len(got(s.ListCampaigns(s.ctx, other.ws, outreach.CampaignFilter{}, outreach.Page{Limit: 5}))(t).Rows) - 1
		},
		"LastPlacementChecks": func() int { return len(got(s.LastPlacementChecks(s.ctx, other.ws))(t)) },
		"ListMailboxes":       func() int { return len(got(s.ListMailboxes(s.ctx, other.ws))(t)) - 1 },
		"Overview":            func() int { return got(s.Overview(s.ctx, other.ws, 30))(t).Totals.Sent },
	}
	for name, count := range empty {
		same(t, name, count(), 0)
	}

	// What names another workspace's ids in a body.
	for where, refusal := range map[string]error{
		"/to_mailbox_id": second(s.CreatePlacementCheck(s.ctx,
			outreach.PlacementCheck{WorkspaceID: other.ws, MailboxID: theirBox.ID, ToMailboxID: s.box.ID})),
		"/campaign_id": second(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: other.ws, CampaignID: s.c.ID, Change: byEmail("z@x.test")})),
		"/prospect_id": second(s.Enroll(s.ctx, outreach.EnrollRequest{WorkspaceID: other.ws, CampaignID: theirs.ID, ProspectID: &s.p.ID})),
		"/mailbox_ids/0": second(
			s.UpdateCampaign(s.ctx, other.ws, theirs.ID, func(c *outreach.Campaign) { c.MailboxIDs = []uuid.UUID{s.box.ID} })),
		"/steps/0/id": second(s.UpdateCampaign(s.ctx, other.ws, theirs.ID, func(c *outreach.Campaign) { c.Steps[0].ID = s.c.Steps[0].ID })),
		"/company_id": second(
			s.CreateOffer(s.ctx, outreach.Offer{WorkspaceID: other.ws, Title: "T", BodyHTML: new("b"), CompanyID: s.p.CompanyID})),
	} {
		refused(t, refusal, outreach.CodeUnknownReference)
		same(t, where, faults(t, refusal), []string{where + " unknown_reference"})
	}
	stolen := s.box
	stolen.WorkspaceID = other.ws
	refused(t, second(s.UpdateMailbox(s.ctx, stolen)), outreach.CodeNotFound)

	if diff := cmp.Diff(before, s.everything()); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
	s.allMethods(t, calls, empty)
}

func second[T any](_ T, err error) error { return err }

// everything is what the stage's workspace holds, table by table.
func (s *stage) everything() map[string][]string {
	s.t.Helper()
	all := map[string][]string{}
	for _, table := range rows[string](s, `
SELECT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'workspace_id'`) {
		all[table] = rows[string](s, `SELECT x::text FROM `+table+` x WHERE workspace_id = $1 ORDER BY 1`, s.ws)
	}
	return all
}

// elsewhere are the methods that are held apart by tests of their own, or take a
// workspace only to put something into it.
var elsewhere = []string{"UpdateMailbox", "BulkProspects", "BulkSuppressions", "Enroll", "Me", "SetToken",
	"RevokeToken", "AddUser", "TrackingDomain", "SetTrackingDomain", "Reserve",
	"DoneReading", "LeaveReading", "NoteFailure", "TrackingHostTaken", "OwnAddress", "SetPassword", "Invite", "SetTOTPRequired",
	"OpenInvitation", "AcceptInvitation", "Reasons", "DeleteAnswerDraft", "Filed",
	"NoteCopies",
	"BeginRenewal", "OAuthClient", "SetOAuthClient", "DeleteOAuthClient", "UpdateMe", "NoteClientFault"}

// users are the methods of a user's own account, whose tests try another user's id.
var users = []string{"ConfirmSession", "SessionsOf", "EndSessionByID", "WorkspacesOf", "SwitchSession",
	"StartTOTP", "PendingTOTP", "ConfirmTOTP", "DisableTOTP", "UseTOTPStep", "UseRecoveryCode"}

// allMethods fails for a method of a workspace that no list names.
func (s *stage) allMethods(t *testing.T, calls map[string]func(uuid.UUID) error, empty map[string]func() int) {
	t.Helper()
	for method := range reflect.TypeOf(s.Stores).Methods() {
		takes := method.Type.NumIn() > 2 && method.Type.In(2) == reflect.TypeFor[uuid.UUID]()
		_, called := calls[method.Name]
		_, counted := empty[method.Name]
		if takes && !called && !counted && !slices.Contains(elsewhere, method.Name) && !slices.Contains(users, method.Name) {
			t.Errorf("no test checks that %s keeps workspaces apart", method.Name)
		}
	}
}
