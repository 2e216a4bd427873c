package classify_test

import (
	"testing"
	"time"

	"outreach/mail/classify"
)

// The footer of a firm tells its readers how to leave its own list. That asks us for nothing.
func TestFooterIsNoOptOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Tuesday suits me.\n\nTo unsubscribe from our newsletter, write to news@nord.example.":                   false,
		"Call me.\n\nIf you no longer wish to receive emails from us, click https://nord.example/out.":           false,
		"Passt.\n\nSie können sich jederzeit von unserem Newsletter abmelden: abmelden@nord.example":             false,
		"D'accord.\n\nPour vous désabonner de notre newsletter, écrivez à stop@nord.example.":                    false,
		"Va bene.\n\nPer cancellarsi dalla nostra lista scrivere a privacy@nord.example.":                        false,
		"De acuerdo.\n\nSi no desea recibir nuestras comunicaciones, escriba a baja@nord.example.":               false,
		"Goed.\n\nWilt u zich afmelden voor onze nieuwsbrief? Mail naar uit@nord.example.":                       false,
		"Pasuje.\n\nAby wypisać się z naszego newslettera, proszę napisać na stop@nord.example.":                 false,
		"Freitag.\n\nVom Newsletter der Nord GmbH können Sie sich hier abmelden.":                                false,
		"Friday.\n\nYou can unsubscribe at any time: https://nord.example/out":                                   false,
		"Togliete il mio nome dai vostri contatti.":                                                              true,
		"Please remove us from your mailing list. Our address is info@nord.example.":                             true,
		"Nehmen Sie info@nord.example aus Ihrem Newsletter.":                                                     true,
		"Veuillez désinscrire notre adresse de votre liste.":                                                     true,
		"Remove me from your list.\n\nTo unsubscribe from our newsletter, write to news@nord.example.":           true,
		"If you write once more, we will report you. We do not wish to receive any further emails.":              true,
		"Vi vill inte ha fler utskick.\n\nAvregistrera dig från vårt nyhetsbrev på https://nord.example/nyheter": true,
	} {
		if words, got := classify.OptOut(text, true); got != want {
			t.Errorf("%s: got %v (%q), want %v", text, got, words, want)
		}
	}
}

// Who has left another list, or has left one and shows interest, does not ask us to stop.
func TestLeftAnotherList(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"I unsubscribed from another agency's newsletter last week. Yours is fine.":               false,
		"I have unsubscribed from your newsletter, but please call me on Friday.":                 false,
		"We opted out of most of these lists.":                                                    false,
		"Ich habe mich aus fast allen Verteilern abgemeldet, Ihre Mail lese ich aber.":            false,
		"Mi sono cancellato da altre liste, ma mi mandi un preventivo.":                           false,
		"Jag har avregistrerat mig från andra utskick.":                                           false,
		"Я отписался от других рассылок.":                                                         false,
		"I have already unsubscribed twice.":                                                      true,
		"I unsubscribed from your list in May.":                                                   true,
		"Ich habe mich bereits abgemeldet und bekomme immer noch Mails.":                          true,
		"Je me suis désabonné le mois dernier.":                                                   true,
		"Me di de baja hace un mes.":                                                              true,
		"Я уже отписался от вашей рассылки.":                                                      true,
		"Unsubscribe me from this and all other lists.":                                           true,
		"Nehmen Sie mich aus diesem und allen anderen Verteilern, ich habe mich schon abgemeldet": true,
	} {
		if words, got := classify.OptOut(text, true); got != want {
			t.Errorf("%s: got %v (%q), want %v", text, got, words, want)
		}
	}
}

// The word by which mails ask their readers to leave the list is an opt-out when it is the whole answer.
func TestWordOfOptOut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"remove": true, "Abmelden": true, "désinscription": true, "baja": true, "cancellami": true, "afmelden": true, "remover": true,
		"wypisz": true, "avregistrera": true, "afmeld": true, "meld av": true, "peruuta": true, "odhlásit": true, "leiratkozás": true,
		"dezabonare": true, "çıkar": true, "διαγραφή": true, "отписаться": true, "відписатися": true, "配信停止": true, "수신거부": true,
		"退订": true, "הסר": true,
		"Baja el precio y hablamos.":             false,
		"Cancel the call, I am ill.":             false,
		"Remove the second page and we sign.":    false,
		"Löschen Sie Punkt drei, dann passt es.": false,
	} {
		if words, got := classify.OptOut(text, true); got != want {
			t.Errorf("%s: got %v (%q), want %v", text, got, words, want)
		}
	}
}

// A name that is written like a word of another language says nothing.
func TestNamesAreNoDeeds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]classify.Class{
		"Je suis en déplacement jusqu'au 10 mars. Pour toute urgence, merci de vous adresser à Karim Sadi au 04 00 00 12 34.": classify.Automatic,
		"Kızım hastalandı, bugün ofiste değilim. Kılavuzları kocam okudu, beğendi.":                                           classify.Reply,
		"Bonjour, Mme Roche ne travaille plus chez nous. Je lui ai transféré votre mail, Karim vous répondra.":                classify.Reply,
	} {
		v := read(t, "From: Anna <anna@nord.example>\nSubject: Re: Offer\n\n"+text).Kind(clock)
		if v.Class != want {
			t.Errorf("%s: got %s (%s), want %s", text, v.Class, v.Reason, want)
		}
	}
}

