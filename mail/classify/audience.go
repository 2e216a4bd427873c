package classify

import (
	"fmt"
	"regexp"
	"strings"
)

// The lists of tables/many.txt.
var (
	manyGreeting = onceLexicon("many", "greeting")
	listTag      = onceLexicon("many", "tag")
	gatewayTag   = onceLexicon("many", "gateway")
)

var (
	// subjectTag is a word or two in square brackets.
	subjectTag = regexp.MustCompile(`\[([^\[\]]{2,40})\]`)
	// listName is the name of a mailing list in such brackets: words joined by hyphens.
	listName = regexp.MustCompile(`^\p{L}+(?:[-_]\p{L}+)+$`)
	// patchLine is a line of a patch, or one that names who wrote or read it, also in a quotation.
	patchLine = regexp.MustCompile(`(?m)^[> ]*(?:diff --git a/|@@ -\d+|[-+]{3} [ab]/|[A-Z][a-z]+(?:-[a-z]+)?-by: .{1,80}@)`)
	// listLine is a line that list servers add at the end.
	listLine = regexp.MustCompile(`/listinfo/|[\w.]-(?:unsubscribe|request)@|majordomo@|_{20,}\n.{0,80}mailing list`)
)

// forMany reports whether a mail is written to many people or about a patch, and the evidence.
// Words of interest in such a mail are not an answer to an offer.
func (m *Message) forMany(written string) (words string, ok bool) {
	if found, ok := manyGreeting().opens(written); ok && greets(found, written) {
		return fmt.Sprintf("it greets many: %q", shown(prepare(written), found)), true
	}
	for _, tag := range subjectTag.FindAllStringSubmatch(m.Subject, 3) {
		if _, added := gatewayTag().opens(tag[1]); added {
			continue
		}
		if _, known := listTag().opens(tag[1]); known || listName.MatchString(tag[1]) {
			return fmt.Sprintf("its subject names a list: %q", tag[1]), true
		}
	}
	if patchLine.MatchString(m.Text) {
		return "it is about a patch", true
	}
	if listLine.MatchString(m.Text) {
		return "it came through a mailing list", true
	}
	if answersByPoint(m.Text) {
		return "it answers several points of another mail", true
	}
	return "", false
}

// greets reports whether a greeting of one word, in a language of Latin letters, is all that its line or clause says: "All,". Such
// a word also begins sentences, and it may be one of another language: "áll" is Hungarian for "stands".
func greets(greeting match, written string) bool {
	rest := strings.TrimLeft(prepare(written), openingMarks)[greeting.end:]
	longer := strings.Contains(greeting.pieces[0].text, " ") || !latinLanguages()[greeting.language]
	return longer || rest == "" || strings.IndexByte(",.:;!?\n", rest[0]) >= 0
}

// leastPoints is the number of quotations with an answer below that make a discussion.
const leastPoints = 2

// answersByPoint reports whether the author answers several marked quotations, each below it.
func answersByPoint(text string) bool {
	points, quoted := 0, false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case marked(line):
			quoted = true
		case line != "" && quoted:
			points++
			quoted = false
		}
	}
	return points >= leastPoints
}

// answersAnother reports whether the subject marks an answer or a forwarded mail, and is not that of
// a message of ours. Without the subjects of our messages it is not known what the mail answers.
func (m *Message) answersAnother(sent []Sent) bool {
	topic := topicOf(m.Subject)
	known := false
	for _, ours := range sent {
		subject := topicOf(ours.Subject)
		if subject == "" {
			continue
		}
		known = true
		if strings.Contains(topic, subject) || len(topic) >= leastTopic && strings.Contains(subject, topic) {
			return false
		}
	}
	return known && marksReply(m.Subject)
}

// leastTopic is the length, in bytes, from which a part of a subject identifies it.
const leastTopic = 12

// topicOf returns a subject, prepared, without marks of answers and forwarded mail and without words in
// brackets, which gateways add.
func topicOf(subject string) string {
	for {
		rest := strings.TrimSpace(subjectTag.ReplaceAllString(subject, " "))
		rest = otherPrefix.ReplaceAllString(latinPrefix.ReplaceAllString(rest, ""), "")
		if rest == subject {
			return strings.TrimSpace(prepare(rest))
		}
		subject = rest
	}
}
