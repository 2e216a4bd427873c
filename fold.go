package outreach

// FoldEmail is CanonicalEmail.
func FoldEmail(email string) string { return CanonicalEmail(email) }

// FoldDomain is CanonicalDomain.
func FoldDomain(domain string) string { return CanonicalDomain(domain) }
