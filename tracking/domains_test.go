package tracking_test

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/tracking"
)

// names answers for the DNS; what it lacks does not exist, an empty answer is a
// server that says nothing.
type names map[string]string

func (n names) LookupCNAME(_ context.Context, host string) (string, error) {
	name, ok := n[host]
	switch {
	case !ok:
		return "", &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	case name == "":
		return "", &net.DNSError{Err: "i/o timeout", Name: host, IsTimeout: true, IsTemporary: true}
	}
	return name, nil
}

const (
	pending  = outreach.TrackingDomainPending
	verified = outreach.TrackingDomainVerified
)

func TestSetDomain(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	dns := names{
		"links.good.test": "app.outreach.test.", "links.other.test": "elsewhere.test.", "links.plain.test": "links.plain.test.",
		"links.balanced.test": "lb-1.cloud.test.", "app.outreach.test": "LB-1.cloud.test.", "links.silent.test": "",
	}
	for host, want := range map[string]struct {
		host   string
		status outreach.TrackingDomainStatus
	}{
		"links.good.test":     {"links.good.test", verified},
		" Links.GOOD.test. ":  {"links.good.test", verified},
		"links.balanced.test": {"links.balanced.test", verified},
		"links.other.test":    {"links.other.test", pending},
		"links.plain.test":    {"links.plain.test", pending},
		"links.nowhere.test":  {"links.nowhere.test", pending},
		"links.silent.test":   {"links.silent.test", pending},
	} {
		workspace, err := s.CreateWorkspace(t.Context(), host)
		must(t, err)
		domains := &tracking.Domains{Store: s.Stores, Resolver: dns, BaseURL: "https://app.outreach.test:8443/"}
		got, err := domains.Set(t.Context(), workspace, host)
		must(t, err)
		expected := outreach.TrackingDomain{Host: want.host, Status: want.status, Target: "app.outreach.test", VerifiedAt: got.VerifiedAt}
		if diff := cmp.Diff(expected, got); diff != "" || (got.VerifiedAt != nil) != (want.status == verified) {
			t.Errorf("%q: %s, verified at %v", host, diff, got.VerifiedAt)
		}
		stored, err := domains.Domain(t.Context(), workspace)
		must(t, err)
		if diff := cmp.Diff(&got, stored); diff != "" {
			t.Errorf("%q as stored: %s", host, diff)
		}
		s.exec(t, `DELETE FROM tracking_domains`)
	}
}

func TestDomainsThatCannotBe(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	workspace, err := s.CreateWorkspace(t.Context(), "w")
	must(t, err)
	domains := &tracking.Domains{Store: s.Stores, Resolver: names{}, BaseURL: baseURL}
	for _, host := range []string{"", "localhost", "https://links.acme.test", "links.acme.test/x", "links.acme.test:80",
		"a b.test", base, "127.0.0.1:80"} {
		_, err := domains.Set(t.Context(), workspace, host)
		refused, ok := errors.AsType[*outreach.Error](err)
		if !ok || refused.Code != outreach.CodeValidation || len(refused.Fields) != 1 || refused.Fields[0].Pointer() != "/host" {
			t.Errorf("%q: %v, want /host refused", host, err)
		}
	}
	got, err := domains.Domain(t.Context(), workspace)
	if got != nil || err != nil {
		t.Errorf("domain %v, error %v, want none", got, err)
	}
}

func TestDomainOfAnotherWorkspace(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	h := s.house(t, "acme")
	other, err := s.CreateWorkspace(t.Context(), "other")
	must(t, err)
	domains := &tracking.Domains{Store: s.Stores, Resolver: names{h.host: base}, BaseURL: baseURL}
	if _, err := domains.Set(t.Context(), other, h.host); outreach.CodeOf(err) != outreach.CodeConflict {
		t.Errorf("error %v, want a conflict", err)
	}
	_, err = domains.Set(t.Context(), h.id, h.host)
	must(t, err)
}

func TestVerifiedDomainWhenTheDNSFails(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	h := s.house(t, "acme")
	for _, step := range []struct {
		name string
		dns  names
		want outreach.TrackingDomainStatus
	}{
		{"silent", names{h.host: ""}, verified}, {"taken away", names{}, pending},
		{"silent again", names{h.host: ""}, pending}, {"back", names{h.host: base}, verified},
	} {
		domains := &tracking.Domains{Store: s.Stores, Resolver: step.dns, BaseURL: baseURL}
		got, err := domains.Set(t.Context(), h.id, h.host)
		must(t, err)
		if got.Status != step.want {
			t.Errorf("%s: %s, want %s", step.name, got.Status, step.want)
		}
	}
}

func TestBaseHostInDev(t *testing.T) {
	t.Parallel()
	s := openStage(t)
	domains := &tracking.Domains{Store: s.Stores, Resolver: names{}, BaseURL: "http://127.0.0.1:8080", BaseVerified: true}
	for range 2 {
		workspace, err := s.CreateWorkspace(t.Context(), "w")
		must(t, err)
		got, err := domains.Set(t.Context(), workspace, "127.0.0.1:8080")
		must(t, err)
		if got.Status != verified || got.Host != "127.0.0.1:8080" {
			t.Errorf("%+v, want it verified", got)
		}
	}
}
