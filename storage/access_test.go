package storage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
	"outreach/storage/stores"
	"outreach/webhook"
)

// signIn stores a session with a cookie hash of one byte.
func (s *stage) signIn(hash byte, v outreach.Viewer, passwordHash string) error {
	return s.StartSession(s.ctx, outreach.NewSession{
		Hash: [32]byte{hash}, User: v.ID, Workspace: v.WorkspaceID, PasswordHash: passwordHash, Client: new("203.0.113.9"), Agent: new("Firefox"),
	})
}

func (s *stage) viewer(t *testing.T, hash byte) *outreach.Viewer {
	t.Helper()
	return got(s.ViewerBySession(s.ctx, [32]byte{hash}))(t)
}

func TestUsersAndSessions(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := got(s.AddUser(s.ctx, s.ws, "Ann@x.test", "hash", outreach.RoleOwner, true))(t)
	_, err := s.AddUser(s.ctx, s.ws, "ANN@x.test", "other hash", outreach.RoleMember, false)
	refused(t, err, outreach.CodeConflict)
	login := got(s.Login(s.ctx, "ann@X.test"))(t)
	v := login.Viewer
	same(t, "viewer", v,
		outreach.Viewer{ID: id, Email: "Ann@x.test", Admin: true, Role: outreach.RoleOwner, WorkspaceID: s.ws, WorkspaceName: "Acme"})
	same(t, "hash", login.PasswordHash, "hash")
	_, err = s.Login(s.ctx, "nobody@x.test")
	refused(t, err, outreach.CodeNotFound)

	must(t, s.signIn(1, v, "hash"))
	must(t, s.signIn(2, v, "hash"))
	seen := *s.viewer(t, 1)
	same(t, "confirmed by signing in", seen.ConfirmedAt.Equal(s.clock.Now()), true)
	seen.SessionID, seen.ConfirmedAt = uuid.Nil, time.Time{}
	same(t, "session", seen, v)
	same(t, "unknown", s.viewer(t, 9), nil)
	must(t, s.EndSession(s.ctx, [32]byte{1}))
	same(t, "ended", s.viewer(t, 1), nil)

	member := got(s.AddUser(s.ctx, s.ws, "bob@x.test", "hash", outreach.RoleMember, false))(t)
	must(t, s.signIn(4, outreach.Viewer{ID: member, WorkspaceID: s.ws}, "hash"))
	same(t, "members", len(got(s.Members(s.ctx, s.ws))(t)), 2)
	must(t, s.RemoveMember(s.ctx, s.ws, member))
	same(t, "no session is left", s.viewer(t, 4), nil)
	same(t, "nor the user", ask[int](s, `SELECT count(*)::int FROM users`), 1)
	refused(t, s.RemoveMember(s.ctx, s.ws, member), outreach.CodeNotFound)
}

// A session ends 30 days after sign-in, and after 7 days without a request.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := got(s.AddUser(s.ctx, s.ws, "ann@x.test", "hash", outreach.RoleOwner, false))(t)
	v := outreach.Viewer{ID: id, WorkspaceID: s.ws}
	must(t, s.signIn(1, v, "hash"))
	must(t, s.signIn(2, v, "hash"))
	for range 4 {
		s.clock.Advance(outreach.SessionIdle - time.Minute)
		same(t, "in use", s.viewer(t, 1) != nil, true)
	}
	same(t, "idle", s.viewer(t, 2), nil)
	s.clock.Advance(3 * 24 * time.Hour)
	same(t, "over", s.viewer(t, 1), nil)
	must(t, s.signIn(3, v, "hash"))
	same(t, "old ones are dropped", ask[int](s, `SELECT count(*)::int FROM sessions`), 1)
	at := s.clock.Now()
	s.clock.Advance(59 * time.Second)
	s.viewer(t, 3)
	same(t, "last seen, within a minute", ask[time.Time](s, `SELECT last_seen_at FROM sessions`).Equal(at), true)
	s.clock.Advance(time.Second)
	s.viewer(t, 3)
	same(t, "last seen, after a minute", ask[time.Time](s, `SELECT last_seen_at FROM sessions`).Equal(s.clock.Now()), true)
}

