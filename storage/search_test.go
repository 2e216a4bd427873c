package storage_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"outreach"
	"outreach/storage"
)

func (s *stage) search(text string) (ids []uuid.UUID) {
	s.t.Helper()
	page := outreach.Page{Limit: 7}
	for {
		rows := got(s.ListReplies(s.ctx, s.ws, outreach.ReplyFilter{Search: got(outreach.ParseSearch(text))(s.t)}, page))(s.t)
		for _, r := range rows.Rows {
			ids = append(ids, r.ID)
		}
		if !rows.More {
			return ids
		}
		page.After = &rows.Last
	}
}

// searchMailSlowly finds all mail that has the words in pages that read little.
func (s *stage) searchMailSlowly(words []string) (ids []uuid.UUID) {
	s.t.Helper()
	page := outreach.Page{Limit: 7}
	for {
		rows := got(storage.ListMailSlowly(s.ctx, s.DB, s.ws, words, page))(s.t)
		for _, m := range rows.Rows {
			ids = append(ids, m.ID)
		}
		if !rows.More {
			return ids
		}
		if page.After != nil && *page.After == rows.Last {
			s.t.Fatalf("the page after %v ends where it begins", rows.Last)
		}
		page.After = &rows.Last
	}
}

// A search finds replies by sender, subject and text, in one workspace.
func TestSearchReplies(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	reply := s.replyTo(s.box, "ann.keller@x.test", s.out, nil)
	s.exec(`UPDATE replies SET subject = 'x' WHERE id = $1`, reply.ID) // the words stay what they were
	other := s.room(t)
	for _, c := range []struct {
		text  string
		found bool
	}{
		{"keller", true}, {"ANN kell", true}, {"ann.keller@x.test", true}, {"kéller", true},
		{"eller", false}, {"keller nobody", false}, {"x", true}, {"tes", true}, {"kell x", false}, {"te", false},
	} {
		if found := slices.Contains(s.search(c.text), reply.ID); found != c.found {
			t.Errorf("%q finds the reply: %t", c.text, found)
		}
		if theirs := other.search(c.text); len(theirs) != 0 {
			t.Errorf("%q finds %d replies of another workspace", c.text, len(theirs))
		}
	}
}

// Every search gives what reading all rows gives, in the order of the list, however
// often its words are used and whatever the week.
func TestSearchByChance(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	random := rand.New(rand.NewPCG(1, 2))
	type row struct {
		id    uuid.UUID
		at    time.Time
		words string
	}
	vocabulary := []string{"offer", "offers", "price", "meeting", "rare", "a", "an", "ant"}
	var rows []row
	for range 2500 {
		r := row{id: uuid.Must(uuid.NewV7()), at: s.clock.Now().Add(-time.Duration(random.IntN(400*24)) * time.Hour)}
		var text []string
		for n, word := range vocabulary {
			if random.IntN(1+n*n*4) == 0 {
				text = append(text, word)
			}
		}
		r.words = outreach.SearchWords(strings.Join(text, " "))
		rows = append(rows, r)
	}
	ids, ats, words := make([]uuid.UUID, len(rows)), make([]time.Time, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		ids[i], ats[i], words[i] = r.id, r.at, r.words
	}
	s.exec(`INSERT INTO replies (id, workspace_id, prospect_id, mailbox_id, sender, body_text, automatic, received_at, words)
		SELECT one.id, $1, $2, $3, 'f', 't', false, one.at, one.words FROM unnest($4::uuid[], $5::timestamptz[], $6::text[]) one(id, at, words)`,
		s.ws, s.p.ID, s.box.ID, ids, ats, words)
	s.exec("ANALYZE replies")
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(b.at.Compare(a.at), strings.Compare(b.id.String(), a.id.String()))
	})
	for _, search := range [][]string{{"offer"}, {"offers"}, {"price"}, {"ant"}, {"a"}, {"an"}, {"rare"},
		{"offer", "price", "meet"}, {"off", "price"}, {"offers", "rare"}, {"nothing"}} {
		var want []uuid.UUID
		for _, r := range rows {
			has := true
			for i, word := range search {
				whole := i < len(search)-1 || len(word) < 3
				has = has && (strings.Contains(r.words, " "+word+" ") || !whole && strings.Contains(r.words, " "+word))
			}
			if has {
				want = append(want, r.id)
			}
		}
		if diff := gocmp.Diff(want, s.search(strings.Join(search, " "))); diff != "" {
			t.Errorf("%v (want has %d):\n%s", search, len(want), diff[:min(len(diff), 500)])
		}
		if len(want) > 150 {
			continue
		}
		if diff := gocmp.Diff(want, s.searchMailSlowly(search)); diff != "" {
			t.Errorf("%v, some weeks at a time (want has %d):\n%s", search, len(want), diff[:min(len(diff), 500)])
		}
	}
}

// All mail is found together: replies, steps and answers, newest first.
func TestSearchAllMail(t *testing.T) {
	t.Parallel()
	s := newStage(t).scene()
	reply := s.replyTo(s.box, s.p.Email, s.out, nil)
	mail := func(ws uuid.UUID, text string) (kinds []outreach.MailKind) {
		page := outreach.Page{Limit: 1}
		for {
			rows := got(s.ListMail(s.ctx, ws, got(outreach.ParseSearch(text))(t), page))(t)
			for _, m := range rows.Rows {
				kinds = append(kinds, m.Kind)
			}
			if !rows.More {
				return kinds
			}
			page.After = &rows.Last
		}
	}
	if diff := gocmp.Diff([]outreach.MailKind{outreach.MailReply, outreach.MailStep}, mail(s.ws, s.p.Email)); diff != "" {
		t.Errorf("mail of the prospect:\n%s", diff)
	}
	m := got(s.CreateAnswer(s.ctx,
		outreach.Answer{WorkspaceID: s.ws, ReplyID: reply.ID, AnswerText: outreach.AnswerText{BodyText: new("Dziękuję, Łódź")}}, answerMail{}))(t)
	if found := mail(s.ws, "lodz"); len(found) != 0 {
		t.Errorf("an answer that has not left is found: %v", found)
	}
	got(s.UpdateAnswer(s.ctx, s.ws, m.ID, func(a *outreach.Answer) { a.BodyText = new("Wrocław") }, answerMail{}))(t)
	s.exec(`UPDATE messages SET status = 'sent', sent_at = now() WHERE id = $1`, m.ID)
	if diff := gocmp.Diff([]outreach.MailKind{outreach.MailAnswer}, mail(s.ws, "wroclaw")); diff != "" {
		t.Errorf("an answer that was changed and left:\n%s", diff)
	}
	if found := mail(s.ws, "lodz"); len(found) != 0 {
		t.Errorf("an answer is found by words it had before: %v", found)
	}
	if theirs := mail(s.room(t).ws, s.p.Email); len(theirs) != 0 {
		t.Errorf("another workspace finds %v", theirs)
	}
}
