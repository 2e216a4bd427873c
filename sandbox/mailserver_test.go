package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
	"github.com/google/go-cmp/cmp"

	"outreach"
	"outreach/sandbox"
)

func start(t *testing.T, config sandbox.Config) *sandbox.MailServer {
	t.Helper()
	if config.Dir == "" {
		config.Dir = t.TempDir()
	}
	if config.Delay == 0 {
		config.Delay = time.Millisecond
	}
	server, err := sandbox.StartMailServer(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

func address(s outreach.MailServer) string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

func dialSMTP(t *testing.T, s outreach.MailServer) *smtp.Client {
	t.Helper()
	client, err := smtp.Dial(address(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if err := client.Auth(sasl.NewPlainClient("", s.Username, s.Password)); err != nil {
		t.Fatal(err)
	}
	return client
}

// send submits a message from the account to one recipient.
func send(t *testing.T, s outreach.MailServer, to, extra, body string) (raw string, err error) {
	t.Helper()
	raw = fmt.Sprintf("From: Ada Seller <%s>\r\nTo: Pat Buyer <%s>\r\nSubject: Hello\r\nMessage-ID: "+
		"<%s@seller.test>\r\n%sMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n%s\r\n",
		s.Username, to, strings.ReplaceAll(to, "@", "."), extra, body)
	return raw, dialSMTP(t, s).SendMail(s.Username, []string{to}, strings.NewReader(raw))
}

func mustSend(t *testing.T, s outreach.MailServer, to, extra, body string) string {
	t.Helper()
	raw, err := send(t, s, to, extra, body)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func dialIMAP(t *testing.T, s outreach.MailServer) *imapclient.Client {
	t.Helper()
	client, err := imapclient.DialInsecure(address(s), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	if err := client.Login(s.Username, s.Password).Wait(); err != nil {
		t.Fatal(err)
	}
	return client
}

// messages reads a whole folder without marking anything.
func messages(t *testing.T, s outreach.MailServer, folder string) (list []message) {
	t.Helper()
	client := dialIMAP(t, s)
	selected, err := client.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil {
		t.Fatal(err)
	}
	if selected.NumMessages == 0 {
		return nil
	}
	section := &imap.FetchItemBodySection{Peek: true}
	fetched, err := client.Fetch(imap.UIDSet{{Start: 1, Stop: 0}},
		&imap.FetchOptions{UID: true, Flags: true, BodySection: []*imap.FetchItemBodySection{section}}).Collect()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range fetched {
		list = append(list, message{UID: m.UID, Validity: selected.UIDValidity, Flags: m.Flags, Text: string(m.FindBodySection(section))})
	}
	return list
}

type message struct {
	UID      imap.UID
	Validity uint32
	Flags    []imap.Flag
	Text     string
}

// eventually polls, since a persona acts in its own time.
func eventually[T any](t *testing.T, what string, probe func() (T, bool)) T {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		if value, ok := probe(); ok {
			return value
		}
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func firstMessage(t *testing.T, s outreach.MailServer) string {
	t.Helper()
	return eventually(t, "a message", func() (string, bool) {
		list := messages(t, s, "INBOX")
		if len(list) == 0 {
			return "", false
		}
		return list[0].Text, true
	})
}

func TestSMTPWantsALogin(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	client, err := smtp.Dial(address(server.SMTP()))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var refusal *smtp.SMTPError
	if err := client.Mail("a@b.test", nil); !errors.As(err, &refusal) || refusal.Code != 530 {
		t.Errorf("MAIL without login: %v, want 530", err)
	}
	err = client.Auth(sasl.NewPlainClient("", sandbox.DefaultMailbox, "wrong"))
	if !errors.As(err, &refusal) || refusal.Code != 535 {
		t.Errorf("wrong password: %v, want 535", err)
	}
	if err := client.Auth(sasl.NewLoginClient(sandbox.DefaultMailbox, server.SMTP().Password)); err != nil {
		t.Errorf("LOGIN mechanism: %v", err)
	}
}

func TestIMAPRefusesAWrongPassword(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	client, err := imapclient.DialInsecure(address(server.IMAP()), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var refusal *imap.Error
	err = client.Login(sandbox.DefaultMailbox, "wrong").Wait()
	if !errors.As(err, &refusal) || refusal.Code != imap.ResponseCodeAuthenticationFailed {
		t.Errorf("got %v, want AUTHENTICATIONFAILED", err)
	}
}

func TestMailGoesToItsAccountOrTheCatchAll(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	other, err := server.AddMailbox("Second@Sandbox.test", "s3cret")
	if err != nil {
		t.Fatal(err)
	}
	toAccount := mustSend(t, server.SMTP(), "second@sandbox.test", "", "inside")
	toProspect := mustSend(t, server.SMTP(), "Ann.Smith@example.test", "", "outside")

	inside := messages(t, other.IMAP, "INBOX")
	if len(inside) != 1 || !strings.HasSuffix(inside[0].Text, toAccount) {
		t.Errorf("account got %v", inside)
	}
	outside := messages(t, server.Prospects().IMAP, "INBOX")
	if len(outside) != 1 || !strings.HasSuffix(outside[0].Text, toProspect) ||
		!strings.Contains(outside[0].Text, "Delivered-To: Ann.Smith@example.test\r\n") {
		t.Errorf("catch-all got %v", outside)
	}
	if sent := messages(t, server.IMAP(), "Sent"); len(sent) != 2 || sent[1].Text != toProspect {
		t.Errorf("Sent holds %v", sent)
	}
	received := server.Received()
	if len(received) != 1 || server.ReceivedCount() != 1 {
		t.Fatalf("received %v", received)
	}
	raw, err := received[0].Raw()
	if err != nil {
		t.Fatal(err)
	}
	got := []string{string(raw), received[0].To, received[0].From, received[0].Login, received[0].MessageID}
	want := []string{toProspect, "Ann.Smith@example.test", sandbox.DefaultMailbox, sandbox.DefaultMailbox,
		"<Ann.Smith.example.test@seller.test>"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
}

func TestPlusLoginsAreAccountsOfTheirOwn(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	plus := server.IMAP()
	plus.Username = "sandbox+7@sandbox.test"
	dialIMAP(t, plus)
	mustSend(t, server.SMTP(), plus.Username, "", "for seven")
	if got := messages(t, plus, "INBOX"); len(got) != 1 {
		t.Errorf("the plus account has %d messages, want 1", len(got))
	}
	if got := messages(t, server.IMAP(), "INBOX"); len(got) != 0 {
		t.Errorf("the plain account has %d messages, want 0", len(got))
	}
}

func TestFoldersTellTheirSpecialUse(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	list, err := dialIMAP(t, server.IMAP()).List("", "*", nil).Collect()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]imap.MailboxAttr{}
	for _, data := range list {
		got[data.Mailbox] = data.Attrs
	}
	want := map[string][]imap.MailboxAttr{"INBOX": nil, "Junk": {imap.MailboxAttrJunk}, "Sent": {imap.MailboxAttrSent}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("folders (-want +got):\n%s", diff)
	}
}

func TestRestartKeepsEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := start(t, sandbox.Config{Dir: dir})
	extra, err := first.AddMailbox("extra@sandbox.test", "pw")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		mustSend(t, first.SMTP(), extra.Email, "", fmt.Sprintf("message %d", i))
	}
	mustSend(t, first.SMTP(), "reply@example.test", "", "hello")
	firstMessage(t, first.IMAP())
	deleteMiddle(t, extra.IMAP)
	before := snapshot(t, first, extra.IMAP)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	tearLastRecord(t, dir)

	second := start(t, sandbox.Config{Dir: dir})
	if diff := cmp.Diff(before, snapshot(t, second, extra.IMAP)); diff != "" {
		t.Errorf("after the restart (-before +after):\n%s", diff)
	}
	// The persona has acted; the next UID follows on the last.
	mustSend(t, second.SMTP(), "reply@example.test", "", "hello again")
	mustSend(t, second.SMTP(), "no@example.test", "", "hello")
	eventually(t, "the other persona's answer", func() (struct{}, bool) {
		return struct{}{}, len(messages(t, second.IMAP(), "INBOX")) == 2
	})
	mustSend(t, second.SMTP(), extra.Email, "", "message 4")
	if list := messages(t, extra.IMAP, "INBOX"); list[len(list)-1].UID != 4 {
		t.Errorf("the next UID is %d, want 4", list[len(list)-1].UID)
	}
}

// deleteMiddle flags the message with UID 1 and expunges that with UID 2.
func deleteMiddle(t *testing.T, s outreach.MailServer) {
	t.Helper()
	client := dialIMAP(t, s)
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	store := func(uid imap.UID, flag imap.Flag) {
		if err := client.Store(imap.UIDSetNum(uid), &imap.StoreFlags{Op: imap.StoreFlagsAdd, Flags: []imap.Flag{flag}}, nil).Close(); err != nil {
			t.Fatal(err)
		}
	}
	store(1, imap.FlagSeen)
	store(2, imap.FlagDeleted)
	if err := client.Expunge().Close(); err != nil {
		t.Fatal(err)
	}
}

func snapshot(t *testing.T, server *sandbox.MailServer, extra outreach.MailServer) map[string]any {
	t.Helper()
	var received []string
	for _, r := range server.Received() {
		raw, err := r.Raw()
		if err != nil {
			t.Fatal(err)
		}
		received = append(received, r.To+"\n"+string(raw))
	}
	return map[string]any{
		"mailbox": server.Mailbox(), "prospects": server.Prospects(), "received": received,
		"inbox": messages(t, server.IMAP(), "INBOX"), "sent": messages(t, server.IMAP(), "Sent"), "extra": messages(t, extra, "INBOX"),
	}
}

// tearLastRecord adds what a process leaves that dies in the middle of a write.
func tearLastRecord(t *testing.T, dir string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(dir, "mail.journal"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.WriteString(`{"kind":"mail","body":500}` + "\nhalf a bo"); err != nil {
		t.Fatal(err)
	}
}

func TestStateIsPrivate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, sandbox.Config{Dir: dir})
	for _, name := range []string{"sandbox.json", "mail.journal"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v, want 0600", name, info.Mode())
		}
	}
}

func TestACopyInAnotherFolderIsApart(t *testing.T) {
	t.Parallel()
	one, two := start(t, sandbox.Config{}), start(t, sandbox.Config{})
	mustSend(t, one.SMTP(), "ann@example.test", "", "hello")
	if one.ReceivedCount() != 1 || two.ReceivedCount() != 0 {
		t.Errorf("received %d and %d, want 1 and 0", one.ReceivedCount(), two.ReceivedCount())
	}
	if one.SMTP().Password == two.SMTP().Password {
		t.Error("both have the same password")
	}
}

func TestATakenPortIsAnError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	if err := os.WriteFile(filepath.Join(dir, "sandbox.json"), fmt.Appendf(nil, `{"smtp_port":%d}`, port), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // spares the test the patience
	if _, err := sandbox.StartMailServer(ctx, sandbox.Config{Dir: dir}); err == nil {
		t.Error("the server started")
	}
}

func TestDiscardBodiesKeepsWhatSomebodyNeeds(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{DiscardBodies: true})
	mustSend(t, server.SMTP(), "ann@example.test", "", "for an unknown address")
	mustSend(t, server.SMTP(), "reply@example.test", "", "for the persona")
	if answer := firstMessage(t, server.IMAP()); !strings.Contains(answer, "> for the persona") {
		t.Errorf("answer is %q", answer)
	}
	received := server.Received()
	if _, err := received[0].Raw(); !errors.Is(err, sandbox.ErrBodyDiscarded) {
		t.Errorf("Raw of a discarded body: %v", err)
	}
	if received[0].MessageID != "<ann.example.test@seller.test>" || received[0].Size == 0 {
		t.Errorf("the envelope is lost: %+v", received[0])
	}
	if sent := messages(t, server.IMAP(), "Sent"); len(sent) != 0 {
		t.Errorf("Sent holds %d messages, want 0", len(sent))
	}
}

func TestIdleTellsOfNewMail(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	news := make(chan uint32, 10)
	client, err := imapclient.DialInsecure(address(server.IMAP()), &imapclient.Options{
		UnilateralDataHandler: &imapclient.UnilateralDataHandler{Mailbox: func(data *imapclient.UnilateralDataMailbox) {
			if data.NumMessages != nil {
				news <- *data.NumMessages
			}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Login(server.IMAP().Username, server.IMAP().Password).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	idle, err := client.Idle()
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	mustSend(t, server.SMTP(), sandbox.DefaultMailbox, "", "wake up")
	select {
	case n := <-news:
		if n != 1 {
			t.Errorf("EXISTS %d, want 1", n)
		}
	case <-time.After(time.Minute):
		t.Error("IDLE said nothing")
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	for _, to := range []string{"ann@example.test", "bob@example.test", "cy@example.test"} {
		mustSend(t, server.SMTP(), to, "", "message for "+to)
	}
	client := dialIMAP(t, server.IMAP())
	if _, err := client.Select("Sent", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	messageID := imap.SearchCriteriaHeaderField{Key: "Message-ID", Value: "<bob.example.test@seller.test>"}
	cases := map[string]struct {
		criteria imap.SearchCriteria
		want     []imap.UID
	}{
		"header": {imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{messageID}}, []imap.UID{2}},
		"body":   {imap.SearchCriteria{Body: []string{"FOR CY"}}, []imap.UID{3}},
		"text":   {imap.SearchCriteria{Text: []string{"subject: hello"}}, []imap.UID{1, 2, 3}},
		"not":    {imap.SearchCriteria{Not: []imap.SearchCriteria{{Body: []string{"for cy"}}}}, []imap.UID{1, 2}},
		"or": {imap.SearchCriteria{
			Or: [][2]imap.SearchCriteria{{{Body: []string{"for cy"}}, {Body: []string{"for ann"}}}}}, []imap.UID{1, 3}},
		"uids":     {imap.SearchCriteria{UID: []imap.UIDSet{{{Start: 9, Stop: 0}}}}, []imap.UID{3}},
		"seen":     {imap.SearchCriteria{Flag: []imap.Flag{imap.FlagSeen}}, []imap.UID{1, 2, 3}},
		"unseen":   {imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagSeen}}, nil},
		"since":    {imap.SearchCriteria{Since: time.Now().AddDate(0, 0, -1)}, []imap.UID{1, 2, 3}},
		"tomorrow": {imap.SearchCriteria{Since: time.Now().AddDate(0, 0, 2)}, nil},
	}
	for name, c := range cases {
		data, err := client.UIDSearch(&c.criteria, nil).Wait()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := data.AllUIDs(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestAppendCopyAndSeen(t *testing.T) {
	t.Parallel()
	server := start(t, sandbox.Config{})
	client := dialIMAP(t, server.IMAP())
	if err := client.Create("Done", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	text := "Subject: kept\r\n\r\nbody\r\n"
	appended := client.Append("INBOX", int64(len(text)), &imap.AppendOptions{Time: time.Now()})
	if _, err := io.WriteString(appended, text); err != nil {
		t.Fatal(err)
	}
	if err := appended.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := appended.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Copy(imap.SeqSetNum(1), "Done").Wait(); err != nil {
		t.Fatal(err)
	}
	fetched, err := client.Fetch(imap.SeqSetNum(1),
		&imap.FetchOptions{Envelope: true, RFC822Size: true, BodySection: []*imap.FetchItemBodySection{{}}}).Collect()
	if err != nil || len(fetched) != 1 || fetched[0].Envelope.Subject != "kept" || fetched[0].RFC822Size != int64(len(text)) {
		t.Errorf("fetched %+v, %v", fetched, err)
	}
	if inbox := messages(t, server.IMAP(), "inbox"); !slices.Equal(inbox[0].Flags, []imap.Flag{imap.FlagSeen}) {
		t.Errorf("flags after a reading fetch are %v", inbox[0].Flags)
	}
	if done := messages(t, server.IMAP(), "Done"); len(done) != 1 || done[0].Text != text {
		t.Errorf("the copy is %v", done)
	}
}
