package classify

import (
	"testing"
	"time"
)

// A person who says when to meet after a return is not taken for a note.
func TestReturnWithProposal(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"Back Monday. Tuesday at 10 suits me.",
		"I return on Monday. A demo on Wednesday or Thursday would work.",
		"Back on 3 December; our contract with the agency ends on 31 December.",
		"Am Montag bin ich wieder im Büro, Dienstag 10 Uhr passt mir.",
		"Ich bin ab 3.12. wieder da. Am 4.12. um 10 Uhr hätte ich Zeit.",
		"De retour le 3 décembre. Le 4 décembre à 10h me convient.",
		"Vuelvo el lunes. El martes a las 10 me viene bien.",
		"Rientro lunedì, martedì alle 10 va bene.",
		"Volto na segunda. Terça às 10 está ótimo.",
		"Ik ben maandag terug, dinsdag om 10 uur kan ik.",
		"Wracam 30 listopada. 1 grudnia o 10 mi pasuje.",
		"Jag är tillbaka på måndag. Tisdag kl 10 passar.",
		"Jeg er tilbage mandag, onsdag passer fint.",
		"Jeg er tilbake mandag, tirsdag passer fint.",
		"Palaan maanantaina. Tiistai klo 10 sopii.",
		"Vracím se v pondělí, v úterý v 10 se mi to hodí.",
		"Hétfőn térek vissza, kedden 10-kor jó.",
		"Revin luni. Marți la 10 e bine.",
		"Pazartesi dönüyorum, salı 10 uygun.",
		"Επιστρέφω τη Δευτέρα. Την Τρίτη στις 10 μπορώ.",
		"Вернусь в понедельник, во вторник в 10 удобно.",
		"Повернуся в понеділок, у вівторок о 10 зручно.",
		"30日に戻ります。12月1日の10時なら空いています。",
		"11월 30일에 복귀합니다. 12월 1일 10시 가능합니다.",
		"我30号回来，12月1日上午10点可以。",
		"אחזור ביום שני, יום שלישי בעשר מתאים.",
	} {
		m := &Message{Date: from, Subject: "Re: Manuals", InReplyTo: "x"}
		w := m.weigh(text)
		w.weighDates(m.Subject, text, from)
		if automatic, reason := w.verdict(); automatic {
			t.Errorf("%s: got automatic: %s", text, reason)
		}
	}
}
