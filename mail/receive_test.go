package mail

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/google/go-cmp/cmp"

	"outreach"
)

func numbered(n int) string {
	return fmt.Sprintf("Message-ID: <%d@example.com>\r\nSubject: %d\r\n\r\nHello %d\r\n", n, n, n)
}

// gather is a handler that keeps UIDs and bodies.
type gather struct {
	uids []uint32
	raws []string
	fail uint32 // UID that it refuses
}

var errHandle = errors.New("handler failed")

func (g *gather) handle(in Incoming) error {
	if in.UID == g.fail {
		return errHandle
	}
	g.uids = append(g.uids, in.UID)
	if in.Withheld {
		in.Raw = []byte("withheld")
	}
	g.raws = append(g.raws, string(in.Raw))
	return nil
}

// fetch reads one folder in a session of its own.
func fetch(ctx context.Context, config IMAPConfig, folder Folder, from Position, limits Limits,
	handle func(Incoming) error) (Position, error) {
	m, err := OpenMailbox(ctx, config)
	if err != nil {
		return from, err
	}
	defer m.Close()
	return m.Fetch(ctx, folder, from, limits, handle)
}

func TestFetchGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	for _, security := range []outreach.Security{outreach.SecurityTLS, outreach.SecurityStartTLS, outreach.SecurityNone} {
		t.Run(string(security), func(t *testing.T) {
			t.Parallel()
			box := newPostbox(t, "Junk")
			config := IMAPConfig{Server: box.start(t, security), Network: loopback()}
			for n := 1; n <= 3; n++ {
				box.deliver(t, "INBOX", numbered(n), time.Now())
			}
			box.deliver(t, "Junk", numbered(9), time.Now())

			var first gather
			pos, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{}, first.handle)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{numbered(1), numbered(2), numbered(3)}, first.raws); diff != "" {
				t.Fatal(diff)
			}
			// n:* names message 3 again; it must not come twice.
			var none gather
			same, err := fetch(t.Context(), config, FolderInbox, pos, Limits{}, none.handle)
			if err != nil || same != pos || len(none.uids) != 0 {
				t.Fatal(same, err, none.uids)
			}
			box.deliver(t, "INBOX", numbered(4), time.Now())
			var second gather
			if pos, err = fetch(t.Context(), config, FolderInbox, pos, Limits{}, second.handle); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]uint32{4}, second.uids); diff != "" || pos.UID != 4 {
				t.Fatal(pos, diff)
			}
			var junk gather
			if _, err := fetch(t.Context(), config, FolderJunk, Position{}, Limits{}, junk.handle); err != nil || len(junk.uids) != 1 {
				t.Fatal(err, junk.uids)
			}
		})
	}
}

func TestFetchLeavesFlagsAlone(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	config := IMAPConfig{Server: box.start(t, outreach.SecurityNone), Network: loopback()}
	box.deliver(t, "INBOX", numbered(1), time.Now())
	if _, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{}, new(gather).handle); err != nil {
		t.Fatal(err)
	}
	status, err := box.user.Status("INBOX", &imap.StatusOptions{NumUnseen: true})
	if err != nil || *status.NumUnseen != 1 {
		t.Fatal(err, *status.NumUnseen)
	}
}

func TestFetchFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	config := IMAPConfig{Server: newPostbox(t).start(t, outreach.SecurityNone), Network: loopback()}
	from := Position{7, 9}
	pos, err := fetch(t.Context(), config, FolderJunk, from, Limits{}, new(gather).handle)
	if err != nil || pos != from {
		t.Fatal(pos, err)
	}
}

func TestFetchPositionStopsAtFailure(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	config := IMAPConfig{Server: box.start(t, outreach.SecurityNone), Network: loopback()}
	for n := 1; n <= 5; n++ {
		box.deliver(t, "INBOX", numbered(n), time.Now())
	}
	g := gather{fail: 3}
	pos, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{}, g.handle)
	if !errors.Is(err, errHandle) || pos.UID != 2 {
		t.Fatal(pos, err)
	}
	g.fail = 0
	if pos, err = fetch(t.Context(), config, FolderInbox, pos, Limits{}, g.handle); err != nil || pos.UID != 5 {
		t.Fatal(pos, err)
	}
	if diff := cmp.Diff([]uint32{1, 2, 3, 4, 5}, g.uids); diff != "" {
		t.Fatal(diff)
	}
}

