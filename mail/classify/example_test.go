package classify_test

import (
	"fmt"
	"strings"
	"time"

	"outreach/mail/classify"
)

func ExampleMessage_Answer() {
	sent := "Hello Ada,\nmay I show you in ten minutes how it works with your catalogue?\n"
	raw := "From: ada@engine.example\nSubject: Re: Your catalogue\n\n" +
		"Sounds interesting, please call me on Monday.\n\n" +
		"On Fri, 20 Nov 2026 at 09:00, Lena wrote:\n> Hello Ada,\n> may I show you in ten minutes how it works with your catalogue?\n"
	m, err := classify.Read(strings.NewReader(raw))
	if err != nil {
		panic(err)
	}
	a := m.Answer(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), classify.Sent{Text: sent})
	fmt.Println(a.Class, a.Interest)
	fmt.Println(a.Text)
	// Output:
	// reply positive
	// Sounds interesting, please call me on Monday.
}

func ExampleSMTP() {
	class, reason := classify.SMTP(550, "5.1.1", "User unknown")
	fmt.Printf("%s: %s\n", class, reason)
	// Output:
	// recipient: the address does not exist
}
