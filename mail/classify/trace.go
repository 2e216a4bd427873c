package classify

import (
	"bytes"
	"net/netip"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Bounds of the trace fields that are read.
const (
	maxTrace  = 60      // fields
	maxField  = 4 << 10 // bytes of one
	maxTokens = 20
)

// traceField is a Received or Authentication-Results field, unfolded.
type traceField struct {
	results bool // Authentication-Results
	value   string
}

// traceFields returns the trace fields of a raw header in order. Every server adds its own fields
// above the earlier ones.
func traceFields(raw []byte) (all []traceField) {
	open := false
	for len(raw) > 0 && len(all) < maxTrace {
		line, rest, _ := bytes.Cut(raw, []byte("\n"))
		raw = rest
		if line = bytes.TrimRight(line, "\r"); len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last := len(all) - 1; open && len(all[last].value) < maxField {
				all[last].value += " " + string(bytes.TrimSpace(line))
			}
			continue
		}
		name, value, _ := strings.Cut(clip(string(line), maxField), ":")
		name = strings.ToLower(strings.TrimSpace(name))
		open = name == "received" || name == "authentication-results"
		if open {
			all = append(all, traceField{name != "received", strings.TrimSpace(value)})
		}
	}
	return all
}

// Provider holds the names of the systems of a mailbox's provider.
type Provider struct {
	domains []string
}

// NewProvider returns the provider of a mailbox. hosts are the host names of its servers and the
// domain of its address.
func NewProvider(hosts ...string) Provider {
	var p Provider
	for _, host := range hosts {
		domain := organization(host)
		p.domains = append(p.domains, domain)
		for _, family := range families {
			if slices.Contains(family, domain) {
				p.domains = append(p.domains, family...)
			}
		}
	}
	return p
}

// families are the domains of providers that use several.
var families = [][]string{
	{"google.com", "gmail.com", "googlemail.com"},
	{"outlook.com", "office365.com", "microsoft.com", "hotmail.com", "live.com", "onmicrosoft.com"},
	{"yahoo.com", "yahoodns.net", "aol.com"},
	{"icloud.com", "apple.com", "me.com", "mac.com"},
	{"gmx.net", "gmx.de", "gmx.com", "web.de", "mail.com", "kundenserver.de"},
	{"fastmail.com", "messagingengine.com"},
	{"zoho.com", "zoho.eu", "zohomail.com"},
}

// alwaysChecks are providers that add Authentication-Results to every message and remove forged
// fields with their name. So the topmost field with their name is theirs at any position.
var alwaysChecks = []string{"google.com", "outlook.com", "yahoo.com", "icloud.com", "fastmail.com", "messagingengine.com"}

// organization returns the registrable domain of a host, or the host itself if it has none.
func organization(host string) string {
	host = strings.Trim(strings.ToLower(host), " .<>[]()")
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

func (p Provider) has(host string) bool {
	return host != "" && slices.Contains(p.domains, organization(host))
}

// Origin is the source of a message according to the mailbox's provider.
type Origin struct {
	// Provider is set when the message never left the provider's own systems.
	Provider bool
	// Domains are the domains that the provider authenticated (RFC 8601).
	Domains []string
}

// From reports whether the message comes from a domain or its organization, according to the
// provider.
func (o Origin) From(domain string) bool {
	return slices.ContainsFunc(o.Domains, func(d string) bool { return organization(d) == organization(domain) })
}

// Origin returns where the message comes from. It trusts only the fields of the first hop from
// outside and those above it, because strangers can write the others.
func (m *Message) Origin(p Provider) (o Origin) {
	inside, hops := true, 0
	for _, f := range m.trace {
		if !f.results {
			hops++
			inside = inside && p.internal(f.value)
			continue
		}
		if o.Domains == nil {
			o.Domains = []string{} // only the topmost field is the provider's
			server, results, _ := strings.Cut(f.value, ";")
			server, _, _ = strings.Cut(strings.TrimSpace(server), " ")
			if p.has(server) && (inside || slices.Contains(alwaysChecks, organization(server))) {
				o.Domains = passed(results)
			}
		}
	}
	o.Provider = inside && hops > 0 || slices.ContainsFunc(o.Domains, p.has)
	return o
}

var (
	receivedBy = regexp.MustCompile(`(?i)(?:^|\s)by\s+([^\s;()]+)`)
	ipLiteral  = regexp.MustCompile(`\[(?:IPv6:)?([0-9A-Fa-f.:]+)\]|\b(\d{1,3}(?:\.\d{1,3}){3})\b`)
)

// internal reports whether a Received field shows a hop inside the provider: one of its servers
// received the message from itself or from a private address.
func (p Provider) internal(received string) bool {
	by := receivedBy.FindStringSubmatchIndex(received)
	if by == nil || !p.has(received[by[2]:by[3]]) {
		return false
	}
	from := strings.ToLower(strings.TrimSpace(received[:by[0]]))
	if !strings.HasPrefix(from, "from") {
		return true
	}
	found := ipLiteral.FindAllStringSubmatch(from, 5)
	for _, ip := range found {
		addr, err := netip.ParseAddr(ip[1] + ip[2])
		if err != nil || !addr.IsLoopback() && !addr.IsPrivate() && !addr.IsLinkLocalUnicast() {
			return false
		}
	}
	return len(found) > 0 || strings.HasPrefix(from, "from localhost ") || from == "from localhost"
}

var (
	passResult   = regexp.MustCompile(`(?i)^\s*(dkim|spf|dmarc)\s*=\s*pass\b`)
	passProperty = regexp.MustCompile(`(?i)\b(?:header\.[di]|header\.from|smtp\.mailfrom|smtp\.helo)\s*=\s*"?([^\s;"()]+)`)
)

// passed returns the domains whose result is "pass".
func passed(results string) []string {
	domains := []string{}
	for result := range strings.SplitSeq(results, ";") {
		if !passResult.MatchString(result) {
			continue
		}
		for _, property := range passProperty.FindAllStringSubmatch(result, 5) {
			domain := property[1][strings.LastIndexByte(property[1], '@')+1:]
			if domain = strings.Trim(strings.ToLower(domain), "<>."); domain != "" {
				domains = append(domains, domain)
			}
		}
	}
	return domains
}

// tokenForm matches a possible token of a signed link.
var tokenForm = regexp.MustCompile(`[A-Za-z0-9_-]{47,}`)

// Tokens returns possible tokens of signed links in the message and in the messages that it quotes
// or returns.
func (m *Message) Tokens() (tokens []string) {
	texts := []string{m.Text}
	for _, p := range m.parts {
		texts = append(texts, p.text)
	}
	for _, text := range texts {
		if strings.Contains(text, "=\n") || strings.Contains(text, "=\r\n") { // returned as it was encoded
			text = strings.NewReplacer("=\r\n", "", "=\n", "").Replace(text)
		}
		for _, token := range tokenForm.FindAllString(text, maxTokens) {
			if !slices.Contains(tokens, token) && len(tokens) < maxTokens {
				tokens = append(tokens, token)
			}
		}
	}
	return tokens
}

// Shown returns the text of a report and of the message that it returns, at most 64 KiB. The caller
// checks whether it shows a certain message.
func (m *Message) Shown() string {
	var all strings.Builder
	for _, p := range m.parts {
		all.WriteString(p.text)
		all.WriteByte('\n')
		if all.Len() > 64<<10 {
			break
		}
	}
	if all.Len() == 0 {
		all.WriteString(m.body())
	}
	return clip(all.String(), 64<<10)
}