// A user lists, confirms, switches and ends the own sessions, and no other user's.
func TestSessionsOfUser(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ann := outreach.Viewer{ID: got(s.AddUser(s.ctx, s.ws, "ann@x.test", "hash", outreach.RoleOwner, false))(t), WorkspaceID: s.ws}
	bob := outreach.Viewer{ID: got(s.AddUser(s.ctx, s.ws, "bob@x.test", "hash", outreach.RoleOwner, false))(t), WorkspaceID: s.ws}
	must(t, s.signIn(1, ann, "hash"))
	s.clock.Advance(time.Minute)
	must(t, s.signIn(2, ann, "hash"))
	must(t, s.signIn(3, bob, "hash"))
	list := got(s.SessionsOf(s.ctx, ann.ID))(t)
	same(t, "newest first", []uuid.UUID{list[0].ID, list[1].ID}, []uuid.UUID{s.viewer(t, 2).SessionID, s.viewer(t, 1).SessionID})
	same(t, "where from", []string{*list[0].Client, *list[0].Agent}, []string{"203.0.113.9", "Firefox"})
	refused(t, s.EndSessionByID(s.ctx, bob.ID, list[0].ID), outreach.CodeNotFound)
	refused(t, s.ConfirmSession(s.ctx, bob.ID, list[0].ID), outreach.CodeNotFound)
	must(t, s.EndSessionByID(s.ctx, ann.ID, list[1].ID))
	same(t, "ended", []bool{s.viewer(t, 1) == nil, s.viewer(t, 2) == nil, s.viewer(t, 3) == nil}, []bool{true, false, false})
	s.clock.Advance(time.Hour)
	must(t, s.ConfirmSession(s.ctx, ann.ID, list[0].ID))
	same(t, "confirmed", s.viewer(t, 2).ConfirmedAt.Equal(s.clock.Now()), true)

	other := s.room(t)
	refused(t, s.SwitchSession(s.ctx, ann.ID, list[0].ID, other.ws), outreach.CodeNotFound)
	s.exec(`INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'member')`, other.ws, ann.ID)
	same(t, "workspaces", len(got(s.WorkspacesOf(s.ctx, ann.ID))(t)), 2)
	refused(t, s.SwitchSession(s.ctx, bob.ID, list[0].ID, s.ws), outreach.CodeNotFound)
	must(t, s.SwitchSession(s.ctx, ann.ID, list[0].ID, other.ws))
	same(t, "switched", s.viewer(t, 2).WorkspaceID, other.ws)
	same(t, "next sign-in", got(s.Login(s.ctx, "ann@x.test"))(t).Viewer.WorkspaceID, other.ws)
}

// A new password ends the user's other sessions, also one that begins at the same time
// with the old password, and no other user's.
func TestSetPassword(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := got(s.AddUser(s.ctx, s.ws, "ann@x.test", "old", outreach.RoleOwner, false))(t)
	other := got(s.AddUser(s.ctx, s.ws, "bob@x.test", "old", outreach.RoleOwner, false))(t)
	v, bob := outreach.Viewer{ID: id, WorkspaceID: s.ws}, outreach.Viewer{ID: other, WorkspaceID: s.ws}
	for n, of := range []outreach.Viewer{v, v, bob} {
		must(t, s.signIn(byte(n), of, "old"))
	}
	refused(t, s.SetPassword(s.ctx, id, "older", "new", [32]byte{0}), outreach.CodeConflict)
	must(t, s.SetPassword(s.ctx, id, "old", "new", [32]byte{0}))
	there := func(hash byte) bool { return s.viewer(t, hash) != nil }
	same(t, "here, elsewhere, Bob", []bool{there(0), there(1), there(2)}, []bool{true, false, true})
	refused(t, s.signIn(4, v, "old"), outreach.CodeNotFound)
	must(t, s.signIn(4, v, "new"))
	must(t, s.signIn(5, bob, "old"))
}

