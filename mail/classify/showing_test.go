package classify_test

import (
	"testing"

	"outreach/mail/classify"
)

// A request to show something on a day asks for a demonstration. The same words without a
// request, without a day, or about our source of an address do not.
func TestShowUsOnADay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Could you take our cook and me through it on Friday?":             classify.Positive,
		"Mohl byste to v pátek předvést naší účetní?":                      classify.Positive,
		"Μπορείτε να το δείξετε την Παρασκευή στον λογιστή μας;":           classify.Positive,
		"Покажете это в пятницу нашему бухгалтеру?":                        classify.Positive,
		"금요일에 저희 회계 담당자에게 시연해 주실 수 있나요?":                                   classify.Positive,
		"Our cook shows the new oven to the guests on Friday.":             classify.Neutral,
		"Can you show me where on your site you name your partners?":       classify.Neutral,
		"Can you show me on Friday where you got my address?":              classify.Neutral,
		"On Friday you could not show us anything, so we are not pleased.": classify.Neutral,
	} {
		if got, reason := classify.Interest(text, "Re: Offer"); got != want {
			t.Errorf("%s: got %s (%s), want %s", text, got, reason, want)
		}
	}
}

// The words of "as soon as possible" ask for nothing, whatever they mean elsewhere.
func TestAsSoonAsPossibleAsksForNothing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Class{
		"Państwa zgłoszenie zostało zarejestrowane pod numerem 5571. Zajmiemy się nim najszybciej, jak to będzie możliwe.": classify.Automatic,
		"Váš požadavek jsme přijali pod číslem 5571. Ozveme se tak rychle, jak to bude možné.":                             classify.Automatic,
		"Jak to wygląda u innych hoteli? Proszę o odpowiedź najszybciej, jak to możliwe.":                                  classify.Reply,
	} {
		v := read(t, "From: Desk <desk@nord.example>\nSubject: Re: Offer\n\n"+text).Kind(clock)
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s", text, v.Class, v.Reason, want)
		}
	}
}

// A writer who has left says so of themselves, and that mail to the address is not read.
func TestLeftInTheFirstPerson(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Class{
		"אני לא עובדת יותר בחברה. הודעות לכתובת זו אינן נבדקות. נא לפנות אל office@nord.example.":                             classify.Automatic,
		"Nie pracuję już w tej firmie. Wiadomości na ten adres nie są czytane. Proszę pisać na biuro@nord.example.":           classify.Automatic,
		"I do not work at Nord any more. Messages to this address are not read. Please write to office@nord.example.":         classify.Automatic,
		"I no longer work at Nord, but your tool would help my new team. Send me the details here: anna@sued.example, please": classify.Reply,
	} {
		v := read(t, "From: Anna <anna@nord.example>\nSubject: Re: Offer\n\n"+text).Kind(clock)
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s", text, v.Class, v.Reason, want)
		}
	}
}
