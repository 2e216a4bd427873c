package classify_test

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"outreach/mail/classify"
)

// ours is the message that the mails of the fifth set answer.
const (
	oursID   = "<7f3a.1@ours.example>"
	oursText = "Hello,\n\nI saw that you take bookings by telephone. Our desk books guests while you sleep.\n" +
		"Would a short call next week suit you?\n\nNina Berg\n"
	oursQuoted = "\n\nOn Mon, 2 Mar 2026 at 09:00, Nina Berg <nina@ours.example> wrote:\n\n" +
		"> Hello,\n>\n> I saw that you take bookings by telephone. Our desk books guests while you sleep.\n" +
		"> Would a short call next week suit you?\n>\n> Nina Berg\n"
)

var oursSent = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// wholeMail builds the mail of one line of the fifth or a later set.
func wholeMail(t testing.TB, row []string) string {
	t.Helper()
	seconds, err := strconv.Atoi(row[4])
	if err != nil {
		t.Fatal(err)
	}
	at := oursSent.Add(time.Duration(seconds) * time.Second)
	header := "From: " + row[2] + "\nTo: Nina Berg <nina@ours.example>\nSubject: " + row[3] + "\nDate: " + at.Format(time.RFC1123Z) +
		"\nMessage-ID: <in@client.example>\n"
	body := row[6]
	if row[5] == "q" {
		body += oursQuoted
	}
	if row[5] == "h" {
		header += "Auto-Submitted: auto-replied\n"
	}
	if row[5] != "-" {
		header += "In-Reply-To: " + oursID + "\nReferences: " + oursID + "\n"
	}
	return header + utf8Plain + "\n" + body + "\n"
}

// The fifth and later sets hold whole mails: their READMEs say how they were written.
//
//	go test ./mail/classify -run TestWholeMails -v
func TestWholeMails(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"fifth", "sixth", "seventh"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			measureWholeMails(t, filepath.Join("testdata", dir))
		})
	}
}

func measureWholeMails(t *testing.T, dir string) {
	t.Helper()
	var m measured
	var bare rate // programs without an automatic header
	for file, want := range map[string]classify.Class{"people.tsv": classify.Reply, "programs.tsv": classify.Automatic} {
		into := &m.people
		if want == classify.Automatic {
			into = &m.programs
		}
		for _, row := range lines(t, filepath.Join(dir, file), 7) {
			msg := read(t, wholeMail(t, row))
			v, report := msg.Report()
			if !report {
				v = msg.Answer(msg.Date, classify.Sent{Text: oursText, At: oursSent}).Verdict
			}
			s := sample{keys: map[string]string{"lang": row[0], "kind": row[1], "id": row[0] + " " + row[1]}, raw: strings.Join(row[3:], "|")}
			got := fmt.Sprintf("%s (%s)", v.Class, v.Reason)
			into.count(s, v.Class == want, got)
			if want == classify.Automatic && row[5] != "h" {
				bare.count(s, v.Class == want, got)
			}
		}
	}
	m.log(t)
	t.Logf("of them without an automatic header %s", &bare)
}

// The return dates and the interest of the sets that have no people and programs in the form of the fresh set.
//
//	go test ./mail/classify -run TestDatesAndInterest -v
func TestDatesAndInterest(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"sixth", "seventh"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			m, _ := measureDatesAndInterest(t, filepath.Join("testdata", dir))
			m.log(t)
		})
	}
}
