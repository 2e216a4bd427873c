package chaos

import (
	"fmt"
	"strings"
	"time"
)

var imapWords = words{
	valid:  "* OK still here\r\n",
	begin:  "* OK ",
	nested: []string{"* 1 FETCH (BODYSTRUCTURE ", "("},
	lies: []string{
		"* 1 FETCH (UID 5 BODY[] {9000000000}\r\nshort", "* 1 FETCH (UID 5 BODY[] {-1}\r\n",
		"* 1 FETCH (UID 5 BODY[] {3}\r\nfar more than three)\r\n",
		"* 4294967295 EXISTS\r\n* 99999999999999999999 FETCH (UID 1)\r\n", "* SEARCH " + strings.Repeat("4294967295 ", 1000) + "\r\n",
		"* CAPABILITY (\r\n", "* LIST (\r\n* LIST () {4}\r\n", "* BYE\r\n* BYE\r\n", "zz OK not your tag\r\n",
		"* FLAGS (" + strings.Repeat("a ", 1<<20) + ")\r\n",
	},
	refuse: "* BYE ",
}

// imap serves a folder with two messages.
func (s *session) imap() {
	if s.due() {
		s.misbehave(imapWords)
		return
	}
	s.say("* OK [CAPABILITY IMAP4rev1 IDLE AUTH=PLAIN] chaos\r\n")
	for {
		text, ok := s.line()
		if !ok {
			return
		}
		if s.due() {
			s.misbehave(imapWords)
			return
		}
		if !s.command(text) {
			return
		}
	}
}

// command answers one command and reports whether the connection goes on.
func (s *session) command(text string) bool {
	tag, rest, _ := strings.Cut(text, " ")
	verb := strings.ToUpper(rest)
	done := tag + " OK done\r\n"
	switch {
	case strings.HasPrefix(verb, "STARTTLS"):
		s.say(tag + " OK go ahead\r\n")
		s.misbehave(imapWords) // instead of the handshake
		return false
	case strings.HasPrefix(verb, "CAPABILITY"):
		return s.say("* CAPABILITY IMAP4rev1 IDLE AUTH=PLAIN\r\n" + done)
	case strings.HasPrefix(verb, "LIST"):
		return s.say("* LIST (\\HasNoChildren) \"/\" INBOX\r\n* LIST (\\Junk) \"/\" Junk\r\n* LIST (\\Sent) \"/\" Sent\r\n" + done)
	case strings.HasPrefix(verb, "EXAMINE"), strings.HasPrefix(verb, "SELECT"):
		return s.say("* 2 EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT 7] n\r\n" + tag + " OK [READ-ONLY] done\r\n")
	case strings.Contains(verb, "SEARCH"):
		return s.say("* SEARCH 5 6\r\n" + done)
	case strings.Contains(verb, "FETCH"):
		return s.say(s.fetched(verb) + done)
	case strings.HasPrefix(verb, "IDLE"):
		if !s.say("+ idling\r\n") {
			return false
		}
		_, ok := s.line()
		return ok && s.say(done)
	case strings.HasPrefix(verb, "LOGOUT"):
		s.say("* BYE\r\n" + done)
		return false
	}
	return s.say(done)
}

// fetched returns the two messages, with their bodies where they are asked for.
func (s *session) fetched(command string) string {
	var text strings.Builder
	date := time.Now().UTC().Format("02-Jan-2006 15:04:05 -0700")
	for i, uid := range []int{5, 6} {
		fmt.Fprintf(&text, "* %d FETCH (UID %d INTERNALDATE %q", i+1, uid, date)
		if strings.Contains(command, "BODY") {
			mail := s.mail()
			fmt.Fprintf(&text, " BODY[] {%d}\r\n%s", len(mail), mail)
		} else {
			fmt.Fprintf(&text, " RFC822.SIZE %d", 1<<10)
		}
		text.WriteString(")\r\n")
	}
	return text.String()
}

// mail returns a message that is hard to read.
func (s *session) mail() string {
	head := fmt.Sprintf("From: x%d@chaos.test\r\nMessage-ID: <%d@chaos.test>\r\nSubject: Re: hello\r\n", s.random.Uint32(), s.random.Uint64())
	switch s.random.IntN(4) {
	case 0: // parts in parts
		var parts strings.Builder
		parts.WriteString(head)
		for i := range 2000 {
			fmt.Fprintf(&parts, "Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n", i, i)
		}
		return parts.String()
	case 1: // fields without end
		return head + strings.Repeat("X-Field: "+strings.Repeat("v", 80)+"\r\n", 20_000) + "\r\nhello\r\n"
	case 2: // elements in elements
		return head + "Content-Type: text/html\r\n\r\n" + strings.Repeat("<div><blockquote>", 50_000)
	}
	return head + "References: " + strings.Repeat("<r@chaos.test> ", 20_000) + "\r\n\r\nOn Monday you wrote:\r\n" +
		strings.Repeat("> ", 100_000) + "\r\n"
}