// The addresses of a workspace are those of its members and mailboxes, in any spelling.
func TestOwnAddress(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	got(s.AddUser(s.ctx, s.ws, "Ann@house.test", "hash", outreach.RoleMember, false))(t)
	other := s.room(t)
	for _, c := range []struct {
		ws    uuid.UUID
		email string
		want  string
	}{
		{s.ws, "ann@HOUSE.test", "Ann@house.test"},
		{s.ws, s.box.Email, s.box.Email},
		{s.ws, s.p.Email, ""},
		{other.ws, "ann@house.test", ""},
		{other.ws, s.box.Email, ""},
	} {
		same(t, c.email, got(s.OwnAddress(s.ctx, c.ws, c.email))(t), c.want)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	used := func() *time.Time { return got(s.Me(s.ctx, s.ws))(t).TokenLastUsedAt }
	must(t, s.SetToken(s.ctx, s.ws, outreach.TokenRecord{Hash: [32]byte{1}, Prefix: "ort_aaaaaaaa"}))
	same(t, "me", got(s.Me(s.ctx, s.ws))(t), outreach.Me{WorkspaceID: s.ws, WorkspaceName: "Acme", TokenPrefix: new("ort_aaaaaaaa")})
	at := s.clock.Now()
	for _, c := range []struct {
		pass time.Duration
		want time.Time
	}{{0, at}, {59 * time.Second, at}, {time.Second, at.Add(time.Minute)}} {
		s.clock.Advance(c.pass)
		ws, stored, err := s.WorkspaceByToken(s.ctx, [32]byte{1})
		must(t, err)
		same(t, "whose", ws, s.ws)
		same(t, "stored", [32]byte(stored), [32]byte{1})
		same(t, "written once a minute", used(), &c.want)
	}
	must(t, s.SetToken(s.ctx, s.ws, outreach.TokenRecord{Hash: [32]byte{2}, Prefix: "ort_bbbbbbbb"}))
	_, _, err := s.WorkspaceByToken(s.ctx, [32]byte{1})
	refused(t, err, outreach.CodeNotFound)
	same(t, "a new one was never used", used(), nil)
	must(t, s.RevokeToken(s.ctx, s.ws))
	must(t, s.RevokeToken(s.ctx, s.ws))
	_, _, err = s.WorkspaceByToken(s.ctx, [32]byte{2})
	refused(t, err, outreach.CodeNotFound)
}

// Removing the member who created the token revokes it; removing another does not, nor
// does it revoke another workspace's.
func TestRemovingMemberRevokesToken(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ann := got(s.AddUser(s.ctx, s.ws, "ann@x.test", "hash", outreach.RoleOwner, false))(t)
	bob := got(s.AddUser(s.ctx, s.ws, "bob@x.test", "hash", outreach.RoleOwner, false))(t)
	other := s.room(t)
	s.exec(`INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, other.ws, ann)
	must(t, s.SetToken(s.ctx, s.ws, outreach.TokenRecord{Hash: [32]byte{1}, Prefix: "ort_a", CreatedBy: &ann}))
	must(t, s.SetToken(s.ctx, other.ws, outreach.TokenRecord{Hash: [32]byte{2}, Prefix: "ort_b", CreatedBy: &ann}))
	works := func(hash byte) bool {
		_, _, err := s.WorkspaceByToken(s.ctx, [32]byte{hash})
		return err == nil
	}
	for _, member := range got(s.Members(s.ctx, s.ws))(t) {
		same(t, member.Email, member.CreatedToken, member.ID == ann)
	}
	must(t, s.RemoveMember(s.ctx, s.ws, bob))
	same(t, "after another is removed", works(1), true)
	must(t, s.RemoveMember(s.ctx, s.ws, ann))
	same(t, "here and in the other workspace", []bool{works(1), works(2)}, []bool{false, true})
}

// The link of an invitation may be in the hands of the owner who created it.
func TestRemovingMemberRevokesInvitations(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	ann := got(s.AddUser(s.ctx, s.ws, "ann@x.test", "hash", outreach.RoleOwner, false))(t)
	s.exec(`INSERT INTO members (workspace_id, user_id, role) VALUES ($1, $2, 'owner')`, other.ws, ann)
	for hash, in := range map[byte]struct {
		ws uuid.UUID
		by string
	}{1: {s.ws, "ann@x.test"}, 2: {s.ws, "bob@x.test"}, 3: {other.ws, "ann@x.test"}} {
		_, err := s.Invite(s.ctx, in.ws, outreach.Invitation{Email: fmt.Sprintf("new%d@x.test", hash), Role: outreach.RoleOwner,
			InvitedBy: in.by}, [32]byte{hash})
		must(t, err)
	}
	must(t, s.RemoveMember(s.ctx, s.ws, ann))
	_, err := s.AcceptInvitation(s.ctx, s.ws, [32]byte{1}, uuid.Nil, "new hash")
	refused(t, err, outreach.CodeNotFound)
	for hash, ws := range map[byte]uuid.UUID{2: s.ws, 3: other.ws} {
		_, err := s.AcceptInvitation(s.ctx, ws, [32]byte{hash}, uuid.Nil, "new hash")
		must(t, err)
	}
}

// An invitation is used once, within seven days, by the hash of its token and in its
// own workspace.
func TestInvitations(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	invite := func(email string, hash byte) outreach.Invitation {
		in := outreach.Invitation{Email: email, Role: outreach.RoleMember, InvitedBy: "ann@x.test"}
		return got(s.Invite(s.ctx, s.ws, in, [32]byte{hash}))(t)
	}
	accept := func(ws uuid.UUID, hash byte, user uuid.UUID) error {
		_, err := s.AcceptInvitation(s.ctx, ws, [32]byte{hash}, user, "new hash")
		return err
	}
	_, err := s.Invite(s.ctx, s.ws, outreach.Invitation{Email: "nobody", Role: outreach.RoleMember}, [32]byte{9})
	refused(t, err, outreach.CodeValidation)

	invite("bob@x.test", 1)
	invite("Bob@x.test", 2)
	same(t, "a new one replaces the one before", len(got(s.Invitations(s.ctx, s.ws))(t)), 1)
	same(t, "open", got(s.OpenInvitation(s.ctx, s.ws, [32]byte{2}))(t),
		outreach.OpenInvitation{WorkspaceName: "Acme", Email: "Bob@x.test", Role: outreach.RoleMember})
	refused(t, accept(s.ws, 1, uuid.Nil), outreach.CodeNotFound)
	refused(t, accept(other.ws, 2, uuid.Nil), outreach.CodeNotFound)
	refused(t, second(s.OpenInvitation(s.ctx, other.ws, [32]byte{2})), outreach.CodeNotFound)
	must(t, accept(s.ws, 2, uuid.Nil))
	same(t, "joined with the new password", got(s.Login(s.ctx, "bob@x.test"))(t).PasswordHash, "new hash")
	refused(t, accept(s.ws, 2, uuid.Nil), outreach.CodeNotFound)

	carol := got(s.AddUser(s.ctx, other.ws, "carol@x.test", "hers", outreach.RoleOwner, false))(t)
	invite("carol@x.test", 3)
	refused(t, accept(s.ws, 3, uuid.Nil), outreach.CodeConflict)
	refused(t, accept(s.ws, 3, uuid.New()), outreach.CodeConflict)
	must(t, accept(s.ws, 3, carol))
	same(t, "in both", len(got(s.WorkspacesOf(s.ctx, carol))(t)), 2)
	same(t, "the account keeps its password", got(s.Login(s.ctx, "carol@x.test"))(t).PasswordHash, "hers")

	revoked := invite("dan@x.test", 4)
	must(t, s.RevokeInvitation(s.ctx, s.ws, revoked.ID))
	refused(t, accept(s.ws, 4, uuid.Nil), outreach.CodeNotFound)
	invite("eve@x.test", 5)
	s.clock.Advance(outreach.InvitationLength)
	same(t, "none is open", len(got(s.Invitations(s.ctx, s.ws))(t)), 0)
	refused(t, accept(s.ws, 5, uuid.Nil), outreach.CodeNotFound)
}

// A secret counts once it is confirmed. Codes count once, for their own user only.
func TestTOTP(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	ann := got(s.AddUser(s.ctx, s.ws, "ann@x.test", "hash", outreach.RoleOwner, false))(t)
	bob := got(s.AddUser(s.ctx, s.ws, "bob@x.test", "hash", outreach.RoleOwner, false))(t)
	on := func() []bool {
		login := got(s.Login(s.ctx, "ann@x.test"))(t)
		return []bool{login.Viewer.TOTP, login.TOTPSecret != nil, login.Viewer.TOTPRequired}
	}
	refused(t, second(s.PendingTOTP(s.ctx, ann)), outreach.CodeNotFound)
	must(t, s.StartTOTP(s.ctx, ann, []byte("secret")))
	if sealed := ask[[]byte](s, `SELECT totp_secret FROM users WHERE id = $1`, ann); strings.Contains(string(sealed), "secret") {
		t.Error("the secret is stored in the clear")
	}
	same(t, "not on yet", on(), []bool{false, false, false})
	same(t, "pending", string(got(s.PendingTOTP(s.ctx, ann))(t)), "secret")
	refused(t, second(s.PendingTOTP(s.ctx, bob)), outreach.CodeNotFound)
	recovery := [32]byte{7}
	must(t, s.ConfirmTOTP(s.ctx, ann, 100, [][]byte{recovery[:]}))
	same(t, "on", on(), []bool{true, true, false})
	refused(t, s.StartTOTP(s.ctx, ann, []byte("other")), outreach.CodeInvalidState)
	refused(t, s.ConfirmTOTP(s.ctx, ann, 101, nil), outreach.CodeInvalidState)

	refused(t, s.UseTOTPStep(s.ctx, ann, 100), outreach.CodeNotFound)
	refused(t, s.UseTOTPStep(s.ctx, bob, 101), outreach.CodeNotFound)
	must(t, s.UseTOTPStep(s.ctx, ann, 101))
	refused(t, s.UseTOTPStep(s.ctx, ann, 101), outreach.CodeNotFound)
	refused(t, s.UseRecoveryCode(s.ctx, bob, recovery), outreach.CodeNotFound)
	must(t, s.UseRecoveryCode(s.ctx, ann, recovery))
	refused(t, s.UseRecoveryCode(s.ctx, ann, recovery), outreach.CodeNotFound)

	refused(t, s.DisableTOTP(s.ctx, bob), outreach.CodeNotFound)
	must(t, s.DisableTOTP(s.ctx, ann))
	same(t, "off", on(), []bool{false, false, false})
	must(t, s.SetTOTPRequired(s.ctx, s.ws, true))
	same(t, "required", on(), []bool{false, false, true})
}

// The entry that a context carries is written with the first change, once, and not at
// all when the change fails.
func TestAuditLog(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	entry := outreach.AuditEntry{WorkspaceID: s.ws, Actor: "ann@x.test", Action: outreach.AuditTokenCreated,
		Subject: new("ort_a"), Client: new("203.0.113.9")}
	ctx := outreach.WithAudit(s.ctx, entry)
	refused(t, s.RevokeInvitation(ctx, s.ws, uuid.New()), outreach.CodeNotFound)
	same(t, "of a failure", len(s.audit(t, outreach.AuditFilter{})), 0)
	must(t, s.SetToken(ctx, s.ws, outreach.TokenRecord{Hash: [32]byte{1}, Prefix: "ort_a"}))
	must(t, s.RevokeToken(ctx, s.ws))
	written := s.audit(t, outreach.AuditFilter{})
	entry.ID, entry.At = written[0].ID, s.clock.Now()
	same(t, "written", written, []outreach.AuditEntry{entry})

	s.clock.Advance(time.Second)
	must(t, s.RecordAudit(s.ctx, outreach.AuditEntry{WorkspaceID: s.ws, Actor: "shell", Action: outreach.AuditSignInFailed}))
	same(t, "newest first", s.audit(t, outreach.AuditFilter{})[0].Action, outreach.AuditSignInFailed)
	same(t, "of one action", len(s.audit(t, outreach.AuditFilter{Action: new(outreach.AuditTokenCreated)})), 1)
}

func (s *stage) audit(t *testing.T, filter outreach.AuditFilter) []outreach.AuditEntry {
	t.Helper()
	return got(s.ListAudit(s.ctx, s.ws, filter, outreach.Page{Limit: 10}))(t).Rows
}

// No more mailboxes, subscriptions and members than the quotas allow, also when several
// are added at once.
func TestQuotas(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	open, err := stores.Open(s.ctx, storage.Config{
		URL: s.url, Keyring: freshKeyring(t), BaseURL: "http://127.0.0.1", Now: s.clock.Now, MaxConns: 8,
		Quotas: outreach.Quotas{Mailboxes: 2, Subscriptions: 2, Members: 2},
	}, webhook.Encode)
	must(t, err)
	t.Cleanup(open.Close)
	s.Stores = open
	add := map[string]func(n int) error{
		"mailboxes": func(n int) error {
			box := outreach.NewMailbox()
			box.WorkspaceID, box.Email = s.ws, string(rune('a'+n))+"@acme.test"
			return second(s.CreateMailbox(s.ctx, box))
		},
		"event subscriptions": func(int) error {
			sub := outreach.Subscription{WorkspaceID: s.ws, URL: "https://a.test/", Events: []outreach.SubscriptionEvent{outreach.OnSent}}
			return second(s.CreateSubscription(s.ctx, sub, "whsec_x"))
		},
		"members": func(n int) error {
			in := outreach.Invitation{Email: string(rune('a'+n)) + "@x.test", Role: outreach.RoleMember}
			return second(s.Invite(s.ctx, s.ws, in, [32]byte{byte(n)}))
		},
	}
	for what, one := range add {
		results := make(chan error)
		for n := range 6 {
			go func() { results <- one(n) }()
		}
		made := 0
		for range 6 {
			err := <-results
			if err == nil {
				made++
				continue
			}
			refused(t, err, outreach.CodeQuotaReached)
			same(t, "message", strings.Contains(err.Error(), "A workspace can have at most 2 "+what), true)
		}
		same(t, what, made, 2)
	}
}

// The gap between campaigns is of one workspace, and within its bounds.
func TestContactGapIsSet(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	other := s.room(t)
	set := func(hours int) (outreach.Me, error) {
		return s.UpdateMe(s.ctx, s.ws, func(me *outreach.Me) { me.ContactGapHours = hours })
	}
	same(t, "set", got(set(48))(t).ContactGapHours, 48)
	same(t, "stored", got(s.Me(s.ctx, s.ws))(t).ContactGapHours, 48)
	same(t, "another workspace keeps its own", got(s.Me(s.ctx, other.ws))(t).ContactGapHours, 0)
	for _, hours := range []int{-1, outreach.MaxContactGap + 1} {
		_, err := set(hours)
		same(t, "out of bounds", faults(t, err), []string{"/contact_gap_hours invalid"})
	}
	_, err := s.UpdateMe(s.ctx, uuid.New(), func(*outreach.Me) {})
	refused(t, err, outreach.CodeNotFound)
}
