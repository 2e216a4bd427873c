package classify

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestReturnDate(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 20, 15, 30, 0, 0, time.UTC) // a Friday
	for text, want := range map[string]string{
		"I am out of the office and will be back on November 24th.":                              "2026-11-24",
		"I'm away from 10 November to 27 November 2026.":                                         "2026-11-28",
		"I will be out until Dec. 1, 2026 with limited access to e-mail. My number is 555-1234.": "2026-12-01",
		"Out of office until 2026-12-03":                                                         "2026-12-03",
		"Out from 12/01/2026, returning 12/14/2026":                                              "2026-12-14",
		"I am back in the office on Monday. Call 0123 456 for anything urgent.":                  "2026-11-23",
		"On leave from 1 to 5 December, back on Monday, 7 December":                              "2026-12-07",
		"Away until May 5": "2027-05-05",
		"Ich bin vom 16.11. bis 27.11.2026 nicht im Büro. Ab dem 30.11. bin ich wieder für Sie da.": "2026-11-30",
		"Ich bin bis einschließlich 4. Dezember im Urlaub.":                                         "2026-12-05",
		"I am away through Friday, December 4.":                                                     "2026-12-05",
		"Am 1. Dezember bin ich wieder erreichbar. In dringenden Fällen: Tel. 030/12 34.":           "2026-12-01",
		"Je suis absent du 16 au 29 novembre. De retour le 30 novembre 2026.":                       "2026-11-30",
		"Je suis en congé jusqu'au 1er décembre inclus.":                                            "2026-12-02",
		"Estaré fuera de la oficina hasta el 2 de diciembre de 2026.":                               "2026-12-02",
		"Vuelvo el 25/11/2026.": "2026-11-25",
		"Sono in ferie fino al 6 dicembre; rientrerò lunedì 7 dicembre.":                  "2026-12-07",
		"Estou de férias até 15 de dezembro. Regresso a 16 de dezembro.":                  "2026-12-16",
		"Ik ben afwezig tot en met 30 november. Vanaf 1 december ben ik weer bereikbaar.": "2026-12-01",
		// A hyphen joins a short word to the number.
		"אני בחופשה מה-23 בנובמבר עד ה-27 בנובמבר.":                                             "2026-11-28",
		"לא אהיה במשרד מ-23 עד 27 בנובמבר.":                                                     "2026-11-28",
		"אהיה בחופשה ואשוב לעבודה ב-30 בנובמבר.":                                                "2026-11-30",
		"11月24日に戻ります。":                                                                          "2026-11-24",
		"I am out of the office. Our hours are 9-17, Monday excepted? No: call 11.30 to 12.15.": "2026-11-24",
		// A day of the week in brackets, and days of the week in a row.
		"11/23(月)~11/27(金)まで休暇をいただきます。":               "2026-11-28",
		"11월 23일(월)부터 11월 27일(금)까지 휴가입니다.":            "2026-11-28",
		"I am out on Monday and Tuesday.":             "2026-11-25",
		"Out Mon-Thu next week, back Fri.":            "2026-11-27",
		"Heute und morgen bin ich nicht im Büro.":     "2026-11-23",
		"Out Wednesday and Thursday, back on Friday.": "2026-11-27",
		// Days of return that are moved, seasons, weeks, and a weekday with its number.
		"My return has moved from 27 November to 4 December.":                                      "2026-12-04",
		"Meine Rückkehr verschiebt sich vom 30. November auf den 7. Dezember.":                     "2026-12-07",
		"Mi vuelta, prevista para el 25 de noviembre, se retrasa al 2 de diciembre.":               "2026-12-02",
		"Wir sind im neuen Jahr wieder da.":                                                        "2027-01-04",
		"After Easter I am back.":                                                                  "2027-03-30",
		"Επιστρέφω μετά το Πάσχα.":                                                                 "2027-05-04",
		"I'm on leave w/c 23 November and w/c 30 November.":                                        "2026-12-07",
		"In ferie dal 23/11 al 27/11. Ci vediamo lunedì 30! Il listino nuovo esce il 1° dicembre.": "2026-11-30",
		"I'm back on Tuesday next week.":                                                           "2026-11-24",
		"Montag in einer Woche bin ich wieder da.":                                                 "2026-11-30",
		"Away until Sunday, 29 November.":                                                          "2026-11-30",
		"I was away on 3 March 2020.":                                                              "",
		"I am on parental leave and shall not read this. Version 4.5.6, since 1.1.1970":            "",
		"Back on February 31.":                                                                     "",
	} {
		got := ""
		if date := returnDate("", text, from); date != nil {
			got = date.Format(time.DateOnly)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", text, diff)
		}
	}
}
