package graph

// Stores is the part of storage that resolvers use: one small interface for each use, declared
// beside its resolvers.
type Stores struct {
	AccountStores
	ProspectReader     ProspectReader
	ProspectWriter     ProspectWriter
	ProspectDeleter    ProspectDeleter
	MailStatuses       MailStatusReader
	ProspectEraser     ProspectEraser
	ProspectImporter   ProspectImporter
	EnrollmentReader   EnrollmentReader
	Enroller           Enroller
	EnrollmentSwitch   EnrollmentSwitch
	CampaignReader     CampaignReader
	CampaignCounter    CampaignCounter
	WaitingCounter     WaitingCounter
	CampaignWriter     CampaignWriter
	CampaignReviser    CampaignReviser
	CampaignSwitch     CampaignSwitch
	Continuer          Continuer
	Candidates         CandidateReader
	CompanyReader      CompanyReader
	OfferReader        OfferReader
	OfferWriter        OfferWriter
	SnippetReader      SnippetReader
	SendingDomains     SendingDomainReader
	DomainChecks       DomainCheckStore
	Placements         PlacementStore
	SnippetWriter      SnippetWriter
	MailboxReader      MailboxReader
	MailboxWriter      MailboxWriter
	MailboxSwitch      MailboxSwitch
	AppMailboxWriter   AppMailboxWriter
	ConnectionReader   ConnectionReader
	OAuthClientStore   OAuthClientStore
	MessageReader      MessageReader
	MessageResolver    MessageResolver
	ReplyReader        ReplyReader
	ReplyWriter        ReplyWriter
	MailSearcher       MailSearcher
	UnmatchedReplies   UnmatchedReplies
	Conversations      ConversationStore
	Answers            AnswerStore
	WaitingAnswers     WaitingReader
	Drafts             DraftStore
	Writers            WriterReader
	SuppressionReader  SuppressionReader
	SuppressionWriter  SuppressionWriter
	SuppressionUndoer  SuppressionUndoer
	EnrollmentRestorer EnrollmentRestorer
	SubscriptionReader SubscriptionReader
	SubscriptionWriter SubscriptionWriter
	SecretStore        SecretStore
	DeliveryReader     DeliveryReader
	Redeliverer        Redeliverer
	OverviewReader     OverviewReader
	RelatedReader      RelatedReader
	HealthReader       HealthReader
	SendingStates      SendingStateReader
}

// AccountStores keep workspaces and their members.
type AccountStores struct {
	WorkspaceReader WorkspaceReader
	WorkspaceWriter WorkspaceWriter
	TokenStore      TokenStore
	PasswordStore   PasswordStore
	MemberStore     MemberStore
	AddressBook     AddressBook
	SessionStore    SessionStore
	WorkspaceSwitch WorkspaceSwitch
	TOTPStore       TOTPStore
	TOTPCodes       TOTPCodes
	TOTPPolicy      TOTPPolicy
	InvitationStore InvitationStore
	InvitationDoor  InvitationDoor
	AuditStore      AuditStore
}
