package graph

// Stores is what resolvers ask of storage: one small interface for each use, declared
// beside the resolvers that need it.
type Stores struct {
	ProspectReader     ProspectReader
	ProspectWriter     ProspectWriter
	ProspectImporter   ProspectImporter
	EnrollmentReader   EnrollmentReader
	Enroller           Enroller
	EnrollmentSwitch   EnrollmentSwitch
	CampaignReader     CampaignReader
	CampaignCounter    CampaignCounter
	CampaignWriter     CampaignWriter
	CampaignReviser    CampaignReviser
	CampaignSwitch     CampaignSwitch
	CompanyReader      CompanyReader
	OfferReader        OfferReader
	OfferWriter        OfferWriter
	SnippetReader      SnippetReader
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
	UnmatchedReplies   UnmatchedReplies
	Answers            AnswerStore
	Drafts             DraftStore
	Writers            WriterReader
	SuppressionReader  SuppressionReader
	SuppressionWriter  SuppressionWriter
	SubscriptionReader SubscriptionReader
	SubscriptionWriter SubscriptionWriter
	SecretStore        SecretStore
	DeliveryReader     DeliveryReader
	Redeliverer        Redeliverer
	WorkspaceReader    WorkspaceReader
	TokenStore         TokenStore
	PasswordStore      PasswordStore
	MemberStore        MemberStore
	AddressBook        AddressBook
	SessionStore       SessionStore
	WorkspaceSwitch    WorkspaceSwitch
	TOTPStore          TOTPStore
	TOTPCodes          TOTPCodes
	TOTPPolicy         TOTPPolicy
	InvitationStore    InvitationStore
	InvitationDoor     InvitationDoor
	AuditStore         AuditStore
	OverviewReader     OverviewReader
	Neighbours         Neighbours
}
