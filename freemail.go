package outreach

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/net/publicsuffix"
)

//go:embed freemail.txt
var freeMailList string

// freeMail returns the domains of freemail.txt, read once.
var freeMail = sync.OnceValue(func() map[string]bool {
	domains := map[string]bool{}
	for line := range strings.Lines(freeMailList) {
		domain, _, _ := strings.Cut(line, "#")
		if domain = strings.TrimSpace(domain); domain != "" {
			domains[domain] = true
		}
	}
	return domains
})

// IsFreeMail reports whether a canonical domain, or the registrable domain above it, offers
// addresses to the public, so two people who share it may have different employers.
func IsFreeMail(domain string) bool {
	return freeMail()[domain] || freeMail()[RegistrableDomain(domain)]
}

// RegistrableDomain returns the domain that its owner registered: acme.com for uk.acme.com and for
// acme.com, acme.co.uk for acme.co.uk. A public suffix is returned unchanged.
func RegistrableDomain(domain string) string {
	if registrable, err := publicsuffix.EffectiveTLDPlusOne(domain); err == nil {
		return registrable
	}
	return domain
}

// Site returns the registrable domain that colleagues at a canonical domain share, "" if the domain
// is a free mail provider's.
func Site(domain string) string {
	if IsFreeMail(domain) {
		return ""
	}
	return RegistrableDomain(domain)
}
