package storage

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// accented maps each plain letter to its accented forms. The upper-case forms are needed where the
// server's locale knows ASCII letters only.
var accented = map[string]string{
	"a": "àáâãäåāăąÀÁÂÃÄÅĀĂĄ", "c": "çćčÇĆČ", "d": "ďđĎĐ", "e": "èéêëēėęěÈÉÊËĒĖĘĚ", "g": "ğĞ", "i": "ìíîïīįıÌÍÎÏĪĮİ",
	"l": "łŁ", "n": "ñńňÑŃŇ", "o": "òóôõöøōőÒÓÔÕÖØŌŐ", "r": "řŘ", "s": "śşšșŚŞŠȘ", "t": "ťțţŤȚŢ",
	"u": "ùúûüūůűųÙÚÛÜŪŮŰŲ", "y": "ýÿÝŸ", "z": "źżžŹŻŽ",
}

// plainText returns SQL for a text in lower case and without accents, so that "oberg" finds Öberg.
func plainText(sql string) string {
	var from, to strings.Builder
	for _, letter := range slices.Sorted(maps.Keys(accented)) {
		from.WriteString(accented[letter])
		to.WriteString(strings.Repeat(letter, utf8.RuneCountInString(accented[letter])))
	}
	return "translate(lower(" + sql + "), '" + from.String() + "', '" + to.String() + "')"
}

// likePattern returns a LIKE pattern that finds text anywhere and takes its wildcards literally.
func likePattern(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	pattern := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(strings.TrimSpace(*text)) + "%"
	return &pattern
}
