package classify

import (
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/authres"
)

// Authentication holds the verdicts of a receiver on a mail. Each verdict is "pass", "fail",
// "none", or "unknown" if the receiver gave none or could not decide.
type Authentication struct {
	SPF, DKIM, DMARC string
	// Signer is a domain with a valid signature that is not the sender's own, empty when
	// the sender's own domain signed too.
	Signer string
	// Internal reports that the mail never left the organization of sender and receiver. Nothing is
	// signed or checked then.
	Internal bool
}

// The verdicts of Authentication.
const (
	VerdictPass    = "pass"
	VerdictFail    = "fail"
	VerdictNone    = "none"
	VerdictUnknown = "unknown"
)

// Authenticated returns the verdicts of the topmost Authentication-Results field (RFC 8601) of a
// received header on a mail from an address of domain. A field that the sending provider wrote does
// not count, unless both providers are the same.
func Authenticated(raw []byte, domain string, sending, receiving Provider) Authentication {
	found := Authentication{SPF: VerdictUnknown, DKIM: VerdictUnknown, DMARC: VerdictUnknown}
	if receiving.has("outlook.com") && isInternal(raw) {
		found.Internal = true
		return found
	}
	for _, f := range traceFields(raw) {
		if !f.results {
			continue
		}
		server, results := resultsOf(f.value)
		if sending.has(server) && !receiving.has(server) {
			return found
		}
		found.read(results, domain)
		return found
	}
	return found
}

// isInternal reports whether Exchange delivered a mail within one organization, such as between two
// domains of one tenant. Exchange removes this field from mail that comes from outside.
func isInternal(raw []byte) bool {
	header, _ := splitHeader(raw)
	return slices.ContainsFunc(header.Values("X-Ms-Exchange-Organization-Authas"), func(value string) bool {
		return strings.EqualFold(strings.TrimSpace(value), "internal")
	})
}

// resultsOf returns the server that wrote a field and its results. Exchange Online
// leaves the server out.
func resultsOf(value string) (server string, results []authres.Result) {
	value = withoutComments(value)
	if first, _, _ := strings.Cut(value, ";"); strings.Contains(first, "=") {
		value = "exchange;" + value
	}
	server, value, _ = strings.Cut(value, ";")
	for one := range strings.SplitSeq(value, ";") { // a malformed result does not affect the others
		one = methodVersion.ReplaceAllString(spaceAround.ReplaceAllString(one, "$1"), "$1=")
		if _, list, err := authres.Parse("server;" + one); err == nil {
			results = append(results, list...)
		}
	}
	server, _, _ = strings.Cut(strings.TrimSpace(server), " ")
	return server, results
}

// What authres does not know: spaces around the signs of a result, and the version of a method (RFC
// 8601, section 2.2).
var (
	spaceAround   = regexp.MustCompile(`[ \t]+([=/.])[ \t]*`)
	methodVersion = regexp.MustCompile(`^([ \t]*[a-zA-Z0-9-]+)/1=`)
)

// withoutComments removes text in parentheses (RFC 5322, section 3.2.2), which authres does not do.
func withoutComments(value string) string {
	var b strings.Builder
	depth, quoted := 0, false
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\' && i+1 < len(value):
			i++
		case c == '"' && depth == 0:
			quoted = !quoted
		case c == '(' && !quoted:
			depth++
		case c == ')' && !quoted:
			depth = max(depth-1, 0)
		case depth == 0 && (!quoted || c != ';'):
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (a *Authentication) read(results []authres.Result, domain string) {
	own := func(d string) bool { return organization(d) == organization(domain) }
	signer := ""
	for _, result := range results {
		switch r := result.(type) {
		case *authres.SPFResult:
			a.SPF = verdict(r.Value)
		case *authres.DMARCResult:
			a.DMARC = verdict(r.Value)
		case *authres.DKIMResult:
			by := strings.Trim(strings.ToLower(r.Domain), "<>.")
			if by == "" {
				by = strings.Trim(strings.ToLower(r.Identifier[strings.LastIndexByte(r.Identifier, '@')+1:]), "<>.")
			}
			switch v := verdict(r.Value); {
			case v == VerdictPass && by != "" && !own(by):
				signer = by
				a.DKIM = worse(a.DKIM, VerdictNone)
			default:
				a.DKIM = worse(a.DKIM, v)
			}
		}
	}
	if a.DKIM != VerdictPass {
		a.Signer = signer
	}
}

// worse joins the verdicts on several signatures: one valid signature is enough, and a broken one
// outranks a missing one.
func worse(a, b string) string {
	for _, first := range []string{VerdictPass, VerdictFail, VerdictNone} {
		if a == first || b == first {
			return first
		}
	}
	return VerdictUnknown
}

// verdict maps the results of RFC 8601, section 2.7, to four.
func verdict(v authres.ResultValue) string {
	switch strings.Trim(string(v), `"`) {
	case "pass", "bestguesspass":
		return VerdictPass
	case "fail", "hardfail", "softfail", "permerror", "policy":
		return VerdictFail
	case "none", "neutral":
		return VerdictNone
	}
	return VerdictUnknown
}
