package outreach

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// CanonicalEmail returns the form in which two spellings of one address are
// equal: trimmed, in Unicode NFC, case-folded, with the domain of
// CanonicalDomain. Addresses are stored and shown as given and compared in this
// form only: docs/reference.md#addresses.
func CanonicalEmail(email string) string {
	email = strings.TrimSpace(email)
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return foldCase(email)
	}
	return foldCase(email[:at]) + "@" + CanonicalDomain(email[at+1:])
}

// SameEmail reports whether a and b are spellings of one address.
func SameEmail(a, b string) bool { return CanonicalEmail(a) == CanonicalEmail(b) }

// CanonicalDomain returns the form in which two spellings of one domain are
// equal: trimmed, in ASCII (UTS 46, nontransitional), in lower case, without an
// @ before it and without a final dot. What UTS 46 does not allow is
// case-folded.
func CanonicalDomain(domain string) string {
	domain = strings.TrimPrefix(strings.TrimSpace(domain), "@")
	ascii, err := comparison.ToASCII(domain)
	if err != nil {
		ascii = foldCase(domain)
	}
	return strings.TrimRight(ascii, ".")
}

// EmailDomain returns the canonical domain of an address; of a text without @,
// the whole text.
func EmailDomain(email string) string {
	return CanonicalDomain(email[strings.LastIndexByte(email, '@')+1:])
}

// DomainAndParents returns a canonical domain followed by each domain above it:
// a suppression of any of them covers the domain.
func DomainAndParents(domain string) []string {
	domains := []string{domain}
	for {
		_, parent, ok := strings.Cut(domain, ".")
		if !ok {
			return domains
		}
		domain = parent
		domains = append(domains, domain)
	}
}

// comparison maps a domain by UTS 46. Names that DNS refuses, such as those with
// an underscore, are mapped too.
var comparison = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false))

// foldCase returns text in NFC with letters that differ only in case made equal, by
// the full case folding of Unicode: ß is ss.
func foldCase(text string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(text)))
}

// ValidateEmail adds a fault unless email is a bare addr-spec (RFC 5322) within
// the lengths of RFC 5321, section 4.5.3.1: 254 octets, 64 of them before the @.
// Its domain, which may end in the dot of the root, must be one that ValidateDomain
// takes. Invisible characters are refused.
func ValidateEmail(faults *Faults, path Path, email string) {
	if email == "" {
		faults.Add(path, FieldRequired, "%s is required.", path.name())
		return
	}
	if !isEmail(email) {
		faults.Add(path, FieldInvalid, "%s must be an e-mail address, such as ann@example.com.", path.name())
	}
}

func isEmail(email string) bool {
	email = WithoutRoot(email)
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || parsed.Name != "" || len(email) > 254 {
		return false
	}
	local, domain, _ := strings.Cut(email, "@")
	return len(local) <= 64 && !strings.ContainsFunc(local, notInEmail) && isDomain(domain)
}

// isDomain reports whether domain, in any spelling, is the name of a host with at
// least two labels.
func isDomain(domain string) bool {
	if strings.ContainsFunc(domain, notInEmail) {
		return false
	}
	ascii, err := comparison.ToASCII(domain)
	return err == nil && IsHostname(strings.TrimSuffix(ascii, "."))
}

// WithoutRoot returns an address without the dot of the DNS root at its end, which
// SMTP does not allow (RFC 5321, section 4.1.2).
func WithoutRoot(email string) string { return strings.TrimSuffix(email, ".") }

func notInEmail(r rune) bool {
	return strings.ContainsRune(`<>"`, r) || unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf)
}

// hostname is two or more labels of letters, digits and hyphens, none of which begins
// or ends with a hyphen (RFC 1123, section 2.1).
var hostname = regexp.MustCompile(`^(?:` + label + `\.)+` + label + `$`)

const label = `[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?`

// IsHostname reports whether name is a dotted host name in ASCII and lower case. The
// last label is not a number, as in addresses of IPv4. Labels in Punycode must not begin
// or end with a hyphen in Unicode either (RFC 5891, section 4.2.3.1).
func IsHostname(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if len(name) > 253 || !hostname.MatchString(name) || strings.Trim(last, "0123456789") == "" {
		return false
	}
	unicode, _ := idna.Punycode.ToUnicode(name)
	dotted := "." + unicode + "."
	return !strings.Contains(dotted, ".-") && !strings.Contains(dotted, "-.")
}

// ValidateDomain adds a fault unless domain, in any spelling, is a host name
// with at least two labels.
func ValidateDomain(faults *Faults, path Path, domain string) {
	if !isDomain(domain) {
		faults.Add(path, FieldInvalid, "%s must be a domain, such as example.com.", path.name())
	}
}
