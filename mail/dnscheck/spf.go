package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"outreach"
	"outreach/mail/resolve"
)

// The limits of RFC 7208, section 4.6.4.
const (
	maxLookups     = 10
	maxVoidLookups = 2
	maxMX          = 10
)

// errNoRecord means that a name has no SPF record.
var errNoRecord = errors.New("no SPF record")

// spfWalk visits all terms that a receiver evaluates for a sender that none of them
// matches, which is the most that a receiver ever evaluates.
type spfWalk struct {
	lookup         *resolve.Lookup
	lookups, voids int
	providers      []*outreach.KnownProvider
	// opaque is set where the record depends on the message, so that not all of it can
	// be followed.
	opaque bool
}

// verdicts holds the qualifier of the term that decides about each sender, 0 where none does. The
// first sender is a server that no record names; then comes each provider.
type verdicts []byte

func (v verdicts) decided() bool { return !slices.Contains(v, 0) }

// record returns the one SPF record of a name.
func (w *spfWalk) record(ctx context.Context, name string) (string, error) {
	texts, err := w.lookup.TXT(ctx, name)
	if err != nil {
		return "", err
	}
	if len(texts) == 0 {
		w.voids++
	}
	records := slices.DeleteFunc(texts, func(text string) bool { return !isSPF(text) })
	switch len(records) {
	case 0:
		return "", errNoRecord
	case 1:
		return records[0], nil
	}
	return "", malformedf("%s has %d SPF records; only one is allowed", name, len(records))
}

// walk visits a record.
func (w *spfWalk) walk(ctx context.Context, domain, record string) (verdicts, error) {
	terms, err := parseSPF(record)
	if err != nil {
		return nil, err
	}
	decided := make(verdicts, 1+len(w.providers))
	var redirect *spfTerm
	for _, term := range terms {
		if term.qualifier == 0 && term.name == "redirect" {
			redirect = &term
		}
		if term.qualifier == 0 || term.name != "all" && !term.looksUp() {
			continue
		}
		matched, err := w.visit(ctx, domain, term)
		if err != nil {
			return nil, err
		}
		for i := range decided {
			if decided[i] == 0 && matched[i] {
				decided[i] = term.qualifier
			}
		}
		if decided.decided() {
			return decided, nil
		}
	}
	if redirect == nil {
		return decided, nil
	}
	followed, err := w.follow(ctx, *redirect)
	if err != nil {
		return nil, err
	}
	for i := range decided {
		if decided[i] == 0 {
			decided[i] = followed[i]
		}
	}
	return decided, nil
}

