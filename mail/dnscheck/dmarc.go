package dnscheck

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"outreach"
	"outreach/mail/resolve"
)

// dmarcRecord is what matters of a DMARC record (RFC 7489, section 6.3).
type dmarcRecord struct {
	policy, subdomains string // none, quarantine or reject; subdomains may be empty
}

// isDMARC reports whether a text is a DMARC record: the version comes first, in this
// case (section 6.4).
func isDMARC(text string) bool {
	first, _, _ := strings.Cut(text, ";")
	name, value, ok := strings.Cut(first, "=")
	return ok && strings.TrimRight(name, " \t") == "v" && strings.TrimSpace(value) == "DMARC1"
}

// parseDMARC reads a record that isDMARC accepts. Receivers ignore one without a valid
// policy, unless it asks for reports: then the policy is none (section 6.6.3). What
// else is wrong in it counts as absent.
func parseDMARC(text string) (dmarcRecord, error) {
	tags := map[string]string{}
	for tag := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(tag, "=")
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if _, twice := tags[name]; twice {
			return dmarcRecord{}, malformedf("%s= appears twice", name)
		}
		tags[name] = strings.TrimSpace(value)
	}
	record := dmarcRecord{policy: strings.ToLower(tags["p"]), subdomains: strings.ToLower(tags["sp"])}
	if !isPolicy(record.subdomains) {
		record.subdomains = ""
	}
	if isPolicy(record.policy) {
		return record, nil
	}
	if strings.HasPrefix(strings.ToLower(tags["rua"]), "mailto:") {
		return dmarcRecord{policy: "none"}, nil
	}
	return record, malformedf("p= must be none, quarantine or reject")
}

func isPolicy(text string) bool {
	return slices.Contains([]string{"none", "quarantine", "reject"}, text)
}

// checkDMARC judges the DMARC record of a domain, or of its organizational domain where
// it has none (section 6.6.3). policy is the one that applies to the domain.
func checkDMARC(ctx context.Context, lookup *resolve.Lookup, domain string) (check outreach.RecordCheck, policy *string, fault bool) {
	organization := outreach.RegistrableDomain(domain)
	for _, host := range slices.Compact([]string{domain, organization}) {
		texts, err := lookup.TXT(ctx, "_dmarc."+host)
		if err != nil {
			return unanswered(), nil, true
		}
		records := slices.DeleteFunc(texts, func(text string) bool { return !isDMARC(text) })
		if len(records) == 0 {
			continue
		}
		return judgeDMARC(host, records, host != domain)
	}
	return outreach.RecordCheck{
		Result:  outreach.RecordNone,
		Detail:  "The domain has no DMARC record. Large receivers refuse mail of senders without one. Publish the TXT record shown here.",
		Publish: []outreach.DNSRecord{{Type: "TXT", Name: "_dmarc." + organization, Value: "v=DMARC1; p=none"}},
	}, nil, false
}

// judgeDMARC judges the records of one host. above means that it stands above the
// domain in question.
func judgeDMARC(host string, records []string, above bool) (check outreach.RecordCheck, policy *string, fault bool) {
	name := "_dmarc." + host
	if len(records) > 1 {
		return outreach.RecordCheck{Result: outreach.RecordFail, Record: new(strings.Join(records, "\n")),
			Detail: fmt.Sprintf("%s has %d DMARC records. Receivers ignore all of them. Keep one.", name, len(records))}, nil, false
	}
	record, err := parseDMARC(records[0])
	if err != nil {
		return outreach.RecordCheck{Result: outreach.RecordFail, Record: &records[0],
			Detail:  fmt.Sprintf("The DMARC record of %s is not valid: %v. Receivers ignore it.", name, err),
			Publish: []outreach.DNSRecord{{Type: "TXT", Name: name, Value: "v=DMARC1; p=none"}}}, nil, false
	}
	applies := record.policy
	if above && record.subdomains != "" {
		applies = record.subdomains
	}
	return outreach.RecordCheck{Result: outreach.RecordPass, Record: &records[0],
		Detail: fmt.Sprintf("The DMARC record of %s is valid; its policy for this domain is %s.", name, applies)}, &applies, false
}
