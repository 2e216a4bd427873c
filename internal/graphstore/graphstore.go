// Package graphstore fills graph.Stores from storage and its workflows, for the program and for tests.
package graphstore

import (
	"outreach/graph"
	"outreach/storage/stores"
)

// New returns the stores of one database.
func New(db *stores.Stores) graph.Stores {
	return graph.Stores{
		AccountStores:      accounts(db),
		ProspectReader:     db,
		ProspectWriter:     db,
		MailStatuses:       db,
		ProspectDeleter:    db,
		ProspectEraser:     db,
		ProspectImporter:   db,
		EnrollmentReader:   db,
		Enroller:           db,
		EnrollmentSwitch:   db,
		CampaignReader:     db,
		CampaignCounter:    db,
		CampaignWriter:     db,
		CampaignReviser:    db,
		WaitingCounter:     db,
		CampaignSwitch:     db,
		Continuer:          db,
		Candidates:         db,
		CompanyReader:      db,
		OfferReader:        db,
		OfferWriter:        db,
		SnippetReader:      db,
		SendingDomains:     db,
		DomainChecks:       db,
		Placements:         db,
		SnippetWriter:      db,
		MailboxReader:      db,
		MailboxWriter:      db,
		MailboxSwitch:      db,
		AppMailboxWriter:   db,
		ConnectionReader:   db,
		OAuthClientStore:   db,
		MessageReader:      db,
		MessageResolver:    db,
		ReplyReader:        db,
		MailSearcher:       db,
		Conversations:      db,
		ReplyWriter:        db,
		UnmatchedReplies:   db,
		Answers:            db,
		WaitingAnswers:     db,
		Drafts:             db,
		Writers:            db,
		SuppressionReader:  db,
		SuppressionWriter:  db,
		SuppressionUndoer:  db,
		EnrollmentRestorer: db,
		SubscriptionReader: db,
		SubscriptionWriter: db,
		SecretStore:        db,
		DeliveryReader:     db,
		Redeliverer:        db,
		OverviewReader:     db,
		RelatedReader:      db,
		HealthReader:       db,
		SendingStates:      db,
	}
}

func accounts(db *stores.Stores) graph.AccountStores {
	return graph.AccountStores{
		WorkspaceReader: db,
		WorkspaceWriter: db,
		TokenStore:      db,
		PasswordStore:   db,
		MemberStore:     db,
		AddressBook:     db,
		SessionStore:    db,
		WorkspaceSwitch: db,
		TOTPStore:       db,
		TOTPCodes:       db,
		TOTPPolicy:      db,
		InvitationStore: db,
		InvitationDoor:  db,
		AuditStore:      db,
	}
}
