package sandbox_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"outreach"
	"outreach/sandbox"
)

// A provider that replaces Message-IDs does so for recipients and the Sent folder alike, and names
// the new one only if it is told to.
func TestProviderThatReplacesMessageIDs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ids           sandbox.MessageIDs
		kept, answers string
	}{
		"kept":       {sandbox.KeepIDs, "<quiet.away.test@seller.test>", "OK: queued"},
		"named":      {sandbox.NameIDs, "", "new"},
		"replaced":   {sandbox.ReplaceIDs, "", "OK: queued"},
		"kept named": {sandbox.NameKeptIDs, "<quiet.away.test@seller.test>", "OK <quiet.away.test@seller.test> [Hostname=prod.sandbox.test]"},
		"constant":   {sandbox.NameQueueIDs, "<quiet.away.test@seller.test>", "OK <queue@prod.sandbox.test> [Hostname=prod.sandbox.test]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := start(t, sandbox.Config{})
			server.SetAccountQuirks(sandbox.DefaultMailbox, sandbox.AccountQuirks{IDs: c.ids})
			client := dialSMTP(t, server.SMTP())
			if err := client.Mail(sandbox.DefaultMailbox, nil); err != nil {
				t.Fatal(err)
			}
			if err := client.Rcpt("quiet@away.test", nil); err != nil {
				t.Fatal(err)
			}
			data, err := client.Data()
			if err != nil {
				t.Fatal(err)
			}
			raw := "From: a@b.test\r\nMessage-ID:\r\n <quiet.away.test@seller.test>\r\nX-Message-Ref: ref\r\n\r\nMessage-ID: <in the body>\r\n"
			if _, err := io.WriteString(data, raw); err != nil {
				t.Fatal(err)
			}
			answer, err := data.CloseWithResponse()
			if err != nil {
				t.Fatal(err)
			}
			got := server.Received()[0].MessageID
			if (got == c.kept) != (c.kept != "") {
				t.Errorf("arrived as %s", got)
			}
			sent := messages(t, server.IMAP(), "Sent")[0].Text
			head := "From: a@b.test\r\nMessage-ID: " + got + "\r\nX-Message-Ref: ref\r\n\r\nMessage-ID: <in the body>"
			if c.kept == "" && !strings.HasPrefix(sent, head) {
				t.Errorf("sent as %q", sent)
			}
			want := strings.Replace(c.answers, "new", "OK "+got+" [Hostname=prod.sandbox.test]", 1)
			if !strings.HasSuffix(answer.StatusText, want) {
				t.Errorf("answered %q, want %q", answer.StatusText, want)
			}
		})
	}
}

// What is chosen on the page is what the servers do, and "None" ends it.
func TestQuirksAreChosenOnThePage(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	choose := func(quirk string) int {
		t.Helper()
		answer, err := http.PostForm(server.OpenID().Page+"quirks", url.Values{"account": {sandbox.DefaultMailbox}, "quirk": {quirk}})
		if err != nil {
			t.Fatal(err)
		}
		page, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode == http.StatusOK && !strings.Contains(string(page), `value="no-passwords"`) {
			t.Errorf("page %s", page)
		}
		return answer.StatusCode
	}
	for quirk, want := range map[string]string{
		"no-passwords": "5.7.30", "no-smtp-auth": "5.7.139", "throttle-login": "4.3.2", "throttle-mail": "4.7.0",
		"throttle-dot": "4.7.500", "throttle-imap": "LIMIT", "throttle-read": "THROTTLED", "none": "",
	} {
		if code := choose(quirk); code != http.StatusOK {
			t.Fatalf("%s: %d", quirk, code)
		}
		if got := refusals(t, server); !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %s", quirk, got, want)
		}
	}
	if code := choose("other"); code != http.StatusBadRequest {
		t.Errorf("an unknown quirk: %d", code)
	}
}

// Both providers answer as it is chosen on the page, and "Work" ends it.
func TestProvidersAreChangedOnThePage(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	post := func(path string, form url.Values) (status int, text string) {
		t.Helper()
		answer, err := http.PostForm(server.OpenID().Page+path, form)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		page, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, string(page)
	}
	token := url.Values{"client_id": {sandbox.ClientID}, "client_secret": {sandbox.ClientSecret},
		"grant_type": {"client_credentials"}, "scope": {"https://outlook.office365.com/.default"}}
	for _, c := range []struct {
		quirk  string
		status int
		holds  string
	}{
		{"away", http.StatusServiceUnavailable, "temporarily_unavailable"}, {"refuses-client", http.StatusUnauthorized, "invalid_client"},
		{"short-tokens", http.StatusOK, `"expires_in":60`}, {"none", http.StatusOK, `"expires_in":3600`},
	} {
		if status, page := post("providers", url.Values{"quirk": {c.quirk}}); status != http.StatusOK ||
			!strings.Contains(page, `value="`+c.quirk+`"`) {
			t.Errorf("%s: the page answers %d: %s", c.quirk, status, page)
		}
		if status, text := post("microsoft/token", token); status != c.status || !strings.Contains(text, c.holds) {
			t.Errorf("%s: %d %s, want %d with %s", c.quirk, status, text, c.status, c.holds)
		}
	}
	if status, _ := post("providers", url.Values{"quirk": {"other"}}); status != http.StatusBadRequest {
		t.Errorf("an unknown quirk: %d", status)
	}
}

// refusals returns the first refusal that an account meets.
func refusals(t *testing.T, server *sandbox.MailServer) string {
	t.Helper()
	said := func(err error) string {
		if answer, ok := err.(*smtp.SMTPError); ok {
			return fmt.Sprintf("%d.%d.%d", answer.EnhancedCode[0], answer.EnhancedCode[1], answer.EnhancedCode[2])
		}
		return err.Error()
	}
	if err := sendOnce(server.SMTP()); err != nil {
		return said(err)
	}
	client, err := imapclient.DialInsecure(address(server.IMAP()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Login(server.IMAP().Username, server.IMAP().Password).Wait(); err != nil {
		return said(err)
	}
	if _, err := client.Select("INBOX", &imap.SelectOptions{ReadOnly: true}).Wait(); err != nil {
		return said(err)
	}
	return ""
}

func sendOnce(s outreach.MailServer) error {
	client, err := smtp.Dial(address(s))
	if err != nil {
		return err
	}
	defer client.Close()
	if err := client.Auth(sasl.NewPlainClient("", s.Username, s.Password)); err != nil {
		return err
	}
	return client.SendMail(s.Username, []string{"quiet@away.test"}, strings.NewReader("Subject: x\r\n\r\nx\r\n"))
}
