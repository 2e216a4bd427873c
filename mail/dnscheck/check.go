package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"outreach"
	"outreach/mail/resolve"
)

// checkLimit bounds one check, because a user may wait for it at a page.
const checkLimit = 12 * time.Second

// Checker checks sending domains.
type Checker struct{ Resolver resolve.Resolver }

// CheckDomain asks the DNS about one domain, within 12 seconds and 60 questions. It
// changes nothing; a process that dies meanwhile leaves nothing behind.
func (c Checker) CheckDomain(ctx context.Context, q outreach.DomainQuestion) outreach.DomainCheck {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	lookup := c.Resolver.Begin()
	var check outreach.DomainCheck
	var faults [3]bool
	providers, all := q.Providers()
	check.SPF, faults[0] = checkSPF(ctx, lookup, q.Domain, providers, all)
	check.DMARC, check.DMARCPolicy, faults[1] = checkDMARC(ctx, lookup, q.Domain)
	check.MX, faults[2] = checkMX(ctx, lookup, q.Domain)
	check.Fault = faults[0] || faults[1] || faults[2]
	return check
}

const noAnswer = "The DNS did not answer. The check is repeated tomorrow, or when you ask for it."

func unanswered() outreach.RecordCheck {
	return outreach.RecordCheck{Result: outreach.RecordUnknown, Detail: noAnswer}
}

// checkMX finds out whether the domain takes the answers of prospects.
func checkMX(ctx context.Context, lookup *resolve.Lookup, domain string) (check outreach.RecordCheck, fault bool) {
	found, err := lookup.MX(ctx, domain)
	if errors.Is(err, resolve.ErrFault) {
		return unanswered(), true
	}
	var hosts []string
	for _, mx := range found {
		if mx.Host != "" {
			hosts = append(hosts, fmt.Sprintf("%d %s", mx.Preference, mx.Host))
		}
	}
	switch {
	case len(found) == 0:
		return outreach.RecordCheck{Result: outreach.RecordNone,
			Detail: "The domain has no MX record, so replies may not arrive. Publish the one that your mail provider names."}, false
	case len(hosts) == 0:
		return outreach.RecordCheck{Result: outreach.RecordFail, Record: new("0 ."),
			Detail: "The MX record says that the domain takes no mail (RFC 7505), so replies do not arrive."}, false
	}
	record := strings.Join(hosts, ", ")
	return outreach.RecordCheck{Result: outreach.RecordPass, Record: &record, Detail: "The domain takes mail."}, false
}
