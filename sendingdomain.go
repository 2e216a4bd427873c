package outreach

import (
	"time"

	"github.com/google/uuid"
)

// DomainState says whether the DNS of a sending domain lets its mail arrive.
type DomainState string

// The states of a sending domain.
const (
	DomainPassing DomainState = "passing"
	DomainFailing DomainState = "failing"
	DomainUnknown DomainState = "unknown"
)

// RecordResult is what was found of one kind of record.
type RecordResult string

// The results of a record.
const (
	RecordPass    RecordResult = "pass"
	RecordFail    RecordResult = "fail"
	RecordNone    RecordResult = "none"
	RecordUnknown RecordResult = "unknown"
)

// RecordCheck is the verdict on one kind of record. Detail tells a person what is
// wrong and what to publish.
type RecordCheck struct {
	Result  RecordResult `json:"result"`
	Detail  string       `json:"detail"`
	Record  *string      `json:"record"`  // as it was found
	Publish []DNSRecord  `json:"publish"` // in its place, when that is known
}

// DNSRecord is a record to publish.
type DNSRecord struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DomainCheck is what one check of a sending domain found. DKIM is not part of it:
// only a receiver can tell.
type DomainCheck struct {
	MX, SPF, DMARC RecordCheck
	DMARCPolicy    *string
	// Fault means that the DNS gave no answer to a question.
	Fault bool
}

// State returns the state that follows from a check: SPF and DMARC decide.
func (c *DomainCheck) State() DomainState {
	state := DomainPassing
	for _, r := range []RecordResult{c.SPF.Result, c.DMARC.Result} {
		switch r {
		case RecordFail, RecordNone:
			return DomainFailing
		case RecordUnknown:
			state = DomainUnknown
		}
	}
	return state
}

// SendingDomain is a domain from which the workspace's mailboxes send. It exists while
// a mailbox has an address of it.
type SendingDomain struct {
	ID          uuid.UUID
	WorkspaceID uuid.UUID
	Domain      string // canonical
	State       DomainState
	MX          RecordCheck
	SPF         RecordCheck
	DKIM        RecordCheck
	DMARC       RecordCheck
	DMARCPolicy *string
	// FailingSince is kept over checks that the DNS did not answer.
	FailingSince *time.Time
	CheckedAt    *time.Time
	CreatedAt    time.Time
}

// NewSendingDomain returns a domain that was not checked yet.
func NewSendingDomain(workspace uuid.UUID, domain string) SendingDomain {
	unchecked := RecordCheck{Result: RecordUnknown, Detail: "Not checked yet."}
	return SendingDomain{
		WorkspaceID: workspace, Domain: domain, State: DomainUnknown, MX: unchecked, SPF: unchecked, DMARC: unchecked,
		DKIM: RecordCheck{Result: RecordUnknown, Detail: "Only a mailbox of another domain can tell whether your mail arrives signed."},
	}
}

// The pace of checks.
const (
	DomainCheckInterval  = 24 * time.Hour
	DomainCheckLease     = 5 * time.Minute // then another process may check a domain that one has begun to check
	DomainFailingAllowed = 72 * time.Hour  // then a person is asked to look
)

// Note records a check.
func (d *SendingDomain) Note(c DomainCheck, at time.Time) {
	d.MX, d.SPF, d.DMARC, d.DMARCPolicy = c.MX, c.SPF, c.DMARC, c.DMARCPolicy
	d.State, d.CheckedAt = c.State(), &at
	switch {
	case d.State == DomainFailing && d.FailingSince == nil:
		d.FailingSince = &at
	case d.State != DomainFailing && !c.Fault:
		d.FailingSince = nil
	}
}

// DomainSender is how one mailbox of a domain sends.
type DomainSender struct {
	Provider MailProvider
	SMTPHost string
}

// DomainQuestion is what a check needs to know: the domain, and how its mailboxes send.
type DomainQuestion struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Domain      string
	Senders     []DomainSender
}

// Providers returns the known providers that send for the domain, each once. All
// reports whether every mailbox has a known one.
func (q *DomainQuestion) Providers() (known []*KnownProvider, all bool) {
	all = len(q.Senders) > 0
	seen := map[string]bool{}
	for _, s := range q.Senders {
		p := ProviderOfMailbox(s.Provider, s.SMTPHost)
		switch {
		case p == nil || len(p.SPF) == 0:
			all = false
		case !seen[p.Name]:
			seen[p.Name] = true
			known = append(known, p)
		}
	}
	return known, all
}
