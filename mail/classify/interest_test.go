package classify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"outreach/mail/classify"
)

func TestInterest(t *testing.T) {
	t.Parallel()
	for want, replies := range map[string][]string{
		classify.Positive: {
			"Sounds good! Can we do Thursday at 3?",
			"¿Cuánto cuesta?",
			"Sounds interesting, but not at the moment. Circle back in spring.",
			"How much does it cost?",
			"Hi Anna,\n\nthis is interesting. Tell me more.\n\nBest,\nTom",
			"Yes, please send me more information.",
			"I'd be very interested.",
			"Could you send over some pricing?",
			"Could you share pricing?",
			"Klinkt goed, kunnen we volgende week bellen?",
			"Happy to chat next week – here's my Calendly.",
			"Let's book a call.",
			"Yes",
			"No problem, let's talk on Monday.",
			"We'd love to see a demo.",
			"Not bad! I'm interested in the second option.",
			"Are you available on Tuesday?",
			"Klingt gut, schicken Sie mir gern Unterlagen.",
			"Ja, gerne!",
			"Wir sind interessiert. Wann hätten Sie Zeit?",
			"Hört sich spannend an. Können wir einen Termin vereinbaren?",
			"Bonjour, cela m'intéresse. Pouvez-vous m'envoyer plus de détails ?",
			"Avec plaisir, je suis disponible jeudi.",
			"Oui, envoyez-moi un devis.",
			"Me interesa, ¿podemos hablar el martes?",
			"Suena bien. Envíeme más información, por favor.",
			"Mi interessa, mi mandi maggiori informazioni.",
			"Volentieri, fissiamo una call.",
			"Tenho interesse. Pode me enviar mais informações?",
			"Parece interessante, vamos marcar uma reunião.",
			"Klinkt goed, stuur me meer informatie.",
			"Ja graag! Wanneer kunt u?",
		},
		classify.Negative: {
			"Not interested.",
			"I am not at all interested in this.",
			"No I am not interested",
			"We're not really interested, sorry.",
			"Thanks, but no thanks.",
			"No",
			"STOP",
			"Unsubscribe",
			"Please remove me from your list.",
			"Sounds good, but please take me off your mailing list.",
			"Don't send me any more information.",
			"Would you please stop emailing me?",
			"We already work with an agency.",
			"I'd like to be removed. How did you get my address?",
			"We don't have budget for this.",
			"Kein Interesse.",
			"Bitte keine weiteren E-Mails.",
			"Danke, aber wir haben leider kein großes Interesse.",
			"Das interessiert uns nicht, das brauchen wir nicht.",
			"Nein danke",
			"Bitte löschen Sie meine Daten und schreiben Sie mir nicht mehr.",
			"Je ne suis pas intéressé.",
			"Non merci, nous avons déjà un prestataire.",
			"Merci de me retirer de votre liste.",
			"No me interesa, gracias.",
			"No estamos interesados.",
			"Por favor, darme de baja.",
			"Non siamo interessati.",
			"No grazie. Cancellatemi.",
			"Não tenho interesse, obrigado.",
			"Não estou interessado. Remova-me da lista.",
			"Geen interesse.",
			"We zijn niet geïnteresseerd, schrijf me uit.",
		},
		classify.Neutral: {
			"",
			"Who are you?",
			"Are you interested in selling your company?",
			"Thanks, I have received your mail.",
			"I am not the right person, I have forwarded this to Jane.",
			"Not right now, maybe later this year.",
			"I'm not sure whether we are interested.",
			"I'm interested, although we already have a supplier.",
			"Let me know if you are interested in our services.",
			"The bus stop is opposite our office.",
			"I'm curious how you got my name.",
			"Wie funktioniert das genau?",
			"Derzeit nicht, vielleicht nächstes Jahr.",
			"Je ne suis pas la bonne personne, j'ai transmis votre message.",
			"Al momento no, forse più avanti.",
			"Neste momento não.",
			"Wie is uw baas?",
			"日程を確認します。",
		},
	} {
		for _, text := range replies {
			if got, reason := classify.Interest(text, "Re: Interested in more leads?"); got != want {
				t.Errorf("%q: got %s (%s), want %s", text, got, reason, want)
			}
		}
	}
}

// The reason names the words that decided, and a subject counts only where the
// prospect wrote it.
func TestInterestReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, subject, interest, words string }{
		{"Klingt gut, machen wir!", "AW: Angebot", classify.Positive, `"klingt gut"`},
		{"I am not at all interested.", "Re: Hello", classify.Negative, `"not … interested"`},
		{"Let's do it", "Re: Hello", classify.Positive, `"let's do it"`},
		{"Wir waren interessierte Leser.", "Re: Hallo", classify.Neutral, "no words"},
		{"Gracias, pero no estamos buscando esto.", "Re: Hola", classify.Negative, `"no estamos buscando"`},
		{"Please remove me.", "Re: Hello", classify.Negative, `"remove me"`},
		{"", "unsubscribe", classify.Negative, `"unsubscribe"`},
		{"Hello", "Re: How to stop emailing by hand", classify.Neutral, "no words"},
		{"Don't unsubscribe me, I'd love to read on.", "Re: Hello", classify.Positive, `love to"`},
	} {
		interest, reason := classify.Interest(c.text, c.subject)
		if interest != c.interest || !strings.Contains(reason, c.words) {
			t.Errorf("%q, %q: got %s (%s), want %s with %s", c.text, c.subject, interest, reason, c.interest, c.words)
		}
	}
}

// The answers of the grid were written before the rules that they were first run on, by the writer of
// those rules (testdata/grid/README.md).
//
//	OUTREACH_MISSES=all go test ./mail/classify -run TestInterestOfGrid -v
func TestInterestOfGrid(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "grid", "answers*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no answers: %v", err)
	}
	for _, file := range files {
		var positive, others, threeWay rate
		for _, row := range lines(t, file, 3) {
			a := judgeRow(t, "Re: Manuals", row[2], clock)
			s, got := sampleOf(row), fmt.Sprintf("%s (%s), want %s", a.Interest, a.InterestReason, row[1])
			into := &others
			if row[1] == classify.Positive {
				into = &positive
			}
			into.count(s, (a.Interest == classify.Positive) == (row[1] == classify.Positive), got)
			threeWay.count(s, a.Interest == row[1], got)
		}
		t.Logf("%s: sales answers as positive %s", filepath.Base(file), &positive)
		t.Logf("%s: other answers as not positive %s", filepath.Base(file), &others)
		t.Logf("%s: interest of three %s", filepath.Base(file), &threeWay)
		if os.Getenv("OUTREACH_MISSES") == "all" {
			t.Log("\n" + strings.Join(threeWay.misses, "\n-----\n"))
		}
	}
}
