package dnscheck

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// spfTerm is one mechanism or modifier of an SPF record (RFC 7208, sections 5 and 6).
type spfTerm struct {
	qualifier byte   // of a mechanism: + - ~ ?; 0 for a modifier
	name      string // in lower case
	domain    string // its domain-spec; empty when there is none
}

// looksUp reports whether the term counts towards the limit of ten (section 4.6.4).
func (t spfTerm) looksUp() bool {
	switch t.name {
	case "include", "a", "mx", "ptr", "exists":
		return t.qualifier != 0
	case "redirect":
		return t.qualifier == 0
	}
	return false
}

// hasMacro reports whether the domain depends on the message.
func (t spfTerm) hasMacro() bool { return strings.Contains(t.domain, "%") }

// isSPF reports whether a text is an SPF record (section 4.5).
func isSPF(text string) bool {
	version, _, _ := strings.Cut(text, " ")
	return strings.EqualFold(version, "v=spf1")
}

// malformed is why a record means permerror to every receiver.
type malformed struct{ reason string }

func (m *malformed) Error() string { return m.reason }

func malformedf(format string, args ...any) error { return &malformed{fmt.Sprintf(format, args...)} }

// parseSPF returns the terms of a record that isSPF accepts. Any error of syntax makes
// the whole record malformed (section 4.6).
func parseSPF(record string) ([]spfTerm, error) {
	var terms []spfTerm
	once := map[string]bool{}
	for i, text := range strings.Split(record, " ") {
		if i == 0 || text == "" {
			continue
		}
		term, err := parseTerm(text)
		if err != nil {
			return nil, err
		}
		if term.qualifier == 0 && (term.name == "redirect" || term.name == "exp") {
			if once[term.name] {
				return nil, malformedf("%s= appears twice", term.name)
			}
			once[term.name] = true
		}
		terms = append(terms, term)
	}
	return terms, nil
}

var (
	modifier   = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_.-]*)=(.*)$`)
	mechanism  = regexp.MustCompile(`^([-+~?]?)([A-Za-z0-9]+)(?::([^/]*(?:/[^/0-9][^/]*)*))?((?:/[0-9]*)?(?://[0-9]*)?)$`)
	macroText  = regexp.MustCompile(`^(?:[!-$&-~]|%%|%_|%-|%\{[slodiphcrtvSLODIPHCRTV][0-9]*[rR]?[-.+,/_=]*\})*$`)
	macroAtEnd = regexp.MustCompile(`%\{[^}]*\}$`)
	topLabel   = regexp.MustCompile(`\.([A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*|[A-Za-z0-9]+-[A-Za-z0-9-]*[A-Za-z0-9])\.?$`)
)

func parseTerm(text string) (spfTerm, error) {
	if m := modifier.FindStringSubmatch(text); m != nil {
		term := spfTerm{name: strings.ToLower(m[1]), domain: m[2]}
		known := term.name == "redirect" || term.name == "exp"
		if known && !isDomainSpec(term.domain) || !macroText.MatchString(term.domain) {
			return term, malformedf("%q is not a valid modifier", text)
		}
		return term, nil
	}
	if qualifier, name, address := cutAddress(text); name != "" {
		term := spfTerm{qualifier: qualifier, name: "ip"}
		if !isNetwork(address, name == "ip4") {
			return term, malformedf("%q is not a valid network", text)
		}
		return term, nil
	}
	m := mechanism.FindStringSubmatch(text)
	if m == nil {
		return spfTerm{}, malformedf("%q is not a valid term", text)
	}
	term := spfTerm{qualifier: '+', name: strings.ToLower(m[2]), domain: m[3]}
	if m[1] != "" {
		term.qualifier = m[1][0]
	}
	hasDomain, prefix := strings.Contains(text, ":"), m[4]
	var valid bool
	switch term.name {
	case "all":
		valid = !hasDomain && prefix == ""
	case "include", "exists":
		valid = isDomainSpec(term.domain) && prefix == ""
	case "ptr":
		valid = (!hasDomain || isDomainSpec(term.domain)) && prefix == ""
	case "a", "mx":
		valid = (!hasDomain || isDomainSpec(term.domain)) && isPrefixPair(prefix)
	}
	if !valid {
		return term, malformedf("%q is not a valid term", text)
	}
	return term, nil
}

func isDomainSpec(text string) bool {
	return macroText.MatchString(text) && (macroAtEnd.MatchString(text) || topLabel.MatchString(text))
}

// isPrefixPair reports whether text is /n, //n, /n//n or empty, in range.
func isPrefixPair(text string) bool {
	four, six, both := strings.Cut(text, "//")
	if both && !isPrefix(six, 128) {
		return false
	}
	return four == "" || isPrefix(four[1:], 32)
}

func isPrefix(text string, most int) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n <= most && strconv.Itoa(n) == text
}

// cutAddress splits a term that begins with ip4 or ip6; name is empty for any other term.
func cutAddress(text string) (qualifier byte, name, address string) {
	qualifier = '+'
	if text[0] == '-' || text[0] == '+' || text[0] == '~' || text[0] == '?' {
		qualifier, text = text[0], text[1:]
	}
	name, address, _ = strings.Cut(text, ":")
	if name = strings.ToLower(name); name != "ip4" && name != "ip6" {
		return 0, "", ""
	}
	return qualifier, name, address
}

// isNetwork reports whether address is an address of IPv4, or of IPv6, with or without a length.
func isNetwork(address string, four bool) bool {
	host, bits, hasBits := strings.Cut(address, "/")
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Zone() == "" && ip.Is4() == four && (!hasBits || isPrefix(bits, ip.BitLen()))
}
