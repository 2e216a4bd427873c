package outreach

import (
	_ "embed"
	"strings"
	"sync"
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

// IsFreeMail reports whether a canonical domain gives addresses to the public, so
// that two people who share it need not share an employer.
func IsFreeMail(domain string) bool { return freeMail()[domain] }
