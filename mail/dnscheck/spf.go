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
	// authorised are the names that are included in a way that lets their senders pass.
	authorised map[string]bool
	// opaque is set where the record depends on the message, so that not all of it can
	// be followed.
	opaque bool
}

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

// walk visits a record. passing means that a server that this record authorises is authorised by
// the domain's own record. all reports whether the record authorises every server.
func (w *spfWalk) walk(ctx context.Context, domain, record string, passing bool) (all bool, err error) {
	terms, err := parseSPF(record)
	if err != nil {
		return false, err
	}
	var redirect *spfTerm
	for _, term := range terms {
		switch {
		case term.qualifier == 0 && term.name == "redirect":
			redirect = &term
		case term.qualifier != 0 && term.name == "all":
			return term.qualifier == '+', nil
		case term.qualifier != 0 && term.looksUp():
			matched, err := w.visit(ctx, domain, term, passing && term.qualifier == '+')
			if err != nil {
				return false, err
			}
			if matched {
				return term.qualifier == '+', nil
			}
		}
	}
	if redirect == nil {
		return false, nil
	}
	return w.follow(ctx, *redirect, passing)
}

// visit looks a mechanism up. matched reports whether it matches every sender.
func (w *spfWalk) visit(ctx context.Context, domain string, term spfTerm, passing bool) (matched bool, err error) {
	if term.name == "include" {
		return w.follow(ctx, term, passing)
	}
	if err := w.count(); err != nil {
		return false, err
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
			return false, err
		}
		if len(hosts) > maxMX {
			return false, malformedf("mx:%s has more than %d hosts", name, maxMX)
		}
		w.note(len(hosts) > 0)
	case term.name == "exists":
		if matched, err = w.lookup.HasIPv4(ctx, name); err != nil {
			return false, err
		}
		w.note(matched)
	default:
		found, err := w.lookup.HasAddress(ctx, name)
		if err != nil {
			return false, err
		}
		w.note(found)
	}
	return matched, w.tooManyVoids()
}

// follow visits the record that include or redirect names.
func (w *spfWalk) follow(ctx context.Context, term spfTerm, passing bool) (all bool, err error) {
	if err := w.count(); err != nil {
		return false, err
	}
	if term.hasMacro() {
		w.opaque = true
		return false, nil
	}
	name := strings.ToLower(strings.TrimSuffix(term.domain, "."))
	record, err := w.record(ctx, name)
	if void := w.tooManyVoids(); void != nil {
		return false, void
	}
	if errors.Is(err, errNoRecord) {
		return false, malformedf("%s, which it names, has no SPF record", name)
	}
	if err != nil {
		return false, err
	}
	if passing {
		w.authorised[name] = true
	}
	return w.walk(ctx, name, record, passing)
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
	walk := spfWalk{lookup: lookup, authorised: map[string]bool{}}
	record, err := walk.record(ctx, domain)
	walk.voids = 0 // of terms only
	if errors.Is(err, errNoRecord) {
		return missingSPF(domain, providers, all), false
	}
	var every bool
	if err == nil {
		check.Record = &record
		every, err = walk.walk(ctx, domain, record, true)
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
	return authorises(&walk, spfJudgement{domain, record, providers, all, every}), false
}

// spfJudgement is a valid record and who has to be authorised by it.
type spfJudgement struct {
	domain, record string
	providers      []*outreach.KnownProvider
	all            bool // only providers send
	every          bool // the record authorises every server
}

// authorises judges a valid record by whether it authorises all who send. A provider's
// own domains authorise the provider.
func authorises(walk *spfWalk, j spfJudgement) outreach.RecordCheck {
	check := outreach.RecordCheck{Record: &j.record}
	for _, p := range j.providers {
		included := slices.ContainsFunc(p.SPF, func(name string) bool { return walk.authorised[name] })
		switch {
		case included, j.every, slices.Contains(p.Domains, j.domain):
		case walk.opaque:
			check.Result = outreach.RecordUnknown
			check.Detail = fmt.Sprintf("The SPF record depends on the message, so it does not show whether it authorises %s.", p.Name)
			return check
		default:
			check.Result = outreach.RecordFail
			check.Detail = fmt.Sprintf("The SPF record does not authorise %s, which sends for this domain. Add include:%s.", p.Name, p.SPF[0])
			check.Publish = []outreach.DNSRecord{{Type: "TXT", Name: j.domain, Value: withInclude(j.record, p.SPF[0])}}
			return check
		}
	}
	switch {
	case !j.all:
		check.Result = outreach.RecordUnknown
		check.Detail = "The SPF record is valid. Whether it authorises your mail server cannot be told from the DNS."
	case j.every:
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

// withInclude returns a record with one more include, before what ends it.
func withInclude(record, name string) string {
	terms := strings.Fields(record)
	end := slices.IndexFunc(terms, func(term string) bool {
		return strings.EqualFold(strings.TrimLeft(term, "+-~?"), "all")
	})
	if end < 0 {
		end = len(terms)
	}
	return strings.Join(slices.Insert(terms, end, "include:"+name), " ")
}
