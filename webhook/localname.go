package webhook

import "strings"

// localDomains are the names, with everything below them, that public DNS does
// not answer for or answers for with an inner address. A single label is local
// without being listed.
//
// Not here: .example, which RFC 6761 section 6.5 asks software to treat like any
// other name.
var localDomains = map[string]bool{
	// Special use: RFC 6761, 6762, 7686, 8375, 9476, and all of arpa.
	"localhost": true,
	"local":     true,
	"test":      true,
	"invalid":   true,
	"onion":     true,
	"alt":       true,
	"arpa":      true,
	// Reserved or withheld by ICANN because inner networks use them.
	"internal": true,
	"corp":     true,
	"home":     true,
	"mail":     true,
	// Customary inside: RFC 6762 appendix G, routers, containers.
	"intranet":    true,
	"private":     true,
	"lan":         true,
	"localdomain": true,
	"domain":      true,
	"workgroup":   true,
	"svc":         true,
	"docker":      true,
	"consul":      true,
	// Public names by which clouds serve metadata, and the cluster's own API.
	"metadata.goog":           true,
	"metadata.tencentyun.com": true,
	"kubernetes.default":      true,
}

// isLocalName expects a name as mapName gives it.
func isLocalName(name string) bool {
	if !strings.Contains(name, ".") {
		return true
	}
	for {
		if localDomains[name] {
			return true
		}
		_, parent, found := strings.Cut(name, ".")
		if !found {
			return false
		}
		name = parent
	}
}
