package mail

import (
	"regexp"
	"slices"
	"strings"
)

// bracketed is a Message-ID in an answer. Without the @ it would be the id of a queue.
var bracketed = regexp.MustCompile(`<[^<>\s@"]{1,250}@[^<>\s@"]{1,250}>`)

// Amazon SES answers with the part before the @ alone. The rest follows from the region, which the
// name of the server holds.
var (
	amazonHost = regexp.MustCompile(`^(?:[a-z0-9-]+\.)?email-smtp(?:-fips)?\.` +
		`([a-z]{2}(?:-[a-z]+)+-\d)(?:\.vpce)?\.amazonaws\.com(?:\.cn)?$`)
	amazonAnswer = regexp.MustCompile(`(?i)^250 (?:2\.\d\.\d )?ok ` +
		`([0-9a-f]{16}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}-[0-9]{6})$`)
)

// amazonFirst is the oldest region of Amazon SES. Its ids have another domain.
const amazonFirst = "us-east-1"

// namedID returns the Message-ID that a server named when it accepted a message: some providers
// replace the header of what they send, Amazon SES and Exchange Online for example. It returns ""
// if the answer names none or several. An address of the message is not an id, also if a server
// repeats it in angle brackets.
func namedID(answer, host string, addresses []string) string {
	if at := amazonHost.FindStringSubmatch(strings.ToLower(host)); at != nil {
		token := amazonAnswer.FindStringSubmatch(answer)
		switch {
		case token == nil:
			return ""
		case at[1] == amazonFirst:
			return "<" + token[1] + "@email.amazonses.com>"
		}
		return "<" + token[1] + "@" + at[1] + ".amazonses.com>"
	}
	named := bracketed.FindAllString(answer, 3)
	if len(named) != 1 || !ValidMessageID(named[0]) {
		return ""
	}
	inner := strings.Trim(named[0], "<>")
	if slices.ContainsFunc(addresses, func(a string) bool { return strings.EqualFold(a, inner) }) {
		return ""
	}
	return named[0]
}
