package classify

import (
	"hash/maphash"
	"strings"
	"time"
	"unicode"
)

// Sent is one of our own messages to the author of a mail.
type Sent struct {
	Text string
	At   time.Time // when the server accepted it; zero if that is not known
	// Subject is that of the message. It is empty if an identifier in the mail shows that the mail
	// answers one of our messages.
	Subject string
}

// textsOf returns the texts of messages.
func textsOf(sent []Sent) []string {
	texts := make([]string, len(sent))
	for i := range sent {
		texts[i] = sent[i].Text
	}
	return texts
}

// The text that we sent comes back in many forms: wrapped differently, marked, with links written
// out. Its words stay the same, so it is found by runs of words.
const (
	runLength = 4  // words in a row that must agree
	leastRun  = 12 // least words of a quotation; if we sent fewer than twice as many, half of what we sent
	maxSent   = 64 << 10
)

// word is one word of a text with the number of its line.
type word struct {
	hash uint64
	line int
}

var wordSeed = maphash.MakeSeed()

// wordsOf returns the words of a text without web addresses, which mail servers may rewrite.
func wordsOf(lines []string) (all []word) {
	for n, line := range lines {
		for _, field := range strings.Fields(line) {
			if strings.Contains(field, "://") || strings.HasPrefix(field, "www.") {
				continue
			}
			for _, text := range strings.FieldsFunc(field,
				func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
				all = appendWord(all, strings.ToLower(text), n)
			}
		}
	}
	return all
}

// appendWord adds a word, or each character of a script that has no spaces.
func appendWord(all []word, text string, line int) []word {
	start := 0
	for at, r := range text {
		if !ideographic(r) {
			continue
		}
		if at > start {
			all = append(all, word{maphash.String(wordSeed, text[start:at]), line})
		}
		end := at + len(string(r))
		all = append(all, word{maphash.String(wordSeed, text[at:end]), line})
		start = end
	}
	if start < len(text) {
		all = append(all, word{maphash.String(wordSeed, text[start:]), line})
	}
	return all
}

// ownLines reports for each line whether we sent it. It returns nil if we sent none of the text.
func ownLines(lines, sent []string) []bool {
	runs, total := map[uint64]bool{}, 0
	for _, text := range sent {
		words := wordsOf(strings.Split(clip(text, maxSent), "\n"))
		total = max(total, len(words))
		eachRun(words, func(hash uint64, _ int) { runs[hash] = true })
	}
	if len(runs) == 0 {
		return nil
	}
	words := wordsOf(lines)
	covered := make([]bool, len(words))
	found := 0
	eachRun(words, func(hash uint64, at int) {
		if !runs[hash] {
			return
		}
		for n := at; n < at+runLength; n++ {
			if !covered[n] {
				covered[n] = true
				found++
			}
		}
	})
	least := min(leastRun, max(runLength, total/2))
	if found < least {
		return nil
	}
	return ownBlocks(lines, words, covered, least)
}

// eachRun calls visit with the hash and the start of each run of words.
func eachRun(words []word, visit func(hash uint64, at int)) {
	for at := 0; at+runLength <= len(words); at++ {
		hash := uint64(1469598103934665603)
		for _, w := range words[at : at+runLength] {
			hash = (hash ^ w.hash) * 1099511628211
		}
		visit(hash, at)
	}
}

// ownBlocks marks the lines of which nearly all words are ours, if they form a block of enough
// words: a greeting that both sides write is not a quotation.
func ownBlocks(lines []string, words []word, covered []bool, least int) []bool {
	count, own := make([]int, len(lines)), make([]int, len(lines))
	for n, w := range words {
		count[w.line]++
		if covered[n] {
			own[w.line]++
		}
	}
	ours := make([]bool, len(lines))
	for start := 0; start < len(lines); {
		end, sum := start, 0
		for end < len(lines) && (count[end] == 0 || 5*own[end] >= 4*count[end]) {
			sum += own[end]
			end++
		}
		if sum >= least {
			for n := start; n < end; n++ {
				ours[n] = true
			}
		}
		start = max(end, start+1)
	}
	return ours
}
