package webhook

import (
	"net/netip"
	"strings"

	"golang.org/x/net/idna"
)

// host is the parsed host of a URL: an address literal, or an ASCII name in lower case without its
// final dot.
type host struct {
	addr  netip.Addr // set for a literal
	name  string     // set for a name
	port  uint16     // that of the URL
	local bool       // the name is only known in an internal network
}

// String returns the host as the request spells it.
func (h host) String() string {
	if h.addr.Is6() {
		return "[" + h.addr.String() + "]"
	}
	if h.addr.IsValid() {
		return h.addr.String()
	}
	return h.name
}

// query returns the host as the resolver gets it. A public name gets a final dot, because a search
// domain of this machine must not turn it into an internal name; a local name may need the search
// domain.
func (h host) query() string {
	if h.local {
		return h.name
	}
	return h.name + "."
}

// parseHost checks the spelling of a host the way net/http reads it: first IDNA mapping (UTS 46),
// then all rules on the result. bracketed reports that the host was in square brackets.
func parseHost(raw string, bracketed bool) (host, error) {
	if strings.Contains(raw, "%") {
		return host{}, refuse("must not contain an IPv6 zone")
	}
	if bracketed {
		return parseIPv6(raw)
	}
	name, err := mapName(raw)
	if err != nil {
		return host{}, err
	}
	if endsInNumber(name) {
		return parseIPv4(name)
	}
	if err := checkLabels(name); err != nil {
		return host{}, err
	}
	return host{name: name, local: isLocalName(name)}, nil
}

func parseIPv6(raw string) (host, error) {
	addr, err := netip.ParseAddr(raw)
	if err != nil || !addr.Is6() {
		return host{}, refuse("has an address in brackets that is not an IPv6 address")
	}
	return host{addr: addr}, nil
}

// parseIPv4 accepts only four decimal numbers with dots. Resolvers of the C library read 127.1,
// 0x7f.1 and 2130706433 as loopback. A host name cannot end in a number, so every other form is
// refused.
func parseIPv4(name string) (host, error) {
	addr, err := netip.ParseAddr(name)
	if err != nil || !addr.Is4() {
		return host{}, refuse("has a numeric host that is not a plain IPv4 address")
	}
	return host{addr: addr}, nil
}

// mapName returns the ASCII form of a name for DNS, without its final dot.
func mapName(raw string) (string, error) {
	mapped := strings.ToLower(raw)
	if !isASCII(raw) || strings.Contains(mapped, "xn--") {
		ascii, err := idna.Lookup.ToASCII(raw)
		if err != nil {
			return "", refuse("has a host name that is not valid")
		}
		mapped = strings.ToLower(ascii)
	}
	mapped = strings.TrimSuffix(mapped, ".")
	if mapped == "" {
		return "", refuse("must have a host")
	}
	return mapped, nil
}

// endsInNumber implements the test of the WHATWG URL standard (host parsing) for hosts that are
// meant as an IPv4 address.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if digits, isHex := strings.CutPrefix(last, "0x"); isHex {
		return strings.Trim(digits, "0123456789abcdef") == ""
	}
	return allDigits(last)
}

// checkLabels checks the lengths of RFC 1035 section 2.3.4 and allows letters, digits, hyphens,
// and the underscore that some receivers have.
func checkLabels(name string) error {
	if len(name) > 253 {
		return refuse("has a host name that is too long")
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return refuse("has a host name that is not valid")
		}
	}
	return nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
