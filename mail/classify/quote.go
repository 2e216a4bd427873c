package classify

import (
	"regexp"
	"strings"
)

// The marks by which mail programs set off what they quote, by language.
var (
	// wroteVerb is the verb of the line that introduces a quotation.
	wroteVerb = mustForm(`(?i)\b(wrote|writes|schrieb|schreibt|a écrit|a ecrit|escribió|escribio|ha scritto|scrisse|escreveu|schreef|skrev|kirjoitti|napisała?|napisał\(a\)|napsala?|yazdı|a scris|írta)(\s|:|$)|(пише(т|ть)?|писала?|написала?|написав|さんは書きました|のメッセージ|写道|作成)\s*[:：]`)
	// wroteStamp is what else stands on that line: a time, a year or an address.
	wroteStamp = regexp.MustCompile(`\d{1,2}[:.h]\d{2}|\b(19|20)\d\d\b|@|\d年`)
	// wroteLead is how an introduction of several lines begins.
	wroteLead = regexp.MustCompile(`(?i)^(on|am|le|el|il|em|op|den|på|dnia|w dniu|il giorno|em|a|в|во|пн|вт|ср|чт|пт|сб|вс|mon|tue|wed|thu|fri|sat|sun|\d{1,4})[\s,./年-]`)
	// divider is the line that Outlook and others put above an original.
	divider = mustForm(`(?i)^[\s>*]*-{2,}\s*(original message|original appointment|forwarded message|begin forwarded message|ursprüngliche nachricht|urspruengliche nachricht|originalnachricht|weitergeleitete nachricht|message d['’]origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|opprinnelig melding|oprindelig meddelelse|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|пересылаемое сообщение|原始邮件|元のメッセージ|original mail)\s*-{2,}`)
	// blockField are the fields of an Outlook header block.
	blockFrom  = mustForm(`(?i)^[\s>]*\*?(from|von|de|da|van|från|fra|lähettäjä|od|от|发件人|差出人|送信者)\s?\*?\s?[:：]\*?\s*\S`)
	blockField = mustForm(`(?i)^[\s>]*\*?(sent|date|to|cc|subject|gesendet|datum|an|betreff|envoyé|envoyée|à|objet|enviado( el)?|fecha|para|asunto|inviato|data|a|oggetto|assunto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|wysłano|do|temat|отправлено|дата|кому|тема|发送时间|收件人|主题|送信日時|宛先|件名)\s?\*?\s?[:：]`)
	// signature is the conventional delimiter (RFC 3676, section 4.3) or the
	// line that a telephone adds.
	signature = mustForm(`(?i)^(-- ?|—|_{2,3})$|^(sent from my |sent via |get outlook for |von meinem .{1,40} gesendet|gesendet (mit|von) |diese nachricht wurde von meinem|envoyé (de|depuis) mon|envoyé à partir de |enviado (desde|do|de) (mi|meu) |inviato (da|dal) (mio )?|verzonden vanaf|verstuurd vanaf|skickat från min|отправлено с )`)
)

// newText gives what the author of a reply wrote. Quoted lines go wherever they
// stand; everything from a divider, a header block or an introduction that is
// not followed by quoted lines goes to the end.
func newText(text string) string {
	lines := strings.Split(text, "\n")
	var kept []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(line, ">"), strings.HasPrefix(line, "|>"):
			continue
		case divider.MatchString(line), headerBlock(lines, i), signature.MatchString(strings.TrimLeft(lines[i], " \t")):
			if !repliesBelow(lines[i+1:]) {
				return join(kept)
			}
			i = lastQuoted(lines, i)
		default:
			n := introduction(lines, i)
			if n == 0 {
				kept = append(kept, lines[i])
				continue
			}
			if !quotedNext(lines, i+n) {
				return join(kept)
			}
			i += n - 1
		}
	}
	return join(kept)
}

// join puts lines together; a rule at the end belonged to what was cut off.
func join(lines []string) string {
	return strings.TrimSpace(strings.TrimRight(strings.Join(lines, "\n"), "_ \t\n"))
}

// repliesBelow is false: what stands under a divider, a header block or a
// signature is the original. It is kept for the one exception, a signature that
// stands above quoted lines with an answer under them.
func repliesBelow(rest []string) bool {
	quoted := false
	for _, line := range rest {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, ">"):
			quoted = true
		case line != "" && !quoted:
			return false
		case line != "":
			return !signature.MatchString(line)
		}
	}
	return false
}

func lastQuoted(lines []string, from int) int {
	for i := from + 1; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if line != "" && !strings.HasPrefix(line, ">") {
			return i - 1
		}
	}
	return len(lines) - 1
}

// introduction gives the number of lines, up to three, that make up "On … X
// wrote:" beginning at i, or 0.
func introduction(lines []string, i int) int {
	joined := ""
	for n := 1; n <= 3 && i+n <= len(lines); n++ {
		line := strings.TrimSpace(lines[i+n-1])
		if line == "" || strings.HasPrefix(line, ">") {
			return 0
		}
		joined += " " + line
		if len(joined) > 300 || n == 2 && !wroteLead.MatchString(strings.TrimSpace(lines[i])) {
			return 0
		}
		if strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：") {
			if wroteVerb.MatchString(joined) && wroteStamp.MatchString(joined) {
				return n
			}
			return 0
		}
	}
	return 0
}

// quotedNext tells whether the next line with text is a quoted one.
func quotedNext(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		if line := strings.TrimSpace(lines[i]); line != "" {
			return strings.HasPrefix(line, ">")
		}
	}
	return false
}

// headerBlock tells whether an Outlook header block begins at i: a sender line
// with two more fields in the five lines after it.
func headerBlock(lines []string, i int) bool {
	if !blockFrom.MatchString(lines[i]) {
		return false
	}
	fields := 0
	for _, line := range lines[i+1 : min(len(lines), i+6)] {
		if blockField.MatchString(line) {
			fields++
		}
	}
	return fields >= 2
}
