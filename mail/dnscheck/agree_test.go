package dnscheck_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"blitiri.com.ar/go/spf"
	"github.com/emersion/go-msgauth/dmarc"

	"outreach"
	"outreach/sandbox"
)

// resolverOf is the Go resolver with one server.
func resolverOf(s *sandbox.NameServer) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Addr())
	}}
}

// records makes SPF records of a small world in which some names do not exist, some
// servers fail, and records include each other.
type records struct{ *rand.Rand }

func (r records) pick(from ...string) string { return from[r.IntN(len(from))] }

func (r records) term() string {
	name := func() string { return r.pick("host.test", "host.test", "host.test", "r1.test", "gone.test") }
	include := func() string { return fmt.Sprintf("r%d.test", 1+r.IntN(6)) }
	switch n := r.IntN(60); {
	case n < 10:
		return r.pick("", "+", "-", "~", "?") + "a:" + name()
	case n < 14:
		return "mx:host.test" + r.pick("", "/24", "/24//64")
	case n < 34:
		return r.pick("", "", "", "?", "-") + "include:" + include()
	case n < 42:
		return "ip4:192.0.2." + fmt.Sprint(r.IntN(255)) + r.pick("", "/28", "/32")
	case n < 45:
		return "ip6:2001:db8::" + r.pick("1", "2/64", "/32")
	case n < 48:
		return "exists:" + name()
	case n < 50:
		return "redirect=" + include()
	case n < 51:
		return "unknown=modifier"
	case n < 54:
		return "include:x.servfail.test"
	}
	return r.pick("-all", "~all", "?all", "+all")
}

func (r records) record() string {
	terms := []string{"v=spf1"}
	// An error counts wherever it stands (section 4.6); theirs stops at the first match.
	if r.IntN(12) == 0 {
		terms = append(terms, r.pick("ip4:1.2.3", "ip4:192.0.2.1/40", "nonsense", "a:host.test/99", "include:"))
	}
	for range r.IntN(6) {
		terms = append(terms, r.term())
	}
	return strings.Join(append(terms, r.pick("-all", "~all", "redirect=r3.test", "", "")), " ")
}

// Our verdict on 200 records is that of an implementation by others, asked for a sender that none
// of them names: permerror is fail, temperror unknown.
func TestSPFAgrees(t *testing.T) {
	t.Parallel()
	r := records{rand.New(rand.NewPCG(17, 11))}
	seen := map[outreach.RecordResult]int{}
	for n := range 200 {
		zone := "host.test. 60 IN A 192.0.2.7\nhost.test. 60 IN AAAA 2001:db8::7\nhost.test. 60 IN MX 1 host.test.\n"
		for i := range 7 {
			if r.IntN(20) > 0 {
				zone += fmt.Sprintf("r%d.test. 60 IN TXT %q\n", i, strings.TrimSpace(r.record()))
			}
		}
		s := nameServer(t, zone)
		theirs, err := spf.CheckHostWithSender(net.ParseIP("203.0.113.9"), "r0.test", "u@r0.test",
			spf.WithResolver(resolverOf(s)), spf.WithContext(t.Context()))
		want := outreach.RecordUnknown // valid, of a server that is not known
		fault := false
		switch theirs {
		case spf.PermError:
			want = outreach.RecordFail
		case spf.None:
			want = outreach.RecordNone
		case spf.TempError:
			fault = true
		}
		got := checker(s).CheckDomain(t.Context(), custom("r0.test"))
		spfFault := got.SPF.Result == outreach.RecordUnknown && strings.Contains(got.SPF.Detail, "did not answer")
		if got.SPF.Result != want || spfFault != fault {
			t.Errorf("%d: %s (%s), but theirs is %s (%v)\n%s", n, got.SPF.Result, got.SPF.Detail, theirs, err, zone)
		}
		seen[got.SPF.Result]++
		_ = s.Close()
	}
	if seen[outreach.RecordFail] < 20 || seen[outreach.RecordUnknown] < 20 || seen[outreach.RecordNone] < 3 {
		t.Errorf("the records are too much alike: %v", seen)
	}
	t.Logf("200 records agree: %v", seen)
}

