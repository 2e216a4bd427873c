package outreach_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"outreach"
)

func TestMailboxesNameEachMissingServer(t *testing.T) {
	t.Parallel()
	whole := outreach.MailServer{Host: "mail.x.test", Port: 465, Username: "a", Password: "p", Security: outreach.SecurityTLS}
	port := func(n int) outreach.MailServer { s := whole; s.Port = n; return s }
	for name, c := range map[string]struct {
		smtp outreach.MailServer
		want []string
	}{
		"none": {outreach.MailServer{},
			[]string{"/smtp required", "/smtp/host required", "/smtp/port required", "/smtp/username required",
				"/smtp/password required", "/smtp/security required"}},
		"no port":     {port(0), []string{"/smtp/port required"}},
		"a port over": {port(65536), []string{"/smtp/port invalid"}},
		"whole":       {whole, nil},
	} {
		box := outreach.NewMailbox()
		box.Email, box.SMTP, box.IMAP = "a@x.test", c.smtp, whole
		var got []string
		if err := box.Validate(); err != nil {
			for _, fault := range err.(*outreach.Error).Fields {
				got = append(got, fault.Pointer()+" "+string(fault.Code))
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
