package outreach

// KnownProviders returns all providers of mailproviders.txt.
var KnownProviders = knownProviders