// A mail of a mail server with the reply of another server is a report, also in a language without
// phrases. A 4xx reply alone is not final.
func TestReportInAnyLanguage(t *testing.T) {
	t.Parallel()
	for reply, delayed := range map[string]bool{
		"ann@sued.example: 550 5.1.1 Ez da erabiltzaile hori": false,
		"451 4.3.0 Saiatu berriro geroago":                    true,
	} {
		v := read(t, "From: mailer-daemon@posta.nord.example\nSubject: Mezua\n\nann@sued.example\n\n"+reply+"\n").Kind(clock)
		if !v.Class.Bounce() || v.Delayed != delayed {
			t.Errorf("%s: got %s, delayed %v (%s), want a bounce, delayed %v", reply, v.Class, v.Delayed, v.Reason, delayed)
		}
	}
}

// Chinese and Japanese notices put an address between wide marks.
func TestAddressBetweenWideMarks(t *testing.T) {
	t.Parallel()
	const body = "您的邮件未能送达。\n退信原因：收件人地址（ann@sued.example）不存在。\n"
	v := read(t, "From: postmaster@nord.example\nSubject: 系统退信\n"+utf8Plain+"\n"+body).Kind(clock)
	if v.Class != classify.RecipientFault || len(v.Recipients) != 1 || v.Recipients[0].Address != "ann@sued.example" {
		t.Errorf("got %s, %+v", v.Class, v.Recipients)
	}
}

// The warnings of Exim call themselves automatic replies. They are reports of a delay.
func TestWarningThatCallsItselfAutomatic(t *testing.T) {
	t.Parallel()
	v, ok := read(t, "From: Mailer-Daemon@nord.example\nSubject: Warning: message 1wAb-00 delayed 24 hours\nAuto-Submitted: auto-replied\n\n"+
		"The address to which the message has not yet been delivered is:\n\n  ann@sued.example\n").Report()
	if !ok || !v.Delayed || len(v.Recipients) != 1 || v.Recipients[0].Address != "ann@sued.example" {
		t.Errorf("got a report %v, delayed %v, %+v", ok, v.Delayed, v.Recipients)
	}
}

// People name the days on which they answer, meet us or are somewhere. Only a header or another word makes that a note.
func TestDaysThatPeopleName(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"I'll reply on Thursday.", "See you on Thursday.", "I'll get back to you on Thursday.", "I'll be in the office on Thursday.",
		"Ich antworte am Donnerstag.", "Wir sehen uns am Donnerstag.", "Am Donnerstag bin ich im Haus.",
		"Jag svarar på torsdag.", "Vi ses på torsdag.", "Jag är på kontoret på torsdag.", "Ik reageer donderdag.",
		"Donderdag ben ik op kantoor.", "Jeg svarer på torsdag.", "Nähdään torstaina.", "Je reviens vers vous jeudi.",
		"Estaré en la oficina el jueves.", "Ci vediamo giovedì.", "Do zobaczenia w czwartek.", "Uvidíme se ve čtvrtek.",
		"Ne vedem joi.", "Csütörtökön bent vagyok az irodában.", "В четверг буду в офисе.", "У четвер буду в офісі.",
		"ביום חמישי אני במשרד.", "See you on 3 December.", "Vi ses den 3 december.", "I cannot before 3 December.",
		"Thursday won't work, I'm on sick leave until Friday. Next week please.",
		"Torsdag går ikke, jeg er sygemeldt til fredag. Næste uge, tak.",
		"Vado in pensione venerdì e il mio sostituto non c'è ancora.", "I'm at the fair, I'll look when I'm back.",
		"אני בתערוכה, אסתכל כשאחזור.",
	} {
		if a := judgeRow(t, "Re: Manuals", text, clock); a.Class != classify.Reply {
			t.Errorf("%s: got %s (%s)", text, a.Class, a.Reason)
		}
	}
	for _, text := range []string{
		"I will reply on Thursday.", "Ich antworte am Donnerstag.", "Jag svarar på torsdag.", "Ik reageer donderdag.",
	} {
		m := read(t, "Auto-Submitted: auto-replied\nFrom: Ann <ann@nord.example>\nSubject: Re: Manuals\n"+
			"Date: Mon, 2 Mar 2026 12:00:00 +0000\n"+utf8Plain+"\n"+text)
		a := m.Answer(clock)
		if a.ReturnDate == nil || a.ReturnDate.Format(time.DateOnly) != "2026-03-05" {
			t.Errorf("%s: got %v (%s %s), want 2026-03-05", text, a.ReturnDate, a.Class, a.Reason)
		}
	}
}

// Questions about us, a denied day and an agreement that others carry out show no interest.
func TestQuestionsAboutUs(t *testing.T) {
	t.Parallel()
	for text, positive := range map[string]bool{
		"What did you want to know?": false, "Who exactly were you trying to reach?": false, "您是哪位？": false,
		"Are you the same Loftline that used to sell carpets?": false, "Vem var det du sökte?": false, "Кому вы писали?": false,
		"Thursday? No. Nor any other day.": false, "Donnerstag? Weder noch, auch an keinem anderen Tag.": false,
		"Machen wir mit KI, reicht völlig.": false, "Ab Mo. 18.5. wieder da.": false,
		"Machen wir!": true, "Thursday?": true, "Do you also translate into Danish?": true, "Áll az alku, küldje az ajánlatot!": true,
	} {
		if a := judgeRow(t, "Re: Manuals", text, clock); (a.Interest == classify.Positive) != positive {
			t.Errorf("%s: got %s (%s), want positive %v", text, a.Interest, a.InterestReason, positive)
		}
	}
}
