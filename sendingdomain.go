package outreach

import (
	"time"

	"github.com/google/uuid"
)

// DomainState is the state of a sending domain: whether its DNS records let its mail arrive.
type DomainState string

// The states of a sending domain.
const (
	DomainPassing DomainState = "passing"
	DomainFailing DomainState = "failing"
	DomainUnknown DomainState = "unknown"
)

// RecordResult is the result for one kind of record.
type RecordResult string

// The results of a record.
const (
	RecordPass    RecordResult = "pass"
	RecordFail    RecordResult = "fail"
	RecordNone    RecordResult = "none"
	RecordUnknown RecordResult = "unknown"
)

// RecordCheck is the verdict on one kind of record. Detail explains the problem and what to
// publish.
type RecordCheck struct {
	Result  RecordResult `json:"result"`
	Detail  string       `json:"detail"`
	Record  *string      `json:"record"`  // as found
	Publish []DNSRecord  `json:"publish"` // what to publish instead, if known
}

// DNSRecord is a record to publish.
type DNSRecord struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DomainCheck is the result of one check of a sending domain. It has no DKIM verdict: only a
// receiver can check signatures.
type DomainCheck struct {
	MX, SPF, DMARC RecordCheck
	DMARCPolicy    *string
	// Fault reports that the DNS did not answer a query.
	Fault bool
}

// State returns the state after a check. Only SPF and DMARC count.
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

// SendingDomain is a domain from which the workspace's mailboxes send. It exists as long as a
// mailbox has an address in it.
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
	// FailingSince does not change with checks that the DNS did not answer.
	FailingSince *time.Time
	CheckedAt    *time.Time
	CreatedAt    time.Time
}

// NewSendingDomain returns a domain that has not been checked yet.
func NewSendingDomain(workspace uuid.UUID, domain string) SendingDomain {
	unchecked := RecordCheck{Result: RecordUnknown, Detail: "Not checked yet."}
	return SendingDomain{
		WorkspaceID: workspace, Domain: domain, State: DomainUnknown, MX: unchecked, SPF: unchecked, DMARC: unchecked,
		DKIM: RecordCheck{Result: RecordUnknown, Detail: "Only a mailbox of another domain can tell whether your mail arrives signed."},
	}
}

// The times of checks.
const (
	DomainCheckInterval  = 24 * time.Hour
	DomainCheckLease     = 5 * time.Minute // after it another process may check a domain whose check has begun
	DomainFailingAllowed = 72 * time.Hour  // after it a person is asked to look
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

// DomainQuestion is the input of a check: the domain, and how its mailboxes send.
type DomainQuestion struct {
	WorkspaceID uuid.UUID
	ID          uuid.UUID
	Domain      string
	Senders     []DomainSender
}

// Providers returns the known providers that send for the domain, without duplicates. all reports
// whether every mailbox has a known provider.
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
