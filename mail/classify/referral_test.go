package classify_test

import (
	"testing"

	"outreach/mail/classify"
)

// An author who says something about the colleague that they refer to is a person, also where few
// words are left of the sentence. A note names the colleague and says what mails of notes say.
func TestReferral(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Class{
		"Nina doesn't work here any more. Try Omar (omar@nord.example), he loves gadgets.":        classify.Reply,
		"Nina non lavora più qui. Senta Omar (omar@nord.example), lui adora i giocattoli.":        classify.Reply,
		"Nina już tu nie pracuje. Proszę pytać Omara (omar@nord.example), on lubi nowości.":       classify.Reply,
		"Nina ne travaille plus ici. Voyez Omar (omar@nord.example), il adore les gadgets.":       classify.Reply,
		"Nina werkt hier niet meer. Probeer Omar (omar@nord.example), hij houdt van snufjes.":     classify.Reply,
		"Nina jobber ikke lenger her. Prøv Omar (omar@nord.example), han elsker duppeditter.":     classify.Reply,
		"Нина у нас больше не работает. Пишите Омару (omar@nord.example), он любит новинки.":      classify.Reply,
		"Nina no longer works here. Please write to Omar (omar@nord.example).":                    classify.Automatic,
		"Nina no longer works here. Please contact Omar (omar@nord.example), he will assist you.": classify.Automatic,
		"Nina nie pracuje już w naszej firmie. Prosimy o kontakt z Omarem (omar@nord.example).":   classify.Automatic,
		"Nina non lavora più per la nostra azienda. Si prega di scrivere a omar@nord.example.":    classify.Automatic,
	} {
		v := read(t, "From: Tom <tom@nord.example>\nSubject: Re: Offer\n\n"+text).Kind(clock)
		if v.Class != want {
			t.Errorf("got %s (%s), want %s: %s", v.Class, v.Reason, want, text)
		}
	}
}
