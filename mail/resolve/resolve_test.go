package resolve_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"outreach/mail/resolve"
	"outreach/sandbox"
)

func server(t *testing.T, zone string) *sandbox.NameServer {
	t.Helper()
	s, err := sandbox.StartNameServer(zone)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func lookup(t *testing.T, zone string) *resolve.Lookup {
	t.Helper()
	return resolve.Resolver{Servers: []string{server(t, zone).Addr()}, Timeout: 300 * time.Millisecond}.Begin()
}

func TestTXT(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	l := lookup(t, fmt.Sprintf(`
a.test. 60 IN TXT "one"
a.test. 60 IN TXT "two " "parts"
a.test. 60 IN A 192.0.2.1
quoted.test. 60 IN TXT "a \"b\" \\ \195\164"
alias.test. 60 IN CNAME a.test.
dangling.test. 60 IN CNAME nowhere.test.
many.large.test. 60 IN TXT "%[1]s" "%[1]s" "%[1]s" "%[1]s" "%[1]s" "%[1]s" "%[1]s"
`, long))
	for _, c := range []struct {
		name  string
		want  []string
		fault bool
	}{
		{name: "a.test", want: []string{"one", "two parts"}},
		{name: "A.Test.", want: []string{"one", "two parts"}},
		{name: "quoted.test", want: []string{`a "b" \ ä`}},
		{name: "alias.test", want: []string{"one", "two parts"}},
		{name: "dangling.test"},
		{name: "nowhere.test"},
		{name: ""},
		{name: strings.Repeat("label.", 60) + "test"},
		{name: "many.large.test", want: []string{strings.Repeat(long, 7)}},
		{name: "x.servfail.test", fault: true},
		{name: "x.late.test", fault: true},
		{name: "x.cut.test", fault: true},
		{name: "x.other.test", fault: true},
		{name: "x.loop.test", fault: true},
		{name: "x.garbage.test", fault: true},
		{name: "refused.example", fault: true},
	} {
		texts, err := l.TXT(t.Context(), c.name)
		if errors.Is(err, resolve.ErrFault) != c.fault || !c.fault && err != nil {
			t.Errorf("%s: error %v, want fault %v", c.name, err, c.fault)
		}
		if diff := cmp.Diff(c.want, texts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestOtherRecords(t *testing.T) {
	t.Parallel()
	l := lookup(t, `
a.test. 60 IN MX 10 Mail.A.test.
null.test. 60 IN MX 0 .
four.test. 60 IN A 192.0.2.1
six.test. 60 IN AAAA 2001:db8::1
_imaps._tcp.a.test. 60 IN SRV 0 1 993 imap.a.test.
_imap._tcp.a.test. 60 IN SRV 0 0 0 .
`)
	hosts, err := l.MX(t.Context(), "a.test")
	check(t, err, []resolve.MX{{Preference: 10, Host: "mail.a.test"}}, hosts)
	hosts, err = l.MX(t.Context(), "null.test")
	check(t, err, []resolve.MX{{}}, hosts)
	services, err := l.SRV(t.Context(), "_imaps._tcp.a.test")
	check(t, err, []resolve.SRV{{Weight: 1, Port: 993, Host: "imap.a.test"}}, services)
	services, err = l.SRV(t.Context(), "_imap._tcp.a.test")
	check(t, err, []resolve.SRV{{}}, services)
	for name, want := range map[string]bool{"four.test": true, "six.test": true, "a.test": false, "nowhere.test": false} {
		got, err := l.HasAddress(t.Context(), name)
		check(t, err, want, got)
	}
}

func check(t *testing.T, err error, want, got any) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A lookup asks at most 60 questions, whatever a zone makes it ask, and none twice.
func TestQuestionsAreBounded(t *testing.T) {
	t.Parallel()
	s := server(t, "")
	l := resolve.Resolver{Servers: []string{s.Addr()}}.Begin()
	for range 5 {
		if _, err := l.TXT(t.Context(), "same.test"); err != nil {
			t.Fatal(err)
		}
	}
	if s.Asked() != 1 {
		t.Errorf("one question was asked %d times", s.Asked())
	}
	var err error
	for i := range 100 {
		if _, err = l.TXT(t.Context(), fmt.Sprintf("n%d.test", i)); err != nil {
			break
		}
	}
	if !errors.Is(err, resolve.ErrFault) || s.Asked() != 60 {
		t.Errorf("%d questions, then %v; want 60 and a fault", s.Asked(), err)
	}
}

// The next server is asked when one does not know the name.
func TestNextServer(t *testing.T) {
	t.Parallel()
	l := resolve.Resolver{Servers: []string{"127.0.0.1:1", server(t, `a.test. 60 IN TXT "found"`).Addr()}, Timeout: time.Second}.Begin()
	texts, err := l.TXT(t.Context(), "a.test")
	check(t, err, []string{"found"}, texts)
}
