package demo

import (
	"strings"

	"outreach"
)

// The kinds of fate.
const (
	fatePositive    = "positive"
	fateNeutral     = "neutral"
	fateNegative    = "negative"
	fateAway        = "away"
	fateClick       = "click"
	fateUnsubscribe = "unsubscribe"
	fateBounce      = "bounce"
	fateLost        = "lost" // the answer of the server was lost
)

// fate is what a person does, and after which step.
type fate struct {
	what string
	step int
}

func (f fate) at(step int) string {
	if f.step == step {
		return f.what
	}
	return ""
}

// fates are the fates of the people in turn; most do nothing.
var fates = func() []fate {
	all := make([]fate, 47)
	for at, one := range map[int]fate{
		0: {fatePositive, 1}, 4: {fateClick, 1}, 7: {fateNegative, 1}, 10: {fateClick, 2}, 13: {fatePositive, 2},
		17: {fateAway, 1}, 19: {fateClick, 1}, 22: {fateNeutral, 1}, 26: {fateBounce, 1}, 29: {fatePositive, 1},
		32: {fateUnsubscribe, 2}, 35: {fateClick, 1}, 38: {fateNeutral, 2}, 41: {fateNegative, 2}, 44: {fatePositive, 3},
	} {
		all[at] = one
	}
	all[11] = fate{fateLost, 3}
	return all
}()

var replyTexts = map[string][]string{
	fatePositive: {
		"Sounds interesting. Could we talk on Thursday at 10?",
		"Yes, please send me more details. We look at this for next quarter.",
		"I would like to see a demo. Tuesday afternoon works for me.",
		"Good timing. Please call me, my number is below.",
	},
	fateNeutral: {
		"Thank you for your mail. I forwarded it to the colleague who decides this.",
		"Which systems do you work with?",
	},
	fateNegative: {
		"Thanks, but we are not interested.",
		"No, thank you. We already have a solution.",
	},
	fateAway: {"I am out of the office and answer when I am back."},
}

const linkedPage = "https://example.com/case-study"

var senders = []struct{ address, name string }{
	{"sandbox+nora@sandbox.test", "Nora Lind"},
	{"sandbox+tom@sandbox.test", "Tom Adler"},
	{"sandbox+partners@sandbox.test", "Partner team"},
}

// pastCampaign is a campaign of the past. Its people begin at index first; some are enrolled
// each working day.
type pastCampaign struct {
	name                       string
	boxes                      []int
	first, people, from, daily int
	steps                      []outreach.Step
}

const day = 24 * 60 // in minutes

// The second campaign uses the industry; the enrollments of people without one are held. The last
// one is paused at the end.
var pastCampaigns = []pastCampaign{
	{"Customer service in the North", []int{0, 1}, 0, 100, 0, 5, []outreach.Step{
		pastStep(0, `{{ company_name }}: answers on the same day`, `we help service teams answer on the same day. `+
			`<a href="`+linkedPage+`">This page</a> shows how it works.</p><p>Would a short call suit you?`),
		pastStep(4*day, "", `did you have time to look at my last mail? Fifteen minutes are enough to see whether it fits.`),
		pastStep(5*day, "", `this is my last mail about this. If the time is wrong, a short word is enough.`),
	}},
	{"Energy and industry", []int{0, 1}, 100, 60, 5, 4, []outreach.Step{
		pastStep(0, `Fewer open tickets in {{ custom_fields.industry }}`, `three companies of your size halved their `+
			`open tickets this year. <a href="`+linkedPage+`">Here is how</a>.`),
		pastStep(5*day, "", `shall I send you the figures for {{ custom_fields.industry }}?`),
	}},
	{"Trade fair follow-up", []int{1}, 160, 14, 1, 7, []outreach.Step{
		pastStep(0, "Good to meet you", `thank you for the talk at our stand. `+
			`Here is <a href="`+linkedPage+`">what I promised</a>.`),
	}},
	{"Partners", []int{2}, 174, 10, 9, 1, []outreach.Step{
		pastStep(0, "Working together", `we look for partners in your region. Is that something you think about?`),
		pastStep(12*day, "", `is there a better person to ask?`),
	}},
}

func pastStep(delay int, subject, text string) outreach.Step {
	step := outreach.Step{DelayMinutes: delay, BodyHTML: new(`<p>Hello {{ first_name | default: "there" }},</p><p>` + text + `</p>`)}
	if subject != "" {
		step.Subject = &subject
	}
	return step
}

// pastPeople is the number of people of all pastCampaigns.
const pastPeople = 184

var (
	firstNames = strings.Fields(`Åsa Björn Clara Dmitri Elif Fabio Greta Henrik Ilse Jakub Katja Lars Marta Nils ` +
		`Oksana Pieter Quentin Rosa Sven Tilda Umberto Vera Wim Yara`)
	lastNames = strings.Fields(`Öberg Andersen Bauer Castro Dupont Eriksen Fischer Gallo Hansen Ivanova Jansen Kowalski ` +
		`Larsson Moreau Nowak Olsen Petit Quist Ricci Schmidt Tamm Urban Virtanen Weber Ximénez Yilmaz Zimmer Aalto`)
	companyNames = strings.Fields(`Hanseatic Nordwind Baltica Solaris Ferrum Alpina Aquila Borealis Cobalt Delta Ember ` +
		`Fjord Granit Helios Iris Juno Kestrel Lumen Meridian Nova Orion Polar Quarz Rhein Sirius Terra`)
	industries = strings.Fields("energy logistics engineering retail insurance")
	jobTitles  = []string{"Head of Service", "Operations Manager", "Managing Director", "Support Lead", "Head of Sales"}
)

// One of lacksIndustry people has no industry.
const lacksIndustry = 17

var plainLetters = strings.NewReplacer("Å", "a", "Ö", "o", "ö", "o", "é", "e")

// setPerson sets the fields of one of the people of the past.
func setPerson(p *outreach.Prospect, i int) {
	first, last := firstNames[i%len(firstNames)], lastNames[(i+i/len(firstNames))%len(lastNames)]
	company := companyNames[i%len(companyNames)]
	p.Email = strings.ToLower(plainLetters.Replace(first+"."+last) + "@" + company + ".example")
	p.FirstName, p.LastName, p.CompanyName, p.JobTitle = &first, &last, &company, &jobTitles[i%len(jobTitles)]
	if i%lacksIndustry != 5 {
		p.CustomFields = map[string]any{"industry": industries[i%len(industries)]}
	}
}