// A record authorises a provider if and only if an implementation by others lets a server of the
// provider pass. Errors behind the term that decides reach no receiver, so records with them are not
// compared.
func TestSPFAuthorisesAgrees(t *testing.T) {
	t.Parallel()
	r := records{rand.New(rand.NewPCG(17, 14))}
	providers := []*outreach.KnownProvider{{Name: "Provider", SPF: []string{"_spf.provider.test"}}}
	seen := map[outreach.RecordResult]int{}
	for range 400 {
		zone := "host.test. 60 IN A 192.0.2.7\nhost.test. 60 IN AAAA 2001:db8::7\nhost.test. 60 IN MX 1 host.test.\n" +
			"_spf.provider.test. 60 IN TXT \"v=spf1 ip4:203.0.113.0/24 ~all\"\n"
		for i := range 7 {
			record := r.record()
			if r.IntN(2) == 0 {
				terms := strings.Fields(record)
				terms = slices.Insert(terms, 1+r.IntN(len(terms)), r.pick("", "", "-", "?", "~")+"include:_spf.provider.test")
				record = strings.Join(terms, " ")
			}
			zone += fmt.Sprintf("r%d.test. 60 IN TXT %q\n", i, record)
		}
		s := nameServer(t, zone)
		got := checker(s).SPF(t.Context(), "r0.test", providers)
		if got.Result == outreach.RecordPass || strings.Contains(got.Detail, "does not authorise") {
			theirs, err := spf.CheckHostWithSender(net.ParseIP("203.0.113.9"), "r0.test", "u@r0.test",
				spf.WithResolver(resolverOf(s)), spf.WithContext(t.Context()))
			if (got.Result == outreach.RecordPass) != (theirs == spf.Pass) {
				t.Errorf("%s (%s), but theirs is %s (%v)\n%s", got.Result, got.Detail, theirs, err, zone)
			}
			seen[got.Result]++
		}
		if len(got.Publish) > 0 {
			s.Remove("r0.test")
			if err := s.Add(fmt.Sprintf("r0.test. 60 IN TXT %q", got.Publish[0].Value)); err != nil {
				t.Fatal(err)
			}
			again := checker(s).SPF(t.Context(), "r0.test", providers)
			if strings.Contains(again.Detail, "does not authorise") {
				t.Errorf("what is to publish does not authorise the provider either: %s\n%s", got.Publish[0].Value, zone)
			}
		}
		_ = s.Close()
	}
	if seen[outreach.RecordPass] < 40 || seen[outreach.RecordFail] < 40 {
		t.Errorf("the records are too much alike: %v", seen)
	}
	t.Logf("agree: %v", seen)
}

// The same for DMARC.
func TestDMARCAgrees(t *testing.T) {
	t.Parallel()
	r := records{rand.New(rand.NewPCG(17, 12))}
	seen := map[outreach.RecordResult]int{}
	for range 200 {
		tags := []string{r.pick("v=DMARC1", "v=DMARC1", "v=DMARC1", "v=DMARC1", " v=DMARC1", "v=DMARC2", "x=DMARC1"),
			r.pick("p=none", "p=quarantine", " p = reject ", "p=none", "p=nothing", "", "P=none")}
		others := []string{" sp=none", "pct=20", "adkim=s", "aspf=r", "fo=1", "ri=3600", "rf=afrf", "later=1"}
		for _, i := range r.Perm(len(others))[:r.IntN(4)] {
			tags = append(tags, others[i])
		}
		record := strings.Join(tags, ";") + r.pick("", ";", "; ")
		s := nameServer(t, fmt.Sprintf("_dmarc.d.test. 60 IN TXT %q\n", record))
		theirs, err := dmarc.LookupWithOptions("d.test", &dmarc.LookupOptions{LookupTXT: func(name string) ([]string, error) {
			return resolverOf(s).LookupTXT(t.Context(), name)
		}})
		got := checker(s).CheckDomain(t.Context(), custom("d.test"))
		valid := got.DMARC.Result == outreach.RecordPass
		if valid != (err == nil) || valid && *got.DMARCPolicy != string(theirs.Policy) {
			t.Errorf("%q: %s (%s), but theirs is %v (%v)", record, got.DMARC.Result, got.DMARC.Detail, theirs, err)
		}
		seen[got.DMARC.Result]++
		_ = s.Close()
	}
	if seen[outreach.RecordPass] < 50 || seen[outreach.RecordFail] < 20 || seen[outreach.RecordNone] < 20 {
		t.Errorf("the records are too much alike: %v", seen)
	}
	t.Logf("200 records agree: %v", seen)
}
