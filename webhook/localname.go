package webhook

import "strings"

// localDomains are the names, including all names below them, that public DNS does not resolve or
// resolves to internal addresses. A single label is local without being listed.
//
// .example is not listed: RFC 6761 section 6.5 asks software to treat it like any other name.
var localDomains = map[string]bool{
	// Special use: RFC 6761, 6762, 7686, 8375, 9476, and all of arpa.
	"localhost": true,
	"local":     true,
	"test":      true,
	"invalid":   true,
	"onion":     true,
	"alt":       true,
	"arpa":      true,
	// Reserved or withheld by ICANN because internal networks use them.
	"internal": true,
	"corp":     true,
	"home":     true,
	"mail":     true,
	// Common in internal networks: RFC 6762 appendix G, routers, containers.
	"intranet":    true,
	"private":     true,
	"lan":         true,
	"localdomain": true,
	"domain":      true,
	"workgroup":   true,
	"svc":         true,
	"docker":      true,
	"consul":      true,
	// Public names of cloud metadata services, and the cluster's own API.
	"metadata.goog":           true,
	"metadata.tencentyun.com": true,
	"kubernetes.default":      true,
}

// isLocalName expects a name as mapName returns it.
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
