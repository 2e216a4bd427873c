package outreach_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"outreach"
)

// The excerpt of a found mail shows a word that was found.
func TestExcerptOfFoundMail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("lorem ", 100)
	for _, c := range []struct{ name, text, search, want string }{
		{"a short text is whole", "Yes, please.", "yes", "Yes, please."},
		{"a text without the word begins at its start", long, "anna", long[:200]},
		{"a word near the start", "Offer for you. " + long, "offer", ("Offer for you. " + long)[:200]},
		{"a word far below", long + "our Öffer is" + " good", "offer", "…" + strings.Repeat("lorem ", 9) + "our Öffer is good"},
		{"the beginning of the last word", long + "offering", "x off", "…" + strings.Repeat("lorem ", 9) + "offering"},
		{"a whole word only, if it is not the last", long + "offering", "off x", long[:200]},
		{"characters, not bytes", strings.Repeat("é", 300), "x", strings.Repeat("é", 200)},
	} {
		words, err := outreach.ParseSearch(c.search)
		if err != nil {
			t.Fatal(err)
		}
		reply := outreach.Reply{Text: c.text, ReceivedAt: time.Unix(0, 0)}
		found := outreach.MergeMail(outreach.Rows[outreach.Reply]{Rows: []outreach.Reply{reply}},
			outreach.Rows[outreach.Message]{}, 1, words)
		if got := found.Rows[0].Excerpt; got != c.want {
			t.Errorf("%s: excerpt %q, want %q", c.name, got, c.want)
		}
	}
}

// A page of all mail ends where one of the two lists was not read any further.
func TestMergeMailEndsWhereReadingEnded(t *testing.T) {
	t.Parallel()
	at := func(hour int) time.Time { return time.Date(2026, 11, 1, hour, 0, 0, 0, time.UTC) }
	replies := func(more bool, last int, hours ...int) (rows outreach.Rows[outreach.Reply]) {
		rows.More, rows.Last = more, outreach.Key{At: at(last)}
		for _, hour := range hours {
			rows.Rows = append(rows.Rows, outreach.Reply{ReceivedAt: at(hour)})
		}
		return rows
	}
	messages := func(more bool, last int, hours ...int) (rows outreach.Rows[outreach.Message]) {
		rows.More, rows.Last = more, outreach.Key{At: at(last)}
		for _, hour := range hours {
			rows.Rows = append(rows.Rows, outreach.Message{SentAt: new(at(hour))})
		}
		return rows
	}
	for _, c := range []struct {
		name     string
		replies  outreach.Rows[outreach.Reply]
		messages outreach.Rows[outreach.Message]
		want     string
		more     bool
		last     int // 0 for none
	}{
		{"both are whole", replies(false, 0, 9, 3), messages(false, 0, 8), "9 8 3", false, 0},
		{"a full page", replies(true, 6, 9, 8, 6), messages(false, 0, 7), "9 8 7", true, 7},
		{"replies were read down to 5", replies(true, 5, 9), messages(false, 0, 8, 3), "9 8", true, 5},
		{"messages were read down to 5", replies(false, 0, 9, 3), messages(true, 5), "9", true, 5},
		{"both were stopped", replies(true, 4, 9), messages(true, 6, 7), "9 7", true, 6},
		{"both were stopped, the other way", replies(true, 6, 7), messages(true, 4, 9, 5), "9 7", true, 6},
		{"nothing was found so far", replies(false, 0), messages(true, 6), "", true, 6},
		{"what was found fills the page", replies(true, 5, 9, 8), messages(false, 0, 7, 6), "9 8 7", true, 7},
	} {
		page := outreach.MergeMail(c.replies, c.messages, 3, nil)
		var hours []string
		for _, m := range page.Rows {
			hours = append(hours, strconv.Itoa(m.At.Hour()))
		}
		last := 0
		if !page.Last.At.IsZero() {
			last = page.Last.At.Hour()
		}
		if got := strings.Join(hours, " "); got != c.want || page.More != c.more || c.more && last != c.last {
			t.Errorf("%s: %q, more %t, last %d, want %q, %t, %d", c.name, got, page.More, last, c.want, c.more, c.last)
		}
	}
}