func TestFetchStartsOver(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	config := IMAPConfig{Server: box.start(t, outreach.SecurityNone), Network: loopback()}
	box.deliver(t, "INBOX", numbered(1), time.Now().AddDate(0, 0, -40))
	box.deliver(t, "INBOX", numbered(2), time.Now().AddDate(0, 0, -13))
	box.deliver(t, "INBOX", numbered(3), time.Now())
	valid, err := box.user.Status("INBOX", &imap.StatusOptions{UIDValidity: true})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		from Position
		want []uint32
	}{
		"never read":          {Position{}, []uint32{2, 3}},
		"UIDVALIDITY changed": {Position{valid.UIDValidity + 1, 3}, []uint32{2, 3}},
		"UIDNEXT went back":   {Position{valid.UIDValidity, 4}, []uint32{2, 3}},
		"at the end":          {Position{valid.UIDValidity, 3}, nil},
		"in between":          {Position{valid.UIDValidity, 1}, []uint32{2, 3}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var g gather
			pos, err := fetch(t.Context(), config, FolderInbox, test.from, Limits{}, g.handle)
			if err != nil || pos != (Position{valid.UIDValidity, 3}) {
				t.Fatal(pos, err)
			}
			if diff := cmp.Diff(test.want, g.uids); diff != "" {
				t.Fatal(diff)
			}
		})
	}
	t.Run("only old messages", func(t *testing.T) {
		var g gather
		pos, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{Since: time.Now().AddDate(0, 0, 5)}, g.handle)
		if err != nil || pos != (Position{valid.UIDValidity, 3}) || len(g.uids) != 0 {
			t.Fatal(pos, err, g.uids)
		}
	})
}

func TestFetchIsBounded(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	config := IMAPConfig{Server: box.start(t, outreach.SecurityNone), Network: loopback()}
	for n := 1; n <= 130; n++ {
		box.deliver(t, "INBOX", numbered(n), time.Now())
	}
	var g gather
	pos, calls := Position{}, 0
	for before := (Position{1, 0}); before != pos && calls < 10; calls++ {
		before = pos
		var err error
		if pos, err = fetch(t.Context(), config, FolderInbox, pos, Limits{Messages: 60}, g.handle); err != nil {
			t.Fatal(err)
		}
		if want := min(130, 60*(calls+1)); len(g.uids) != want {
			t.Fatalf("call %d: %d messages, want %d", calls, len(g.uids), want)
		}
		if len(g.uids) == 130 {
			break
		}
	}
	for i, uid := range g.uids {
		if uid != uint32(i)+1 {
			t.Fatalf("message %d has UID %d", i, uid)
		}
	}
}

func TestFetchHugeMessage(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	config := IMAPConfig{Server: box.start(t, outreach.SecurityNone), Network: loopback()}
	huge := numbered(1) + strings.Repeat(strings.Repeat("x", 78)+"\r\n", 60<<20/80)
	box.deliver(t, "INBOX", huge, time.Now())
	box.deliver(t, "INBOX", numbered(2), time.Now())

	var got []Incoming
	pos, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{}, func(in Incoming) error { got = append(got, in); return nil })
	if err != nil || pos.UID != 2 || len(got) != 2 {
		t.Fatal(pos, err, len(got))
	}
	if !got[0].Truncated || got[0].Size != int64(len(huge)) || string(got[0].Raw) != huge[:headBytes] {
		t.Fatalf("truncated %v, size %d, read %d", got[0].Truncated, got[0].Size, len(got[0].Raw))
	}
	if got[1].Truncated || string(got[1].Raw) != numbered(2) {
		t.Fatalf("the message behind it: %+v", got[1])
	}
}

// findInSent searches in a session of its own.
func findInSent(ctx context.Context, config IMAPConfig, id, ref string) (string, bool, error) {
	m, err := OpenMailbox(ctx, config)
	if err != nil {
		return "", false, err
	}
	defer m.Close()
	return m.FindInSent(ctx, id, ref)
}

