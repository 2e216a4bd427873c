package outreach

import (
	"net/mail"
	"regexp"
	"slices"
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
// the lengths of RFC 5321, section 4.5.3.1: 254 octets, 64 of them before the @,
// with a domain that has an ASCII form and may end in the dot of the root. Invisible
// characters are refused.
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
	if err != nil || parsed.Address != email || parsed.Name != "" || strings.ContainsFunc(email, notInEmail) {
		return false
	}
	local, domain, _ := strings.Cut(email, "@")
	ascii, err := comparison.ToASCII(domain)
	ascii = strings.TrimSuffix(ascii, ".")
	return err == nil && len(email) <= 254 && len(local) <= 64 && len(ascii) <= 253 &&
		!slices.ContainsFunc(strings.Split(ascii, "."), badLabel)
}

// WithoutRoot returns an address without the dot of the DNS root at its end, which
// SMTP does not allow (RFC 5321, section 4.1.2).
func WithoutRoot(email string) string { return strings.TrimSuffix(email, ".") }

func badLabel(label string) bool { return label == "" || len(label) > 63 }

func notInEmail(r rune) bool {
	return strings.ContainsRune(`<>"`, r) || unicode.IsSpace(r) || unicode.In(r, unicode.Cc, unicode.Cf)
}

var hostname = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$`)

// IsHostname reports whether name is a dotted host name in ASCII and lower case.
func IsHostname(name string) bool { return len(name) <= 253 && hostname.MatchString(name) }

// ValidateDomain adds a fault unless domain, in any spelling, is a host name
// with at least two labels.
func ValidateDomain(faults *Faults, path Path, domain string) {
	if strings.ContainsFunc(domain, notInEmail) || !IsHostname(CanonicalDomain(domain)) {
		faults.Add(path, FieldInvalid, "%s must be a domain, such as example.com.", path.name())
	}
}
