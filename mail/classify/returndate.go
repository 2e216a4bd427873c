package classify

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// returnDate finds the day on which the writer of an absence note is back, at
// midnight UTC, or nil. Dates count if they lie after from and within a year of
// it; a date without a year is the next one of that day and month, a weekday the
// next one of that name. A date that follows a word such as "back" or "zurück"
// beats one that follows "until" or "bis", which beats the latest of the others,
// since notes name the first and the last day of an absence. Who is away up to and
// including a day is back on the next.
func returnDate(subject, text string, from time.Time) *time.Time {
	from = from.UTC().Truncate(24 * time.Hour)
	told := strings.ToLower(subject + "\n" + clip(text, 4<<10))
	best := candidate{}
	for _, c := range dates(told, from) {
		if !c.day.After(from) || c.day.After(from.AddDate(1, 0, 0)) {
			continue
		}
		c.rank = cue(told, c.at, c.end)
		if c.rank == until && included(told, c.at, c.end) {
			c.day = c.day.AddDate(0, 0, 1)
		}
		if c.rank > best.rank || c.rank == best.rank && c.rank < ranked && c.day.After(best.day) {
			best = c
		}
	}
	if best.day.IsZero() {
		return nil
	}
	return &best.day
}

// candidate is a date found in the text.
type candidate struct {
	day     time.Time
	at, end int // where it stands
	rank    int
}

// The ranks of a date by the words before it.
const (
	bare   = 1
	until  = 2
	ranked = 3 // "back on"
)

var (
	backCue  = regexp.MustCompile(`\b(back|return\p{L}*|reachable again|available again|resum\p{L}+|zurück|wieder|rückkehr|ab dem|de retour|retour|reviendrai|rentre|regres\p{L}+|vuelv\p{L}+|vuelta|de nuevo|rientr\p{L}+|torn\p{L}+|ritorn\p{L}+|regress\p{L}+|retorn\p{L}+|volt\p{L}+|de volta|terug\p{L}*|vanaf|weer|tillbaka|tilbage|tilbake|takaisin|wrócę|z powrotem|вернусь|вернемся|снова)(\s+\S+){0,5}\s*$`)
	untilCue = regexp.MustCompile(`(\b(until|till|til|through|thru|to|and|bis|bis zum|bis einschließlich|jusqu'au|jusqu’au|au|hasta|al|fino al|fino a|sino al|até|ate|ao|tot|tot en met|t/m|till och med|til|do|по|до)|[-–—])(\s+\S+){0,2}\s*$`)
	backPost = regexp.MustCompile(`^\W{0,3}(?:\S+\W{1,2}){0,3}?(wieder|zurück|terug|weer|back|de retour|di ritorno|de volta|de vuelta)\b`)
)

// cue ranks a date by the words of its line and sentence around it.
func cue(told string, at, end int) int {
	before := told[max(0, at-60):at]
	if cut := strings.LastIndexAny(before, ".!?"); cut >= 0 && cut < len(before)-2 && before[cut+1] == ' ' && !endsAbbreviated(before[:cut]) {
		before = before[cut+1:]
	}
	before = strings.Join(strings.Fields(before), " ") + " "
	after := told[end:min(len(told), end+40)]
	switch {
	case backCue.MatchString(before):
		return ranked
	case untilCue.MatchString(before):
		return until
	case backPost.MatchString(after):
		return ranked
	}
	return bare
}

var (
	includedBefore = regexp.MustCompile(`\b(einschließlich|inklusive|inkl\.|inclusive|through|thru|tot en met|t/m|till och med)(\s+\S+){0,2}\s*$`)
	includedAfter  = regexp.MustCompile(`^\W{0,2}(einschließlich|inklusive|inclusive|included|inclus|inclusief|incluido|inclusivo|compreso|incluso)\b`)
)

// included reports whether an absence is said to last to the end of a day.
func included(told string, at, end int) bool {
	return includedBefore.MatchString(told[max(0, at-40):at]) || includedAfter.MatchString(told[end:min(len(told), end+40)])
}