func TestFindInSent(t *testing.T) {
	t.Parallel()
	for name, folder := range map[string]string{"by its name": "Sent Items", "in another language": "Gesendet"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			box := newPostbox(t, folder, "Drafts")
			config := IMAPConfig{Server: box.start(t, outreach.SecurityTLS), Network: loopback()}
			box.deliver(t, folder, numbered(1), time.Now())
			box.deliver(t, "Drafts", numbered(2), time.Now())
			for id, want := range map[string]bool{"<1@example.com>": true, "<2@example.com>": false, "<11@example.com>": false} {
				if copied, got, err := findInSent(t.Context(), config, id, ""); err != nil || got != want || got && copied != id {
					t.Errorf("%s: %q, %v, %v", id, copied, got, err)
				}
			}
			for _, bad := range [][2]string{{"<x>\r\nA LOGOUT", ""}, {"<1@example.com>", "x\r\nA LOGOUT"}} {
				if _, _, err := findInSent(t.Context(), config, bad[0], bad[1]); err == nil {
					t.Errorf("%q was searched", bad)
				}
			}
		})
	}
	t.Run("no folder", func(t *testing.T) {
		t.Parallel()
		config := IMAPConfig{Server: newPostbox(t).start(t, outreach.SecurityNone), Network: loopback()}
		if _, got, err := findInSent(t.Context(), config, "<1@example.com>", "ref"); err != nil || got {
			t.Error(got, err)
		}
	})
}

// Where the provider has replaced the Message-ID of a message, its copy is found by the reference.
func TestFindInSentByReference(t *testing.T) {
	t.Parallel()
	box := newPostbox(t, "Sent")
	config := IMAPConfig{Server: box.start(t, outreach.SecurityTLS), Network: loopback()}
	filed := func(id, ref string) string {
		return strings.Replace(numbered(7), "Message-ID: <7@example.com>\r\n", id+"X-Message-Ref: "+ref+"\r\n", 1)
	}
	box.deliver(t, "Sent", filed("Message-ID: <given@provider.test>\r\n", "ref1"), time.Now())
	box.deliver(t, "Sent", filed("", "ref2"), time.Now())
	box.deliver(t, "Sent", filed("Message-ID: <longer@provider.test>\r\n", "ref33"), time.Now())
	for ref, want := range map[string]struct {
		id    string
		found bool
	}{"ref1": {"<given@provider.test>", true}, "ref2": {"", true}, "ref3": {}, "ref4": {}} {
		if id, found, err := findInSent(t.Context(), config, "<ours@example.com>", ref); err != nil || id != want.id || found != want.found {
			t.Errorf("%s: %q, %v, %v", ref, id, found, err)
		}
	}
}

// A mark (RFC 6154) wins over a name, and reaches us only when asked for.
func TestFetchFromMarkedFolder(t *testing.T) {
	t.Parallel()
	answers := script(nil)
	answers[`EXAMINE "Marked"`], answers["EXAMINE Marked"] = answers["EXAMINE"], answers["EXAMINE"]
	delete(answers, "EXAMINE")
	answers["LOGIN"] = "{tag} OK [CAPABILITY IMAP4rev1 SPECIAL-USE LIST-EXTENDED] in\r\n"
	answers[`LIST "" "*" RETURN (SPECIAL-USE)`] = "* LIST () \"/\" Junk\r\n* LIST (\\Junk) \"/\" Marked\r\n{tag} OK done\r\n"
	config := IMAPConfig{Server: rude(t, imapScript(answers)), Network: loopback()}
	config.Network.Timeouts.Command = 5 * time.Second
	var g gather
	pos, err := fetch(t.Context(), config, FolderJunk, Position{7, 4}, Limits{}, g.handle)
	if err != nil || pos.UID != 6 || len(g.raws) != 2 {
		t.Fatal(pos, err, g.raws)
	}
}

