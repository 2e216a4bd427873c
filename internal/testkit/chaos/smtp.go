package chaos

import "strings"

var smtpWords = words{
	valid:  "250-SIZE 1000\r\n",
	begin:  "250 ",
	nested: []string{"250-first\r\n", "250-\r\n"},
	lies: []string{"25\r\n", "99999999999999999999 ok\r\n", "-250 ok\r\n", "250\n\n\n", "354 go\r\n354 go\r\n",
		"250 ok\r\n250 ok\r\n250 ok\r\n250 ok\r\n"},
	refuse: "554 5.7.1 ",
}

// smtp serves a submission server that takes everything.
func (s *session) smtp() {
	if s.due() {
		s.misbehave(smtpWords)
		return
	}
	s.say("220 chaos.test ready\r\n")
	for {
		text, ok := s.line()
		if !ok {
			return
		}
		verb, _, _ := strings.Cut(strings.ToUpper(text), " ")
		if s.due() {
			s.misbehave(smtpWords)
			return
		}
		switch verb {
		case "EHLO":
			ok = s.say("250-chaos.test\r\n250-8BITMIME\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n")
		case "AUTH":
			ok = s.say("235 2.7.0 welcome\r\n")
		case "STARTTLS":
			s.say("220 go ahead\r\n")
			s.misbehave(smtpWords) // instead of the handshake
			return
		case "DATA":
			ok = s.say("354 go\r\n") && s.data()
		case "QUIT":
			s.say("221 bye\r\n")
			return
		default:
			ok = s.say("250 ok\r\n")
		}
		if !ok {
			return
		}
	}
}

// data reads a message up to its dot and accepts it.
func (s *session) data() bool {
	for {
		text, ok := s.line()
		if !ok {
			return false
		}
		if text == "." {
			break
		}
	}
	if s.due() {
		s.misbehave(smtpWords)
		return false
	}
	return s.say("250 2.0.0 queued\r\n")
}
