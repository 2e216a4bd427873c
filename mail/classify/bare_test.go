package classify_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"outreach/mail/classify"
)

// The texts of testdata/bare are judged without a time of arrival, and as answers that came after a time. Without one,
// people are told by nearly all of them.
//
//	go test ./mail/classify -run TestBareMails -v
func TestBareMails(t *testing.T) {
	t.Parallel()
	rows := lines(t, filepath.Join("testdata", "bare", "mails.tsv"), 3)
	for _, after := range []time.Duration{0, 5 * time.Second, 45 * time.Second, 2 * time.Minute} {
		var m measured
		for _, row := range rows {
			at := oursSent.Add(after)
			msg := read(t, "From: Ann <ann@nord.example>\nSubject: Re: Offer\nDate: "+at.Format(time.RFC1123Z)+"\n"+utf8Plain+"\n"+row[2])
			sent := classify.Sent{Text: oursText}
			if after > 0 {
				sent.At = oursSent
			}
			into, want := &m.people, classify.Reply
			if row[1] == "program" {
				into, want = &m.programs, classify.Automatic
			}
			v := msg.Answer(at, sent).Verdict
			into.count(sampleOf(row), v.Class == want, fmt.Sprintf("%s (%s)", v.Class, v.Reason))
		}
		t.Logf("after %s: people as people %s, programs as programs %s", after, &m.people, &m.programs)
		if slow := after == 0 || after > time.Minute; slow && m.people.right*100 < 99*m.people.all {
			t.Errorf("after %s: people as people %s, want 99 %%", after, &m.people)
		}
		if after == 5*time.Second && m.programs.right*100 < 95*m.programs.all {
			t.Errorf("after %s: programs as programs %s, want 95 %%", after, &m.programs)
		}
	}
}