// visit looks a mechanism up and returns which senders it matches.
func (w *spfWalk) visit(ctx context.Context, domain string, term spfTerm) ([]bool, error) {
	matched := make([]bool, 1+len(w.providers))
	switch term.name {
	case "all":
		return everyone(matched), nil
	case "include":
		inner, err := w.follow(ctx, term)
		for i := range inner {
			matched[i] = inner[i] == '+'
		}
		return matched, err
	}
	if err := w.count(); err != nil {
		return nil, err
	}
	name := term.domain
	if name == "" {
		name = domain
	}
	switch {
	case term.name == "ptr": // the name to ask for is the sender's
	case term.hasMacro():
		w.opaque = true
	case term.name == "mx":
		hosts, err := w.lookup.MX(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(hosts) > maxMX {
			return nil, malformedf("mx:%s has more than %d hosts", name, maxMX)
		}
		w.note(len(hosts) > 0)
	case term.name == "exists":
		found, err := w.lookup.HasIPv4(ctx, name)
		if err != nil {
			return nil, err
		}
		w.note(found)
		if found {
			everyone(matched)
		}
	default:
		found, err := w.lookup.HasAddress(ctx, name)
		if err != nil {
			return nil, err
		}
		w.note(found)
	}
	return matched, w.tooManyVoids()
}

func everyone(matched []bool) []bool {
	for i := range matched {
		matched[i] = true
	}
	return matched
}

// follow visits the record that include or redirect names. A provider passes by each of its own
// names.
func (w *spfWalk) follow(ctx context.Context, term spfTerm) (verdicts, error) {
	if err := w.count(); err != nil {
		return nil, err
	}
	if term.hasMacro() {
		w.opaque = true
		return make(verdicts, 1+len(w.providers)), nil
	}
	name := strings.ToLower(strings.TrimSuffix(term.domain, "."))
	record, err := w.record(ctx, name)
	if void := w.tooManyVoids(); void != nil {
		return nil, void
	}
	if errors.Is(err, errNoRecord) {
		return nil, malformedf("%s, which it names, has no SPF record", name)
	}
	if err != nil {
		return nil, err
	}
	decided, err := w.walk(ctx, name, record)
	if err != nil {
		return nil, err
	}
	for i, p := range w.providers {
		if slices.Contains(p.SPF, name) {
			decided[1+i] = '+'
		}
	}
	return decided, nil
}

func (w *spfWalk) note(found bool) {
	if !found {
		w.voids++
	}
}

func (w *spfWalk) count() error {
	if w.lookups++; w.lookups > maxLookups {
		return malformedf("it needs more than %d lookups", maxLookups)
	}
	return nil
}

func (w *spfWalk) tooManyVoids() error {
	if w.voids > maxVoidLookups {
		return malformedf("more than %d of its names do not exist", maxVoidLookups)
	}
	return nil
}

// checkSPF judges the SPF record of a domain for which providers send; all means that no other
// server does.
func checkSPF(ctx context.Context, lookup *resolve.Lookup, domain string, providers []*outreach.KnownProvider,
	all bool) (check outreach.RecordCheck, fault bool) {
	walk := spfWalk{lookup: lookup, providers: providers}
	record, err := walk.record(ctx, domain)
	walk.voids = 0 // of terms only
	if errors.Is(err, errNoRecord) {
		return missingSPF(domain, providers, all), false
	}
	var decided verdicts
	if err == nil {
		check.Record = &record
		decided, err = walk.walk(ctx, domain, record)
	}
	if wrong, ok := errors.AsType[*malformed](err); ok {
		check.Result = outreach.RecordFail
		check.Detail = fmt.Sprintf("The SPF record is not valid: %s. Receivers ignore it.", wrong.reason)
		return check, false
	}
	if err != nil {
		check.Result, check.Detail = outreach.RecordUnknown, noAnswer
		return check, true
	}
	return authorises(&walk, spfJudgement{domain, record, all, decided}), false
}

// spfJudgement is a valid record and what it decides.
type spfJudgement struct {
	domain, record string
	all            bool // only the providers send
	decided        verdicts
}

// authorises judges a valid record by whether it authorises all who send. A provider's
// own domains authorise the provider.
func authorises(walk *spfWalk, j spfJudgement) outreach.RecordCheck {
	check := outreach.RecordCheck{Record: &j.record}
	var names, includes []string
	for i, p := range walk.providers {
		if j.decided[1+i] != '+' && !slices.Contains(p.Domains, j.domain) {
			names, includes = append(names, p.Name), append(includes, "include:"+p.SPF[0])
		}
	}
	every := j.decided[0] == '+'
	switch {
	case len(names) > 0 && walk.opaque:
		check.Result = outreach.RecordUnknown
		check.Detail = fmt.Sprintf("The SPF record depends on the message, so it does not show whether it authorises %s.",
			strings.Join(names, " and "))
	case len(names) > 0:
		check.Result = outreach.RecordFail
		check.Detail = fmt.Sprintf("The SPF record does not authorise %s to send for this domain. Add %s.",
			strings.Join(names, " and "), strings.Join(includes, " and "))
		check.Publish = []outreach.DNSRecord{{Type: "TXT", Name: j.domain, Value: withIncludes(j.record, includes)}}
	case !j.all:
		check.Result = outreach.RecordUnknown
		check.Detail = "The SPF record is valid. Whether it authorises your mail server cannot be told from the DNS."
	case every:
		check.Result = outreach.RecordPass
		check.Detail = "The SPF record authorises every server, so it does not protect the domain. Replace +all with ~all."
	default:
		check.Result = outreach.RecordPass
		check.Detail = fmt.Sprintf("The SPF record is valid, needs %d of %d lookups, and authorises your provider.", walk.lookups, maxLookups)
	}
	return check
}

func missingSPF(domain string, providers []*outreach.KnownProvider, all bool) outreach.RecordCheck {
	check := outreach.RecordCheck{Result: outreach.RecordNone,
		Detail: "The domain has no SPF record. Ask your mail provider what to include, and publish it as a TXT record."}
	if !all {
		return check
	}
	value := "v=spf1"
	for _, p := range providers {
		value += " include:" + p.SPF[0]
	}
	check.Detail = "The domain has no SPF record. Publish the TXT record shown here."
	check.Publish = []outreach.DNSRecord{{Type: "TXT", Name: domain, Value: value + " ~all"}}
	return check
}

// withIncludes returns a record with more includes, before the first term that could decide otherwise
// about those who are included: the first match counts (section 4.6.2).
func withIncludes(record string, includes []string) string {
	terms := strings.Fields(record)
	end := slices.IndexFunc(terms, func(text string) bool {
		term, err := parseTerm(text)
		return err == nil && term.qualifier != 0 && (term.name == "all" || term.qualifier != '+')
	})
	if end < 0 {
		end = len(terms)
	}
	return strings.Join(slices.Insert(terms, end, includes...), " ")
}
