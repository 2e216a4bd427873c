package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// perRound is how many people each round writes to.
const perRound = 5

// Processes die at chance instants and chance boundaries, one a round; after each
// another finishes. Between the rounds replies and reports come back (backMail).
func TestDeathByChance(t *testing.T) {
	t.Parallel()
	deathRounds(newWorld(t, time.Now().UTC(), time.Millisecond), 6, 1)
}

// deathRounds runs n rounds in one database and looks, after each, at what
// each person got. The seed decides all random choices.
func deathRounds(w *world, n int, seed uint64) {
	w.t.Helper()
	c := w.smallCampaign()
	chance := rand.New(rand.NewPCG(seed, uint64(n)))
	back := newBackMail(w, chance)
	var doubt, proven int
	for round := range n {
		var emails []string
		for i := range perRound {
			emails = append(emails, fmt.Sprintf("r%d.%d@away.test", round, i))
		}
		w.enrollInTurn(c, emails...)
		where, after := boundaries[chance.IntN(len(boundaries))], time.Minute
		if round%2 == 1 { // at a random instant, maybe within a command
			where, after = nowhere, 20*time.Millisecond+time.Duration(chance.IntN(150))*time.Millisecond
		}
		w.dies(where, 1+chance.IntN(perRound), after)
		w.finish(emails)
		before := w.unknowns(emails)
		w.engine.ReceiveOnce(w.ctx)
		left := w.unknowns(emails)
		doubt, proven = doubt+before, proven+before-left
		w.checkRound(where, emails, before, left)
		back.round = round
		for _, row := range rows[string](w, `
SELECT recipient || ' ' || message_id FROM messages WHERE status = 'sent' AND recipient = ANY($1) ORDER BY recipient`, emails) {
			email, id, _ := strings.Cut(row, " ")
			back.write(email, id)
		}
		back.deliver()
	}
	back.finish()
	w.t.Logf("%d rounds, %d mails, %d unknown, of which %d were proven by the Sent folder", n, w.mail.ReceivedCount(), doubt, proven)
}

// finish sends until no person waits. Postgres may need a moment to notice that a client has ended
// and to release the mailbox that it had locked.
func (w *world) finish(emails []string) {
	w.t.Helper()
	eventually(w, "people with a message that is settled", len(emails), func() int {
		w.engine.SendOnce(w.ctx)
		return rows[int](w, `SELECT count(*)::int FROM messages WHERE status IN ('sent', 'unknown') AND recipient = ANY($1)`, emails)[0]
	})
}

func (w *world) unknowns(emails []string) int {
	w.t.Helper()
	return rows[int](w, `SELECT count(*)::int FROM messages WHERE status = 'unknown' AND recipient = ANY($1)`, emails)[0]
}

// checkRound fails unless each person has one message: a sent one arrived once, an unknown one did
// not arrive (what was sent has been proven), and one process with one connection leaves at most one
// unknown. While a message is claimed, the answer to the one before may not be recorded yet.
func (w *world) checkRound(where boundary, emails []string, before, left int) {
	w.t.Helper()
	want := map[boundary][2]int{afterCommit: {1, 1}, beforeSettle: {1, 0}}
	beside := before == 1 && left == 0 && (where == beforeClaim || where == afterClaim)
	if where != nowhere && !beside && want[where] != [2]int{before, left} {
		w.t.Errorf("a process died %s: %d unknown, %d after the Sent folder was read; want %v", where, before, left, want[where])
	}
	if before > 1 {
		w.t.Errorf("one death left %d unknown", before)
	}
	statuses, mails := w.statuses(), w.mailsByAddress()
	for _, email := range emails {
		got := fmt.Sprintf("%s with %d mails", statuses[email], mails[email])
		if got != "sent with 1 mails" && got != "unknown with 0 mails" {
			w.t.Errorf("a process died %s: %s is %s", where, email, got)
		}
	}
}
