package outreach

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// AuditAction is the kind of change that an audit entry records.
type AuditAction string

// The actions that the audit log records.
const (
	AuditSignedIn            AuditAction = "signed_in"
	AuditSignInFailed        AuditAction = "sign_in_failed"
	AuditPasswordChanged     AuditAction = "password_changed"
	AuditSessionEnded        AuditAction = "session_ended"
	AuditTOTPEnabled         AuditAction = "totp_enabled"
	AuditTOTPDisabled        AuditAction = "totp_disabled"
	AuditTOTPRequirement     AuditAction = "totp_requirement_changed"
	AuditTokenCreated        AuditAction = "token_created"
	AuditTokenRevoked        AuditAction = "token_revoked"
	AuditMemberInvited       AuditAction = "member_invited"
	AuditInvitationRevoked   AuditAction = "invitation_revoked"
	AuditMemberJoined        AuditAction = "member_joined"
	AuditMemberRemoved       AuditAction = "member_removed"
	AuditMailboxCreated      AuditAction = "mailbox_created"
	AuditMailboxChanged      AuditAction = "mailbox_changed"
	AuditMailboxDeleted      AuditAction = "mailbox_deleted"
	AuditSubscriptionCreated AuditAction = "subscription_created"
	AuditSubscriptionChanged AuditAction = "subscription_changed"
	AuditSubscriptionDeleted AuditAction = "subscription_deleted"
	AuditSecretShown         AuditAction = "secret_shown"
	AuditSecretRotated       AuditAction = "secret_rotated"
	AuditTrackingDomainSet   AuditAction = "tracking_domain_set"
	AuditSuppressionDeleted  AuditAction = "suppression_deleted"
	AuditCampaignActivated   AuditAction = "campaign_activated"
	AuditOAuthClientSet      AuditAction = "oauth_client_set"
	AuditOAuthClientDeleted  AuditAction = "oauth_client_deleted"
	AuditListExported        AuditAction = "list_exported"
)

// AuditActions lists all of them.
var AuditActions = []AuditAction{
	AuditSignedIn, AuditSignInFailed, AuditPasswordChanged, AuditSessionEnded, AuditTOTPEnabled, AuditTOTPDisabled,
	AuditTOTPRequirement, AuditTokenCreated, AuditTokenRevoked, AuditMemberInvited, AuditInvitationRevoked,
	AuditMemberJoined, AuditMemberRemoved, AuditMailboxCreated, AuditMailboxChanged, AuditMailboxDeleted,
	AuditSubscriptionCreated, AuditSubscriptionChanged, AuditSubscriptionDeleted, AuditSecretShown, AuditSecretRotated,
	AuditTrackingDomainSet, AuditSuppressionDeleted, AuditCampaignActivated, AuditOAuthClientSet, AuditOAuthClientDeleted,
	AuditListExported,
}

// ExportedList names a list that the application saves as a file.
type ExportedList string

// The lists that the application exports.
const (
	ExportedProspects    ExportedList = "prospects"
	ExportedCompanies    ExportedList = "companies"
	ExportedSuppressions ExportedList = "suppressions"
	ExportedAuditLog     ExportedList = "audit_log"
	ExportedCampaigns    ExportedList = "campaigns"
	ExportedPeople       ExportedList = "people" // of a campaign
	ExportedMailboxes    ExportedList = "mailboxes"
	ExportedDeliveries   ExportedList = "deliveries"
)

// FailedSignInsKept is how long the audit log keeps failed sign-ins, which strangers can cause.
const FailedSignInsKept = 400 * 24 * time.Hour

// AuditEntry is one line of a workspace's audit log: who did what, when, and from where. Entries
// are never changed, and only failed sign-ins are deleted, after FailedSignInsKept.
type AuditEntry struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	At          time.Time
	// Actor is the address of a user, "API token" or "shell".
	Actor   string
	UserID  *uuid.UUID
	Action  AuditAction
	Subject *string // an address, URL, name or prefix; never a secret
	Client  *string // network address; null from a shell
}

// AuditFilter narrows the audit log.
type AuditFilter struct {
	Action *AuditAction
}

// auditNote is the entry of one operation. The first transaction that commits under its context
// writes it.
type auditNote struct {
	entry   AuditEntry
	written bool
}

type auditKey struct{}

// WithAudit returns a context whose first transaction also writes entry, so that the change and
// its entry commit together. It is not safe for use by several goroutines.
func WithAudit(ctx context.Context, entry AuditEntry) context.Context {
	return context.WithValue(ctx, auditKey{}, &auditNote{entry: entry})
}

// AuditFrom returns the entry that the next transaction must write, if any. The caller calls done
// after the commit.
func AuditFrom(ctx context.Context) (entry AuditEntry, done func(), ok bool) {
	note, ok := ctx.Value(auditKey{}).(*auditNote)
	if !ok || note.written {
		return AuditEntry{}, nil, false
	}
	return note.entry, func() { note.written = true }, true
}

type clientKey struct{}

// WithClient returns a context that carries the network address of the client.
func WithClient(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, clientKey{}, address)
}

// ClientFrom returns the network address of the client; empty outside a request.
func ClientFrom(ctx context.Context) string {
	address, _ := ctx.Value(clientKey{}).(string)
	return address
}
