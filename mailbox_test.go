package outreach_test

import (
	"slices"
	"strconv"
	"strings"
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

// The names of folders are checked one by one.
func TestFolderNames(t *testing.T) {
	t.Parallel()
	many := make([]string, 21)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for what, test := range map[string]struct {
		folders []string
		want    []string
	}{
		"usual":     {nil, nil},
		"good":      {[]string{"INBOX", "Antworten/März", "[Gmail]/All Mail"}, nil},
		"none":      {[]string{}, []string{"/folders invalid"}},
		"too many":  {many, []string{"/folders too_long"}},
		"empty":     {[]string{"INBOX", " "}, []string{"/folders/1 invalid"}},
		"a control": {[]string{"A\r\nB"}, []string{"/folders/0 invalid"}},
		"too long":  {[]string{strings.Repeat("é", 256)}, []string{"/folders/0 too_long"}},
	} {
		box := outreach.NewMailbox()
		box.Folders = test.folders
		box.Normalize()
		var got []string
		for _, fault := range outreach.FaultsOf(box.Validate()) {
			if strings.HasPrefix(fault.Path.Pointer(), "/folders") {
				got = append(got, fault.Path.Pointer()+" "+string(fault.Code))
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", what, got, test.want)
		}
	}
	box := outreach.NewMailbox()
	box.Folders = []string{"B", "Inbox", "B ", "INBOX", "M\u00e4rz", "Ma\u0308rz"}
	box.Normalize()
	if want := []string{"B", "INBOX", "M\u00e4rz"}; !slices.Equal(box.Folders, want) {
		t.Errorf("folders %q, want each once: %q", box.Folders, want)
	}
}
