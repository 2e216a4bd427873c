package dnscheck

import (
	"context"

	"outreach"
)

// SPF judges the record of a domain for which exactly these providers send.
func (c Checker) SPF(ctx context.Context, domain string, providers []*outreach.KnownProvider) outreach.RecordCheck {
	check, _ := checkSPF(ctx, c.Resolver.Begin(), domain, providers, true)
	return check
}

// ParseSPF returns why a record is not valid.
func ParseSPF(record string) error {
	_, err := parseSPF(record)
	return err
}

// ParseDMARC returns why a record is not valid.
func ParseDMARC(record string) error {
	_, err := parseDMARC(record)
	return err
}