func TestPickFolder(t *testing.T) {
	t.Parallel()
	list := func(names ...string) (out []*imap.ListData) {
		for _, name := range names {
			attrs := []imap.MailboxAttr{}
			if marked, ok := strings.CutPrefix(name, "!"); ok {
				name, attrs = marked, append(attrs, `\jUNK`)
			}
			if none, ok := strings.CutPrefix(name, "?"); ok {
				name, attrs = none, append(attrs, imap.MailboxAttrNoSelect)
			}
			out = append(out, &imap.ListData{Mailbox: name, Delim: '/', Attrs: attrs})
		}
		return out
	}
	for _, test := range []struct {
		have []*imap.ListData
		want string
	}{
		{list("INBOX", "Archive"), ""},
		{list("INBOX/Spam", "Junk"), "Junk"},
		{list("Junk", "!Unerwünscht"), "Unerwünscht"},
		{list("[Gmail]/Spam"), "[Gmail]/Spam"},
		{list("?Junk", "Bulk"), "Bulk"},
		{list("JUNK E-MAIL"), "JUNK E-MAIL"},
	} {
		if got := pickFolder(test.have, FolderJunk); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestWait(t *testing.T) {
	t.Parallel()
	box := newPostbox(t)
	box.caps = imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIdle: {}}
	config := IMAPConfig{Server: box.start(t, outreach.SecurityStartTLS), Network: loopback()}
	box.deliver(t, "INBOX", numbered(1), time.Now())
	pos, err := fetch(t.Context(), config, FolderInbox, Position{}, Limits{}, new(gather).handle)
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := Wait(t.Context(), config, Position{pos.UIDValidity, 0}, time.Minute); err != nil || !changed {
		t.Fatal("a message is there already", changed, err)
	}
	if changed, err := Wait(t.Context(), config, pos, time.Millisecond); err != nil || changed {
		t.Fatal("nothing happened", changed, err)
	}
	type result struct {
		changed bool
		err     error
	}
	woken := make(chan result, 1)
	go func() {
		changed, err := Wait(t.Context(), config, pos, time.Minute)
		woken <- result{changed, err}
	}()
	// Whether the message comes before or during IDLE, it wakes.
	box.deliver(t, "INBOX", numbered(2), time.Now())
	if r := <-woken; r.err != nil || !r.changed {
		t.Fatal(r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if changed, _ := Wait(ctx, config, pos, time.Minute); changed {
		t.Fatal("woken by the end of the context")
	}
}

// imapScript is a server that answers each command by its name; answers may hold
// {tag}. A command without an answer is met with silence.
func imapScript(answers map[string]string) func(net.Conn) {
	return func(conn net.Conn) {
		in := bufio.NewReader(conn)
		_, _ = io.WriteString(conn, "* OK [CAPABILITY IMAP4rev1 IDLE] hi\r\n")
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			tag, command, _ := strings.Cut(strings.TrimSpace(line), " ")
			for name, answer := range answers {
				if strings.HasPrefix(command, name) {
					_, _ = io.WriteString(conn, strings.ReplaceAll(answer, "{tag}", tag))
				}
			}
		}
	}
}

// script is a folder with messages 5 and 6 that were listed; change says what
// this server does otherwise.
func script(change map[string]string) map[string]string {
	answers := map[string]string{
		"LOGIN":                    "{tag} OK [CAPABILITY IMAP4rev1 IDLE] in\r\n",
		"EXAMINE":                  "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT 7] n\r\n{tag} OK [READ-ONLY] done\r\n",
		"UID FETCH 5:* (":          "* 2 FETCH (UID 6 RFC822.SIZE 3)\r\n* 1 FETCH (UID 5 RFC822.SIZE 3)\r\n{tag} OK done\r\n",
		"UID FETCH 5:6 (UID INTER": "* 2 FETCH (UID 6 BODY[] {3}\r\nsix)\r\n* 1 FETCH (UID 5 BODY[] {3}\r\nfiv)\r\n{tag} OK done\r\n",
		"LOGOUT":                   "* BYE\r\n{tag} OK bye\r\n",
	}
	for name, answer := range change {
		answers[name] = answer
	}
	return answers
}

// listed lists the two messages by their ages.
func listed(five, six time.Duration) string {
	line := func(n, uid int, age time.Duration) string {
		return fmt.Sprintf("* %d FETCH (UID %d RFC822.SIZE 3 INTERNALDATE \"%s\")\r\n", n, uid,
			time.Now().Add(-age).UTC().Format("02-Jan-2006 15:04:05 -0700"))
	}
	return line(1, 5, five) + line(2, 6, six) + "{tag} OK done\r\n"
}

func TestFetchFromOddServers(t *testing.T) {
	t.Parallel()
	from := Position{7, 4}
	big := strings.Repeat("x", 1<<20)
	tests := []struct {
		name    string
		change  map[string]string
		network Network
		raws    []string
		pos     Position
		kind    Kind // of the error, empty for none
	}{
		{"answers in any order", nil, loopback(), []string{"fiv", "six"}, Position{7, 6}, ""},
		{"names old messages and repeats", map[string]string{
			"UID FETCH 5:* (": "* 1 FETCH (UID 3 RFC822.SIZE 9)\r\n* 1 FETCH (UID 5 RFC822.SIZE 3)\r\n* 2 FETCH (UID 6 " +
				"RFC822.SIZE 3)\r\n* 1 FETCH (UID 5 RFC822.SIZE 3)\r\n{tag} OK done\r\n",
		}, loopback(), []string{"fiv", "six"}, Position{7, 6}, ""},
		{"message gone meanwhile", map[string]string{
			"UID FETCH 5:6 (UID INTER": "* 2 FETCH (UID 6 BODY[] {3}\r\nsix)\r\n{tag} OK done\r\n",
			"UID FETCH 5 (UID)":        "{tag} OK done\r\n",
		}, loopback(), []string{"six"}, Position{7, 6}, ""},
		{"body before UID", map[string]string{
			"UID FETCH 5:6 (UID INTER": "* 2 FETCH (BODY[] {3}\r\nsix UID 6)\r\n* 1 FETCH (BODY[] {3}\r\nfiv UID 5)\r\n{tag} OK done\r\n",
			"UID FETCH 5 (UID)":        "* 1 FETCH (UID 5)\r\n{tag} OK done\r\n",
			"UID FETCH 6 (UID)":        "* 2 FETCH (UID 6)\r\n{tag} OK done\r\n",
			"FETCH 1 (UID INTER":       "* 1 FETCH (BODY[] {3}\r\nfiv UID 5)\r\n{tag} OK done\r\n",
			"FETCH 2 (UID INTER":       "* 2 FETCH (BODY[] {3}\r\nsix UID 6)\r\n{tag} OK done\r\n",
		}, loopback(), []string{"fiv", "six"}, Position{7, 6}, ""},
		{"lists a message and does not give it", map[string]string{
			"UID FETCH 5:6 (UID INTER": "* 1 FETCH (UID 5 BODY[] {3}\r\nfiv)\r\n{tag} OK done\r\n",
			"UID FETCH 6 (UID)":        "* 2 FETCH (UID 6)\r\n{tag} OK done\r\n",
			"FETCH 2 (UID INTER":       "{tag} OK done\r\n",
		}, loopback(), []string{"fiv"}, Position{7, 5}, KindProtocol},
		{"never gives an old message", map[string]string{
			"UID FETCH 5:* (":          listed(2*time.Hour, 0),
			"UID FETCH 5:6 (UID INTER": "* 2 FETCH (UID 6 BODY[] {3}\r\nsix)\r\n{tag} OK done\r\n",
			"UID FETCH 5 (UID)":        "* 1 FETCH (UID 5)\r\n{tag} OK done\r\n",
			"FETCH 1 (UID INTER":       "{tag} OK done\r\n",
		}, loopback(), []string{"withheld", "six"}, Position{7, 6}, ""},
		{"refuses an old message", map[string]string{
			"UID FETCH 5:* (":          listed(2*time.Hour, 0),
			"UID FETCH 5:6 (UID INTER": "{tag} NO cannot read it\r\n",
			"UID FETCH 5 (UID INTER":   "{tag} NO cannot read it\r\n",
			"UID FETCH 6 (UID INTER":   "* 2 FETCH (UID 6 BODY[] {3}\r\nsix)\r\n{tag} OK done\r\n",
			"UID FETCH 5 (UID)":        "* 1 FETCH (UID 5)\r\n{tag} OK done\r\n",
			"FETCH 1 (UID INTER":       "{tag} NO cannot read it\r\n",
		}, loopback(), []string{"withheld", "six"}, Position{7, 6}, ""},
		{"refuses a young message", map[string]string{
			"UID FETCH 5:* (":          listed(2*time.Hour, time.Minute),
			"UID FETCH 5:6 (UID INTER": "{tag} NO cannot read it\r\n",
			"UID FETCH 5 (UID INTER":   "* 1 FETCH (UID 5 BODY[] {3}\r\nfiv)\r\n{tag} OK done\r\n",
			"UID FETCH 6 (UID INTER":   "{tag} NO cannot read it\r\n",
			"UID FETCH 6 (UID)":        "* 2 FETCH (UID 6)\r\n{tag} OK done\r\n",
			"FETCH 2 (UID INTER":       "{tag} NO cannot read it\r\n",
		}, loopback(), []string{"fiv"}, Position{7, 5}, KindProtocol},
		{"gives nothing, however old", map[string]string{
			"UID FETCH 5:* (":          listed(2*time.Hour, 2*time.Hour),
			"UID FETCH 5:6 (UID INTER": "{tag} OK done\r\n",
			"UID FETCH 5 (UID)":        "* 1 FETCH (UID 5)\r\n{tag} OK done\r\n",
			"FETCH 1 (UID INTER":       "{tag} OK done\r\n",
		}, loopback(), nil, from, KindProtocol},
		{"breaks off inside a message", map[string]string{
			"UID FETCH 5:6 (UID INTER": "* 1 FETCH (UID 5 BODY[] {3}\r\nfiv)\r\n* 2 FETCH (UID 6 BODY[] {30}\r\nsix",
		}, quick(), nil, from, KindTimeout},
		{"refuses to give", map[string]string{
			"UID FETCH 5:* (":          listed(2*time.Hour, 2*time.Hour),
			"UID FETCH 5:6 (UID INTER": "{tag} NO not now\r\n", "UID FETCH 5 (UID": "{tag} NO not now\r\n",
			"UID FETCH 6 (UID": "{tag} NO not now\r\n",
		}, loopback(), nil, from, KindProtocol},
		{"hangs at the list", map[string]string{"UID FETCH 5:* (": ""}, quick(), nil, from, KindTimeout},
		{"hangs at EXAMINE", map[string]string{"EXAMINE": ""}, quick(), nil, from, KindTimeout},
		{"drips for ever", map[string]string{"EXAMINE": strings.Repeat("* OK wait\r\n", 1000)}, quick(), nil, from, KindTimeout},
		{"floods", map[string]string{"EXAMINE": strings.Repeat("* OK "+big+"\r\n", 3)}, loopback(), nil, from, KindProtocol},
		{"sends nonsense", map[string]string{"EXAMINE": "* ((((\r\n"}, loopback(), nil, from, KindProtocol},
		{"no UIDVALIDITY", map[string]string{"EXAMINE": "* 2 EXISTS\r\n{tag} OK done\r\n"}, loopback(), nil, from, KindProtocol},
		{"no UIDNEXT", map[string]string{"EXAMINE": "* 2 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n{tag} OK done\r\n"},
			loopback(), []string{"fiv", "six"}, Position{7, 6}, ""},
		{"hangs at LOGOUT", map[string]string{"LOGOUT": ""}, loopback(), []string{"fiv", "six"}, Position{7, 6}, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			config := IMAPConfig{Server: rude(t, imapScript(script(test.change))), Network: test.network}
			var g gather
			pos, err := fetch(t.Context(), config, FolderInbox, from, Limits{}, g.handle)
			if test.kind != "" {
				reasonOf(t, err, test.kind)
			} else if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.raws, g.raws); diff != "" || pos != test.pos {
				t.Fatalf("position %v, want %v; messages (-want +got):\n%s", pos, test.pos, diff)
			}
		})
	}
}

