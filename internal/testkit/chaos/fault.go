package chaos

import (
	"net"
	"strings"
	"time"
)

// fault is one way to behave badly.
type fault int

const (
	hang     fault = iota // say nothing
	end                   // close the connection
	reset                 // break the connection off
	flood                 // send valid lines without end
	longLine              // send a line without end
	drip                  // send a byte now and then
	nest                  // open brackets, or lines of one answer, without end
	lie                   // announce another length than that of what follows
	garbage               // send random bytes
	refuse                // answer with an error, and a long text
	faultCount
)

func (f fault) String() string {
	return [...]string{"hang", "end", "reset", "flood", "long line", "drip", "nest", "lie", "garbage", "refuse"}[f]
}

// words are what a fault says in a protocol.
type words struct {
	valid  string   // a line that may stand between answers, for floods
	begin  string   // of a line that does not end
	nested []string // a beginning, and what is repeated after it
	lies   []string // answers whose lengths are wrong
	refuse string   // before the text of a refusal
}

// misbehave acts out the fault that was drawn for the session.
func (s *session) misbehave(w words) {
	s.server.faults[s.fault].Add(1)
	switch s.fault {
	case hang:
		<-s.done
	case end:
	case reset:
		if tcp, ok := s.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	case flood:
		s.repeat(strings.Repeat(w.valid, 1+(16<<10)/len(w.valid)))
	case longLine:
		if s.say(w.begin) {
			s.repeat(strings.Repeat("x", 16<<10))
		}
	case drip:
		s.drip(w.begin + strings.Repeat("y", 1<<10))
	case nest:
		if s.say(w.nested[0]) {
			s.repeat(strings.Repeat(w.nested[1], 1+(16<<10)/len(w.nested[1])))
		}
	case lie:
		s.say(w.lies[s.random.IntN(len(w.lies))])
		<-s.done
	case garbage:
		noise := make([]byte, 1<<10+s.random.IntN(64<<10))
		for i := range noise {
			noise[i] = byte(s.random.Uint32())
		}
		s.say(string(noise))
	case refuse:
		s.say(w.refuse + strings.Repeat("no ", s.random.IntN(4<<10)) + "\r\n")
		s.line()
	}
}

// repeat sends a piece until the client closes the connection.
func (s *session) repeat(piece string) {
	for sent := 0; sent < maxFlood && s.say(piece); sent += len(piece) {
	}
}

// drip sends the bytes of a text one by one.
func (s *session) drip(text string) {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for i := range len(text) {
		select {
		case <-s.done:
			return
		case <-ticker.C:
		}
		if !s.say(text[i : i+1]) {
			return
		}
	}
}