// endsAbbreviated keeps "24." and "nov." from being read as the end of a
// sentence.
func endsAbbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \n")+1:]
	return len(word) <= 3
}

// months maps the first letters of month names, in the languages that the rules
// know, to their number. They are matched as prefixes of whole words.
var months = map[string]time.Month{
	"january": 1, "januar": 1, "jänner": 1, "januari": 1, "janvier": 1, "enero": 1, "gennaio": 1, "janeiro": 1, "jan": 1, "janv": 1, "ene": 1, "gen": 1, "stycznia": 1, "января": 1,
	"february": 2, "februar": 2, "februari": 2, "février": 2, "fevrier": 2, "febrero": 2, "febbraio": 2, "fevereiro": 2, "feb": 2, "févr": 2, "fév": 2, "fev": 2, "lutego": 2, "февраля": 2,
	"march": 3, "märz": 3, "maerz": 3, "maart": 3, "mars": 3, "marzo": 3, "março": 3, "marco": 3, "mar": 3, "mrz": 3, "mrt": 3, "marca": 3, "марта": 3,
	"april": 4, "avril": 4, "abril": 4, "aprile": 4, "apr": 4, "avr": 4, "abr": 4, "kwietnia": 4, "апреля": 4,
	"may": 5, "mai": 5, "mei": 5, "mayo": 5, "maggio": 5, "maio": 5, "mag": 5, "maja": 5, "мая": 5,
	"june": 6, "juni": 6, "juin": 6, "junio": 6, "giugno": 6, "junho": 6, "jun": 6, "giu": 6, "czerwca": 6, "июня": 6,
	"july": 7, "juli": 7, "juillet": 7, "julio": 7, "luglio": 7, "julho": 7, "jul": 7, "juil": 7, "lug": 7, "lipca": 7, "июля": 7,
	"august": 8, "augustus": 8, "augusti": 8, "août": 8, "aout": 8, "agosto": 8, "aug": 8, "ago": 8, "sierpnia": 8, "августа": 8,
	"september": 9, "septembre": 9, "septiembre": 9, "setiembre": 9, "settembre": 9, "setembro": 9, "sep": 9, "sept": 9, "set": 9, "września": 9, "сентября": 9,
	"october": 10, "oktober": 10, "octobre": 10, "octubre": 10, "ottobre": 10, "outubro": 10, "oct": 10, "okt": 10, "ott": 10, "out": 10, "października": 10, "октября": 10,
	"november": 11, "novembre": 11, "noviembre": 11, "novembro": 11, "nov": 11, "listopada": 11, "ноября": 11,
	"december": 12, "dezember": 12, "décembre": 12, "decembre": 12, "diciembre": 12, "dicembre": 12, "dezembro": 12, "dec": 12, "dez": 12, "déc": 12, "dic": 12, "grudnia": 12, "декабря": 12,
}

var weekdays = map[string]time.Weekday{
	"monday": 1, "montag": 1, "lundi": 1, "lunes": 1, "lunedì": 1, "lunedi": 1, "segunda-feira": 1, "maandag": 1,
	"tuesday": 2, "dienstag": 2, "mardi": 2, "martes": 2, "martedì": 2, "martedi": 2, "terça-feira": 2, "dinsdag": 2,
	"wednesday": 3, "mittwoch": 3, "mercredi": 3, "miércoles": 3, "mercoledì": 3, "mercoledi": 3, "quarta-feira": 3, "woensdag": 3,
	"thursday": 4, "donnerstag": 4, "jeudi": 4, "jueves": 4, "giovedì": 4, "giovedi": 4, "quinta-feira": 4, "donderdag": 4,
	"friday": 5, "freitag": 5, "vendredi": 5, "viernes": 5, "venerdì": 5, "venerdi": 5, "sexta-feira": 5, "vrijdag": 5,
}

