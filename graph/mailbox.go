package graph

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/uuid"

	"outreach"
	"outreach/graph/exec"
)

// MailboxReader reads mailboxes.
type MailboxReader interface {
	Mailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	MailboxWithPasswords(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	ListMailboxes(ctx context.Context, workspace uuid.UUID) ([]outreach.Mailbox, error)
}

// MailboxWriter creates, changes and deletes mailboxes.
type MailboxWriter interface {
	CreateMailbox(ctx context.Context, m outreach.Mailbox) (outreach.Mailbox, error)
	UpdateMailbox(ctx context.Context, m outreach.Mailbox) (outreach.Mailbox, error)
	DeleteMailbox(ctx context.Context, workspace, id uuid.UUID) error
}

// MailboxSwitch pauses and resumes mailboxes, and records the result of a check.
type MailboxSwitch interface {
	PauseMailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	ResumeMailbox(ctx context.Context, workspace, id uuid.UUID) (outreach.Mailbox, error)
	NoteCheck(ctx context.Context, workspace, id uuid.UUID, failure *string) (outreach.Mailbox, error)
}

// MailProber tests the logins of mailboxes.
type MailProber interface {
	// Probe logs in to both servers and returns a fault under /smtp or /imap for each login that
	// failed.
	Probe(ctx context.Context, m outreach.Mailbox) outreach.Faults
}

// ProbeLimit limits how many logins a workspace tests, per minute and at once: a probe connects to
// any server that a client names.
type ProbeLimit interface {
	// Begin counts a probe; the caller calls done when it has ended. It returns a client error if
	// there are too many.
	Begin(ctx context.Context, workspace uuid.UUID) (done func(), err error)
}

func (q queries) Mailbox(ctx context.Context, id uuid.UUID) (outreach.Mailbox, error) {
	return inWorkspace(ctx, id, q.Stores.MailboxReader.Mailbox)
}

// Mailboxes checks the limit like every list and then returns all mailboxes. It has no cursors, so
// it refuses every cursor (docs/reference.md#lists).
func (q queries) Mailboxes(ctx context.Context, first int, after *string) (c exec.MailboxConnection, err error) {
	c.Nodes, _, err = listed(ctx, q.Resolver, request{"mailboxes", first, after}, nil,
		func(ctx context.Context, ws uuid.UUID, _ any, _ outreach.Page) (outreach.Rows[outreach.Mailbox], error) {
			rows, err := q.Stores.MailboxReader.ListMailboxes(ctx, ws)
			return outreach.Rows[outreach.Mailbox]{Rows: rows}, err
		})
	return c, err
}

func (m mutations) CreateMailbox(ctx context.Context, in exec.MailboxInput) (outreach.Mailbox, error) {
	box := outreach.NewMailbox()
	var err error
	if box.WorkspaceID, err = workspace(ctx); err != nil {
		return box, err
	}
	if err := m.confirmed(ctx); err != nil {
		return box, err
	}
	changeMailbox(in, &box)
	box.Normalize()
	if err := m.completeMailbox(in, outreach.AuthPassword, &box); err != nil {
		return box, err
	}
	created := audited(ctx, outreach.AuditMailboxCreated, box.Email)
	if box.Auth == outreach.AuthOAuth2App {
		return m.createAppMailbox(created, box)
	}
	if err := m.probe(ctx, box); err != nil {
		return box, err
	}
	return m.Stores.MailboxWriter.CreateMailbox(created, box)
}

// createAppMailbox stores a mailbox that the workspace's own client can log in to. If the process
// dies before that, nothing is stored.
func (m mutations) createAppMailbox(ctx context.Context, box outreach.Mailbox) (outreach.Mailbox, error) {
	if !outreach.EffectAllowed(ctx) {
		return box, nil
	}
	grant, err := m.Tokens.AppGrant(ctx, &box)
	if err != nil {
		return box, err
	}
	if err := m.probe(ctx, box); err != nil {
		return box, err
	}
	return m.Stores.AppMailboxWriter.CreateAppMailbox(ctx, box, grant)
}

// completeMailbox sets the fields that the provider of an edited mailbox decides, and validates
// the rest. before is the previous way to log in.
func (m mutations) completeMailbox(in exec.MailboxInput, before outreach.MailAuth, box *outreach.Mailbox) error {
	var faults outreach.Faults
	if box.Auth == outreach.AuthOAuth2 && before != box.Auth {
		faults.Add(outreach.At("auth"), outreach.FieldInvalid, "auth cannot be set to oauth2. Connect the mailbox with "+
			"POST /mailbox_connections.")
	}
	if box.Auth.UsesTokens() {
		for _, server := range []struct {
			name  string
			given bool
		}{{"smtp", in.SMTP.IsSet()}, {"imap", in.Imap.IsSet()}} {
			if server.given {
				faults.Add(outreach.At(server.name), outreach.CodeReadOnlyField, "%s is read-only while auth is %s.", server.name, box.Auth)
			}
		}
	}
	if servers, known := m.Tokens.Servers(box.Provider); known {
		takesOver := box.IMAP.Password == "" && !givesPassword(in.SMTP)
		box.UseServers(servers)
		if takesOver { // the password of SMTP is stored, and was not given for this server
			box.IMAP.Password = ""
		}
	}
	faults.Merge(outreach.FaultsOf(box.Validate()))
	return faults.Err()
}

func (m mutations) UpdateMailbox(ctx context.Context, id uuid.UUID, in exec.MailboxInput) (outreach.Mailbox, error) {
	box, err := inWorkspace(ctx, id, m.Stores.MailboxReader.MailboxWithPasswords)
	if err != nil {
		return box, err
	}
	if err := m.confirmed(ctx); err != nil {
		return box, err
	}
	before := box
	changeMailbox(in, &box)
	box.Normalize()
	if err := keepsAccount(before, &box); err != nil {
		return box, err
	}
	if err := m.completeMailbox(in, before.Auth, &box); err != nil {
		return box, err
	}
	changed := audited(ctx, outreach.AuditMailboxChanged, box.Email)
	unchanged := box.Auth == before.Auth && box.SMTP == before.SMTP && box.IMAP == before.IMAP &&
		slices.Equal(box.Folders, before.Folders)
	if box.Auth.UsesTokens() || unchanged {
		return m.Stores.MailboxWriter.UpdateMailbox(changed, box)
	}
	if err := m.probe(ctx, box); err != nil {
		return box, err
	}
	if box, err = m.Stores.MailboxWriter.UpdateMailbox(changed, box); err != nil {
		return box, err
	}
	// This resumes the enrollments that the old servers held.
	return m.Stores.MailboxSwitch.NoteCheck(ctx, box.WorkspaceID, id, nil)
}

// keepsAccount returns an error for a change that moves a grant to another address or provider, or
// turns a mailbox into one that needs a grant.
func keepsAccount(before outreach.Mailbox, box *outreach.Mailbox) error {
	var faults outreach.Faults
	if box.Auth.UsesTokens() {
		if before.Auth.UsesTokens() && box.Email != before.Email {
			faults.Add(outreach.At("email"), outreach.CodeReadOnlyField, "email is read-only while auth is %s.", box.Auth)
		}
		if before.Auth.UsesTokens() && box.Provider != before.Provider {
			faults.Add(outreach.At("provider"), outreach.CodeReadOnlyField, "provider is read-only while auth is %s.", box.Auth)
		}
		if box.Auth == outreach.AuthOAuth2App && before.Auth != box.Auth {
			faults.Add(outreach.At("auth"), outreach.FieldInvalid, "auth cannot be changed to oauth2_app. Create a new mailbox.")
		}
	}
	return faults.Err()
}

// probe returns an error if a login fails. Nothing is stored before it, so a process that dies
// here leaves nothing behind.
func (m mutations) probe(ctx context.Context, box outreach.Mailbox) error {
	if !outreach.EffectAllowed(ctx) {
		return nil
	}
	faults, err := m.try(ctx, box)
	if err != nil {
		return err
	}
	return faults.Err()
}

// try tests both logins within the limit of the workspace.
func (m mutations) try(ctx context.Context, box outreach.Mailbox) (outreach.Faults, error) {
	done, err := m.Probes.Begin(ctx, box.WorkspaceID)
	if err != nil {
		return nil, err
	}
	defer done()
	return m.Mail.Probe(ctx, box), nil
}

func (m mutations) DeleteMailbox(ctx context.Context, id uuid.UUID) (bool, error) {
	box, err := inWorkspace(ctx, id, m.Stores.MailboxReader.Mailbox)
	if err != nil {
		return false, err
	}
	if err := m.confirmed(ctx); err != nil {
		return false, err
	}
	return deleted(audited(ctx, outreach.AuditMailboxDeleted, box.Email), id, m.Stores.MailboxWriter.DeleteMailbox)
}

func (m mutations) PauseMailbox(ctx context.Context, id uuid.UUID) (outreach.Mailbox, error) {
	return inWorkspace(ctx, id, m.Stores.MailboxSwitch.PauseMailbox)
}

func (m mutations) ResumeMailbox(ctx context.Context, id uuid.UUID) (outreach.Mailbox, error) {
	return inWorkspace(ctx, id, m.Stores.MailboxSwitch.ResumeMailbox)
}

func (m mutations) CheckMailbox(ctx context.Context, id uuid.UUID) (outreach.Mailbox, error) {
	box, err := m.openMailbox(ctx, id)
	var failure *string
	if err == nil {
		faults, limited := m.try(ctx, box)
		if limited != nil {
			return box, limited
		}
		if len(faults) > 0 {
			failure = new(faults.Details())
			err = m.Tokens.Authorize(ctx, &box) // a refused login may have shown that the grant has ended
		}
	}
	if told, ok := errors.AsType[*outreach.TokenError](err); ok && told.Refused {
		failure, err = &told.Reason, nil
	}
	if err != nil && failure == nil {
		return box, unavailable(err)
	}
	return m.Stores.MailboxSwitch.NoteCheck(ctx, box.WorkspaceID, id, failure)
}

// openMailbox returns a mailbox with its passwords or tokens.
func (m mutations) openMailbox(ctx context.Context, id uuid.UUID) (outreach.Mailbox, error) {
	box, err := inWorkspace(ctx, id, m.Stores.MailboxReader.MailboxWithPasswords)
	if err != nil {
		return box, err
	}
	return box, m.Tokens.Authorize(ctx, &box)
}

// unavailable turns a missing token into a client error.
func unavailable(err error) error {
	if told, ok := errors.AsType[*outreach.TokenError](err); ok {
		return outreach.Errorf(outreach.CodePrecondition, "%s", told.Reason)
	}
	return err
}

func changeMailbox(in exec.MailboxInput, m *outreach.Mailbox) {
	byDefault := outreach.NewMailbox()
	setOr(&m.Email, in.Email, "")
	set(&m.DisplayName, in.DisplayName)
	setOr(&m.Provider, in.Provider, byDefault.Provider)
	setOr(&m.Auth, in.Auth, byDefault.Auth)
	setOr(&m.DailyLimit, in.DailyLimit, byDefault.DailyLimit)
	setOr(&m.MinGapSeconds, in.MinGapSeconds, byDefault.MinGapSeconds)
	if ramp, ok := in.RampUp.ValueOK(); ok {
		m.RampUp = changeRampUp(ramp, m.RampUp)
	}
	set(&m.SignatureHTML, in.SignatureHTML)
	if folders, ok := in.Folders.ValueOK(); ok {
		m.Folders = slices.Clone(folders)
	}
	changeServer(in.SMTP, &m.SMTP)
	changeServer(in.Imap, &m.IMAP)
}

// changeServer merges the given fields into server; null removes the server, which a mailbox
// requires. A stored password is only used where it was given for: a change of host, port or
// username, or weaker security, requires it again.
func changeServer(given graphql.Omittable[*exec.MailServerInput], s *outreach.MailServer) {
	in, ok := given.ValueOK()
	switch {
	case !ok:
		return
	case in == nil:
		*s = outreach.MailServer{}
		return
	}
	before := *s
	setOr(&s.Host, in.Host, "")
	setOr(&s.Port, in.Port, 0)
	setOr(&s.Username, in.Username, "")
	setOr(&s.Security, in.Security, "")
	if s.SendsPasswordElsewhere(before) {
		s.Password = ""
	}
	setOr(&s.Password, in.Password, "")
}

// givesPassword reports whether an input has the password of a server.
func givesPassword(given graphql.Omittable[*exec.MailServerInput]) bool {
	in, ok := given.ValueOK()
	if !ok || in == nil {
		return false
	}
	password, ok := in.Password.ValueOK()
	return ok && password != nil && *password != ""
}

// changeRampUp applies an input to the ramp-up and returns it, nil for none; null restores a
// default.
func changeRampUp(in *exec.RampUpInput, before *outreach.RampUp) *outreach.RampUp {
	if in == nil {
		return nil
	}
	byDefault := outreach.NewRampUp()
	ramp := *cmp.Or(before, &byDefault)
	setOr(&ramp.Start, in.Start, byDefault.Start)
	setOr(&ramp.Increase, in.Increase, byDefault.Increase)
	return &ramp
}