// A server that says its messages are small and then sends without end costs
// bounded memory.
func TestFetchLyingServerCostsBoundedMemory(t *testing.T) {
	t.Parallel()
	answers := imapScript(script(map[string]string{
		"UID FETCH 5:6 (UID INTER": "* 1 FETCH (UID 5 BODY[] {9000000000}\r\n" + strings.Repeat("x", 4<<20),
	}))
	config := IMAPConfig{Server: rude(t, answers), Network: loopback()}
	var g gather
	pos, err := fetch(t.Context(), config, FolderInbox, Position{7, 4}, Limits{MaxSize: 1 << 20}, g.handle)
	reasonOf(t, err, KindProtocol)
	if pos.UID != 4 || len(g.uids) != 0 {
		t.Fatal(pos, g.uids)
	}
}

func TestWaitAgainstOddServers(t *testing.T) {
	t.Parallel()
	at := Position{7, 6}
	for name, test := range map[string]struct {
		change  map[string]string
		network Network
		kind    Kind
	}{
		"no answer to IDLE": {map[string]string{"IDLE": ""}, quick(), KindTimeout},
		"IDLE refused":      {map[string]string{"IDLE": "{tag} NO\r\n"}, loopback(), KindProtocol},
		"leaves in IDLE":    {map[string]string{"IDLE": "+ idling\r\n* BYE\r\n* ((("}, loopback(), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := IMAPConfig{Server: rude(t, imapScript(script(test.change))), Network: test.network}
			changed, err := Wait(t.Context(), config, at, 10*time.Second)
			if changed {
				t.Fatal("woken by nothing")
			}
			if test.kind != "" {
				reasonOf(t, err, test.kind)
			} else if err == nil {
				t.Fatal("a broken connection looks like a quiet one")
			}
		})
	}
	t.Run("no IDLE", func(t *testing.T) {
		t.Parallel()
		answers := script(map[string]string{"LOGIN": "{tag} OK [CAPABILITY IMAP4rev1] in\r\n"})
		config := IMAPConfig{Server: rude(t, imapScript(answers)), Network: loopback()}
		if _, err := Wait(t.Context(), config, at, time.Minute); !errors.Is(err, ErrNoIdle) {
			t.Fatal(err)
		}
	})
}