var (
	isoDate    = regexp.MustCompile(`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`)
	numDate    = regexp.MustCompile(`\b(\d{1,2})([./-])(\d{1,2})(?:[./-](\d{4}|\d{2})\b|\.|\b)`)
	dayMonth   = regexp.MustCompile(`\b(\d{1,2})(?:st|nd|rd|th|er|º|°|\.)?(?: of | de | di | d'| )?(\p{L}{3,12})\b\.?(?:,? (?:de |del )?(\d{4})\b)?`)
	monthDay   = regexp.MustCompile(`(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?:,? (\d{4})\b)?`)
	asianDate  = regexp.MustCompile(`(?:(\d{4})年)?(\d{1,2})月(\d{1,2})日`)
	weekdayRun = regexp.MustCompile(`[\p{L}]+(?:-feira)?`)
)

// dates finds every date in the text, which is in lower case.
func dates(told string, from time.Time) []candidate {
	var found []candidate
	add := func(span []int, day time.Time, ok bool) {
		if ok {
			found = append(found, candidate{day: day, at: span[0], end: span[1]})
		}
	}
	each := func(form *regexp.Regexp, read func(g []string) (time.Time, bool)) {
		for _, span := range form.FindAllStringSubmatchIndex(told, 20) {
			day, ok := read(groupsOf(told, span))
			add(span, day, ok && !inNumber(told, span[0], span[1]))
		}
	}
	each(isoDate, func(g []string) (time.Time, bool) { return onDay(g[1], g[2], g[3], from) })
	each(asianDate, func(g []string) (time.Time, bool) { return onDay(g[1], g[2], g[3], from) })
	each(numDate, func(g []string) (time.Time, bool) { return numeric(g, from) })
	each(dayMonth, func(g []string) (time.Time, bool) { return named(g[3], g[2], g[1], from) })
	each(monthDay, func(g []string) (time.Time, bool) { return named(g[3], g[1], g[2], from) })
	if len(found) > 0 {
		return found
	}
	each(weekdayRun, func(g []string) (time.Time, bool) { return nextWeekday(g[0], from) })
	return found
}

// inNumber tells a match that is cut out of a longer number, such as a version.
func inNumber(s string, at, end int) bool {
	return at > 0 && strings.IndexByte("./-", s[at-1]) >= 0 && at > 1 && isDigit(s[at-2]) || end < len(s) && isDigit(s[end])
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func groupsOf(s string, span []int) []string {
	groups := make([]string, len(span)/2)
	for i := range groups {
		if span[2*i] >= 0 {
			groups[i] = s[span[2*i]:span[2*i+1]]
		}
	}
	return groups
}

// numeric reads 24.11.2026, 24/11, 11/24/2026. With slashes the order is told by
// a number above 12, else by what lies nearer ahead.
func numeric(g []string, from time.Time) (time.Time, bool) {
	if g[2] == "-" && g[4] == "" || g[2] == "." && g[4] == "" && !strings.HasSuffix(g[0], ".") {
		return time.Time{}, false // 9-17 and 9.30 are hours
	}
	day, ok := onDay(g[4], g[3], g[1], from)
	if g[2] != "/" {
		return day, ok
	}
	other, otherOK := onDay(g[4], g[1], g[3], from)
	if !ok || otherOK && other.After(from) && (other.Before(day) || !day.After(from)) {
		return other, otherOK
	}
	return day, ok
}

func named(year, month, day string, from time.Time) (time.Time, bool) {
	m, ok := months[month]
	if !ok {
		return time.Time{}, false
	}
	return onDay(year, strconv.Itoa(int(m)), day, from)
}

// onDay makes a date; without a year it is the first such day after from.
func onDay(year, month, day string, from time.Time) (time.Time, bool) {
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	y, _ := strconv.Atoi(year)
	given := y != 0
	switch {
	case y == 0:
		y = from.Year()
	case y < 100:
		y += 2000
	}
	date := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if !given && !date.After(from) {
		date = time.Date(y+1, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	}
	return date, m >= 1 && m <= 12 && d >= 1 && date.Day() == d
}

func nextWeekday(name string, from time.Time) (time.Time, bool) {
	day, ok := weekdays[name]
	if !ok {
		return time.Time{}, false
	}
	ahead := (int(day) - int(from.Weekday()) + 7) % 7
	if ahead == 0 {
		ahead = 7
	}
	return from.AddDate(0, 0, ahead), true
}
