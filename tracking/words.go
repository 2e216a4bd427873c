package tracking

import (
	"net/http"

	"golang.org/x/text/language"
)

// words are the texts of the pages in one language; %s is the address.
type words struct {
	lang                          string
	askTitle, askText, askButton  string
	askNote                       string
	doneTitle, doneText, doneNote string
	missingTitle, missingText     string
	busyTitle, busyText           string
}

// Both lists have the order of the matcher; the first is the default.
var (
	spoken = language.NewMatcher([]language.Tag{language.English, language.German, language.French})
	told   = []words{english, german, french}
)

// wordsFor returns the texts for Accept-Language (RFC 9110, section 12.5.4).
func wordsFor(r *http.Request) words {
	_, i := language.MatchStrings(spoken, r.Header.Get("Accept-Language"))
	return told[i]
}

var english = words{
	lang:         "en",
	askTitle:     "Unsubscribe?",
	askText:      "We will send no more messages to %s.",
	askButton:    "Unsubscribe",
	askNote:      "Nothing changes until you press the button.",
	doneTitle:    "You are unsubscribed",
	doneText:     "No more messages will be sent to %s.",
	doneNote:     "You can close this page.",
	missingTitle: "This link does not work",
	missingText:  "It may be incomplete, or its target no longer exists.",
	busyTitle:    "Please try again",
	busyText:     "Something on our side did not answer. Reload this page in a moment.",
}

var german = words{
	lang:         "de",
	askTitle:     "Abmelden?",
	askText:      "Wir senden dann keine Nachrichten mehr an %s.",
	askButton:    "Abmelden",
	askNote:      "Solange Sie die Schaltfläche nicht drücken, ändert sich nichts.",
	doneTitle:    "Sie sind abgemeldet",
	doneText:     "An %s gehen keine Nachrichten mehr.",
	doneNote:     "Sie können diese Seite schließen.",
	missingTitle: "Dieser Link führt nirgendwohin",
	missingText:  "Vielleicht ist er unvollständig, oder sein Ziel gibt es nicht mehr.",
	busyTitle:    "Bitte noch einmal versuchen",
	busyText:     "Bei uns hat etwas nicht geantwortet. Laden Sie die Seite gleich noch einmal.",
}

var french = words{
	lang:         "fr",
	askTitle:     "Se désabonner ?",
	askText:      "Nous n’enverrons plus aucun message à %s.",
	askButton:    "Se désabonner",
	askNote:      "Rien ne change tant que vous n’appuyez pas sur le bouton.",
	doneTitle:    "Vous êtes désabonné",
	doneText:     "Plus aucun message ne sera envoyé à %s.",
	doneNote:     "Vous pouvez fermer cette page.",
	missingTitle: "Ce lien ne mène nulle part",
	missingText:  "Il est peut-être incomplet, ou sa destination n’existe plus.",
	busyTitle:    "Veuillez réessayer",
	busyText:     "Notre service n’a pas répondu. Rechargez cette page dans un instant.",
}
