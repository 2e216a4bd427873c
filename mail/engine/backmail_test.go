package engine_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// backMail brings what comes back for the messages of the rounds: replies, some twice, and
// reports of all kinds, true and forged, in any order and some of them rounds later.
type backMail struct {
	w      *world
	chance *rand.Rand
	round  int
	later  map[int][]incoming // what is still on its way, by the round in which it arrives
	wrote  []string           // who has written a reply
	kind   map[string]string  // what the last mail about an address was
	dead   map[string]bool    // addresses that a true report calls dead
	kinds  map[string]int     // how many mails of each kind arrived
}

type incoming struct {
	kind  string
	from  string
	lines []string
}

func newBackMail(w *world, chance *rand.Rand) *backMail {
	return &backMail{
		w: w, chance: chance, later: map[int][]incoming{}, dead: map[string]bool{}, kind: map[string]string{}, kinds: map[string]int{},
	}
}

// report is a mail of a server about one recipient; id is the Message-ID of what it returns.
func report(key, email, id, action, status, said string) []string {
	return []string{"Message-ID: <" + key + "@mx.test>", "To: me@acme.test", "Subject: Delivery report", "MIME-Version: 1.0",
		`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`, "",
		"--b", "Content-Type: text/plain", "", "This is the mail system.",
		"--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.test", "",
		"Final-Recipient: rfc822; " + email, "Action: " + action, "Status: " + status, "Diagnostic-Code: smtp; " + said,
		"--b", "Content-Type: text/rfc822-headers", "", "From: me@acme.test", "Message-ID: " + id, "Subject: Hello", "", "--b--"}
}

// write makes up what comes back for one message: always a reply, and one report.
func (p *backMail) write(email, id string) {
	key := strings.ReplaceAll(email, "@", ".")
	reply := incoming{"reply", email, []string{"Message-ID: <reply." + key + "@phone.test>", "To: me@acme.test",
		"In-Reply-To: " + id, "Subject: Re: Hello", "", "Who are you, and why do you write to " + email + "?"}}
	p.wrote = append(p.wrote, email)
	mails := []incoming{reply}
	if p.chance.IntN(3) == 0 {
		mails = append(mails, incoming{"reply again", reply.from, reply.lines})
	}
	const daemon = "MAILER-DAEMON@mx.test"
	forged := "<abcdefghijklmnopqrstuvwx@acme.test>" // no message has it
	switch p.chance.IntN(8) {
	case 0:
		mails = append(mails, incoming{"delay", daemon,
			report("delay."+key, email, id, "delayed", "4.4.1", "connection timed out")})
	case 1:
		mails = append(mails, incoming{"forged failure", "postmaster@evil.test",
			report("forged."+key, email, forged, "failed", "5.1.1", "550 5.1.1 no such user")})
	case 2:
		mails = append(mails, incoming{"forged failure in words", "MAILER-DAEMON@evil.test", []string{
			"Message-ID: <words." + key + "@evil.test>", "To: me@acme.test",
			"Subject: Undelivered Mail Returned to Sender", "", "The address " + email + " does not exist."}})
	case 3:
		mails = append(mails, incoming{"forged complaint", "fbl@evil.test", []string{"Message-ID: <fbl." + key + "@evil.test>",
			"To: me@acme.test", "Subject: Complaint",
			`Content-Type: multipart/report; report-type=feedback-report; boundary="b"`, "",
			"--b", "Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Version: 1", "User-Agent: x",
			"Original-Rcpt-To: " + email, "--b--"}})
	case 4:
		mails = append(mails, incoming{"transient failure", daemon,
			report("full."+key, email, id, "failed", "4.2.2", "452 4.2.2 mailbox full")})
	case 5:
		if p.round%6 == 0 { // few enough that the share of dead addresses stops no mailbox
			p.dead[email] = true
			dead := incoming{"failure", daemon, report("dead."+key, email, id, "failed", "5.1.1", "550 5.1.1 no such user")}
			mails = append(mails, dead, incoming{"failure again", dead.from, dead.lines})
		}
	}
	p.kind[email] = mails[len(mails)-1].kind
	for _, m := range mails {
		when := p.round + 1
		if p.chance.IntN(4) == 0 {
			when += 1 + p.chance.IntN(3)
		}
		p.later[when] = append(p.later[when], m)
	}
}

// deliver puts the mails of this round into the mailbox in an order of chance. A process dies
// while it reads them, and another reads on.
func (p *backMail) deliver() {
	p.w.t.Helper()
	mails := p.later[p.round]
	delete(p.later, p.round)
	p.chance.Shuffle(len(mails), func(i, j int) { mails[i], mails[j] = mails[j], mails[i] })
	for _, m := range mails {
		p.w.arrivesAs(m.from, m.from, m.lines...)
		p.kinds[m.kind]++
	}
	if p.round%2 == 0 {
		p.w.dies(nowhere, 1, 20*time.Millisecond+time.Duration(p.chance.IntN(150))*time.Millisecond, receiveOnly)
	}
	p.w.engine.ReceiveOnce(p.w.ctx)
}

// finish delivers what is still on its way and looks at what all of it did: no person got a second
// mail, each reply is there once, and true reports alone are believed.
func (p *backMail) finish() {
	w := p.w
	w.t.Helper()
	for len(p.later) > 0 {
		p.round++
		p.deliver()
	}
	w.engine.SendOnce(w.ctx)
	for email, n := range w.mailsByAddress() {
		if n > 1 && strings.HasSuffix(email, "@away.test") {
			w.t.Errorf("%s got %d mails", email, n)
		}
	}
	slices.Sort(p.wrote)
	replies := func() []string {
		w.engine.ReceiveOnce(w.ctx)
		return rows[string](w, `SELECT sender FROM replies WHERE body_text LIKE 'Who are you%' ORDER BY sender COLLATE "C"`)
	}
	eventually(w, "who has a reply in the inbox", p.wrote, replies)
	statuses := w.statuses()
	for _, email := range p.wrote {
		want := "sent"
		if p.dead[email] || p.kind[email] == "transient failure" {
			want = "bounced"
		}
		if statuses[email] != want {
			w.t.Errorf("the message to %s, about which came a %s, is %s, want %s", email, p.kind[email], statuses[email], want)
		}
	}
	paused := rows[string](w, `SELECT status FROM mailboxes WHERE status <> 'connected'`)
	if len(paused) > 0 {
		w.t.Errorf("mailboxes that are not active: %v", paused)
	}
	w.t.Logf("%d replies in the inbox of %d; mails that came back: %s", len(replies()), len(p.wrote), fmt.Sprint(p.kinds))
}
